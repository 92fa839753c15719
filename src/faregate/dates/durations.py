"""Durations, and the validity periods computed from them. Decisions §8.2.

Months and days are calendar units; hours, minutes and seconds are elapsed time.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo
from enum import Enum
from typing import NamedTuple

from faregate._values import public_value
from faregate.arguments.checks import option
from faregate.dates.instants import Interval, day_begins, in_utc
from faregate.dates.months import KeptMonthEnd, MonthEnd, add_months
from faregate.errors import InvalidPeriod

_DAY = timedelta(days=1)
_LONGEST_SHIFT = timedelta(hours=25)
"""Maximum difference between local days and the same number of 24-hour days; some zones skipped a day."""


@public_value
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
        """Parse an ISO 8601 duration such as ``P1Y6M``, ``P2W`` or ``P1DT2H``, in whole numbers only.

        Raises:
            InvalidPeriod: *text* is malformed, is zero, or is longer than a century.
        """
        form = _DURATION.fullmatch(text)
        if form is None or text.endswith(("P", "T")):
            raise InvalidPeriod(f"invalid ISO 8601 duration: {text!r}")
        years, months, weeks, days, hours, minutes, seconds = (int(part or 0) for part in form.groups())
        duration = cls(12 * years + months, 7 * weeks + days, 3600 * hours + 60 * minutes + seconds)
        if duration == cls() or any(part > limit for part, limit in zip(duration, _CENTURY, strict=True)):
            raise InvalidPeriod(f"expected a duration from one second to a century, got {text!r}")
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


class LastDay(Enum):
    """The end of a period of months if its final month lacks the day of the month on which it began."""

    THROUGH = "through"
    """A one-month period from 31 January is valid through the last day of February."""
    EXCLUSIVE = "exclusive"
    """A one-month period from 31 January ends when the last day of February begins."""


def validity_from(
    duration: Duration, start: datetime, zone: tzinfo, *, last_day: LastDay = LastDay.THROUGH
) -> Interval:
    """Return the validity period that lasts *duration* from *start*.

    A duration without months or days begins exactly at *start*. Any other duration begins at the start of
    the local day of *start* and includes its last day in full; elapsed time is added after that.

    >>> from zoneinfo import ZoneInfo
    >>> start = datetime.fromisoformat("2027-01-31T10:30:00+01:00")
    >>> validity_from(Duration(months=1), start, ZoneInfo("Europe/Zurich")).end.isoformat()
    '2027-03-01T00:00:00+01:00'

    Raises:
        InvalidPeriod: *start* has no UTC offset, or the period is outside the years 1 to 9999.
    """
    last_day = option(LastDay, last_day, "last_day")
    instant = in_utc(start)
    try:
        begin = instant.astimezone(zone)
        elapsed = timedelta(seconds=duration.seconds)
        if not duration.months and not duration.days:
            return Interval(begin, (instant + elapsed).astimezone(zone))
        first = begin.date()
        after = first
        if duration.months:
            after = add_months(first, duration.months, month_end=_MONTH_ENDS[last_day])
        end = day_begins(after + duration.days * _DAY, zone)
        if elapsed:
            end = (in_utc(end) + elapsed).astimezone(zone)
        return Interval(day_begins(first, zone), end)
    except (OverflowError, ValueError) as error:
        raise InvalidPeriod(f"{duration} from {start.isoformat()}: {error}") from error


# A validity through the last day of a short month ends when the next month begins.
_MONTH_ENDS: dict[LastDay, KeptMonthEnd] = {
    LastDay.THROUGH: MonthEnd.FORWARD,
    LastDay.EXCLUSIVE: MonthEnd.CLAMP,
}


def has_duration(duration: Duration, interval: Interval, zone: tzinfo) -> bool:
    """Return True if *interval* is the period that ``validity_from`` gives for *duration* and its start.

    >>> from zoneinfo import ZoneInfo
    >>> from faregate.dates.instants import parse_interval
    >>> zurich = ZoneInfo("Europe/Zurich")
    >>> has_duration(Duration(days=1), parse_interval("2026-12-27", "2026-12-27", zurich), zurich)
    True
    """
    start = in_utc(interval.start)
    nominal = timedelta(days=duration.days, seconds=duration.seconds)
    if not duration.months and abs(in_utc(interval.end) - start - nominal) > _LONGEST_SHIFT:
        return False  # nearly always if a product does not offer the duration
    try:
        expected = validity_from(duration, start, zone)
    except InvalidPeriod:  # the duration would end after the last date
        return False
    return _is_same(expected.start, interval.start) and _is_same(expected.end, interval.end)


def _is_same(one: datetime, other: datetime) -> bool:
    """Return True if both are the same instant; the slower comparison in UTC comes second."""
    is_same_reading = one.tzinfo is other.tzinfo and one == other and one.fold == other.fold
    return is_same_reading or in_utc(one) == in_utc(other)
