"""Local days and instants. Decisions §8.1.

A day belongs to a zone and starts at its first existing instant; a validity is a half-open interval
of instants. There is no clock here: every date comes from the caller.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, NamedTuple

from faregate.errors import InvalidPeriod

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

__all__ = ["YEARS", "DateRange", "Duration", "Interval", "in_utc", "parse_interval", "spans", "start_of_day"]

YEARS = range(1900, 9000)
"""Of dates that come from outside: a century more, the longest duration, must still be a date."""

_DAY = timedelta(days=1)
_LAST_SECOND = time(23, 59, 59)
_SECOND_MIDNIGHT = time(fold=1)
_LONGEST_SHIFT = timedelta(hours=25)
"""By more than this local days never differ from so many times 24 hours: a zone once skipped a day."""


class DateRange(NamedTuple):
    """Local dates, half-open: ``start`` is in, ``end`` is not.

    >>> DateRange(date(2026, 12, 26), date(2026, 12, 28)).days
    2
    """

    start: date
    end: date

    @property
    def days(self) -> int:
        """How many dates."""
        return (self.end - self.start).days


class Interval(NamedTuple):
    """Instants, half-open; both aware and, for a validity, in the merchant's zone."""

    start: datetime
    end: datetime

    @property
    def first_day(self) -> date:
        """The local date on which it starts."""
        return self.start.date()


def in_utc(instant: datetime) -> datetime:
    """*instant* in UTC, where instants compare: two times of one zone compare by the clock on the wall.

    >>> in_utc(datetime.fromisoformat("2026-12-27T00:00:00+01:00")).isoformat()
    '2026-12-26T23:00:00+00:00'

    Raises:
        InvalidPeriod: it lacks its offset.
    """
    if instant.tzinfo is None:
        raise InvalidPeriod(f"{instant.isoformat()} lacks its offset")
    return instant.astimezone(UTC)


def start_of_day(day: date, zone: ZoneInfo) -> datetime | None:
    """The first instant of *day* in *zone*; None where the zone skipped the day.

    >>> from zoneinfo import ZoneInfo
    >>> start_of_day(date(2024, 9, 8), ZoneInfo("America/Santiago")).isoformat()
    '2024-09-08T01:00:00-03:00'
    >>> start_of_day(date(2011, 12, 30), ZoneInfo("Pacific/Apia")) is None
    True
    """
    midnight = datetime.combine(day, time.min, zone)
    if midnight.utcoffset() == datetime.combine(day, _SECOND_MIDNIGHT, zone).utcoffset():
        return midnight  # neither skipped nor shown twice: nearly always
    if midnight.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == midnight.replace(tzinfo=None):
        return midnight
    first = _end_of_gap(midnight, zone)
    return first if first.date() == day else None


