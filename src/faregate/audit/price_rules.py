"""Price rules that no sale uses. Decisions §22."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from itertools import product as combinations

from faregate.audit.shops import DAY, HORIZON
from faregate.catalogue.calendars import Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import NOTHING_TAKEN, Capacity, PoolSlot, PoolUsage
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import Product, Variant
from faregate.checkout.quotes import zone_of
from faregate.dates.durations import Duration, validity_from
from faregate.dates.instants import in_utc
from faregate.errors import UnknownEntry
from faregate.list_prices.price import ListPriceQuery, list_price
from faregate.list_prices.steps import ListPrice
from faregate.validity.bookability import BookingRulesCheck


def unused_prices(catalogue: Catalogue, at: datetime) -> Iterator[tuple[Variant, int]]:
    """Yield each price rule that no sale on the days of the horizon uses: its variant, and its index from 0.

    Every day, duration and discount card is tried and, for STEPPED prices, every stage.
    """
    for product in catalogue.products:
        ends = product.booking.sale_ends
        if ends is not None and in_utc(ends) <= in_utc(at):
            continue
        for variant in product.variants:
            open_rules = {n for n, rule in enumerate(variant.prices) if _is_due(rule, at.date())}
            for price in _prices(product, variant, catalogue, at):
                used = [*_rules_of(price)]
                open_rules = {n for n in open_rules if not any(variant.prices[n] is rule for rule in used)}
                if not open_rules:
                    break
            yield from ((variant, n) for n in sorted(open_rules))


def _is_due(rule: PriceRule, today: date) -> bool:
    """Return False if the rule is for dates of one year only that are not all within the horizon."""
    spans = rule.when.dates
    in_every_year = any(not isinstance(span.first, date) for span in spans)
    end = today + HORIZON[-1]
    return not spans or in_every_year or any(_is_within(span, today, end) for span in spans)


def _is_within(span: Span, first: date, last: date) -> bool:
    return (
        isinstance(span.first, date)
        and isinstance(span.last, date)
        and first <= span.first
        and span.last <= last
    )


def _rules_of(price: ListPrice) -> Iterator[PriceRule]:
    if price.whole is not None:
        yield price.whole
    for day in price.days:
        yield day.rule
    for part in price.parts:
        yield from _rules_of(part)


def _prices(product: Product, variant: Variant, catalogue: Catalogue, at: datetime) -> Iterator[ListPrice]:
    own = {rule.discount_card for rule in variant.prices if rule.discount_card is not None}
    cards = (None, *sorted(own))
    is_stepped = product.price_model is PriceModel.STEPPED
    sold = {0, *(rule.min_sold for rule in variant.prices)} if is_stepped else {0}
    leads = {0, 1, product.booking.min_lead_days}
    if is_stepped:
        leads |= {rule.min_lead_days for rule in variant.prices}
    for first, lead in _occasions(product, at, leads):
        durations = _bookable(product, first, lead, catalogue) if product.has_validity else [None]
        for duration, card, number in combinations(durations, cards, sold):
            query = ListPriceQuery(duration, first if duration else None, first - lead * DAY, card)
            try:
                yield list_price(
                    variant,
                    query,
                    product=product,
                    calendar=catalogue.calendar,
                    capacity=_sold(product, first, number),
                )
            except UnknownEntry:
                continue


def _occasions(product: Product, at: datetime, leads: set[int]) -> Iterator[tuple[date, int]]:
    days = HORIZON if product.has_validity else HORIZON[:1]
    return ((at.date() + later, lead) for later in days for lead in sorted(leads))


def _sold(product: Product, first: date, number: int) -> Capacity:
    if product.sold_pool is None or not number:
        return NOTHING_TAKEN
    return {PoolSlot(product.sold_pool, first + n * DAY): PoolUsage(sold=number) for n in range(31)}


def _bookable(product: Product, first: date, lead: int, catalogue: Catalogue) -> Iterator[Duration]:
    """Yield the durations that can be booked from *first*, ordered when the day *lead* days before begins."""
    zone = zone_of(product, catalogue)
    ordered = datetime.combine(first - lead * DAY, datetime.min.time(), zone)
    check = BookingRulesCheck(product, zone=zone, catalogue=catalogue, now=ordered)
    for duration in product.durations:
        starts = check.starts_on(first, duration)
        if any(check.obstacle(duration, validity_from(duration, start, zone)) is None for start in starts):
            yield duration
