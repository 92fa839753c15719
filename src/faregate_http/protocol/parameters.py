"""Query parameters: what each is in the OpenAPI document, and how its text is read. Decisions §15."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Generic, TypeVar
from zoneinfo import ZoneInfo

from faregate.dates.instants import YEARS, Duration, parse_instant
from faregate.errors import InvalidPeriod, InvalidRate
from faregate.money.amounts import parts_per_million

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

_Value_co = TypeVar("_Value_co", covariant=True)

_SHOWN = 40
_UTC = ZoneInfo("UTC")

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
# As JSON writes it: no sign of its own for positive numbers, no leading zeros.
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})", re.ASCII)
_DECIMAL = re.compile(r"(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_LONGEST_DURATION = 40
_LONGEST_START = 40
_MOST_PARTS = 100 * 10_000


@dataclass(frozen=True, slots=True)
class Parameter(Generic[_Value_co]):
    """A query parameter: described by a JSON Schema, its text read by ``read``, which raises ValueError.

    One whose schema is an array may be given several times.
    """

    name: str
    schema: dict[str, object]
    description: str
    read: Callable[[str], _Value_co]
    is_required: bool = False

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be given several times."""
        return self.schema.get("type") == "array"


def is_uuid(text: str) -> bool:
    """Whether *text* is a UUID as it is usually written.

    >>> is_uuid("7D9E6C1A-0b51-4c58-8a10-3a3f6a1f2b77"), is_uuid("7d9e6c1a0b514c588a103a3f6a1f2b77")
    (True, False)
    """
    return _UUID.fullmatch(text) is not None


def is_checkout_id(text: str) -> bool:
    """Return whether *text* is a UUID that nobody can guess: of version 4 or 7 (RFC 9562).

    >>> is_checkout_id("7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77")
    True
    >>> is_checkout_id("00000000-0000-0000-0000-000000000000")
    False
    """
    return is_uuid(text) and text[14] in "47" and text[19] in "89abAB"


def read_number(text: str) -> int:
    """A whole number."""
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"expected a whole number, got {text[:_SHOWN]!r}")
    return int(text)


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """How a whole number from *least* to *most* is read."""

    def read(text: str) -> int:
        """Read one."""
        number = read_number(text)
        if not least <= number <= most:
            raise ValueError(f"expected {least} to {most}, got {number}")
        return number

    return read


def read_day(text: str) -> date:
    """A date as ``2026-12-27``."""
    try:
        day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    except ValueError:
        day = None
    if day is None or day.year not in YEARS:
        raise ValueError(f"expected a date such as 2026-12-27, got {text[:_SHOWN]!r}")
    return day


def read_start(text: str) -> str:
    """A day, or a date-time with or without offset, as ``2026-12-27`` or ``2026-12-27T09:00:00+01:00``.

    It stays text: which instant it is depends on the zone of whom it is about.
    """
    try:
        start = parse_instant(text, _UTC) if len(text) <= _LONGEST_START else None
    except InvalidPeriod:
        start = None
    if start is None or start.year not in YEARS:
        raise ValueError(f"expected a date or date-time such as 2026-12-27, got {text[:_SHOWN]!r}")
    return text


def read_amount(text: str) -> str:
    """An amount of at least 0 in major units, as ``49.5``; how many decimals it may have the currency says.

    It stays text, exactly as it was given.
    """
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f"expected an amount such as 49.5, got {text[:_SHOWN]!r}")
    return text


def read_percent(text: str) -> Fraction:
    """A percentage from 0 to 100 with at most 4 decimals, as ``97.5``, exactly."""
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f"expected a percentage such as 97.5, got {text[:_SHOWN]!r}")
    parts = _parts(text)
    if parts is None or parts > _MOST_PARTS:
        raise ValueError(f"expected 0 to 100 with at most 4 decimals, got {text[:_SHOWN]}")
    return Fraction(100 * parts, _MOST_PARTS)


def _parts(percent: str) -> int | None:
    try:
        return parts_per_million(percent)
    except InvalidRate:
        return None


def read_duration(text: str) -> Duration:
    """An ISO 8601 duration as ``P1D`` or ``PT4H``."""
    if len(text) > _LONGEST_DURATION:
        raise ValueError(f"expected a duration such as P1D, got {text[:_SHOWN]!r}")
    return Duration.parse(text)


def read_boolean(text: str) -> bool:
    """``true`` or ``false``."""
    if text not in {"true", "false"}:
        raise ValueError(f"expected true or false, got {text[:_SHOWN]!r}")
    return text == "true"


def read_checkout_id(text: str) -> str:
    """The id of a checkout, in lower case."""
    if not is_checkout_id(text):
        raise ValueError(f"expected a UUID of version 4 or 7, got {text[:_SHOWN]!r}")
    return text.lower()


def read_word(words: Collection[str]) -> Callable[[str], str]:
    """How one of *words* is read."""

    def read(text: str) -> str:
        """Read one."""
        if text not in words:
            raise ValueError(f"expected {' or '.join(sorted(words))}, got {text[:_SHOWN]!r}")
        return text

    return read
