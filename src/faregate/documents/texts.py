"""The forms of values written as text: dates, instants, time zones and exact numbers. Decisions §19."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from faregate.documents.forms import Form, Json, Refer, wrong

_MICROSECOND = timedelta(microseconds=1)
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Text(Form):
    """The form of a type that is written as text; only text that ``write`` could return is accepted."""

    kind: type
    name: str
    to_text: Callable[[Any], str]
    from_text: Callable[[str], Any]
    details: tuple[tuple[str, str], ...] = ()
    """Further keywords of the JSON Schema."""

    json: ClassVar[str] = "string"

    def write(self, value: Any) -> Json:
        # Subclasses, which may hold more than their text, are refused; only time zones have several classes.
        if type(value) is not self.kind and not (self.kind is tzinfo and isinstance(value, tzinfo)):
            raise wrong(self.name, value)
        text = self.to_text(value)
        if self._parsed(text) != value:
            raise wrong(self.name, value)
        return text

    def read(self, data: Json) -> Any:
        value = self._parsed(data)
        if self.to_text(value) != data:
            raise wrong(f"{self.name}, written {self.to_text(value)!r}", data)
        return value

    def _parsed(self, text: object) -> Any:
        if type(text) is str:
            with suppress(ValueError, ArithmeticError, LookupError, OSError):
                value = self.from_text(text)
                if value == value:  # noqa: PLR0124  # not a NaN
                    return value
        raise wrong(self.name, text)

    def schema(self, refer: Refer) -> Json:
        return {"type": "string", **dict(self.details)}


def _zone_text(zone: tzinfo | None) -> str:
    """Return the name of a time zone, or its UTC offset; empty for zones from other libraries."""
    if isinstance(zone, ZoneInfo):
        return zone.key or ""
    return datetime(2000, 1, 1, tzinfo=zone).isoformat()[19:] if type(zone) is timezone else ""


def _zone(text: str) -> tzinfo | None:
    return datetime.fromisoformat(f"2000-01-01T00:00:00{text}").tzinfo if text[:1] in "+-" else ZoneInfo(text)


def _instant_text(instant: datetime) -> str:
    """Return *instant* in ISO 8601 with its UTC offset, then the time zone in brackets (RFC 9557)."""
    if instant.tzinfo is None or type(instant.tzinfo) is timezone:
        return instant.isoformat()
    name = _zone_text(instant.tzinfo)
    return f"{instant.isoformat()}[{name}]" if name else ""


def _instant(text: str) -> datetime:
    """Parse an instant; the UTC offset distinguishes two instants with the same clock time."""
    shown, _, name = text.removesuffix("]").partition("[")
    instant = datetime.fromisoformat(shown)
    if not name:
        return instant
    local = instant.replace(tzinfo=ZoneInfo(name))
    return local if local.utcoffset() == instant.utcoffset() else local.replace(fold=1)


def _elapsed_text(elapsed: timedelta) -> str:
    seconds, rest = divmod(abs(elapsed) // _MICROSECOND, _MILLION)
    fraction = f".{rest:06}".rstrip("0") if rest else ""
    return f"{'-' if elapsed < timedelta() else ''}PT{seconds}{fraction}S"


def _elapsed(text: str) -> timedelta:
    whole, _, fraction = text.removeprefix("-").removeprefix("PT").removesuffix("S").partition(".")
    elapsed = timedelta(seconds=int(whole), microseconds=int(f"{fraction:0<6}"))
    return -elapsed if text[0] == "-" else elapsed


def _fraction(text: str) -> Fraction:
    """Parse a fraction; exponents are refused, since ``Fraction`` would compute huge powers of ten."""
    numerator, _, denominator = text.partition("/")
    return Fraction(int(numerator), int(denominator or 1))


_CLOCK = r"\d{2}:\d{2}:\d{2}(\.\d{6})?"
_OFFSET = r"([+-]\d{2}:\d{2}(:\d{2}(\.\d{6})?)?(\[[^\]]+\])?)?"
_INSTANT = (("pattern", rf"^\d{{4}}-\d{{2}}-\d{{2}}T{_CLOCK}{_OFFSET}$"),)
TEXTS = {
    form.kind: form
    for form in (
        Text(date, "a date like '2026-12-27'", date.isoformat, date.fromisoformat, (("format", "date"),)),
        Text(time, "a time like '08:30:00'", time.isoformat, time.fromisoformat),
        Text(
            datetime,
            "an instant like '2026-12-27T08:30:00+01:00[Europe/Zurich]'",
            _instant_text,
            _instant,
            _INSTANT,
        ),
        Text(timedelta, "an elapsed time like 'PT90S'", _elapsed_text, _elapsed),
        Text(tzinfo, "a zone like 'Europe/Zurich' or '+01:00'", _zone_text, _zone),
        Text(Fraction, "a fraction like '1/3'", str, _fraction),
        Text(Decimal, "a decimal number like '8.1'", str, Decimal),
        # Fractions of an image's size; not JSON numbers, which some parsers round.
        Text(float, "a number like '0.5' as text", repr, float),
    )
}
"""The form of each type that is written as text."""
