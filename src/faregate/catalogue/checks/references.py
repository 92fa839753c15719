"""Whether the entries of a catalogue agree: no id twice, no lost reference, nothing that cannot apply."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from itertools import chain
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from faregate.catalogue.ages import HIGHEST_AGE
from faregate.catalogue.channel_access import ChannelAccess
from faregate.catalogue.channels import ChannelType
from faregate.catalogue.checks.booking import booking_faults
from faregate.catalogue.checks.calendars import calendar_faults, sets_of_days
from faregate.catalogue.checks.entries import repeated
from faregate.catalogue.checks.gate_ids import access_faults
from faregate.catalogue.checks.prices import price_faults
from faregate.catalogue.entries import order_zones
from faregate.catalogue.gate_ids import price_lists
from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.catalogue.presentation.person_form import birth_fields, contradiction, stricter
from faregate.catalogue.presentation.redirects import parse_origin
from faregate.catalogue.products import ProductType
from faregate.discounts.kinds import BuyXGetY
from faregate.errors import InvalidInput, Issue, UnknownCurrency
from faregate.money.currency import currency

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faregate.catalogue.entries import Entries
    from faregate.catalogue.presentation.content import CallToAction, Hotspot, ProductContent
    from faregate.catalogue.products import PriceComponent, Surcharge, Variant
    from faregate.discounts.kinds import AutomaticDiscount, PromoCode, Scope
    from faregate.errors import Loc

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
_CTA = ("banner", "cta")
_KIND_OF_ATTRIBUTE = {
    "max_length": FieldKind.TEXT,
    "minimum": FieldKind.INTEGER,
    "maximum": FieldKind.INTEGER,
    "choices": FieldKind.CHOICE,
}


def catalogue_faults(catalogue: Entries) -> tuple[Issue, ...]:
    """Return everything in which the entries of a catalogue contradict one another."""
    return (
        *_double_ids(catalogue),
        *_lost_references(catalogue),
        *_unknown_places_and_money(catalogue),
        *calendar_faults(catalogue),
        *booking_faults(catalogue),
        *price_faults(catalogue),
        *access_faults(catalogue),
        *_odd_products(catalogue),
        *_odd_ages(catalogue),
        *_odd_channels(catalogue),
        *_odd_access(catalogue),
        *_odd_fees(catalogue),
        *_odd_settings(catalogue),
        *_odd_forms(catalogue),
    )


def _double_ids(catalogue: Entries) -> Iterator[Issue]:
    for collection, field in (
        ("merchants", "identifier"),
        ("categories", "id"),
        ("discount_cards", "id"),
        ("products", "id"),
        ("products", "slug"),
        ("media", "id"),
        ("channels", "uuid"),
        ("automatic_discounts", "id"),
        ("pools", "identifier"),
    ):
        entries = getattr(catalogue, collection)
        yield from repeated(
            ((collection, n, field), getattr(entry, field)) for n, entry in enumerate(entries)
        )
    yield from repeated(((*place, "id"), variant.id) for place, variant in _variants(catalogue))
    yield from repeated(
        (("calendar", "seasons", n, "identifier"), season.identifier)
        for n, season in enumerate(catalogue.calendar.seasons)
    )
    # What a customer enters is one code, whether it is a promo code or a voucher.
    promo_codes = ((("promo_codes", n, "code"), entry.code) for n, entry in enumerate(catalogue.promo_codes))
    vouchers = ((("vouchers", n, "code"), entry.code) for n, entry in enumerate(catalogue.vouchers))
    yield from repeated(chain(promo_codes, vouchers))


def _variants(catalogue: Entries) -> Iterator[tuple[Loc, Variant]]:
    for n, product in enumerate(catalogue.products):
        for m, variant in enumerate(product.variants):
            yield ("products", n, "variants", m), variant


def _lost_references(catalogue: Entries) -> Iterator[Issue]:
    """References to nothing."""
    known: dict[str, set[object]] = {
        "merchant": {merchant.identifier for merchant in catalogue.merchants},
        "category": {category.id for category in catalogue.categories},
        "discount card": {card.id for card in catalogue.discount_cards},
        "product": {product.id for product in catalogue.products},
        "variant": {variant.id for _, variant in _variants(catalogue)},
        "medium": {medium.id for medium in catalogue.media},
        "channel": {channel.uuid for channel in catalogue.channels},
        "season": {season.identifier for season in catalogue.calendar.seasons},
        "pool": {pool.identifier for pool in catalogue.pools},
        "product at": {product.slug for product in catalogue.products},
    }
    for place, kind, name in _references(catalogue):
        if name not in known[kind]:
            yield Issue(place, f"there is no {kind} {name!r}")


def _references(catalogue: Entries) -> Iterator[tuple[Loc, str, object]]:
    yield from _product_references(catalogue)
    for place, variant in _variants(catalogue):
        for inside, prices, _ in price_lists(variant):
            cards = (((*place, *inside, "prices", m), price.discount_card) for m, price in enumerate(prices))
            yield from (
                ((*at, "discount_card"), "discount card", card) for at, card in cards if card is not None
            )
    for place, days in sets_of_days(catalogue):
        yield from (((*place, "seasons"), "season", name) for name in sorted(days.seasons))
    yield from _fee_and_channel_references(catalogue)
    for collection in ("automatic_discounts", "promo_codes"):
        for n, discount in enumerate(getattr(catalogue, collection)):
            yield from _discount_references((collection, n), discount)


def _product_references(catalogue: Entries) -> Iterator[tuple[Loc, str, object]]:
    for n, product in enumerate(catalogue.products):
        place = ("products", n)
        yield (*place, "merchant"), "merchant", product.merchant
        yield (*place, "category"), "category", product.category
        for m, medium_id in enumerate(product.media):
            yield (*place, "media", m), "medium", medium_id
        for m, use in enumerate(product.pools):
            yield (*place, "pools", m, "pool"), "pool", use.pool
        for m, season in enumerate(product.booking.seasons):
            yield (*place, "booking", "seasons", m), "season", season
        for m, reduction in enumerate(product.card_reductions):
            yield (*place, "card_reductions", m, "discount_card"), "discount card", reduction.discount_card
        if product.sold_pool is not None:
            yield (*place, "sold_pool"), "pool", product.sold_pool
        cta = _call_to_action(product.content)
        if cta is not None and cta.product is not None:
            yield (*place, "content", *_CTA, "product"), "product at", cta.product


def _call_to_action(content: ProductContent) -> CallToAction | None:
    return content.banner.cta if content.banner else None


def _fee_and_channel_references(catalogue: Entries) -> Iterator[tuple[Loc, str, object]]:
    for place, fee in _fees(catalogue):
        yield (*place, "variant"), "variant", fee.variant
    for n, channel in enumerate(catalogue.channels):
        yield from ((("channels", n, "products"), "product", name) for name in sorted(channel.products))


def _fees(catalogue: Entries) -> Iterator[tuple[Loc, PriceComponent | Surcharge]]:
    """What is sold as a variant of its own along with something else."""
    for n, medium in enumerate(catalogue.media):
        for m, component in enumerate(medium.price_components):
            yield ("media", n, "price_components", m), component
    for n, product in enumerate(catalogue.products):
        for m, surcharge in enumerate(product.weather_guarantee):
            yield ("products", n, "weather_guarantee", m), surcharge


def _discount_references(
    place: Loc, discount: AutomaticDiscount | PromoCode
) -> Iterator[tuple[Loc, str, object]]:
    conditions = discount.conditions
    for channel in sorted(conditions.channels):
        yield (*place, "conditions", "channels"), "channel", channel
    scopes: list[tuple[Loc, Scope]] = [((*place, "scope"), discount.scope)]
    if isinstance(discount.kind, BuyXGetY) and discount.kind.rewards is not None:
        scopes.append(((*place, "kind", "rewards"), discount.kind.rewards))
    for n, threshold in enumerate(conditions.thresholds):
        scopes.append(((*place, "conditions", "thresholds", n, "counting"), threshold.counting))
    for where, scope in scopes:
        for field, kind in _SCOPE_REFERENCES:
            yield from (((*where, field), kind, name) for name in sorted(getattr(scope, field)))


def _unknown_places_and_money(catalogue: Entries) -> Iterator[Issue]:
    for collection in ("merchants", "channels"):
        for n, seller in enumerate(getattr(catalogue, collection)):
            try:
                currency(seller.currency)
            except UnknownCurrency as error:
                yield Issue((collection, n, "currency"), str(error))
            try:
                ZoneInfo(seller.timezone or "UTC")
            except (ValueError, OSError, LookupError):
                yield Issue((collection, n, "timezone"), f"there is no time zone {seller.timezone!r}")


def _odd_products(catalogue: Entries) -> Iterator[Issue]:
    for n, product in enumerate(catalogue.products):
        if len([variant for variant in product.variants if variant.is_standard]) > 1:
            yield Issue(("products", n, "variants"), "more than one standard variant")
        if product.requires_medium and not product.media:
            yield Issue(("products", n, "requires_medium"), "the product has no media")
        yield from _odd_content(("products", n, "content"), product.content)


def _odd_ages(catalogue: Entries) -> Iterator[Issue]:
    for place, variant in _variants(catalogue):
        if variant.ages is None:
            continue
        for field, age in asdict(variant.ages).items():
            if not 0 <= age <= HIGHEST_AGE:
                yield Issue((*place, "ages", field), f"expected 0 to {HIGHEST_AGE}, got {age}")
        if variant.ages.first > variant.ages.last:
            message = f"{variant.ages.last} is below the first age, {variant.ages.first}"
            yield Issue((*place, "ages", "last"), message)


def _odd_content(place: Loc, content: ProductContent) -> Iterator[Issue]:
    for field in ("images", "seo_images"):
        for n, image in enumerate(getattr(content, field)):
            if image.hotspot is not None:
                yield from _odd_hotspot((*place, field, n, "hotspot"), image.hotspot)
    cta = _call_to_action(content)
    if cta is not None:
        ways = [way for way in (cta.product, cta.page, cta.link) if way]
        if len(ways) != 1:
            yield Issue((*place, *_CTA), f"expected one of product, page and link, got {len(ways) or 'none'}")


def _odd_hotspot(place: Loc, hotspot: Hotspot) -> Iterator[Issue]:
    for field, part in asdict(hotspot).items():
        if not 0 <= part <= 1:
            yield Issue((*place, field), f"expected 0 to 1, got {part}")


def _odd_channels(catalogue: Entries) -> Iterator[Issue]:
    """Channels that sell in another currency than a merchant, or in several zones without naming one."""
    currencies = {merchant.identifier: merchant.currency for merchant in catalogue.merchants}
    for n, channel in enumerate(catalogue.channels):
        for product in catalogue.products:
            expected = currencies.get(product.merchant, channel.currency)
            if product.id in channel.products and expected != channel.currency:
                yield Issue(("channels", n, "products"), f"product {product.id} is sold in {expected}")
        zones = order_zones(channel, catalogue)
        if len(zones) > 1:
            found = ", ".join(sorted(zones))
            yield Issue(
                ("channels", n, "timezone"), f"its merchants are in {found}: name the zone of its orders"
            )


def _odd_access(catalogue: Entries) -> Iterator[Issue]:
    """Channels that leave open who may use them, or say so in two ways."""
    for n, channel in enumerate(catalogue.channels):
        place = ("channels", n, "access")
        yield from repeated(
            (("channels", n, "keys", m, "name"), key.name) for m, key in enumerate(channel.keys)
        )
        if channel.access is None and channel.type is ChannelType.CONSUMPTION:
            yield Issue(place, "is missing: a CONSUMPTION channel is 'public' or 'protected', say which")
        elif channel.access is ChannelAccess.PUBLIC and channel.can_pay_on_site:
            yield Issue(place, "is public, but payments on site are taken at their word: say protected")
        elif channel.keys and not channel.is_protected:
            yield Issue(
                ("channels", n, "keys"),
                "have no effect on a public channel: say access protected",
            )


def _odd_fees(catalogue: Entries) -> Iterator[Issue]:
    types = {variant.id: product.type for product in catalogue.products for variant in product.variants}
    for place, fee in _fees(catalogue):
        actual = types.get(fee.variant, ProductType.FEE)
        if actual is not ProductType.FEE:
            yield Issue(
                (*place, "variant"), f"variant {fee.variant} is sold as {actual.value}, expected a FEE"
            )
        if fee.price < 0:
            yield Issue((*place, "price"), f"negative price {fee.price}")


def _odd_settings(catalogue: Entries) -> Iterator[Issue]:
    """Channels that offer one way to pay twice, or whose checkouts expire at odd times."""
    for n, channel in enumerate(catalogue.channels):
        yield from _odd_origins(("channels", n, "redirect_urls"), channel.redirect_urls)
        yield from repeated(
            (("channels", n, "payment_methods", m, "type"), method.type.value)
            for m, method in enumerate(channel.payment_methods)
        )
        for field in ("expires_after", "expires_at_most"):
            if getattr(channel, field) <= timedelta():
                yield Issue(
                    ("channels", n, field), f"expected more than no time, got {getattr(channel, field)}"
                )
        if channel.expires_after > channel.expires_at_most:
            yield Issue(
                ("channels", n, "expires_after"),
                f"{channel.expires_after} is longer than the {channel.expires_at_most} allowed at most",
            )


def _odd_origins(place: Loc, origins: tuple[str, ...]) -> Iterator[Issue]:
    """What is no origin that customers may be sent to, or stands there twice."""
    yield from repeated(((*place, n), origin) for n, origin in enumerate(origins))
    for n, origin in enumerate(origins):
        try:
            parse_origin(origin)
        except InvalidInput as error:
            yield Issue((*place, n), str(error))


def _odd_forms(catalogue: Entries) -> Iterator[Issue]:
    yield from _odd_form(("person_form",), catalogue.person_form)
    yield from _contradictory_forms(catalogue)
    for n, product in enumerate(catalogue.products):
        yield from _odd_form(("products", n, "person_fields"), product.person_fields)
    for n, channel in enumerate(catalogue.channels):
        yield from _odd_form(("channels", n, "form"), channel.form)
        for m, field in enumerate(channel.form):
            if field.name in _BUILT_IN_QUESTIONS:
                yield Issue(("channels", n, "form", m, "name"), f"every checkout asks for {field.name!r}")


def _contradictory_forms(catalogue: Entries) -> Iterator[Issue]:
    """Questions of a product that a person cannot answer for what everyone, or another product, asks."""
    known = {field.name: field for field in catalogue.person_form}
    for n, product in enumerate(catalogue.products):
        before = known.copy()
        for m, field in enumerate(product.person_fields):
            asked = before.get(field.name)
            found = asked and contradiction(asked, field)
            if found:
                yield Issue(("products", n, "person_fields", m, found.attribute), found.message)
            else:
                known[field.name] = stricter(asked or field, field)
        for field in birth_fields(product):
            found = contradiction(known.setdefault(field.name, field), field)
            if found:
                yield Issue(("products", n, "requires_personalization"), f"ages need a date: {found.message}")


def _odd_form(place: Loc, form: tuple[FormField, ...]) -> Iterator[Issue]:
    yield from repeated(((*place, n, "name"), field.name) for n, field in enumerate(form))
    for n, field in enumerate(form):
        for attribute, kind in _KIND_OF_ATTRIBUTE.items():
            if field.kind is not kind and getattr(field, attribute) not in {None, ()}:
                yield Issue((*place, n, attribute), f"does not go with kind {field.kind.value}")
        yield from _odd_answers((*place, n), field)


def _odd_answers(place: Loc, field: FormField) -> Iterator[Issue]:
    """Questions that no answer fits, or one in two ways."""
    match field.kind, field:
        case FieldKind.TEXT, FormField(max_length=int(most)) if most < 1:
            yield Issue((*place, "max_length"), f"expected at least 1, got {most}")
        case FieldKind.INTEGER, FormField(minimum=int(least), maximum=int(most)) if least > most:
            yield Issue((*place, "maximum"), f"{most} is below the minimum {least}")
        case FieldKind.CHOICE, FormField(choices=()):
            yield Issue((*place, "choices"), "expected at least one")
        case _:
            choices = enumerate(field.choices)
            yield from repeated(((*place, "choices", n, "value"), choice.value) for n, choice in choices)
