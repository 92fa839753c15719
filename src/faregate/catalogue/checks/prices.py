"""Checks of prices: amounts, bounds, and settings that the price model does not allow."""

from collections.abc import Iterator
from itertools import product as combinations
from operator import attrgetter

from faregate.arguments.fields import field_names
from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.checks.parts import Parts, below, repeated_in
from faregate.catalogue.gate_ids import price_lists
from faregate.catalogue.gate_rules import MOST_UNITS, QuantityTier
from faregate.catalogue.price_rules import CardReduction, Degression, PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import Product, Variant
from faregate.errors import Issue, Loc
from faregate.money.amounts import MILLION

_EVERY_DAY = DayPattern()
_CONDITIONS = attrgetter(*(field for field in field_names(PriceRule) if field != "amount"))


def price_issues(parts: Parts) -> Iterator[Issue]:
    """Yield issues for negative prices, contradictory prices, and prices that can never apply."""
    pools = {pool.identifier: pool for pool in parts.catalogue.pools}
    for loc, product in parts.of(Product):
        yield from _odd_model(loc, product)
        sold_pool = pools.get(product.sold_pool or "")
        if sold_pool is not None and sold_pool.slots:
            yield Issue((*loc, "sold_pool"), f"pool {sold_pool.identifier!r} has time slots")
        yield from _odd_reductions((*loc, "card_reductions"), product)
        yield from _odd_tiers((*loc, "quantity_tiers"), product)
        for m, variant in enumerate(product.variants):
            yield from _odd_variant((*loc, "variants", m), product, variant)


def _odd_model(loc: Loc, product: Product) -> Iterator[Issue]:
    if product.price_model is not PriceModel.STATIC and not product.has_validity:
        yield Issue((*loc, "price_model"), "the product has no validity")
    if product.price_model is PriceModel.STATIC and product.degression is not None:
        yield _misplaced((*loc, "degression"), product)
    if product.degression is not None:
        yield from _odd_degression((*loc, "degression"), product.degression)
    if product.price_model is not PriceModel.STEPPED:
        if product.sold_pool is not None:
            yield _misplaced((*loc, "sold_pool"), product)
        if product.counts_holds:
            yield _misplaced((*loc, "counts_holds"), product)
    elif product.sold_pool is None and any(map(_counts_sold_places, product.variants)):
        yield Issue((*loc, "sold_pool"), "required because prices depend on the units sold")
    elif product.counts_holds:
        yield from _odd_holds(loc, product)


def _odd_holds(loc: Loc, product: Product) -> Iterator[Issue]:
    if product.sold_pool is None:
        yield Issue((*loc, "counts_holds"), "needs a pool of sold units")
    for n, variant in enumerate(product.variants):
        for inside, _, steps in price_lists(variant):
            if steps is not None and steps.ratchet:
                message = "not allowed if held units count, because holds can be released"
                yield Issue((*loc, "variants", n, *inside, "steps", "ratchet"), message)


def _misplaced(loc: Loc, product: Product) -> Issue:
    return Issue(loc, f"not allowed with price model {product.price_model.value}")


def _counts_sold_places(variant: Variant) -> bool:
    return any(
        any(price.min_sold for price in prices) or bool(steps and steps.step)
        for _, prices, steps in price_lists(variant)
    )


def _odd_degression(loc: Loc, degression: Degression) -> Iterator[Issue]:
    if not degression.factors:
        yield Issue((*loc, "factors"), "expected at least one")
    for n, factor in enumerate(degression.factors):
        if not 0 <= factor <= MILLION:
            yield Issue((*loc, "factors", n), f"expected 0 to {MILLION} parts per million, got {factor}")
    yield from below(1, loc, degression, "increment")


def _odd_reductions(loc: Loc, product: Product) -> Iterator[Issue]:
    yield from repeated_in(loc, product.card_reductions, "discount_card")
    for n, reduction in enumerate(product.card_reductions):
        yield from _odd_share((*loc, n), reduction)


def _odd_tiers(loc: Loc, product: Product) -> Iterator[Issue]:
    yield from repeated_in(loc, product.quantity_tiers, "min_quantity")
    for n, tier in enumerate(product.quantity_tiers):
        if not 1 < tier.min_quantity <= MOST_UNITS:
            message = f"expected 2 to {MOST_UNITS}, got {tier.min_quantity}"
            yield Issue((*loc, n, "min_quantity"), message)
        yield from _odd_share((*loc, n), tier)


def _odd_share(loc: Loc, entry: CardReduction | QuantityTier) -> Iterator[Issue]:
    parts = entry.parts_per_million
    if not 0 < parts <= MILLION:
        yield Issue((*loc, "parts_per_million"), f"expected 1 to {MILLION} parts per million, got {parts}")
    yield from below(1, loc, entry, "increment")


def _odd_variant(loc: Loc, product: Product, variant: Variant) -> Iterator[Issue]:
    if variant.floor_price < 0:
        yield Issue((*loc, "floor_price"), f"negative price {variant.floor_price}")
    for inside, prices, steps in price_lists(variant):
        yield from _odd_prices((*loc, *inside), product, prices=prices, steps=steps)
    yield from _odd_tariffs((*loc, "access_tariffs"), product, variant)


def _odd_tariffs(loc: Loc, product: Product, variant: Variant) -> Iterator[Issue]:
    left = set(combinations((True, False), (True, False) if product.allows_depot else (False,)))
    for n, tariff in enumerate(variant.access_tariffs):
        if not tariff.prices:
            yield Issue((*loc, n, "prices"), "expected at least one")
        own = {kind for kind in left if tariff.applies(is_online=kind[0], is_depot=kind[1])}
        if not own:
            yield Issue((*loc, n), "never applies to a sale")
        left -= own


def _odd_prices(
    loc: Loc, product: Product, *, prices: tuple[PriceRule, ...], steps: PriceSteps | None
) -> Iterator[Issue]:
    if steps is not None:
        if product.price_model is not PriceModel.STEPPED:
            yield _misplaced((*loc, "steps"), product)
        yield from _odd_steps((*loc, "steps"), steps)
    seen = set()
    for n, price in enumerate(prices):
        conditions = _CONDITIONS(price)
        if conditions in seen:
            yield Issue((*loc, "prices", n), "two prices under the same conditions")
        seen.add(conditions)
        yield from _odd_price((*loc, "prices", n), product, price)


def _odd_price(loc: Loc, product: Product, price: PriceRule) -> Iterator[Issue]:
    if price.amount < 0:
        yield Issue((*loc, "amount"), f"negative price {price.amount}")
    if price.duration is not None and price.duration not in product.durations:
        yield Issue((*loc, "duration"), f"the product has no duration {price.duration}")
    if product.price_model is PriceModel.STATIC and price.when != _EVERY_DAY:
        yield _misplaced((*loc, "when"), product)
    yield from below(0, loc, price, "min_lead_days", "min_sold")
    if product.price_model is not PriceModel.STEPPED:
        for field in ("min_lead_days", "min_sold"):
            if getattr(price, field):
                yield _misplaced((*loc, field), product)


def _odd_steps(loc: Loc, steps: PriceSteps) -> Iterator[Issue]:
    yield from below(0, loc, steps, "step", "floor", "ceiling")
    yield from below(1, loc, steps, "every")
    if steps.ceiling is not None and steps.ceiling < steps.floor:
        yield Issue((*loc, "ceiling"), f"{steps.ceiling} is below the floor {steps.floor}")
