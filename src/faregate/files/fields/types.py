"""The types of single fields, with the conversion of values and the messages for invalid values.

Amounts are numbers or strings in major units of the current currency (see ``Currencies``); percentages are
numbers or strings such as 8.1. Neither is ever converted to a float.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, TypeAlias, TypeVar
from uuid import UUID
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, ValidationInfo
from pydantic_core import PydanticCustomError

from faregate.catalogue.calendars import EasterDay, MonthDay
from faregate.catalogue.presentation.redirects import parse_origin
from faregate.dates.durations import Duration
from faregate.dates.instants import YEARS
from faregate.discounts.kinds import normalize_code
from faregate.errors import UnknownCurrency
from faregate.files.fields.currencies import currencies_in
from faregate.files.fields.models import Entry
from faregate.files.fields.territories import TERRITORIES
from faregate.files.text.issues import shown
from faregate.money.amounts import MILLION, MinorUnits, parse_minor_units, parts_per_million
from faregate.money.currency import Currency, currency
from faregate.subscriptions.rules import RenewalRule, parse_sold_rule
from faregate.translations import Text

_Entry = TypeVar("_Entry")
_Date = TypeVar("_Date", bound=date)

_MAX_WORD = 64
_MAX_SHARED = 4096
"""Size of the cache that lets repeated values of one type be read only once."""
_ANY_CURRENCY = Currency("any currency", exponent=4, cash_increment=1)


def _read_amount(value: object, info: ValidationInfo) -> MinorUnits:
    amount = _minor_units(_number(value, "an amount"), currencies_in(info).current or _ANY_CURRENCY)
    if amount < 0:
        raise ValueError(f"expected at least 0, got {shown(value)}")
    return amount


# Large files repeat few amounts, percentages and durations: each is read once and kept once.
_minor_units = lru_cache(_MAX_SHARED, typed=True)(parse_minor_units)
_parts_per_million = lru_cache(_MAX_SHARED, typed=True)(parts_per_million)
_duration = lru_cache(_MAX_SHARED)(Duration.parse)


def _number(value: object, what: str) -> str | int | Decimal:
    """Return *value* if it is an int, a finite Decimal or a short text; otherwise raise ValueError."""
    is_long = isinstance(value, str) and len(value) > _MAX_WORD
    if isinstance(value, bool) or is_long or not isinstance(value, int | Decimal | str):
        raise ValueError(f"expected {what}, got {shown(value)}")
    if isinstance(value, Decimal) and not value.is_finite():
        raise ValueError(f"expected a finite number, got {value}")
    return value


def _positive(amount: MinorUnits) -> MinorUnits:
    if amount == 0:
        raise ValueError("expected more than 0, got 0")
    return amount


def _read_percent(value: object) -> int:
    parts = _parts_per_million(_number(value, "a percentage"))
    if not 0 < parts <= MILLION:
        raise ValueError(f"expected more than 0 and at most 100 percent, got {shown(value)}")
    return parts


def read_factor(value: object) -> int:
    """Return a percentage from 0 to 100 as parts per million."""
    parts = _parts_per_million(_number(value, "a percentage"))
    if not 0 <= parts <= MILLION:
        raise ValueError(f"expected 0 to 100 percent, got {shown(value)}")
    return parts


def _read_part_of_one(value: object) -> float:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        part = Decimal(value)
        if part.is_finite() and 0 <= part <= 1:
            return float(part)
    raise ValueError(f"expected a number from 0 to 1, got {shown(value)}")


def _some(entries: tuple[_Entry, ...]) -> tuple[_Entry, ...]:
    if not entries:
        raise ValueError("expected at least one entry")
    return entries


def _text(value: object, what: str) -> str:
    if not isinstance(value, str) or len(value) > _MAX_WORD:
        raise ValueError(f"expected {what}, got {shown(value)}")
    return value


def _form(value: object, what: str, pattern: re.Pattern[str]) -> re.Match[str]:
    """Return the match of *pattern* with the whole of *value*; error messages say *what* was expected."""
    form = pattern.fullmatch(_text(value, what))
    if form is None:
        raise ValueError(f"expected {what}, got {shown(value)}")
    return form


def _written_as(what: str, pattern: str, flags: re.RegexFlag = re.ASCII) -> AfterValidator:
    """Return a validator for strings that match *pattern*; error messages say *what* was expected."""
    compiled = re.compile(pattern, flags)

    def check(text: str) -> str:
        if not compiled.fullmatch(text):
            raise ValueError(f"expected {what}, got {shown(text)}")
        return text

    return AfterValidator(check)


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
        raise ValueError(f"expected {wanted}, got {shown(value)}")
    if length.seconds not in _ELAPSED:
        raise ValueError(f"expected a duration from PT1M to PT168H, got {shown(value)}")
    return timedelta(seconds=length.seconds)


_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_INSTANT = re.compile(
    r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(?P<offset>Z|[+-]\d{2}:\d{2})?", re.ASCII
)


def _read_day(value: object) -> date:
    return _usual(_form(value, "a date such as 2026-12-27", _DAY)[0], date.fromisoformat)


def _read_instant(value: object) -> datetime:
    form = _form(value, "a date-time such as 2026-12-27T00:00:00+01:00", _INSTANT)
    if form["offset"] is None:
        raise ValueError(f"{form[0]} has no UTC offset: write it as in 2026-12-27T00:00:00+01:00")
    return _usual(form[0], datetime.fromisoformat)


def _usual(text: str, read: Callable[[str], _Date]) -> _Date:
    try:
        day = read(text)
    except ValueError:
        raise ValueError(f"the date or time {text} does not exist") from None
    if day.year not in YEARS:
        raise ValueError(f"expected a year from {YEARS[0]} to {YEARS[-1]}, got {day.year}")
    return day


_SPAN_DAY = re.compile(
    r"(?P<month>\d{2})-(?P<day>\d{2})|easter(?P<offset>[+-]\d{1,3})?|(?P<date>\d{4}-\d{2}-\d{2})", re.ASCII
)


def _read_span_day(value: object) -> date | MonthDay | EasterDay:
    """Return a date, a yearly day or a day relative to Easter; the core checks that a yearly day exists."""
    form = _form(value, "a day such as 12-27, easter+1 or 2026-12-27", _SPAN_DAY)
    if form["date"]:
        return _read_day(form[0])
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
        raise ValueError(f"unknown country code {shown(text)}{hint}")
    return text


def _read_currency(value: object) -> str:
    try:
        return currency(_text(value, "a currency code such as CHF")).code
    except UnknownCurrency as error:
        raise ValueError(str(error)) from None


def _read_zone(value: object) -> str:
    text = _text(value, "a time zone such as Europe/Zurich")
    with suppress(LookupError, ValueError, OSError):  # OSError: the name of a folder of zones
        return ZoneInfo(text).key
    # The hint is costly, so it is added only to the issues that are listed.
    raise PydanticCustomError("time_zone", "unknown time zone")


_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)


def _read_uuid(value: object) -> str:
    return str(UUID(_form(value, "a UUID", _UUID)[0]))


# A path has one leading slash, since two lead to another host; the characters are those of RFC 3986.
_URL = r"(https://[a-z0-9.-]+(:[0-9]{1,5})?(?=[/?#]|\Z)|/(?!/))[a-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*"


def _url_such_as(path: str) -> AfterValidator:
    wanted = f"an https URL or a path such as {path}, without spaces"
    return _written_as(wanted, _URL, re.ASCII | re.IGNORECASE)


def _check_origin(text: str) -> str:
    parse_origin(text)
    return text


_IMAGE_PREVIEW = _written_as(
    "an image as in data:image/png;base64,iVBORw0KGgo=",
    r"data:image/(avif|gif|jpeg|png|webp);base64,[A-Za-z0-9+/]+={0,2}",  # no SVG, which can contain scripts
)


def _check_name(text: str) -> str:
    if not text or text != text.strip() or not text.isprintable():
        raise ValueError(f"expected printable text without leading or trailing spaces, got {shown(text)}")
    return text


def _check_paragraph(text: str) -> str:
    _check_name(text.strip().replace("\n", " "))
    return text.strip()


def _check_entered(text: str) -> str:
    code = normalize_code(text)
    if not code or not code.isprintable():
        raise ValueError(f"expected printable text, got {shown(text)}")
    return text


def _check_code(text: str) -> str:
    code = normalize_code(text)
    if not code or not code.isprintable() or any(map(str.isspace, code)):
        raise ValueError(f"expected a code without spaces, got {shown(text)}")
    if "/" in code or code in {".", ".."}:
        raise ValueError(f"expected a code valid in a URL path, got {shown(text)}")
    return code


Id: TypeAlias = Annotated[int, Field(ge=1, le=2**53 - 1)]
Count: TypeAlias = Annotated[int, Field(ge=0, le=10**9)]
MinimumCount: TypeAlias = Annotated[int, Field(ge=1, le=10**9)]
DayCount: TypeAlias = Annotated[int, Field(ge=0, le=36_525)]
"""A number of days, at most a century, so that dates stay in the supported range."""
MinimumDayCount: TypeAlias = Annotated[int, Field(ge=1, le=36_525)]
MinuteCount: TypeAlias = Annotated[int, Field(ge=0, le=1440 * 36_525)]
Ranking: TypeAlias = Annotated[int, Field(ge=-(10**9), le=10**9)]
WholeNumber: TypeAlias = Annotated[int, Field(ge=-(2**53 - 1), le=2**53 - 1)]
"""An integer that JSON represents exactly."""
Weekday: TypeAlias = Annotated[int, Field(ge=1, le=7)]
"""An ISO weekday: Monday is 1."""

Name: TypeAlias = Annotated[str, Field(max_length=200), AfterValidator(_check_name)]
Paragraph: TypeAlias = Annotated[str, Field(max_length=4000), AfterValidator(_check_paragraph)]
Slug: TypeAlias = Annotated[
    str,
    Field(max_length=200),
    _written_as("lower-case letters, digits and single hyphens", r"[a-z0-9]+(-[a-z0-9]+)*"),
]
FieldName: TypeAlias = Annotated[
    str, Field(max_length=64), _written_as("a name such as firstName", r"[a-z][A-Za-z0-9]*")
]
ImageUrl: TypeAlias = Annotated[str, Field(max_length=2000), _url_such_as("/images/ticket.jpg")]
ImagePreview: TypeAlias = Annotated[str, Field(max_length=20_000), _IMAGE_PREVIEW]
Url: TypeAlias = Annotated[str, Field(max_length=2000), _url_such_as("/tickets")]
WebOrigin: TypeAlias = Annotated[str, Field(max_length=300), AfterValidator(_check_origin)]
Code: TypeAlias = Annotated[str, Field(max_length=64), AfterValidator(_check_code)]
EnteredCode: TypeAlias = Annotated[str, Field(max_length=64), AfterValidator(_check_entered)]
"""A code as entered by a customer; it need not belong to any promo code or voucher."""

Amount: TypeAlias = Annotated[MinorUnits, PlainValidator(_read_amount)]
PositiveAmount: TypeAlias = Annotated[MinorUnits, PlainValidator(_read_amount), AfterValidator(_positive)]
Percent: TypeAlias = Annotated[int, PlainValidator(_read_percent)]
"""Parts per million, read from a percentage of more than 0 and at most 100."""
PercentKey: TypeAlias = Annotated[Percent, Field(alias="percent")]
Factor: TypeAlias = Annotated[int, PlainValidator(read_factor)]
"""Parts per million, read from a percentage from 0 to 100."""
PartOfOne: TypeAlias = Annotated[float, PlainValidator(_read_part_of_one)]

RenewalText: TypeAlias = Annotated[RenewalRule, PlainValidator(_read_rule)]
IsoDuration: TypeAlias = Annotated[Duration, PlainValidator(_read_duration)]
ElapsedTime: TypeAlias = Annotated[timedelta, PlainValidator(_read_elapsed)]
Day: TypeAlias = Annotated[date, PlainValidator(_read_day)]
Instant: TypeAlias = Annotated[datetime, PlainValidator(_read_instant)]
LocalTime: TypeAlias = Annotated[time, PlainValidator(_read_local_time)]
SpanDay: TypeAlias = Annotated[date | MonthDay | EasterDay, PlainValidator(_read_span_day)]
"""A date, a day of every year, or a day relative to Easter Sunday."""
CurrencyCode: TypeAlias = Annotated[str, PlainValidator(_read_currency)]
Territory: TypeAlias = Annotated[str, PlainValidator(_read_territory)]
TimeZone: TypeAlias = Annotated[str, PlainValidator(_read_zone)]
Uuid: TypeAlias = Annotated[str, PlainValidator(_read_uuid)]

ListOf: TypeAlias = Annotated[tuple[_Entry, ...], Field(strict=False)]
SomeOf: TypeAlias = Annotated[tuple[_Entry, ...], Field(strict=False), AfterValidator(_some)]
"""A list with at least one entry."""

SetOf: TypeAlias = Annotated[frozenset[_Entry], Field(strict=False)]

OneOf: TypeAlias = Annotated[_Entry, Field(strict=False)]
"""A member of an enumeration, given by its value."""


class WordsEntry(Entry[Text]):
    """A text by language, as in ``{en: Day ticket, de: Tageskarte}``; English is required.

    Where a language is missing, the English text is used.
    """

    en: Paragraph
    de: Paragraph = ""
    fr: Paragraph = ""
    it: Paragraph = ""


def _in_english(value: object) -> object:
    return {"en": value} if isinstance(value, str) else value


Words: TypeAlias = Annotated[WordsEntry, BeforeValidator(_in_english)]
"""A mapping of languages to texts, or a single text for all languages."""
