"""Whether the entries of a catalogue agree: no id twice, no lost reference, no price that cannot apply."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from faregate.currency import currency
from faregate.discounts import BuyXGetY
from faregate.errors import UnknownCurrency

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faregate.catalogue import Catalogue, Product, Variant
    from faregate.discounts import AutomaticDiscount, PromoCode, Scope

__all__ = ["Fault", "Place", "catalogue_faults", "format_place"]

Place: TypeAlias = tuple[str | int, ...]
"""Where in a catalogue: a path of field names and indices."""


class Fault(NamedTuple):
    """What is wrong with a catalogue, and where."""

    place: Place
    message: str


_SCOPE_REFERENCES = (
    ("products", "product"),
    ("variants", "variant"),
    ("categories", "category"),
    ("discount_cards", "discount card"),
)


def catalogue_faults(catalogue: Catalogue) -> tuple[Fault, ...]:
    """Everything in which the entries of a catalogue contradict one another; none: it is sound."""
    return (
        *_double_ids(catalogue),
        *_lost_references(catalogue),
        *_unknown_places_and_money(catalogue),
        *_odd_entries(catalogue),
    )


def _double_ids(catalogue: Catalogue) -> Iterator[Fault]:
    for collection, field in (
        ("merchants", "identifier"),
        ("categories", "id"),
        ("discount_cards", "id"),
        ("products", "id"),
        ("products", "slug"),
        ("media", "id"),
        ("channels", "uuid"),
        ("automatic_discounts", "id"),
    ):
        entries = getattr(catalogue, collection)
        yield from _repeated(
            ((collection, n, field), getattr(entry, field)) for n, entry in enumerate(entries)
        )
    yield from _repeated(((*place, "id"), variant.id) for place, variant in _variants(catalogue))
    # What a customer enters is one code, whether it is a promo code or a voucher.
    promo_codes = ((("promo_codes", n, "code"), entry.code) for n, entry in enumerate(catalogue.promo_codes))
    vouchers = ((("vouchers", n, "code"), entry.code) for n, entry in enumerate(catalogue.vouchers))
    yield from _repeated(chain(promo_codes, vouchers))


def _repeated(entries: Iterable[tuple[Place, object]]) -> Iterator[Fault]:
    seen = set()
    for place, value in entries:
        if value in seen:
            yield Fault(place, f"{value!r} is used twice")
        seen.add(value)


def _variants(catalogue: Catalogue) -> Iterator[tuple[Place, Variant]]:
    for n, product in enumerate(catalogue.products):
        for m, variant in enumerate(product.variants):
            yield ("products", n, "variants", m), variant


def _lost_references(catalogue: Catalogue) -> Iterator[Fault]:
    """References to nothing."""
    known: dict[str, set[object]] = {
        "merchant": {merchant.identifier for merchant in catalogue.merchants},
        "category": {category.id for category in catalogue.categories},
        "discount card": {card.id for card in catalogue.discount_cards},
        "product": {product.id for product in catalogue.products},
        "variant": {variant.id for _, variant in _variants(catalogue)},
        "medium": {medium.id for medium in catalogue.media},
        "channel": {channel.uuid for channel in catalogue.channels},
    }
    for place, kind, name in _references(catalogue):
        if name not in known[kind]:
            yield Fault(place, f"there is no {kind} {name!r}")


def _references(catalogue: Catalogue) -> Iterator[tuple[Place, str, object]]:
    for n, product in enumerate(catalogue.products):
        yield ("products", n, "merchant"), "merchant", product.merchant
        yield ("products", n, "category"), "category", product.category
        for m, medium_id in enumerate(product.media):
            yield ("products", n, "media", m), "medium", medium_id
    for place, variant in _variants(catalogue):
        for m, price in enumerate(variant.prices):
            if price.discount_card is not None:
                yield (*place, "prices", m, "discount_card"), "discount card", price.discount_card
    yield from _media_and_channel_references(catalogue)
    for collection in ("automatic_discounts", "promo_codes"):
        for n, discount in enumerate(getattr(catalogue, collection)):
            yield from _discount_references((collection, n), discount)


def _media_and_channel_references(catalogue: Catalogue) -> Iterator[tuple[Place, str, object]]:
    for n, medium in enumerate(catalogue.media):
        for m, component in enumerate(medium.price_components):
            yield ("media", n, "price_components", m, "variant"), "variant", component.variant
    for n, channel in enumerate(catalogue.channels):
        yield from ((("channels", n, "products"), "product", name) for name in sorted(channel.products))


def _discount_references(
    place: Place, discount: AutomaticDiscount | PromoCode
) -> Iterator[tuple[Place, str, object]]:
    conditions = discount.conditions
    for channel in sorted(conditions.channels):
        yield (*place, "conditions", "channels"), "channel", channel
    scopes: list[tuple[Place, Scope]] = [((*place, "scope"), discount.scope)]
    if isinstance(discount.kind, BuyXGetY) and discount.kind.rewards is not None:
        scopes.append(((*place, "kind", "rewards"), discount.kind.rewards))
    for n, threshold in enumerate(conditions.thresholds):
        scopes.append(((*place, "conditions", "thresholds", n, "counting"), threshold.counting))
    for where, scope in scopes:
        for field, kind in _SCOPE_REFERENCES:
            yield from (((*where, field), kind, name) for name in sorted(getattr(scope, field)))


def _unknown_places_and_money(catalogue: Catalogue) -> Iterator[Fault]:
    for collection in ("merchants", "channels"):
        for n, seller in enumerate(getattr(catalogue, collection)):
            try:
                currency(seller.currency)
            except UnknownCurrency as error:
                yield Fault((collection, n, "currency"), str(error))
    for n, merchant in enumerate(catalogue.merchants):
        try:
            ZoneInfo(merchant.timezone)
        except (ValueError, OSError, LookupError):
            yield Fault(("merchants", n, "timezone"), f"there is no time zone {merchant.timezone!r}")


def _odd_entries(catalogue: Catalogue) -> Iterator[Fault]:
    """Entries that make no sense with the others."""
    currencies = {merchant.identifier: merchant.currency for merchant in catalogue.merchants}
    for n, product in enumerate(catalogue.products):
        if len([variant for variant in product.variants if variant.is_standard]) > 1:
            yield Fault(("products", n, "variants"), "more than one standard variant")
        for m, variant in enumerate(product.variants):
            if variant.floor_price < 0:
                yield Fault(
                    ("products", n, "variants", m, "floor_price"), f"negative price {variant.floor_price}"
                )
            yield from _odd_prices(("products", n, "variants", m, "prices"), product, variant)
    for n, channel in enumerate(catalogue.channels):
        for product in catalogue.products:
            expected = currencies.get(product.merchant, channel.currency)
            if product.id in channel.products and expected != channel.currency:
                yield Fault(("channels", n, "products"), f"product {product.id} is sold in {expected}")


def _odd_prices(place: Place, product: Product, variant: Variant) -> Iterator[Fault]:
    seen = set()
    for n, price in enumerate(variant.prices):
        if price[1:] in seen:
            yield Fault((*place, n), "two prices for one duration and discount card")
        seen.add(price[1:])
        if price.amount < 0:
            yield Fault((*place, n, "amount"), f"negative price {price.amount}")
        if price.duration is not None and price.duration not in product.durations:
            yield Fault((*place, n, "duration"), f"the product has no duration {price.duration}")


def format_place(place: Place) -> str:
    """A place as people write it.

    >>> format_place(("products", 3, "variants", 0, "id"))
    'products[3].variants[0].id'
    """
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return text.removeprefix(".")
