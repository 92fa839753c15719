"""A shop's visits: passes that renew, days to choose from, the price at the gate, and how it compares."""

from collections.abc import Iterable
from datetime import date, datetime
from zoneinfo import ZoneInfo

from faregate import (
    Catalogue,
    GateRequest,
    MonthlyOn,
    OfferedPrice,
    PriceDistribution,
    PriceLevel,
    ValidityQuery,
    gate_price,
    offered_prices,
    price_insight,
    renewal_dates,
    subscription_configuration,
    validity_options,
)

RULE = MonthlyOn(15)


def next_charges(ordered_at: datetime) -> tuple[date, ...]:
    """Return the days on which a pass ordered then is charged next."""
    configuration = subscription_configuration(RULE, ordered_at=ordered_at, zone=ZoneInfo("Europe/Zurich"))
    return renewal_dates(RULE, anchor=configuration.starts_on.date(), count=3)


def free_days(catalogue: Catalogue, product: int, days: tuple[date, date], now: datetime) -> dict[date, int]:
    """Return the lowest price of each day that can be booked."""
    query = ValidityQuery(product, days[0], days[1], only_available=True)
    found: dict[date, int] = {}
    for option in validity_options(query, catalogue=catalogue, capacity={}, now=now).options:
        if option.obstacle is None:
            found[option.validity.first_day] = option.price.min
    return found


def at_the_gate(catalogue: Catalogue, request: GateRequest) -> str:
    """Return the price of a unit, and the rate of its tax if it is known."""
    price = gate_price(request, catalogue=catalogue)
    percent = "" if price.rate is None else f"{price.rate.parts_per_million / 10_000} %"
    return f"{price.unit_price} {price.currency} {percent}".strip()


def prices_of(catalogue: Catalogue, query: ValidityQuery, now: datetime) -> tuple[OfferedPrice, ...]:
    """Return the prices that are offered for each validity."""
    return offered_prices(query, catalogue=catalogue, capacity={}, now=now)


def is_cheap(price: int, others: Iterable[int]) -> bool:
    """Return whether *price* is low among *others*."""
    return price_insight(PriceDistribution.from_prices(others), price).level is PriceLevel.LOW
