"""Checks of a catalogue file beyond those of ``Catalogue``: ids and currencies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic.alias_generators import to_camel

from faregate.discounts.kinds import Absolute, FixedPrice, PerUnit
from faregate.errors import Issue

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from faregate.catalogue.channels import Channel
    from faregate.catalogue.entries import Entries
    from faregate.discounts.kinds import AutomaticDiscount, PromoCode
    from faregate.errors import Loc

_NAMES_IN_FILES = {
    "automatic_discounts": "autoDiscounts",
    "factors": "percent",
    "first": "from",
    "kind": "discount",
    "last": "to",
    "parts_per_million": "percent",
    "variant": "productVariant",
    "variants": "productVariants",
}


def file_place(place: Loc) -> Loc:
    """A place of the core's catalogue as the file spells it.

    >>> file_place(("products", 3, "variants", 0, "floor_price"))
    ('products', 3, 'productVariants', 0, 'floorPrice')

    Seasons and holidays are not within a calendar there, and the keys of ``uses`` are no names of ours.
    """
    inside = place[1:] if place[:1] == ("calendar",) else place
    return tuple(
        part if isinstance(part, int) or key == "uses" else _NAMES_IN_FILES.get(part) or to_camel(part)
        for key, part in zip((None, *inside), inside, strict=False)
    )


def file_faults(catalogue: Entries, currency: str) -> Iterator[Issue]:
    """Everything in which the entries of a file whose amounts are in *currency* contradict one another."""
    yield from _repeated_ids(catalogue)
    yield from _mixed_currencies(catalogue, currency)


def _repeated_ids(catalogue: Entries) -> Iterator[Issue]:
    """Ids of promo codes given twice."""
    seen = set()
    for index, promo_code in enumerate(catalogue.promo_codes):
        if promo_code.id in seen:
            yield Issue(("promo_codes", index, "id"), f"{promo_code.id} is used twice")
        seen.add(promo_code.id)


def _mixed_currencies(catalogue: Entries, currency: str) -> Iterator[Issue]:
    """Amounts in the file's currency that could be taken for amounts of another one.

    Discounts and vouchers carry no currency of their own, so they must not reach a channel, nor a medium's
    price a merchant, that has another than the file. A weather guarantee is in the currency of its product's
    merchant, which must be that of the variant it is sold as. Nothing is ever converted.
    """
    foreign = [channel for channel in catalogue.channels if channel.currency != currency]
    if foreign:
        for field in ("automatic_discounts", "promo_codes"):
            for index, discount in enumerate(getattr(catalogue, field)):
                yield from _foreign_discount((field, index), discount, foreign, currency)
        for index in range(len(catalogue.vouchers)):
            yield Issue(
                ("vouchers", index, "balance"),
                f"is in {currency}, but channel {foreign[0].uuid} sells in {foreign[0].currency}",
            )
    yield from _foreign_fees(catalogue, currency)


def _foreign_discount(
    place: Loc, discount: AutomaticDiscount | PromoCode, foreign: list[Channel], currency: str
) -> Iterator[Issue]:
    where = discount.conditions.channels
    reached = [channel for channel in foreign if not where or channel.uuid in where]
    if reached and _names_an_amount(discount):
        yield Issue(
            place,
            f"has amounts in {currency}, but channel {reached[0].uuid} sells in {reached[0].currency}: "
            "limit it by conditions.channels",
        )


def _names_an_amount(discount: AutomaticDiscount | PromoCode) -> bool:
    limits = (discount.max_amount, getattr(discount, "budget_left", None))
    return (
        isinstance(discount.kind, Absolute | FixedPrice | PerUnit)
        or any(limit is not None for limit in limits)
        or any(threshold.spend for threshold in discount.conditions.thresholds)
    )


def _foreign_fees(catalogue: Entries, currency: str) -> Iterator[Issue]:
    merchants = {merchant.identifier: merchant.currency for merchant in catalogue.merchants}
    sold_in = {
        variant.id: merchants.get(product.merchant, currency)
        for product in catalogue.products
        for variant in product.variants
    }
    for place, variant, expected in _fees(catalogue, merchants, currency):
        actual = sold_in.get(variant, expected)
        if actual != expected:
            yield Issue(
                (*place, "price"), f"is in {expected}, but product variant {variant} is sold in {actual}"
            )


def _fees(catalogue: Entries, merchants: Mapping[str, str], currency: str) -> Iterator[tuple[Loc, int, str]]:
    """Where a fee is named, the variant it is sold as, and the currency its price is in."""
    for n, medium in enumerate(catalogue.media):
        for m, component in enumerate(medium.price_components):
            yield ("media", n, "price_components", m), component.variant, currency
    for n, product in enumerate(catalogue.products):
        for m, surcharge in enumerate(product.weather_guarantee):
            own = merchants.get(product.merchant, currency)
            yield ("products", n, "weather_guarantee", m), surcharge.variant, own
