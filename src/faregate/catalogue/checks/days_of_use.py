"""Checks of the days on which validity periods can be used, and of the prices that such periods need."""

from collections.abc import Iterator

from faregate.catalogue.booking_rules import DaysOfUse
from faregate.catalogue.checks.parts import Parts, repeated
from faregate.catalogue.gate_ids import access_ids, price_lists
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.errors import Issue, Loc

_SHORTEST_MONTH = 28


def use_issues(parts: Parts) -> Iterator[Issue]:
    """Yield issues for limits that cannot be met, and for prices that would charge days without use."""
    for loc, product in parts.of(Product):
        rules = product.booking
        inside = (*loc, "booking", "days_of_use")
        yield from repeated(((*inside, n), str(use.duration)) for n, use in enumerate(rules.days_of_use))
        for n, use in enumerate(rules.days_of_use):
            yield from _odd_use((*inside, n), use, product)
        if product.price_model is not PriceModel.STATIC and product.has_validity:
            yield from _lacking_prices(loc, product)


def _odd_use(loc: Loc, use: DaysOfUse, product: Product) -> Iterator[Issue]:
    duration = use.duration
    if duration not in product.durations:
        yield Issue((*loc, "duration"), f"the product has no duration {duration}")
    most = _least_days(duration)
    if use.days > most:
        yield Issue((*loc, "days"), f"expected 1 to {most}, the days of {duration}, got {use.days}")
    if not _is_of_days(duration):
        return
    # In whole days, a longer period may replace a shorter one, so it must have at least as many days of use.
    if product.never_above_single_days:
        message = "not allowed if days are never above single days: make it a product of its own"
        yield Issue((*loc, "duration"), message)
    if any(any(access_ids(variant)) for variant in product.variants):
        message = "not allowed with ids of a gate, which may ask for any days: make it a product of its own"
        yield Issue((*loc, "duration"), message)
    known = {each.duration: each.days for each in product.booking.days_of_use}
    for other in product.durations:
        if _is_of_days(other) and other.days < duration.days and known.get(other, other.days) > use.days:
            message = f"{other} has more days of use: make {duration} a product of its own"
            yield Issue((*loc, "days"), message)


def _lacking_prices(loc: Loc, product: Product) -> Iterator[Issue]:
    """Yield an issue for each price list without a price for a whole period that has days without use."""
    limited = {use.duration for use in product.booking.days_of_use}
    blacked_out = bool(product.booking.blackouts)
    needed = [
        each for each in product.durations if each in limited or (blacked_out and _least_days(each) > 1)
    ]
    for n, variant in enumerate(product.variants):
        for inside, prices, _ in price_lists(variant):
            for card in dict.fromkeys((None, *(rule.discount_card for rule in prices))):
                for duration in needed:
                    if not any(
                        rule == PriceRule(rule.amount, duration, discount_card=card) for rule in prices
                    ):
                        holders = "" if card is None else f" for discount card {card}"
                        message = f"expected a price for {duration}{holders} without other conditions"
                        yield Issue((*loc, "variants", n, *inside, "prices"), message)


def _is_of_days(duration: Duration) -> bool:
    return not duration.months and not duration.seconds


def _least_days(duration: Duration) -> int:
    """Return the lowest number of service days of *duration*, counting hours as one."""
    return duration.months * _SHORTEST_MONTH + duration.days + (duration.seconds > 0)
