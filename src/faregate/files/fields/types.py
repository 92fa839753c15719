"""The forms of single values: how a file writes them, and the messages for invalid values.

Amounts are numbers or strings in major units of the current currency (see ``Currencies``); percentages are
numbers or strings such as 8.1. Neither is ever converted to a float.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache, lru_cache
from typing import Any, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from faregate.catalogue.calendars import EasterDay, MonthDay
from faregate.catalogue.presentation.redirects import parse_origin
from faregate.dates.durations import Duration
from faregate.dates.instants import YEARS
from faregate.discounts.kinds import normalize_code
from faregate.errors import InvalidInput, UnknownCurrency
from faregate.files.fields.currencies import Currencies
from faregate.files.fields.forms import Fault, Faults, Form, Integer, Plain, String, unlike
from faregate.files.fields.territories import TERRITORIES
from faregate.files.text.issues import shown
from faregate.money.amounts import MAX_SLIPPED, MILLION, MinorUnits, parse_minor_units, parts_per_million
from faregate.money.currency import currency
from faregate.subscriptions.rules import RenewalRule, parse_sold_rule
from faregate.tax.rates import VatRate

_Date = TypeVar("_Date", bound=date)

_MAX_WORD = 64
_MAX_SHARED = 4096
"""Size of the cache that lets repeated values of one type be read only once."""
# Large files repeat few amounts, percentages and durations: each is read once and kept once.
_minor_units = lru_cache(_MAX_SHARED, typed=True)(parse_minor_units)
_parts_per_million = lru_cache(_MAX_SHARED, typed=True)(parts_per_million)
_duration = lru_cache(_MAX_SHARED)(Duration.parse)


@dataclass(frozen=True, slots=True)
class Money(Form):
    """The form of amounts; with ``is_positive``, 0 is refused as well."""

    is_positive: bool = False

    def read(self, value: Any, units: Currencies) -> MinorUnits:
        amount = _minor_units(_number(value, "an amount"), units.unit)
        if amount < 0:
            raise unlike("at least 0", value)
        if self.is_positive and amount == 0:
            raise unlike("more than 0", amount)
        return amount


def _number(value: object, what: str) -> str | int | Decimal:
    """Return *value* if it is an int, a finite Decimal or a short text; otherwise raise ValueError."""
    is_long = isinstance(value, str) and len(value) > _MAX_WORD
    if isinstance(value, bool) or is_long or not isinstance(value, int | Decimal | str):
        raise unlike(what, value)
    if isinstance(value, Decimal) and not value.is_finite():
        raise InvalidInput(f"expected a finite number, got {value}")
    return value


def _read_percent(value: object) -> int:
    parts = _parts_per_million(_number(value, "a percentage"))
    if not MAX_SLIPPED < parts <= MILLION:
        raise unlike("more than 0.01 and at most 100 percent", value)
    return parts


def _read_factor(value: object) -> int:
    parts = _parts_per_million(_number(value, "a percentage"))
    if not 0 <= parts <= MILLION:
        raise unlike("0 to 100 percent", value)
    return parts


def read_rate(value: object) -> VatRate:
    """Return the VAT rate that a percentage stands for; those of equal percentages are one object."""
    return _rate(_read_factor(value))


@lru_cache(maxsize=_MAX_SHARED)
def _rate(parts: int) -> VatRate:
    return VatRate(parts_per_million=parts)


def _read_part_of_one(value: object) -> float:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        part = Decimal(value)
        if part.is_finite() and 0 <= part <= 1:
            return float(part)
    raise unlike("a number from 0 to 1", value)


def _text(value: object, what: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_WORD:
        raise unlike(what, value)
    return value


def _form(value: object, what: str, pattern: re.Pattern[str]) -> re.Match[str]:
    """Return the match of *pattern* with the whole of *value*; error messages say *what* was expected."""
    form = pattern.fullmatch(_text(value, what))
    if form is None:
        raise unlike(what, value)
    return form


def _written_as(what: str, pattern: str, flags: re.RegexFlag = re.ASCII) -> Callable[[str], str]:
    """Return a check for strings that match *pattern*; error messages say *what* was expected."""
    compiled = re.compile(pattern, flags)

    def check(text: str) -> str:
        if not compiled.fullmatch(text):
            raise unlike(what, text)
        return text

    return check


def _read_duration(value: object) -> Duration:
    return _duration(_text(value, "an ISO 8601 duration such as P1D or PT4H"))


def _read_rule(value: object) -> RenewalRule:
    return parse_sold_rule(_text(value, "a renewal rule such as monthly-on:1"))


_ELAPSED = range(60, 7 * 86_400 + 1)
"""Allowed lengths of an elapsed time in seconds: one minute to seven days."""


def _read_elapsed(value: object) -> timedelta:
    wanted = "hours, minutes and seconds such as PT30M"
    length = Duration.parse(_text(value, wanted))
    if length.months or length.days:  # not every day has 24 hours
        raise unlike(wanted, value)
    if length.seconds not in _ELAPSED:
        raise unlike("a duration from PT1M to PT168H", value)
    return timedelta(seconds=length.seconds)


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_INSTANT = re.compile(
    r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(?P<offset>Z|[+-]\d{2}:\d{2})?", re.ASCII
)


def read_day(value: object) -> date:
    """Return a date such as ``2026-12-27``."""
    return _usual(_form(value, "a date such as 2026-12-27", _DAY)[0], date.fromisoformat)


def read_instant(value: object) -> datetime:
    """Return a date-time such as ``2026-12-27T00:00:00+01:00``, which must have a UTC offset."""
    form = _form(value, "a date-time such as 2026-12-27T00:00:00+01:00", _INSTANT)
    if form["offset"] is None:
        raise InvalidInput(f"{form[0]} has no UTC offset: write it as in 2026-12-27T00:00:00+01:00")
    return _usual(form[0], datetime.fromisoformat)


def _usual(text: str, read: Callable[[str], _Date]) -> _Date:
    try:
        day = read(text)
    except ValueError:
        raise InvalidInput(f"the date or time {text} does not exist") from None
    if day.year not in YEARS:
        raise InvalidInput(f"expected a year from {YEARS[0]} to {YEARS[-1]}, got {day.year}")
    return day


_SPAN_DAY = re.compile(
    r"(?P<month>\d{2})-(?P<day>\d{2})|easter(?P<offset>[+-]\d{1,3})?|(?P<date>\d{4}-\d{2}-\d{2})", re.ASCII
)


def _read_span_day(value: object) -> date | MonthDay | EasterDay:
    """Return a date, a yearly day or a day relative to Easter; the core checks that a yearly day exists."""
    form = _form(value, "a day such as 12-27, easter+1 or 2026-12-27", _SPAN_DAY)
    if form["date"]:
        return read_day(form[0])
    if form["month"]:
        return MonthDay(int(form["month"]), int(form["day"]))
    return EasterDay(int(form["offset"] or 0))


_LOCAL_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)


def _read_local_time(value: object) -> time:
    return time.fromisoformat(_form(value, "a time such as 09:30", _LOCAL_TIME)[0])


def _read_territory(value: object) -> str:
    text = _text(value, "a country code such as CH")
    if text not in TERRITORIES:
        hint = f": write {text.upper()!r}" if text.upper() in TERRITORIES else ""
        raise InvalidInput(f"unknown country code {shown(text)}{hint}")
    return text


def _read_currency(value: object) -> str:
    try:
        return currency(_text(value, "a currency code such as CHF")).code
    except UnknownCurrency as error:
        raise InvalidInput(str(error)) from None


def _read_zone(value: object) -> str:
    text = _text(value, "a time zone such as Europe/Zurich")
    with suppress(LookupError, ValueError, OSError):  # OSError: the name of a folder of zones
        return ZoneInfo(text).key
    raise Faults([Fault(f"unknown time zone {shown(text)}", [], text, _zones)])


@cache  # reading the names takes 10 ms
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def _read_uuid(value: object) -> str:
    return str(UUID(_form(value, "a UUID", _UUID)[0]))


# A path has one leading slash, since two lead to another host; the characters are those of RFC 3986.
_URL = r"(https://[a-z0-9.-]+(:[0-9]{1,5})?(?=[/?#]|\Z)|/(?!/))[a-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*"


def _url_such_as(path: str) -> Callable[[str], str]:
    wanted = f"an https URL or a path such as {path}, without spaces"
    return _written_as(wanted, _URL, re.ASCII | re.IGNORECASE)


def _check_origin(text: str) -> str:
    parse_origin(text)
    return text


def _check_name(text: str) -> str:
    if not text or text != text.strip() or not text.isprintable():
        raise unlike("printable text without leading or trailing spaces", text)
    return text


def _check_paragraph(text: str) -> str:
    _check_name(text.strip().replace("\n", " "))
    return text.strip()


def _check_entered(text: str) -> str:
    code = normalize_code(text)
    if not code or not code.isprintable():
        raise unlike("printable text", text)
    return text


def _check_code(text: str) -> str:
    code = normalize_code(text)
    if not code or not code.isprintable() or any(map(str.isspace, code)):
        raise unlike("a code without spaces", text)
    if "/" in code or code in {".", ".."}:
        raise unlike("a code valid in a URL path", text)
    return code


def _read_digest(value: object) -> str:
    if type(value) is not str:
        raise unlike("text", value)
    if not re.fullmatch(r"[0-9a-f]{64}", value, re.ASCII):  # not quoted: it may be the key itself
        raise InvalidInput("expected 64 hexadecimal digits, as printed by faregate channel-key")
    return value


_MAX_UNITS = 10**9


def _read_units(value: object) -> int | None:
    if value == "unlimited":
        return None
    if type(value) is not int or not 0 <= value <= _MAX_UNITS:
        raise unlike(f"0 to {_MAX_UNITS} or unlimited", value)
    return value


def _read_boolean(value: object) -> bool:
    if type(value) is not bool:
        raise unlike("true or false", value)
    return value


BOOLEAN = Plain(_read_boolean)

ID = Integer(1, 2**53 - 1)
COUNT = Integer(0, 10**9)
MINIMUM_COUNT = Integer(1, 10**9)
DAY_COUNT = Integer(0, 36_525)
"""A number of days, at most a century, so that dates stay in the supported range."""
MINIMUM_DAY_COUNT = Integer(1, 36_525)
MINUTE_COUNT = Integer(0, 1440 * 36_525)
RANKING = Integer(-(10**9), 10**9)
WHOLE_NUMBER = Integer(-(2**53 - 1), 2**53 - 1)
"""An integer that JSON represents exactly."""
WEEKDAY = Integer(1, 7)
"""An ISO weekday: Monday is 1."""
UNITS = Plain(_read_units)
"""A number of units; None, for any number, is written ``unlimited``."""

NAME = String(200, _check_name)
PARAGRAPH = String(4000, _check_paragraph)
SLUG = String(200, _written_as("lower-case letters, digits and single hyphens", r"[a-z0-9]+(-[a-z0-9]+)*"))
FIELD_NAME = String(64, _written_as("a name such as firstName", r"[a-z][A-Za-z0-9]*"))
IMAGE_URL = String(2000, _url_such_as("/images/ticket.jpg"))
IMAGE_PREVIEW = String(
    20_000,
    _written_as(
        "an image as in data:image/png;base64,iVBORw0KGgo=",
        r"data:image/(avif|gif|jpeg|png|webp);base64,[A-Za-z0-9+/]+={0,2}",  # no SVG, which can have scripts
    ),
)
URL = String(2000, _url_such_as("/tickets"))
WEB_ORIGIN = String(300, _check_origin)
CODE = String(64, _check_code)
ENTERED_CODE = String(64, _check_entered)
"""A code as entered by a customer; it need not belong to any promo code or voucher."""
KEY_DIGEST = Plain(_read_digest)

AMOUNT = Money()
POSITIVE_AMOUNT = Money(is_positive=True)
PERCENT = Plain(_read_percent)
"""Parts per million, read from a percentage of more than 0.01 and at most 100."""
FACTOR = Plain(_read_factor)
"""Parts per million, read from a percentage from 0 to 100."""
PART_OF_ONE = Plain(_read_part_of_one)

RENEWAL_RULE = Plain(_read_rule)
DURATION = Plain(_read_duration)
ELAPSED_TIME = Plain(_read_elapsed)
DAY = Plain(read_day)
INSTANT = Plain(read_instant)
LOCAL_TIME = Plain(_read_local_time)
SPAN_DAY = Plain(_read_span_day)
"""A date, a day of every year, or a day relative to Easter Sunday."""
CURRENCY_CODE = Plain(_read_currency)
TERRITORY = Plain(_read_territory)
TIME_ZONE = Plain(_read_zone)
UUID_TEXT = Plain(_read_uuid)
