"""All checks of a catalogue, including duplicate keys and references to missing entries."""

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from faregate.amount_due.vouchers import Voucher
from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.calendars import DayPattern, Season
from faregate.catalogue.channels import Channel
from faregate.catalogue.checks.booking import booking_issues
from faregate.catalogue.checks.calendars import calendar_issues
from faregate.catalogue.checks.channels import channel_issues
from faregate.catalogue.checks.days_of_use import use_issues
from faregate.catalogue.checks.forms import form_issues
from faregate.catalogue.checks.gate_ids import gate_id_issues
from faregate.catalogue.checks.parts import Parts, repeated
from faregate.catalogue.checks.prices import price_issues
from faregate.catalogue.checks.products import product_issues
from faregate.catalogue.entries import Category, DiscountCard, Entries, Merchant
from faregate.catalogue.pools import Pool, PoolUse
from faregate.catalogue.presentation.content import CallToAction
from faregate.catalogue.price_rules import CardReduction, PriceRule
from faregate.catalogue.products import Medium, PriceComponent, Product, Surcharge, Variant
from faregate.discounts.kinds import AutomaticDiscount, Conditions, PromoCode, Scope
from faregate.errors import Issue, Loc

_KEYS: dict[str, tuple[type[Any], str]] = {
    "merchant": (Merchant, "identifier"),
    "category": (Category, "id"),
    "discount card": (DiscountCard, "id"),
    "product": (Product, "id"),
    "product at": (Product, "slug"),
    "medium": (Medium, "id"),
    "channel": (Channel, "uuid"),
    "automatic discount": (AutomaticDiscount, "id"),
    "pool": (Pool, "identifier"),
    "variant": (Variant, "id"),
    "season": (Season, "identifier"),
}
"""The class and the unique field of each kind of entry, keyed by the name of the kind in messages."""

_REFERENCES: dict[type[Any], dict[str, str]] = {
    Product: {"merchant": "merchant", "category": "category", "media": "medium", "sold_pool": "pool"},
    PoolUse: {"pool": "pool"},
    BookingRules: {"seasons": "season"},
    CardReduction: {"discount_card": "discount card"},
    CallToAction: {"product": "product at"},
    PriceRule: {"discount_card": "discount card"},
    DayPattern: {"seasons": "season"},
    PriceComponent: {"variant": "variant"},
    Surcharge: {"variant": "variant"},
    Channel: {"products": "product"},
    Conditions: {"channels": "channel"},
    Scope: {
        "products": "product",
        "variants": "variant",
        "categories": "category",
        "discount_cards": "discount card",
        "excluded_products": "product",
        "excluded_variants": "variant",
        "excluded_categories": "category",
    },
}
"""For each class, the fields that hold keys of other entries, mapped to the kind of those entries."""


def catalogue_issues(catalogue: Entries) -> tuple[Issue, ...]:
    """Return all issues of *catalogue*: invalid values, and contradictions between its entries."""
    parts = Parts(catalogue)
    known = {
        name: {getattr(entry, field) for _, entry in parts.of(kind)} for name, (kind, field) in _KEYS.items()
    }
    return (
        *_double_keys(parts),
        *_lost_references(parts, known),
        *calendar_issues(parts),
        *booking_issues(parts),
        *use_issues(parts),
        *price_issues(parts),
        *gate_id_issues(parts),
        *product_issues(parts),
        *channel_issues(parts),
        *form_issues(parts),
    )


def promo_code_issues(
    catalogue: Entries, index: int, promo_code: PromoCode, known: Mapping[str, Container[object]]
) -> tuple[Issue, ...]:
    """Return the issues of a new promo code in *catalogue*, whose other entries are already checked.

    *index* is the position of the promo code, and *known* holds the existing keys by kind of entry.
    """
    vouchers = ((("vouchers", n, "code"), voucher.code) for n, voucher in enumerate(catalogue.vouchers))
    return (
        *repeated(entry for entry in ((("promo_codes", index, "code"), promo_code.code), *vouchers)),
        *_lost_references(Parts(catalogue, (("promo_codes", index), promo_code)), known),
    )


def list_price_issues(
    catalogue: Entries, index: int, product: Product, known: Mapping[str, Container[object]]
) -> tuple[Issue, ...]:
    """Return the issues of a product with new prices; the rest of *catalogue* is already checked.

    *index* is the position of the product, and *known* holds the existing keys by kind of entry.
    """
    parts = Parts(catalogue, (("products", index), product))
    return (
        *_lost_references(parts, known),
        *calendar_issues(parts),
        *use_issues(parts),
        *price_issues(parts),
    )


def _double_keys(parts: Parts) -> Iterator[Issue]:
    for kind, field in _KEYS.values():
        yield from repeated(((*loc, field), getattr(entry, field)) for loc, entry in parts.of(kind))
    # Customers enter promo codes and vouchers in the same field.
    codes: list[tuple[Loc, PromoCode | Voucher]] = [*parts.of(PromoCode), *parts.of(Voucher)]
    yield from repeated(((*loc, "code"), entry.code) for loc, entry in codes)


def _lost_references(parts: Parts, known: Mapping[str, Container[object]]) -> Iterator[Issue]:
    for kind, references in _REFERENCES.items():
        for loc, entry in parts.of(kind):
            for field, name in references.items():
                value = getattr(entry, field)
                if value is not None and value not in known[name]:
                    for inside, key in _keys(value):
                        if key not in known[name]:
                            yield Issue((*loc, field, *inside), f"there is no {name} {key!r}")


def _keys(value: object) -> Sequence[tuple[Loc, object]]:
    """Return the keys in *value*, each with its ``loc`` inside it: an index in a tuple, or else empty."""
    match value:
        case tuple():
            return [((n,), key) for n, key in enumerate(value)]
        case frozenset():
            return [((), key) for key in sorted(value)]
        case _:
            return [((), value)]
