"""The inputs of a checkout as JSON text in the store; defaults are left out."""

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from datetime import UTC, tzinfo
from functools import lru_cache
from typing import Any

import msgspec

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.code_limits import CodeLimit, LimitKind
from faregate.checkout.model import (
    FIRST_SERVICE_ID,
    Address,
    Checkout,
    CheckoutConditions,
    CheckoutItem,
    Component,
    ComponentSource,
    Quote,
)
from faregate.checkout.quotes import zone_of
from faregate.dates.instants import Interval
from faregate.discounts.pricing_rules import PricingRules
from faregate.documents.formats import dump, load
from faregate.errors import UnknownEntry
from faregate.tax.rates import VatCategory, VatRate
from faregate_http.protocol.instants import from_micros, from_millis, micros, millis


class _Record(msgspec.Struct, rename="camel", omit_defaults=True, gc=False):
    """Base of stored records. Fields are stored by name, so that later releases can add more of them."""


class _Item(_Record):
    id: int
    variant: int
    list_price: int
    vat_parts_per_million: int
    priced_at: int
    valid_from: int | None = None
    valid_to: int | None = None
    parent: int | None = None
    discount_card: int | None = None
    person: int | None = None
    originated_from: int | None = None
    copy_of: int | None = None
    component: tuple[ComponentSource, int, int | None] | None = None
    vat_category: VatCategory | None = None
    vat_reason_code: str = ""
    vat_reason: str = ""


class _Inputs(_Record):
    items: list[_Item] = []
    codes: tuple[str, ...] = ()
    donation: int | None = None
    weather_guarantee: bool | None = None
    accept_terms: bool | None = None
    billing_address: tuple[str | None, ...] | None = None
    shipping_address: tuple[str | None, ...] | None = None
    media: tuple[tuple[int, int], ...] = ()
    answers: tuple[tuple[str, str | int | bool], ...] = ()
    removed: tuple[int, ...] = ()
    next_id: int = FIRST_SERVICE_ID
    spent: tuple[tuple[LimitKind, str, int], ...] = ()
    promo_codes: dict[str, Any] | None = None
    customer_groups: tuple[str, ...] = ()


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Inputs).decode


def write_inputs(checkout: Checkout) -> bytes:
    """Return the inputs of *checkout* as JSON, except channel and account; every item must have a quote."""
    conditions = checkout.conditions
    return _encode(
        _Inputs(
            items=[_item_record(item) for item in checkout.items],
            codes=checkout.codes,
            donation=conditions.donation,
            weather_guarantee=conditions.weather_guarantee,
            accept_terms=conditions.accept_terms,
            billing_address=_address_parts(conditions.billing_address),
            shipping_address=_address_parts(conditions.shipping_address),
            media=conditions.media,
            answers=conditions.answers,
            removed=tuple(sorted(checkout.removed)),
            next_id=checkout.next_id,
            spent=tuple((allowance.kind, allowance.code, units) for allowance, units in checkout.spent),
            promo_codes=dump(PricingRules(promo_codes=checkout.promo_codes))
            if checkout.promo_codes
            else None,
            customer_groups=tuple(sorted(checkout.customer_groups)),
        )
    )


def read_inputs(text: bytes, *, channel: str, account: int | None, catalogue: Catalogue) -> Checkout:
    """Return the checkout with the inputs stored as *text*; *catalogue* gives the time zones of its items."""
    stored = _decode(text)
    return Checkout(
        channel=channel,
        items=tuple([_item(record, validity) for record, validity in _validities(stored.items, catalogue)]),
        codes=stored.codes,
        conditions=CheckoutConditions(
            donation=stored.donation,
            weather_guarantee=stored.weather_guarantee,
            accept_terms=stored.accept_terms,
            billing_address=_address(stored.billing_address),
            shipping_address=_address(stored.shipping_address),
            media=stored.media,
            answers=stored.answers,
        ),
        account=account,
        customer_groups=frozenset(stored.customer_groups),
        removed=frozenset(stored.removed),
        next_id=stored.next_id,
        spent=tuple([(CodeLimit(kind, code), units) for kind, code, units in stored.spent]),
        promo_codes=() if stored.promo_codes is None else load(stored.promo_codes).promo_codes,
    )


def persons_of(text: bytes) -> dict[int, int | None]:
    """Return the person id, or None, of each item in the stored inputs *text*, keyed by item id."""
    return {item.id: item.person for item in _decode(text).items}


def _item_record(item: CheckoutItem) -> _Item:
    if item.quote is None:
        raise ValueError(f"item {item.id} has no quote")
    rate = item.quote.rate
    return _Item(
        item.id,
        item.variant,
        item.quote.list_price,
        rate.parts_per_million,
        millis(item.quote.at),
        item.validity and micros(item.validity.start),
        item.validity and micros(item.validity.end),
        item.parent,
        item.discount_card,
        item.person,
        item.originated_from,
        item.copy_of,
        item.component,
        rate.category if rate.category.needs_reason else None,
        rate.reason_code,
        rate.reason,
    )


def _validities(records: Iterable[_Item], catalogue: Catalogue) -> Iterator[tuple[_Item, Interval | None]]:
    """Yield each record with its validity period; equal periods share one object."""
    known: dict[tuple[int, int, tzinfo], Interval] = {}
    for record in records:
        if record.valid_from is None or record.valid_to is None:
            yield record, None
            continue
        zone = _zone(record.variant, catalogue)
        period = record.valid_from, record.valid_to, zone
        if period not in known:
            known[period] = Interval(from_micros(period[0], zone), from_micros(period[1], zone))
        yield record, known[period]


def _item(record: _Item, validity: Interval | None) -> CheckoutItem:
    parts, category = record.vat_parts_per_million, record.vat_category
    rate = _rate(parts, category, record.vat_reason_code, record.vat_reason)
    return CheckoutItem(
        record.id,
        record.variant,
        validity,
        record.parent,
        record.discount_card,
        record.person,
        record.originated_from,
        record.copy_of,
        record.component and Component(record.component[0], record.component[1], record.component[2]),
        Quote(record.list_price, rate, from_millis(record.priced_at)),
    )


def _address_parts(address: Address | None) -> tuple[str | None, ...] | None:
    return None if address is None else astuple(address)


def _address(parts: tuple[str | None, ...] | None) -> Address | None:
    return None if parts is None else Address(*parts)


def _zone(variant: int, catalogue: Catalogue) -> tzinfo:
    try:
        return zone_of(catalogue.variant(variant)[0], catalogue)
    except UnknownEntry:  # no longer sold: the item can only be shown and removed
        return UTC


@lru_cache(maxsize=1024)
def _rate(parts: int, category: VatCategory | None, reason_code: str, reason: str) -> VatRate:
    if category is None:  # category derived from the rate
        return VatRate(parts_per_million=parts)
    return VatRate(parts_per_million=parts, category=category, reason_code=reason_code, reason=reason)
