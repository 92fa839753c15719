"""Price rules that no sale uses. Decisions §22."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time, timedelta
from itertools import product as combinations

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import Product, Variant
from faregate.checkout.quotes import ItemQuoter
from faregate.dates.instants import in_utc
from faregate.list_prices.steps import ListPrice

DAYS = [timedelta(days=n) for n in range(400)]
"""The days of tickets, from that of the audit: more than a year, so that every yearly day is included."""


def unused_prices(catalogue: Catalogue, at: datetime) -> Iterator[str]:
    """Yield the name of each price rule that no sale of the coming days uses, although it is for one of them.

    Nothing is sold yet, so rules for further units sold are left out.
    """
    for product in catalogue.products:
        ends = product.booking.sale_ends
        for variant in product.variants if ends is None or in_utc(ends) > in_utc(at) else ():
            for n, rule in enumerate(variant.prices, start=1):
                is_due = any(rule.when.include(at.date() + later, catalogue.calendar) for later in DAYS)
                used = _used_rules(rule, variant, product, catalogue, at)
                if is_due and not rule.min_sold and not any(rule is each for each in used):
                    yield f"price-{variant.id}-{n}"


def _used_rules(
    rule: PriceRule, variant: Variant, product: Product, catalogue: Catalogue, at: datetime
) -> Iterator[PriceRule | None]:
    """Yield the rules that sales to holders of the card of *rule* use, ordered early enough for *rule*."""
    leads = {0, 1, max(rule.min_lead_days, product.booking.min_lead_days)}
    for channel, later, lead in combinations(catalogue.channels, DAYS, leads):
        day = at.date() + later
        ordered = datetime.combine(day - timedelta(days=lead), time(), at.tzinfo)
        desk = ItemQuoter(channel=channel, catalogue=catalogue, at=ordered)
        for item in desk.bookable(variant.id, day, rule.discount_card):
            yield from _rules_of(desk.list_price(item))


def _rules_of(price: ListPrice) -> Iterator[PriceRule | None]:
    yield price.whole
    yield from (day.rule for day in price.days)
    for part in price.parts:
        yield from _rules_of(part)
