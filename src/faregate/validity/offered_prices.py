"""The prices of a product for its validity periods, as input for price insights. Decisions §10."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import Enum
from itertools import islice
from zoneinfo import ZoneInfo

from faregate._values import public_value
from faregate.arguments.checks import option
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity
from faregate.dates.durations import Duration
from faregate.dates.instants import Interval, in_utc
from faregate.errors import InvalidInput
from faregate.money.amounts import MinorUnits
from faregate.validity.bookability import Obstacle
from faregate.validity.offers import ValidityOption
from faregate.validity.options import ValidityQuery, validity_options


class PricePopulation(Enum):
    """The validity periods whose prices are compared.

    BOOKABLE are those that can be booked now. OFFERED are also those that are only sold out. Cheap periods
    often sell out first, so the bookable rest may look more expensive than the offer was.
    """

    BOOKABLE = "bookable"
    OFFERED = "offered"


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPrice:
    """A validity period with the list price of one unit."""

    validity: Interval
    duration: Duration
    price: MinorUnits


def offered_prices(
    query: ValidityQuery,
    *,
    catalogue: Catalogue,
    capacity: Capacity,
    now: datetime,
    population: PricePopulation = PricePopulation.BOOKABLE,
) -> tuple[OfferedPrice, ...]:
    """Return the prices of the validity periods in *query*, sorted by start, then by duration.

    By default, only periods that can be booked count; with ``PricePopulation.OFFERED``, sold-out periods
    count as well. Periods that are closed, out of season or not on sale never count.

    The prices are for the variant in *query*, by default the standard variant. Since prices depend on the
    duration, select a single duration to get comparable prices.

    >>> from datetime import UTC, datetime
    >>> from faregate import PriceDistribution, ValidityQuery, price_insight
    >>> from faregate.files import demo_catalogue
    >>> offered = offered_prices(ValidityQuery(11), catalogue=demo_catalogue(), capacity={},
    ...                          now=datetime(2026, 12, 1, tzinfo=UTC))
    >>> offered[0].validity.first_day, offered[0].price
    (datetime.date(2026, 12, 1), 7900)
    >>> len(offered), price_insight(PriceDistribution.from_prices(o.price for o in offered), 7900).level
    (31, <PriceLevel.TYPICAL: 'typical'>)

    Raises:
        InvalidInput: *query* has several variants or a party, or its quantity or limit is below 1;
            *population* is not an option, or is OFFERED although *query* has ``only_available``.
        UnknownEntry, InvalidPeriod: as in ``validity_options``.
    """
    obstacles = _allowed(population, query)
    shown = _shown(query, catalogue=catalogue, capacity=capacity, now=now)
    counted = (option for option in shown if option.obstacle in obstacles)
    return tuple(_observed(option) for option in islice(counted, query.limit))


def _allowed(population: object, query: ValidityQuery) -> tuple[Obstacle | None, ...]:
    """Return the obstacles that a validity period in *population* may have."""
    if option(PricePopulation, population, "population") is PricePopulation.BOOKABLE:
        return (None,)
    if query.only_available:
        raise InvalidInput("population: OFFERED includes sold-out periods, but the query has only_available")
    return None, Obstacle.SOLD_OUT


def current_price(
    query: ValidityQuery, *, catalogue: Catalogue, capacity: Capacity, now: datetime
) -> MinorUnits | None:
    """Return the price of one unit that is valid from today, or None if such a unit cannot be booked.

    Without a variant or duration in *query*, the standard variant and the first duration of the product are
    used. Today is the date in the merchant's time zone; the window of *query* is ignored.

    Raises:
        InvalidInput, UnknownEntry: as in ``offered_prices``.
    """
    product = catalogue.product(query.product)
    today = now.astimezone(ZoneInfo(catalogue.merchant(product.merchant).timezone)).date()
    asked = replace(_on(today, query), durations=(query.durations or product.durations)[:1], limit=1)
    offered = offered_prices(asked, catalogue=catalogue, capacity=capacity, now=now)
    return next((observed.price for observed in offered), None)


def price_from(
    start: date | datetime,
    query: ValidityQuery,
    *,
    catalogue: Catalogue,
    capacity: Capacity,
    now: datetime,
) -> MinorUnits | None:
    """Return the unit price of the first validity period that begins at *start*, an instant or a date.

    If several periods begin at the same time, the shortest is used, even if it cannot be booked. The result
    is None if no period with a price begins at *start*. The window of *query* is ignored.

    Raises:
        InvalidInput, UnknownEntry: as in ``offered_prices``.
    """
    product = catalogue.product(query.product)
    zone = ZoneInfo(catalogue.merchant(product.merchant).timezone)
    day = start.astimezone(zone).date() if isinstance(start, datetime) else start
    shown = map(_observed, _shown(_on(day, query), catalogue=catalogue, capacity=capacity, now=now))
    return next((observed.price for observed in shown if _begins(observed, start)), None)


def _on(day: date, query: ValidityQuery) -> ValidityQuery:
    return replace(query, first_day=day, last_day=day, after=None)


def _begins(observed: OfferedPrice, start: date | datetime) -> bool:
    return not isinstance(start, datetime) or in_utc(observed.validity.start) == in_utc(start)


def _observed(option: ValidityOption) -> OfferedPrice:
    (unit,) = option.units
    return OfferedPrice(validity=option.validity, duration=option.duration, price=unit.price)


def _shown(
    query: ValidityQuery, *, catalogue: Catalogue, capacity: Capacity, now: datetime
) -> tuple[ValidityOption, ...]:
    """Return all options, bookable or not, of the variant in *query* or else of the standard variant."""
    if query.limit is not None and query.limit < 1:
        raise InvalidInput(f"expected a limit of at least 1, got {query.limit}")
    if query.party is not None:
        raise InvalidInput(f"expected a single variant, got the party {query.party!r}")
    if len(query.variants) > 1:
        raise InvalidInput(f"expected at most one variant, got {', '.join(map(str, query.variants))}")
    variants = query.variants or (catalogue.product(query.product).standard_variant.id,)
    every = replace(query, variants=variants, only_available=False, limit=None)
    return validity_options(every, catalogue=catalogue, capacity=capacity, now=now).options
