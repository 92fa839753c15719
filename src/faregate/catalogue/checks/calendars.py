"""Checks of seasons, holidays and day patterns."""

from collections.abc import Iterator
from datetime import date

from faregate.catalogue.calendars import DayPattern, EasterDay, Holiday, MonthDay, Season, Span, YearlyDay
from faregate.catalogue.checks.parts import Parts, not_weekdays
from faregate.errors import Issue, Loc

_LEAP_YEAR = 2000
# Easter is from 22 March to 25 April, so 80 days before and 250 days after are in the same year.
_EASTER_OFFSETS = range(-80, 251)


def calendar_issues(parts: Parts) -> Iterator[Issue]:
    """Yield issues for days that do not exist, and for invalid spans."""
    for loc, season in parts.of(Season):
        if not season.spans:
            yield Issue((*loc, "spans"), "expected at least one")
    for loc, holiday in parts.of(Holiday):
        yield from _odd_day((*loc, "on"), holiday.on)
    for loc, days in parts.of(DayPattern):
        yield from not_weekdays((*loc, "weekdays"), days.weekdays)
    for loc, span in parts.of(Span):
        yield from _odd_day((*loc, "first"), span.first)
        if span.last != span.first:
            yield from _odd_day((*loc, "last"), span.last)
        yield from _odd_span(loc, span)


def _odd_span(loc: Loc, span: Span) -> Iterator[Issue]:
    match span:
        case Span(date() as first, date() as last):
            if last < first:
                yield Issue(loc, f"{last} is before {first}")
        case Span(date(), _) | Span(_, date()):
            yield Issue(
                loc,
                f"{_written(span.first)} to {_written(span.last)}: "
                "expected two dates with a year, or two that recur every year",
            )


def _odd_day(loc: Loc, day: date | YearlyDay) -> Iterator[Issue]:
    if isinstance(day, MonthDay):
        try:
            date(_LEAP_YEAR, day.month, day.day)
        except ValueError:
            yield Issue(loc, f"there is no {_written(day)}")
    elif isinstance(day, EasterDay) and day.offset not in _EASTER_OFFSETS:
        yield Issue(
            loc,
            f"expected {_EASTER_OFFSETS[0]} to {_EASTER_OFFSETS[-1]} days from Easter, got {day.offset}",
        )


def _written(day: date | YearlyDay) -> str:
    match day:
        case MonthDay():
            return f"{day.month:02}-{day.day:02}"
        case EasterDay():
            return f"easter{day.offset:+}"
        case _:
            return day.isoformat()
