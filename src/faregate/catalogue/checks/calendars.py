"""What is wrong with the seasons and holidays of a catalogue, and with the sets of days it names."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from faregate.catalogue.calendars import EasterDay, MonthDay, Span
from faregate.catalogue.gate_ids import price_lists
from faregate.errors import Issue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faregate.catalogue.calendars import Calendar, DayPattern, YearlyDay
    from faregate.catalogue.entries import Entries
    from faregate.catalogue.products import Product
    from faregate.errors import Loc

_LEAP_YEAR = 2000
# From 1 January, when Easter is on 22 March, to 31 December, when it is on 25 April: of the same year.
_EASTER_OFFSETS = range(-80, 251)
_WEEKDAYS = range(1, 8)


def calendar_faults(catalogue: Entries) -> Iterator[Issue]:
    """Days that do not exist, and spans that cannot be."""
    yield from _odd_calendar(catalogue.calendar)
    for place, days in sets_of_days(catalogue):
        for weekday in sorted(days.weekdays - {*_WEEKDAYS}):
            yield Issue((*place, "weekdays"), f"expected 1 to 7, got {weekday}")
        yield from _odd_spans((*place, "dates"), days.dates)


def sets_of_days(catalogue: Entries) -> Iterator[tuple[Loc, DayPattern]]:
    """Every set of days that a pool or a product names, and where."""
    for n, pool in enumerate(catalogue.pools):
        for m, size in enumerate(pool.sizes):
            yield ("pools", n, "sizes", m, "when"), size.when
        for m, blocked in enumerate(pool.blocked):
            yield ("pools", n, "blocked", m, "when"), blocked.when
    for n, product in enumerate(catalogue.products):
        yield from _of_product(("products", n), product)


def _of_product(place: Loc, product: Product) -> Iterator[tuple[Loc, DayPattern]]:
    for n, variant in enumerate(product.variants):
        for inside, prices, _ in price_lists(variant):
            for m, price in enumerate(prices):
                yield (*place, "variants", n, *inside, "prices", m, "when"), price.when
    for n, closed in enumerate(product.booking.closed):
        yield (*place, "booking", "closed", n), closed
    for n, stay in enumerate(product.booking.stays):
        yield (*place, "booking", "stays", n, "when"), stay.when


def _odd_calendar(calendar: Calendar) -> Iterator[Issue]:
    for n, season in enumerate(calendar.seasons):
        if not season.spans:
            yield Issue(("calendar", "seasons", n, "spans"), "expected at least one")
        yield from _odd_spans(("calendar", "seasons", n, "spans"), season.spans)
    for n, holiday in enumerate(calendar.holidays):
        yield from _odd_day(("calendar", "holidays", n, "on"), holiday.on)


def _odd_spans(place: Loc, spans: tuple[Span, ...]) -> Iterator[Issue]:
    for n, span in enumerate(spans):
        yield from _odd_day((*place, n, "first"), span.first)
        if span.last != span.first:
            yield from _odd_day((*place, n, "last"), span.last)
        yield from _odd_span((*place, n), span)


def _odd_span(place: Loc, span: Span) -> Iterator[Issue]:
    match span:
        case Span(date() as first, date() as last):
            if last < first:
                yield Issue(place, f"{last} is before {first}")
        case Span(date(), _) | Span(_, date()):
            yield Issue(
                place,
                f"{_written(span.first)} to {_written(span.last)}: "
                "expected two dates, or two days of every year",
            )


def _odd_day(place: Loc, day: date | YearlyDay) -> Iterator[Issue]:
    if isinstance(day, MonthDay):
        try:
            date(_LEAP_YEAR, day.month, day.day)
        except ValueError:
            yield Issue(place, f"there is no {_written(day)}")
    elif isinstance(day, EasterDay) and day.offset not in _EASTER_OFFSETS:
        yield Issue(
            place,
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
