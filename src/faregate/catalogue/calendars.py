"""Seasons, public holidays and other sets of local days, most of which come again every year."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from operator import attrgetter
from typing import TypeAlias

from faregate.dates.instants import DateRange
from faregate.errors import InvalidPeriod, UnknownEntry
from faregate.translations import Text

_DAY = timedelta(days=1)
_FEBRUARY = 2


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A day of every year; 29 February is the 28th where there is none."""

    month: int
    day: int

    def in_year(self, year: int) -> date:
        """That day of *year*.

        >>> MonthDay(2, 29).in_year(2027)
        datetime.date(2027, 2, 28)
        """
        if self.month == _FEBRUARY and self.day == 29:  # noqa: PLR2004 - the leap day
            return date(year, 3, 1) - _DAY
        return date(year, self.month, self.day)


@dataclass(frozen=True, slots=True)
class EasterDay:
    """So many days after Easter Sunday: Good Friday is ``EasterDay(-2)``.

    From -80 to 250, which is a day of the same year whenever Easter is.
    """

    offset: int

    def in_year(self, year: int) -> date:
        """That day of *year*."""
        return easter_sunday(year) + self.offset * _DAY


YearlyDay: TypeAlias = MonthDay | EasterDay


def easter_sunday(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the Anonymous Gregorian algorithm (Meeus 1991, ch. 8).

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
    """From ``first`` to ``last``, both included: two dates, or every year between two of its days.

    What ends before it begins runs into the next year.
    """

    first: date | YearlyDay
    last: date | YearlyDay

    def near(self, year: int) -> tuple[DateRange, ...]:
        """Its days, if it is dated; else those that begin in *year*, the one before or the one after.

        >>> Span(MonthDay(12, 1), MonthDay(4, 30)).near(2026)[1]
        DateRange(start=datetime.date(2026, 12, 1), end=datetime.date(2027, 5, 1))
        """
        first, last = self.first, self.last
        if isinstance(first, date) and isinstance(last, date):
            return (DateRange(first, last + _DAY),)
        if isinstance(first, date) or isinstance(last, date):
            raise InvalidPeriod(f"{first} to {last}: expected two dates, or two days of every year")
        return tuple([_yearly_range(first, last, year + shift) for shift in (-1, 0, 1)])


def _yearly_range(first: YearlyDay, last: YearlyDay, year: int) -> DateRange:
    start, end = first.in_year(year), last.in_year(year)
    return DateRange(start, (end if start <= end else last.in_year(year + 1)) + _DAY)


@dataclass(frozen=True, kw_only=True)
class Season:
    """A named part of the year, in one or several spans."""

    identifier: str
    spans: tuple[Span, ...]
    name: Text = Text()

    def range_on(self, day: date) -> DateRange | None:
        """The days of this season among which *day* is; None outside of it."""
        return next((days for days in self._near(day.year) if days.start <= day < days.end), None)

    def next_range(self, day: date) -> DateRange | None:
        """The days of this season that next begin after *day*; None: it does not come again."""
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
        return {}  # each worked out when it is asked for: 3 us a span


@dataclass(frozen=True, slots=True)
class Holiday:
    """A public holiday, every year or on one date."""

    on: date | YearlyDay
    name: Text = Text()

    def in_year(self, year: int) -> date:
        """Its day of *year*; of one date that date, whatever the year."""
        return self.on if isinstance(self.on, date) else self.on.in_year(year)


@dataclass(frozen=True)
class DayPattern:
    """A set of local days: those for which everything given holds; nothing given is every day.

    ``seasons`` are identifiers, ``weekdays`` ISO numbers (Monday is 1), ``dates`` spans; one of each is
    enough. ``is_holiday`` asks for public holidays, or for other days.
    """

    seasons: frozenset[str] = frozenset()
    weekdays: frozenset[int] = frozenset()
    dates: tuple[Span, ...] = ()
    is_holiday: bool | None = None

    def include(self, day: date, calendar: Calendar) -> bool:
        """Whether *day* is one of them."""
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
        return {}  # each worked out when it is asked for: 3 us a span


@dataclass(frozen=True, kw_only=True)
class Calendar:
    """The seasons and public holidays of a catalogue.

    >>> winter = Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 30)),))
    >>> calendar = Calendar(seasons=(winter,), holidays=(Holiday(EasterDay(1)),))
    >>> calendar.is_in_season("winter", date(2027, 1, 15)), calendar.is_holiday(date(2027, 3, 29))
    (True, True)
    """

    seasons: tuple[Season, ...] = ()
    holidays: tuple[Holiday, ...] = ()

    def season(self, identifier: str) -> Season:
        """The season of that identifier, or UnknownEntry."""
        try:
            return self._seasons[identifier]
        except KeyError:
            raise UnknownEntry("season", identifier) from None

    def is_in_season(self, identifier: str, day: date) -> bool:
        """Whether *day* is in the season of that identifier, or UnknownEntry."""
        return self.season(identifier).range_on(day) is not None

    def is_holiday(self, day: date) -> bool:
        """Whether *day* is a public holiday."""
        holidays = self._holidays.get(day.year)
        if holidays is None:
            holidays = frozenset(holiday.in_year(day.year) for holiday in self.holidays)
            self._holidays[day.year] = holidays
        return day in holidays

    @cached_property
    def _holidays(self) -> dict[int, frozenset[date]]:
        return {}  # by year, each worked out when it is asked for

    @cached_property
    def _seasons(self) -> dict[str, Season]:
        return {season.identifier: season for season in self.seasons}
