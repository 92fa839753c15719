"""The figures stored with an order, and their comparison with its price. Decisions §5, §19."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec

from faregate.arguments.fields import camel_case
from faregate.checkout.expiry import CheckoutStatus
from faregate.discounts.kinds import normalize_code
from faregate.money.amounts import MinorUnits
from faregate.money.currency import currency
from faregate.totals.items import item_totals
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate_http.protocol.numbers import major_units, percent
from faregate_http.store.records import OrderRow
from faregate_server.audit.findings import masked

_Json: TypeAlias = dict[str, Any]
_ByCode: TypeAlias = dict[str, list[_Json]]
_Number: TypeAlias = int | float
"""An amount in major units, or a VAT rate in percent."""

_AMOUNTS = [name for name in LineTotals._fields if name in CheckoutTotals._fields]
_OF_SUBSCRIPTIONS = ["total_subscription_gross", "total_subscription_net"]


class _View(msgspec.Struct, rename="camel", gc=False):
    """A JSON object; fields that the audit does not read are ignored."""


class _Amounts(_View):
    list_price_gross: _Number
    list_price_net: _Number
    promo_code_discount: _Number
    auto_discount_amount: _Number
    total_discount_gross: _Number
    total_discount_net: _Number
    total_gross: _Number
    total_net: _Number


class _Reference(_View):
    id: int


class Item(_Amounts):
    """An item, with its automatic discount if it has one."""

    id: int
    parent_item_id: int | None
    product_variant: _Reference
    auto_discount: _Reference | None
    vat_rate: _Number


class _PromoCode(_View):
    code: str
    valid: bool
    total_amount: _Number


class _Voucher(_View):
    code: str
    amount: _Number


class _Donation(_View):
    amount: _Number


class _Channel(_View):
    uuid: str


class Figures(_Amounts):
    """The amounts and other data of an order that the audit reads."""

    uuid: str
    status: str
    reference_number: str | None
    sales_channel: _Channel
    currency: str
    items: list[Item]
    promo_codes: list[_PromoCode]
    auto_discounts: list[_Reference]
    vouchers: list[_Voucher]
    donation: _Donation | None
    total_subscription_gross: _Number
    total_subscription_net: _Number


class _Envelope(_View):
    data: Figures


_decode = msgspec.json.Decoder(_Envelope).decode


def read_figures(text: str) -> Figures:
    """Return the figures in *text*, the JSON stored with an order.

    Raises:
        ValueError: *text* is not the JSON of a checkout.
    """
    return _decode(text).data


def figure_faults(figures: Figures, order: OrderRow, totals: CheckoutTotals) -> Iterator[str]:
    """Yield a message for each of *figures* that differs from *order* or from *totals*, its price."""
    expected, shown = _figures_of(order, totals), msgspec.to_builtins(figures)
    yield from _parent_faults(figures.items)
    yield from _item_faults(expected.pop("items"), shown.pop("items"))
    for name in ("promoCodes", "vouchers"):
        yield from _code_faults(name, _by_code(expected.pop(name)), _by_code(shown.pop(name)))
    yield from _differences(expected, shown)


def _figures_of(order: OrderRow, totals: CheckoutTotals) -> _Json:
    amount = major_units(currency(order.currency))
    return {
        "uuid": order.id,
        "status": CheckoutStatus.CLOSED.value,
        "referenceNumber": order.reference,
        "salesChannel": {"uuid": order.channel},
        "currency": order.currency,
        "items": _items_of(totals, amount),
        "promoCodes": [
            {"code": code.code, "valid": code.valid, "totalAmount": amount(code.total_amount)}
            for code in totals.promo_codes
        ],
        "vouchers": [{"code": paid.voucher.code, "amount": amount(paid.amount)} for paid in totals.vouchers],
        "autoDiscounts": [{"id": applied.discount.id} for applied in totals.auto_discounts],
        "donation": {"amount": amount(totals.donation)} if totals.donation else None,
        **{camel_case(name): amount(getattr(totals, name)) for name in [*_AMOUNTS, *_OF_SUBSCRIPTIONS]},
    }


def _items_of(totals: CheckoutTotals, amount: Callable[[MinorUnits], float]) -> list[_Json]:
    """Return the figures of the items without their ids: a price has the quantity of each line."""
    rows = item_totals(totals, [range(line.quantity) for line in totals.lines])
    variants = [line.variant for line in totals.request.lines for _ in range(line.quantity)]
    return [
        {
            "productVariant": {"id": variant},
            "autoDiscount": {"id": row.auto_discount.id} if row.auto_discount else None,
            "vatRate": percent(row.rate.parts_per_million),
            **{camel_case(name): amount(getattr(row, name)) for name in _AMOUNTS},
        }
        for row, variant in zip(rows, variants, strict=True)
    ]


def _parent_faults(items: Sequence[Item]) -> Iterator[str]:
    seen: set[int | None] = {None}
    for item in items:
        if item.parent_item_id not in seen:
            yield f"item {item.id} precedes or lacks its parent {item.parent_item_id}"
        seen.add(item.id)


def _item_faults(expected: list[_Json], items: list[_Json]) -> Iterator[str]:
    """Yield the differences of each item from the most similar item of the price that no other item has."""
    if len(items) != len(expected):
        yield f"expected {len(expected)} items, got {len(items)}"
    wrong = []
    for item in items:
        item_id = item.pop("id")
        del item["parentItemId"]
        if item in expected:
            expected.remove(item)
        else:
            wrong.append((item_id, item))
    for item_id, item in wrong:
        if not expected:
            yield f"item {item_id} is not part of its price"
            continue
        nearest = _nearest(item, expected)
        expected.remove(nearest)
        yield from (f"item {item_id}: {fault}" for fault in _differences(nearest, item))


def _nearest(item: _Json, rows: list[_Json]) -> _Json:
    return min(rows, key=lambda row: len([*_differences(row, item)]))


def _code_faults(name: str, expected: _ByCode, shown: _ByCode) -> Iterator[str]:
    for code in expected | shown:
        if expected.get(code) != shown.get(code):
            yield f"{name} {masked(code)}: expected {expected.get(code)}, got {shown.get(code)}"


def _by_code(rows: Iterable[_Json]) -> _ByCode:
    by_code: _ByCode = defaultdict(list)
    for row in rows:
        by_code[normalize_code(row["code"])].append(row)
        del row["code"]
    return by_code


def _differences(expected: _Json, found: _Json) -> Iterator[str]:
    return (
        f"{key}: expected {value}, got {found[key]}" for key, value in expected.items() if found[key] != value
    )
