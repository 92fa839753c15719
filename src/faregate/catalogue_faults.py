"""Whether the entries of a catalogue agree: no id twice, no lost reference, no price that cannot apply."""

from __future__ import annotations

from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from faregate.catalogue import ProductType
from faregate.currency import currency
from faregate.discounts import BuyXGetY
from faregate.errors import UnknownCurrency
from faregate.faults import Fault
from faregate.form_fields import FieldKind, FormField

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faregate.catalogue import Catalogue, PriceComponent, Product, Surcharge, Variant
    from faregate.discounts import AutomaticDiscount, PromoCode, Scope
    from faregate.faults import Place

__all__ = ["catalogue_faults"]

_SCOPE_REFERENCES = (
    ("products", "product"),
    ("variants", "variant"),
    ("categories", "category"),
    ("discount_cards", "discount card"),
)
# What every checkout asks, and so no channel may ask again. Decisions §11.5.
_BUILT_IN_QUESTIONS = frozenset(
    {"donation", "billingAddress", "shippingAddress", "weatherGuarantee", "acceptTerms", "media"}
)
_KIND_OF_ATTRIBUTE = {
    "max_length": FieldKind.TEXT,
    "minimum": FieldKind.INTEGER,
    "maximum": FieldKind.INTEGER,
    "choices": FieldKind.CHOICE,
}


def catalogue_faults(catalogue: Catalogue) -> tuple[Fault, ...]:
    """Everything in which the entries of a catalogue contradict one another; none: it is sound."""
    return (
        *_double_ids(catalogue),
        *_lost_references(catalogue),
        *_unknown_places_and_money(catalogue),
        *_odd_entries(catalogue),
        *_odd_fees(catalogue),
        *_odd_settings(catalogue),
        *_odd_forms(catalogue),
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
    yield from _fee_and_channel_references(catalogue)
    for collection in ("automatic_discounts", "promo_codes"):
        for n, discount in enumerate(getattr(catalogue, collection)):
            yield from _discount_references((collection, n), discount)


def _fee_and_channel_references(catalogue: Catalogue) -> Iterator[tuple[Place, str, object]]:
    for place, fee in _fees(catalogue):
        yield (*place, "variant"), "variant", fee.variant
    for n, channel in enumerate(catalogue.channels):
        yield from ((("channels", n, "products"), "product", name) for name in sorted(channel.products))


def _fees(catalogue: Catalogue) -> Iterator[tuple[Place, PriceComponent | Surcharge]]:
    """What is sold as a variant of its own along with something else."""
    for n, medium in enumerate(catalogue.media):
        for m, component in enumerate(medium.price_components):
            yield ("media", n, "price_components", m), component
    for n, product in enumerate(catalogue.products):
        for m, surcharge in enumerate(product.weather_guarantee):
            yield ("products", n, "weather_guarantee", m), surcharge


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
        if product.requires_medium and not product.media:
            yield Fault(("products", n, "requires_medium"), "the product has no media")
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


def _odd_fees(catalogue: Catalogue) -> Iterator[Fault]:
    types = {variant.id: product.type for product in catalogue.products for variant in product.variants}
    for place, fee in _fees(catalogue):
        actual = types.get(fee.variant, ProductType.FEE)
        if actual is not ProductType.FEE:
            yield Fault(
                (*place, "variant"), f"variant {fee.variant} is sold as {actual.value}, expected a FEE"
            )
        if fee.price < 0:
            yield Fault((*place, "price"), f"negative price {fee.price}")


def _odd_settings(catalogue: Catalogue) -> Iterator[Fault]:
    """Channels that offer one way to pay twice, or whose checkouts expire at odd times."""
    for n, channel in enumerate(catalogue.channels):
        yield from _repeated(
            (("channels", n, "payment_methods", m, "type"), method.type.value)
            for m, method in enumerate(channel.payment_methods)
        )
        for field in ("expires_after", "expires_at_most"):
            if getattr(channel, field) <= timedelta():
                yield Fault(
                    ("channels", n, field), f"expected more than no time, got {getattr(channel, field)}"
                )
        if channel.expires_after > channel.expires_at_most:
            yield Fault(
                ("channels", n, "expires_after"),
                f"{channel.expires_after} is longer than the {channel.expires_at_most} allowed at most",
            )


def _odd_forms(catalogue: Catalogue) -> Iterator[Fault]:
    for n, product in enumerate(catalogue.products):
        yield from _odd_form(("products", n, "person_fields"), product.person_fields)
    for n, channel in enumerate(catalogue.channels):
        yield from _odd_form(("channels", n, "form"), channel.form)
        for m, field in enumerate(channel.form):
            if field.name in _BUILT_IN_QUESTIONS:
                yield Fault(("channels", n, "form", m, "name"), f"every checkout asks for {field.name!r}")


def _odd_form(place: Place, form: tuple[FormField, ...]) -> Iterator[Fault]:
    yield from _repeated(((*place, n, "name"), field.name) for n, field in enumerate(form))
    for n, field in enumerate(form):
        for attribute, kind in _KIND_OF_ATTRIBUTE.items():
            if field.kind is not kind and getattr(field, attribute) not in {None, ()}:
                yield Fault((*place, n, attribute), f"does not go with kind {field.kind.value}")
        yield from _odd_answers((*place, n), field)


def _odd_answers(place: Place, field: FormField) -> Iterator[Fault]:
    """Questions that no answer fits, or one in two ways."""
    match field.kind, field:
        case FieldKind.TEXT, FormField(max_length=int(most)) if most < 1:
            yield Fault((*place, "max_length"), f"expected at least 1, got {most}")
        case FieldKind.INTEGER, FormField(minimum=int(least), maximum=int(most)) if least > most:
            yield Fault((*place, "maximum"), f"{most} is below the minimum {least}")
        case FieldKind.CHOICE, FormField(choices=()):
            yield Fault((*place, "choices"), "expected at least one")
        case _:
            choices = enumerate(field.choices)
            yield from _repeated(((*place, "choices", n, "value"), choice.value) for n, choice in choices)
