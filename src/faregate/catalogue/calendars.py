"""Calendars: seasons, public holidays and other sets of days, most of which recur every year."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from operator import attrgetter
from typing import TypeAlias

from faregate._values import public_value, union_member
from faregate.arguments.fields import Derived
from faregate.dates.instants import DateRange
from faregate.errors import InvalidPeriod, UnknownEntry
from faregate.translations import Text

_DAY = timedelta(days=1)
_FEBRUARY = 2


@union_member
@dataclass(frozen=True, slots=True)
class MonthDay:
    """A day that recurs every year; 29 February becomes 28 February in common years."""

    month: int
    day: int

    def in_year(self, year: int) -> date:
        """Return the date of this day in *year*.

        >>> MonthDay(2, 29).in_year(2027)
        datetime.date(2027, 2, 28)
        """
        if self.month == _FEBRUARY and self.day == 29:  # noqa: PLR2004 - the leap day
            return date(year, 3, 1) - _DAY
        return date(year, self.month, self.day)


@union_member
@dataclass(frozen=True, slots=True)
class EasterDay:
    """A day relative to Easter Sunday: Good Friday is ``EasterDay(-2)``.

    Offsets from -80 to 250 always fall in the same year as Easter.
    """

    offset: int

    def in_year(self, year: int) -> date:
        """Return the date of this day in *year*."""
        return easter_sunday(year) + self.offset * _DAY


YearlyDay: TypeAlias = MonthDay | EasterDay


def easter_sunday(year: int) -> date:
    """Return the date of Easter Sunday, by the Anonymous Gregorian algorithm (Meeus 1991, ch. 8).

    >>> easter_sunday(2027)
    datetime.date(2027, 3, 28)
    """
    century, of_century = divmod(year, 100)
    leap_century, century_rest = divmod(century, 4)
    moon_correction = (century - (century + 8) // 25 + 1) // 3
    golden = year % 19
    epact = (19 * golden + century - leap_century - moon_correction + 15) % 30
    leap, leap_rest = divmod(of_century, 4)
    weekday = (32 + 2 * century_rest + 2 * leap - epact - leap_rest) % 7
    late = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


@dataclass(frozen=True, slots=True)
class Span:
    """The days from ``first`` to ``last``, inclusive; both are dates, or both are days of every year.

    A yearly span whose last day comes before its first runs into the next year.
    """

    first: date | YearlyDay
    last: date | YearlyDay

    def near(self, year: int) -> tuple[DateRange, ...]:
        """Return the ranges of a yearly span that begin in *year* or an adjacent year.

        The single range of a span of dates is returned for every *year*.

        >>> Span(MonthDay(12, 1), MonthDay(4, 30)).near(2026)[1]
        DateRange(start=datetime.date(2026, 12, 1), end=datetime.date(2027, 5, 1))
        """
        first, last = self.first, self.last
        if isinstance(first, date) and isinstance(last, date):
            return (DateRange(first, last + _DAY),)
        if isinstance(first, date) or isinstance(last, date):
            raise InvalidPeriod(
                f"{first} to {last}: expected two dates with a year, or two that recur every year"
            )
        return tuple([_yearly_range(first, last, year + shift) for shift in (-1, 0, 1)])


def _yearly_range(first: YearlyDay, last: YearlyDay, year: int) -> DateRange:
    start, end = first.in_year(year), last.in_year(year)
    return DateRange(start, (end if start <= end else last.in_year(year + 1)) + _DAY)


@public_value
@dataclass(frozen=True, kw_only=True)
class Season(Derived):
    """A named part of the year, made of one or more spans."""

    identifier: str
    spans: tuple[Span, ...]
    name: Text = Text()

    def range_on(self, day: date) -> DateRange | None:
        """Return the range of this season that contains *day*, or None if *day* is not in the season."""
        for days in self._near(day.year):
            if days.start <= day < days.end:
                return days
        return None

    def next_range(self, day: date) -> DateRange | None:
        """Return the first range of this season that begins after *day*, or None."""
        coming = [days for days in self._near(day.year) if days.start > day]
        return min(coming, key=attrgetter("start", "end"), default=None)

    def _near(self, year: int) -> tuple[DateRange, ...]:
        near = self._by_year.get(year)
        if near is None:
            near = tuple([days for span in self.spans for days in span.near(year)])
            self._by_year[year] = near
        return near

    @cached_property
    def _by_year(self) -> dict[int, tuple[DateRange, ...]]:
        return {}  # a cache, as a span takes 3 us


@dataclass(frozen=True, slots=True)
class Holiday:
    """A public holiday that recurs every year or falls on a single date."""

    on: date | YearlyDay
    name: Text = Text()

    def in_year(self, year: int) -> date:
        """Return the date of the holiday in *year*; if the holiday has a single date, *year* is ignored."""
        return self.on if isinstance(self.on, date) else self.on.in_year(year)


@public_value
@dataclass(frozen=True)
class DayPattern(Derived):
    """A pattern for local days: the days that meet every condition given or, without any, all days.

    A day must be in one of ``seasons``, on one of ``weekdays`` (Monday is 1) and in one of ``dates``.
    ``is_holiday`` selects public holidays (True) or other days (False).
    """

    seasons: frozenset[str] = frozenset()
    weekdays: frozenset[int] = frozenset()
    dates: tuple[Span, ...] = ()
    is_holiday: bool | None = None

    def include(self, day: date, calendar: Calendar) -> bool:
        """Return True if *day* matches the pattern."""
        return (
            (not self.weekdays or day.isoweekday() in self.weekdays)
            and (not self.dates or self._is_in_dates(day))
            and (not self.seasons or any(calendar.is_in_season(name, day) for name in self.seasons))
            and (self.is_holiday is None or calendar.is_holiday(day) is self.is_holiday)
        )

    def _is_in_dates(self, day: date) -> bool:
        near = self._by_year.get(day.year)
        if near is None:
            near = self._by_year[day.year] = [days for span in self.dates for days in span.near(day.year)]
        return any(days.start <= day < days.end for days in near)

    @cached_property
    def _by_year(self) -> dict[int, list[DateRange]]:
        return {}  # a cache, as a span takes 3 us


@public_value
@dataclass(frozen=True, kw_only=True)
class Calendar(Derived):
    """The seasons and public holidays of a catalogue.

    >>> winter = Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 30)),))
    >>> calendar = Calendar(seasons=(winter,), holidays=(Holiday(EasterDay(1)),))
    >>> calendar.is_in_season("winter", date(2027, 1, 15)), calendar.is_holiday(date(2027, 3, 29))
    (True, True)
    """

    seasons: tuple[Season, ...] = ()
    holidays: tuple[Holiday, ...] = ()

    def season(self, identifier: str) -> Season:
        """Return the season with that identifier, or raise UnknownEntry."""
        try:
            return self._seasons[identifier]
        except KeyError:
            raise UnknownEntry("season", identifier) from None

    def is_in_season(self, identifier: str, day: date) -> bool:
        """Return True if *day* is in the season; raise UnknownEntry if the season does not exist."""
        return self.season(identifier).range_on(day) is not None

    def is_holiday(self, day: date) -> bool:
        """Return True if *day* is a public holiday."""
        holidays = self._holidays.get(day.year)
        if holidays is None:
            holidays = frozenset(holiday.in_year(day.year) for holiday in self.holidays)
            self._holidays[day.year] = holidays
        return day in holidays

    @cached_property
    def _holidays(self) -> dict[int, frozenset[date]]:
        return {}  # by year, filled on demand

    @cached_property
    def _seasons(self) -> dict[str, Season]:
        return {season.identifier: season for season in self.seasons}
