"""Validity queries about a drawn situation, and the order of their results."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.dates.durations import Duration
from faregate.dates.instants import DateRange
from faregate.validity.bookability import BookingRulesCheck
from faregate.validity.offers import Cursor, ValidityOption
from faregate.validity.options import ValidityOptions, ValidityQuery, validity_options
from support.booking.strategies import ONE_DAY, Situation
from support.shops.booking_shop import TICKET

Stock = dict[PoolSlot, PoolUsage]


def ask(situation: Situation, query: ValidityQuery, taken: Stock | None = None) -> ValidityOptions:
    return validity_options(
        query,
        catalogue=situation.catalogue,
        capacity=situation.taken if taken is None else taken,
        now=situation.now,
    )


def options(
    situation: Situation, query: ValidityQuery, taken: Stock | None = None
) -> tuple[ValidityOption, ...]:
    return ask(situation, query, taken).options


def all_on(situation: Situation, days: DateRange) -> Iterator[ValidityOption]:
    """Yield all options that begin on *days*, a few weeks per query."""
    for n in range(0, days.days, 30):
        first = days.start + n * ONE_DAY
        last = min(first + 30 * ONE_DAY, days.end) - ONE_DAY
        yield from options(situation, ValidityQuery(TICKET, first, last))


def desk_of(
    situation: Situation, rules: BookingRules | None = None, *, now: datetime | None = None
) -> BookingRulesCheck:
    """Return the booking check of the situation, optionally with other *rules* or another instant."""
    product = situation.product
    return BookingRulesCheck(
        product if rules is None else replace(product, booking=rules),
        zone=situation.zone,
        catalogue=situation.catalogue,
        now=now or situation.now,
    )


def place(cursor: Cursor) -> tuple[datetime, Duration]:
    """Return the position of a cursor in the order of instants, independent of clock changes."""
    return cursor.start.astimezone(UTC), cursor.duration


def places(found: Sequence[ValidityOption]) -> list[tuple[datetime, Duration]]:
    return [place(option.cursor) for option in found]
