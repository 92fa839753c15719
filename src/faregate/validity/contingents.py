"""The units that are left at a price step. Decisions §8.5."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from faregate.catalogue.calendars import Calendar
from faregate.catalogue.pools import Capacity, Counting, PoolSlot, PoolUsage
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import Product, Variant
from faregate.list_prices.price import ListPriceQuery, days_of
from faregate.validity.capacity import uses_of

_UNUSED = PoolUsage()


def step_contingent(
    variant: Variant,
    occasion: ListPriceQuery,
    *,
    product: Product,
    calendar: Calendar,
    capacity: Capacity,
) -> int | None:
    """Return the number of units that can still be sold before a price step begins; None if none follows.

    All these units have the same list price. A step begins at the ``min_sold`` of a price rule for one of the
    service days, or when another ``every`` units of ``PriceSteps`` have been sold; it may have the same price
    as the step before. As in ``list_price``, units that *capacity* reports as held count if the product
    ``counts_holds``. Free units are not considered.

    >>> from datetime import date
    >>> from faregate.files import demo_catalogue
    >>> resort, sunday = demo_catalogue(), date(2026, 12, 27)
    >>> product, adult = resort.variant(151)
    >>> occasion = ListPriceQuery(product.durations[0], sunday, date(2026, 12, 1))
    >>> taken = {PoolSlot(product.sold_pool, sunday): PoolUsage(sold=1490)}
    >>> step_contingent(adult, occasion, product=product, calendar=resort.calendar, capacity=taken)
    10
    """
    pool, first_day = product.sold_pool, occasion.first_day
    counting = {use.pool: use.counting for use in product.pools}.get(pool or "", Counting.NONE)
    units = uses_of(variant, product).get(pool or "", 0)
    is_stepped = product.price_model is PriceModel.STEPPED
    if not is_stepped or pool is None or first_day is None or counting is Counting.NONE or not units:
        return None
    days = [day for day in days_of(occasion) if day is not None] or [first_day]
    left = []
    for day in days if counting is Counting.EACH_DAY else days[:1]:
        sold, held = capacity.get(PoolSlot(pool, day), _UNUSED)
        counted = sold + held if product.counts_holds else sold
        following = [
            *_rule_steps(variant, occasion, day, product=product, calendar=calendar),
            *_regular_step(variant, counted),
        ]
        left += [-(-(begin - counted) // units) for begin in following if begin > counted]
    return min(left, default=None)


def _rule_steps(
    variant: Variant, occasion: ListPriceQuery, day: date, *, product: Product, calendar: Calendar
) -> Iterator[int]:
    """Yield the numbers of units sold from which a rule may apply to *day*."""
    # Parts of the period have lead days and first days of their own.
    has_parts = product.never_above_single_days
    for rule in variant.prices:
        if rule.when.include(day, calendar) and (has_parts or _may_apply(rule, occasion, day)):
            yield rule.min_sold


def _may_apply(rule: PriceRule, occasion: ListPriceQuery, day: date) -> bool:
    _, first_day, ordered_on, card = occasion
    lead_days = (first_day - ordered_on).days if first_day is not None and ordered_on is not None else 0
    return (
        (rule.duration is None or day == first_day)
        and rule.discount_card in {None, card}
        and rule.min_lead_days <= lead_days
    )


def _regular_step(variant: Variant, counted: int) -> Iterator[int]:
    steps = variant.steps
    if steps is not None and steps.step:
        yield (counted // steps.every + 1) * steps.every
