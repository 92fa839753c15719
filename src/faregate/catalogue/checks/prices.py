"""What is wrong with the prices of a catalogue: amounts, numbers, what does not go with the price model."""

from __future__ import annotations

from dataclasses import replace
from itertools import product as combinations
from typing import TYPE_CHECKING

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.checks.entries import below, repeated
from faregate.catalogue.gate_ids import price_lists
from faregate.catalogue.gate_rules import MOST_UNITS
from faregate.catalogue.price_rules import PriceModel
from faregate.errors import Issue
from faregate.money.amounts import MILLION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faregate.catalogue.entries import Entries
    from faregate.catalogue.gate_rules import QuantityTier
    from faregate.catalogue.price_rules import CardReduction, Degression, PriceRule, PriceSteps
    from faregate.catalogue.products import Product, Variant
    from faregate.errors import Loc

_EVERY_DAY = DayPattern()


def price_faults(catalogue: Entries) -> Iterator[Issue]:
    """Negative prices, prices that contradict each other, and prices that cannot apply."""
    pools = {pool.identifier: pool for pool in catalogue.pools}
    for n, product in enumerate(catalogue.products):
        place = ("products", n)
        yield from _odd_model(place, product)
        sold_pool = pools.get(product.sold_pool or "")
        if sold_pool is not None and sold_pool.slots:
            yield Issue((*place, "sold_pool"), f"pool {sold_pool.identifier!r} has time slots")
        yield from _odd_reductions((*place, "card_reductions"), product)
        yield from _odd_tiers((*place, "quantity_tiers"), product)
        for m, variant in enumerate(product.variants):
            yield from _odd_variant((*place, "variants", m), product, variant)


def _odd_model(place: Loc, product: Product) -> Iterator[Issue]:
    """What needs another price model, or days."""
    if product.price_model is not PriceModel.STATIC and not product.has_validity:
        yield Issue((*place, "price_model"), "the product has no validity")
    if product.price_model is PriceModel.STATIC and product.degression is not None:
        yield _misplaced((*place, "degression"), product)
    if product.degression is not None:
        yield from _odd_degression((*place, "degression"), product.degression)
    if product.price_model is not PriceModel.STEPPED:
        if product.sold_pool is not None:
            yield _misplaced((*place, "sold_pool"), product)
    elif product.sold_pool is None and any(map(_counts_sold_places, product.variants)):
        yield Issue((*place, "sold_pool"), "prices move with places sold, but no pool is named")


def _misplaced(place: Loc, product: Product) -> Issue:
    return Issue(place, f"does not go with price model {product.price_model.value}")


def _counts_sold_places(variant: Variant) -> bool:
    return any(
        any(price.min_sold for price in prices) or bool(steps and steps.step)
        for _, prices, steps in price_lists(variant)
    )


def _odd_degression(place: Loc, degression: Degression) -> Iterator[Issue]:
    if not degression.factors:
        yield Issue((*place, "factors"), "expected at least one")
    for n, factor in enumerate(degression.factors):
        if not 0 <= factor <= MILLION:
            yield Issue((*place, "factors", n), f"expected 0 to {MILLION} parts per million, got {factor}")
    yield from below(1, place, degression, "increment")


def _odd_reductions(place: Loc, product: Product) -> Iterator[Issue]:
    reductions = product.card_reductions
    yield from repeated(
        ((*place, n, "discount_card"), entry.discount_card) for n, entry in enumerate(reductions)
    )
    for n, reduction in enumerate(reductions):
        yield from _odd_share((*place, n), reduction)


def _odd_tiers(place: Loc, product: Product) -> Iterator[Issue]:
    tiers = product.quantity_tiers
    yield from repeated(((*place, n, "min_quantity"), tier.min_quantity) for n, tier in enumerate(tiers))
    for n, tier in enumerate(tiers):
        if not 1 < tier.min_quantity <= MOST_UNITS:
            message = f"expected 2 to {MOST_UNITS}, got {tier.min_quantity}"
            yield Issue((*place, n, "min_quantity"), message)
        yield from _odd_share((*place, n), tier)


def _odd_share(place: Loc, entry: CardReduction | QuantityTier) -> Iterator[Issue]:
    """How much less something costs, or to what it is rounded, out of range."""
    parts = entry.parts_per_million
    if not 0 < parts <= MILLION:
        yield Issue((*place, "parts_per_million"), f"expected 1 to {MILLION} parts per million, got {parts}")
    yield from below(1, place, entry, "increment")


def _odd_variant(place: Loc, product: Product, variant: Variant) -> Iterator[Issue]:
    if variant.floor_price < 0:
        yield Issue((*place, "floor_price"), f"negative price {variant.floor_price}")
    for inside, prices, steps in price_lists(variant):
        yield from _odd_prices((*place, *inside), product, prices=prices, steps=steps)
    yield from _odd_tariffs((*place, "access_tariffs"), product, variant)


def _odd_tariffs(place: Loc, product: Product, variant: Variant) -> Iterator[Issue]:
    """Tariffs without prices, and those that earlier ones leave no sale, or the product."""
    left = set(combinations((True, False), (True, False) if product.allows_depot else (False,)))
    for n, tariff in enumerate(variant.access_tariffs):
        if not tariff.prices:
            yield Issue((*place, n, "prices"), "expected at least one")
        own = {kind for kind in left if tariff.applies(is_online=kind[0], is_depot=kind[1])}
        if not own:
            yield Issue((*place, n), "no sale is left for it")
        left -= own


def _odd_prices(
    place: Loc, product: Product, *, prices: tuple[PriceRule, ...], steps: PriceSteps | None
) -> Iterator[Issue]:
    if steps is not None:
        if product.price_model is not PriceModel.STEPPED:
            yield _misplaced((*place, "steps"), product)
        yield from _odd_steps((*place, "steps"), steps)
    seen = set()
    for n, price in enumerate(prices):
        conditions = replace(price, amount=0)
        if conditions in seen:
            yield Issue((*place, "prices", n), "two prices under the same conditions")
        seen.add(conditions)
        yield from _odd_price((*place, "prices", n), product, price)


def _odd_price(place: Loc, product: Product, price: PriceRule) -> Iterator[Issue]:
    if price.amount < 0:
        yield Issue((*place, "amount"), f"negative price {price.amount}")
    if price.duration is not None and price.duration not in product.durations:
        yield Issue((*place, "duration"), f"the product has no duration {price.duration}")
    if price.when != _EVERY_DAY and product.price_model is PriceModel.STATIC:
        yield _misplaced((*place, "when"), product)
    yield from below(0, place, price, "min_lead_days", "min_sold")
    if product.price_model is not PriceModel.STEPPED:
        for field in ("min_lead_days", "min_sold"):
            if getattr(price, field):
                yield _misplaced((*place, field), product)


def _odd_steps(place: Loc, steps: PriceSteps) -> Iterator[Issue]:
    yield from below(0, place, steps, "step", "floor", "ceiling")
    yield from below(1, place, steps, "every")
    if steps.ceiling is not None and steps.ceiling < steps.floor:
        yield Issue((*place, "ceiling"), f"{steps.ceiling} is below the floor {steps.floor}")
