"""Checks of products: variants, media, ages, content and fees."""

from collections.abc import Iterator
from itertools import pairwise

from faregate.arguments.fields import fields_of
from faregate.catalogue.ages import MAX_AGE, AgeRange
from faregate.catalogue.checks.parts import Parts
from faregate.catalogue.entries import Entries
from faregate.catalogue.presentation.content import CallToAction, Hotspot
from faregate.catalogue.products import PriceComponent, Product, ProductType, Surcharge, Variant
from faregate.errors import Issue, Loc


def product_issues(parts: Parts) -> Iterator[Issue]:
    """Yield issues for contradictions within a product, its variants and its page."""
    for loc, product in parts.of(Product):
        if len([variant for variant in product.variants if variant.is_standard]) > 1:
            yield Issue((*loc, "variants"), "more than one standard variant")
        if product.requires_medium and not product.media:
            yield Issue((*loc, "requires_medium"), "the product has no media")
    for loc, hotspot in parts.of(Hotspot):
        for field, part in fields_of(hotspot).items():
            if not 0 <= part <= 1:
                yield Issue((*loc, field), f"expected 0 to 1, got {part}")
    for loc, cta in parts.of(CallToAction):
        ways = [way for way in (cta.product, cta.page, cta.link) if way]
        if len(ways) != 1:
            yield Issue(loc, f"expected one of product, page and link, got {len(ways) or 'none'}")
    for loc, ages in parts.of(AgeRange):
        yield from _odd_ages(loc, ages)
    yield from _odd_changes(parts)
    yield from _odd_fees(parts)


def _odd_changes(parts: Parts) -> Iterator[Issue]:
    for loc, variant in parts.of(Variant):
        for n, (earlier, later) in enumerate(pairwise(variant.rate_changes), start=1):
            if later.since <= earlier.since:
                yield Issue((*loc, "rate_changes", n, "since"), f"{later.since} is not after {earlier.since}")


def _odd_ages(loc: Loc, ages: AgeRange) -> Iterator[Issue]:
    for field, age in fields_of(ages).items():
        if not 0 <= age <= MAX_AGE:
            yield Issue((*loc, field), f"expected 0 to {MAX_AGE}, got {age}")
    if ages.first > ages.last:
        yield Issue((*loc, "last"), f"{ages.last} is below the first age, {ages.first}")


def _odd_fees(parts: Parts) -> Iterator[Issue]:
    types = {variant.id: product.type for _, product in parts.of(Product) for variant in product.variants}
    for loc, fee in fees(parts.catalogue):
        actual = types.get(fee.variant, ProductType.FEE)
        if actual is not ProductType.FEE:
            message = f"variant {fee.variant} is sold as {actual.value}, expected a FEE"
            yield Issue((*loc, "variant"), message)
        if fee.price < 0:
            yield Issue((*loc, "price"), f"negative price {fee.price}")


def fees(catalogue: Entries) -> Iterator[tuple[Loc, PriceComponent | Surcharge]]:
    """Yield each fee that is charged along with another item, with its ``loc`` in the catalogue."""
    for n, medium in enumerate(catalogue.media):
        for m, component in enumerate(medium.price_components):
            yield ("media", n, "price_components", m), component
    for n, product in enumerate(catalogue.products):
        for m, surcharge in enumerate(product.weather_guarantee):
            yield ("products", n, "weather_guarantee", m), surcharge