def _end_of_gap(missing: datetime, zone: ZoneInfo) -> datetime:
    """The instant at which the clock jumped over the local time *missing*."""
    # In a gap fold=0 reads with the offset before the jump, fold=1 with the one after: they bracket it.
    late = missing.replace(fold=0).astimezone(UTC)
    early = missing.replace(fold=1).astimezone(UTC)
    after = late.astimezone(zone).utcoffset()

    def has_jumped(seconds: int) -> bool:
        return (early + timedelta(seconds=seconds)).astimezone(zone).utcoffset() == after

    seconds = bisect_left(range((late - early) // timedelta(seconds=1)), True, key=has_jumped)
    return (early + timedelta(seconds=seconds)).astimezone(zone)


def parse_interval(start: str, end: str, zone: ZoneInfo) -> Interval:
    """Read a validity in any form decisions §8.1 accepts, as instants of *zone*.

    A date-time with offset; without offset it is local (a gap shifts forward, an overlap takes the
    earlier); a date, inclusive as *end*; an end of 23:59:59 means the end of that day.

    >>> from zoneinfo import ZoneInfo
    >>> parse_interval("2026-12-27", "2026-12-27", ZoneInfo("Europe/Zurich")).end.isoformat()
    '2026-12-28T00:00:00+01:00'

    Raises:
        InvalidPeriod: not such a form, a day that does not exist, or not ``start < end``.
    """
    interval = Interval(_instant(start, zone), _instant(end, zone, is_end=True))
    if in_utc(interval.end) <= in_utc(interval.start):
        raise InvalidPeriod(f"{end} is not after {start}")
    return interval


_FORM = re.compile(
    r"\d{4}-\d{2}-\d{2}"
    r"(?P<time>T\d{2}:\d{2}(?P<second>:\d{2}(\.\d{1,6})?)?(?P<offset>Z|[+-]\d{2}:\d{2})?)?",
    re.ASCII,
)


def _instant(text: str, zone: ZoneInfo, *, is_end: bool = False) -> datetime:
    form = _FORM.fullmatch(text)
    if form is None:
        raise InvalidPeriod(f"{text!r} is no date or date-time")
    try:
        if form["time"] is None:
            bound = _day_bound(date.fromisoformat(text), zone, is_end=is_end)
            in_utc(bound)  # refuses what is in no year of UTC
            return bound
        moment = datetime.fromisoformat(text)
        local = moment.astimezone(zone) if form["offset"] else moment.replace(tzinfo=zone)
        if is_end and local.replace(microsecond=0).time() == _LAST_SECOND:
            return _day_bound(local.date(), zone, is_end=True)
        return local.astimezone(UTC).astimezone(zone)
    except InvalidPeriod:
        raise
    except (ValueError, OverflowError) as error:
        raise InvalidPeriod(f"{text!r} is no date or date-time: {error}") from error


def _day_bound(day: date, zone: ZoneInfo, *, is_end: bool) -> datetime:
    first = start_of_day(day, zone)
    if first is None:
        raise InvalidPeriod(f"{day} does not exist in {zone.key}")
    if not is_end:
        return first
    return _day_begins(day + _DAY, zone)


class Duration(NamedTuple):
    """An ISO 8601 duration: calendar months and days, then elapsed seconds.

    >>> Duration.parse("P1DT2H30M")
    Duration(months=0, days=1, seconds=9000)
    >>> str(Duration(months=12)), str(Duration(days=3)), str(Duration(seconds=14400))
    ('P1Y', 'P3D', 'PT4H')
    """

    months: int = 0
    days: int = 0
    seconds: int = 0

    @classmethod
    def parse(cls, text: str) -> Duration:
        """Read ``PnYnMnDTnHnMnS`` or ``PnW``, whole numbers only.

        Raises:
            InvalidPeriod: not that form, nothing in it, or longer than a century.
        """
        form = _DURATION.fullmatch(text)
        if form is None or text.endswith(("P", "T")):
            raise InvalidPeriod(f"{text!r} is no ISO 8601 duration")
        years, months, weeks, days, hours, minutes, seconds = (int(part or 0) for part in form.groups())
        duration = cls(12 * years + months, 7 * weeks + days, 3600 * hours + 60 * minutes + seconds)
        if duration == cls() or any(part > limit for part, limit in zip(duration, _CENTURY, strict=True)):
            raise InvalidPeriod(f"{text!r} is no time at all, or more than a century")
        return duration

    def __str__(self) -> str:
        years, months = divmod(self.months, 12)
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        day_parts = _parts((years, "Y"), (months, "M"), (self.days, "D"))
        time_parts = _parts((hours, "H"), (minutes, "M"), (seconds, "S"))
        return f"P{day_parts}{time_parts and f'T{time_parts}'}"


_DURATION = re.compile(
    r"P(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?"
    r"(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?",
    re.ASCII,
)
_CENTURY = Duration(months=1200, days=36_525, seconds=36_525 * 86_400)


def _parts(*units: tuple[int, str]) -> str:
    return "".join(f"{count}{unit}" for count, unit in units if count)


def spans(duration: Duration, interval: Interval, zone: ZoneInfo) -> bool:
    """Whether *interval* is just *duration* long from its own start: local days first, then elapsed time.

    A duration in months is never matched: it belongs to a subscription, whose periods have an anchor.

    >>> from zoneinfo import ZoneInfo
    >>> zurich = ZoneInfo("Europe/Zurich")
    >>> spans(Duration(days=1), parse_interval("2026-12-27", "2026-12-27", zurich), zurich)
    True
    """
    if duration.months:
        return False
    elapsed = timedelta(seconds=duration.seconds)
    actual = in_utc(interval.end) - in_utc(interval.start)
    if not duration.days:
        return actual == elapsed
    if abs(actual - elapsed - duration.days * _DAY) > _LONGEST_SHIFT:
        return False
    first = interval.start.astimezone(zone).date()
    try:
        start, end = start_of_day(first, zone), _day_begins(first + duration.days * _DAY, zone)
    except OverflowError:
        return False
    if elapsed:
        end = (in_utc(end) + elapsed).astimezone(zone)
    return start is not None and _is_same(start, interval.start) and _is_same(end, interval.end)


def _is_same(one: datetime, other: datetime) -> bool:
    """Whether two instants are one; the quick test serves where both are of one zone."""
    is_same_reading = one.tzinfo is other.tzinfo and one == other and one.fold == other.fold
    return is_same_reading or in_utc(one) == in_utc(other)


def _day_begins(day: date, zone: ZoneInfo) -> datetime:
    """The first instant on or after *day*: the next day's where the zone skipped this one."""
    return start_of_day(day, zone) or _end_of_gap(datetime.combine(day, time.min, zone), zone)
