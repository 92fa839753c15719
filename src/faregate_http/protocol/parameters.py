"""Query parameters: their description in the OpenAPI document, and their parsing. Decisions §15."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Generic, TypeVar
from zoneinfo import ZoneInfo

from faregate.dates.durations import Duration
from faregate.dates.instants import YEARS, parse_instant
from faregate.errors import InvalidRate
from faregate.money.amounts import parts_per_million
from faregate_http.schemas.base import LARGEST_SAFE

_Value = TypeVar("_Value")
_Value_co = TypeVar("_Value_co", covariant=True)

_SHOWN = 40
_UTC = ZoneInfo("UTC")

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
# In JSON syntax: no plus sign, no leading zeros.
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})", re.ASCII)
_DECIMAL = re.compile(r"(0|[1-9][0-9]{0,15})(\.[0-9]{1,15})?", re.ASCII)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
UNITS_PATTERN = "^([1-9][0-9]{0,15}):([1-9][0-9]{0,3}|10000)$"
"""Pattern of the units of a variant, such as ``101:2``."""

_LONGEST_DURATION = 40
_LONGEST_START = 40
_MAX_PARTS = 100 * 10_000


@dataclass(frozen=True, slots=True)
class Parameter(Generic[_Value_co]):
    """A query parameter with a JSON Schema and a parser ``read``, which raises ValueError for invalid text.

    An array parameter may occur several times.
    """

    name: str
    schema: dict[str, object]
    description: str
    read: Callable[[str], _Value_co]
    is_required: bool = False

    @property
    def is_repeatable(self) -> bool:
        """True if the parameter may occur several times."""
        return self.schema.get("type") == "array"


def is_uuid(text: str) -> bool:
    """Return True if *text* is a UUID in the usual notation.

    >>> is_uuid("7D9E6C1A-0b51-4c58-8a10-3a3f6a1f2b77"), is_uuid("7d9e6c1a0b514c588a103a3f6a1f2b77")
    (True, False)
    """
    return _UUID.fullmatch(text) is not None


def is_checkout_id(text: str) -> bool:
    """Return True if *text* is a UUID that cannot be guessed: version 4 or 7 (RFC 9562).

    >>> is_checkout_id("7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77")
    True
    >>> is_checkout_id("00000000-0000-0000-0000-000000000000")
    False
    """
    return is_uuid(text) and text[14] in "47" and text[19] in "89abAB"


def _reader(expected: str, read: Callable[[str], _Value | None]) -> Callable[[str], _Value]:
    """Return a parser that calls *read* and, if that fails or returns None, raises one kind of ValueError."""

    def reader(text: str) -> _Value:
        try:
            value = read(text)
        except ValueError:
            value = None
        if value is None:
            raise ValueError(f"expected {expected}, got {text[:_SHOWN]!r}")
        return value

    return reader


def _day(text: str) -> date | None:
    day = date.fromisoformat(text) if _DAY.fullmatch(text) else None
    return day if day is not None and day.year in YEARS else None


def _units(text: str) -> tuple[int, int] | None:
    found = re.fullmatch(UNITS_PATTERN, text, re.ASCII)
    return (int(found[1]), int(found[2])) if found else None


def _start(text: str) -> str | None:
    start = parse_instant(text, _UTC) if len(text) <= _LONGEST_START else None
    return text if start is not None and start.year in YEARS else None


read_number = _reader("a whole number", lambda text: int(text) if _INTEGER.fullmatch(text) else None)

read_day = _reader("a date such as 2026-12-27", _day)

read_start = _reader("a date or date-time such as 2026-12-27", _start)
"""Check a day or date-time and return it as text, because its time zone may not be known here."""

read_amount = _reader("an amount such as 49.5", lambda text: text if _DECIMAL.fullmatch(text) else None)
"""Check an amount in major units and return it as text, because its currency is not known here."""

read_units = _reader("a variant id and 1 to 10000 units such as 101:2", _units)

read_boolean = _reader("true or false", {"true": True, "false": False}.get)

read_checkout_id = _reader(
    "a UUID of version 4 or 7", lambda text: text.lower() if is_checkout_id(text) else None
)


def whole_number(minimum: int, maximum: int) -> Callable[[str], int]:
    """Return a parser of whole numbers from *minimum* to *maximum*."""

    def read(text: str) -> int:
        number = read_number(text)
        if not minimum <= number <= maximum:
            raise ValueError(f"expected {minimum} to {maximum}, got {number}")
        return number

    return read


def read_percent(text: str) -> Fraction:
    """Return the exact value of a percentage from 0 to 100 with at most 4 decimals, such as ``97.5``."""
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f"expected a percentage such as 97.5, got {text[:_SHOWN]!r}")
    with suppress(InvalidRate):
        if (parts := parts_per_million(text)) <= _MAX_PARTS:
            return Fraction(100 * parts, _MAX_PARTS)
    raise ValueError(f"expected 0 to 100 percent with at most 4 decimals, got {text[:_SHOWN]}")


def read_duration(text: str) -> Duration:
    """Read an ISO 8601 duration such as ``P1D`` or ``PT4H``."""
    if len(text) > _LONGEST_DURATION:
        raise ValueError(f"expected a duration such as P1D, got {text[:_SHOWN]!r}")
    return Duration.parse(text)


def read_word(words: Collection[str]) -> Callable[[str], str]:
    """Return a parser that accepts one of *words*."""
    return _reader(" or ".join(sorted(words)), lambda text: text if text in words else None)


def number(
    name: str,
    description: str,
    *,
    most: int,
    example: int,
    usual: int | None = None,
    is_required: bool = False,
) -> Parameter[int]:
    """Return a parameter for a whole number from 1 to *most* with the default *usual*."""
    schema: dict[str, object] = {"type": "integer", "minimum": 1, "maximum": most}
    if usual is not None:
        schema["default"] = usual
    schema["examples"] = [example]
    return Parameter(name, schema, description, whole_number(1, most), is_required)


def numbers(name: str, description: str, *, example: int, least: int = 0) -> Parameter[int]:
    """Return a parameter for a list of at least *least* ids."""
    schema: dict[str, object] = {"type": "array"}
    if least:
        schema["minItems"] = least
    schema["items"] = {"type": "integer", "minimum": 1, "maximum": LARGEST_SAFE}
    schema["examples"] = [[example]]
    return Parameter(name, schema, description, read_number, is_required=least > 0)


def _day_parameter(name: str, description: str, *, example: str) -> Parameter[date]:
    schema: dict[str, object] = {"type": "string", "format": "date", "examples": [example]}
    return Parameter(name, schema, description, read_day)


DATE_FROM = _day_parameter(
    "dateFrom", "First day on which periods begin. Defaults to today.", example="2026-12-01"
)
DATE_TO = _day_parameter(
    "dateTo",
    "Last day on which periods begin, at most 366 days in all. Defaults to 30 days after dateFrom.",
    example="2027-04-30",
)
# All parts are optional, but at least one must be present.
_DAYS = "([0-9]{1,9}Y)?([0-9]{1,9}M)?([0-9]{1,9}W)?([0-9]{1,9}D)?"
_HOURS = "T([0-9]{1,9}H([0-9]{1,9}M)?([0-9]{1,9}S)?|[0-9]{1,9}M([0-9]{1,9}S)?|[0-9]{1,9}S)"
_DURATION: dict[str, object] = {
    "type": "string",
    "minLength": 3,
    "maxLength": 40,
    "pattern": f"^P{_DAYS}({_HOURS})?$",
}
DURATIONS = Parameter(
    "duration",
    {"type": "array", "items": _DURATION, "examples": [["P1D"]]},
    "Durations, ISO 8601. Defaults to all durations of the product.",
    read_duration,
)
