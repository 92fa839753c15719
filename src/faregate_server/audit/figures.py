"""The frozen figures of an order, in minor units, and the identities that hold of them. Decisions §5.

Which policy a channel had then is not kept: what is demanded holds under all of them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from faregate.discounts.kinds import normalize_code
from faregate.money.amounts import MILLION
from faregate.money.currency import currency

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class _Written(msgspec.Struct, rename="camel", gc=False):
    """What is read of the JSON; it has more."""


class _Numbered(_Written):
    id: int


class _Product(_Written):
    is_subscription: bool


class _Variant(_Written):
    id: int
    product: _Product


class _Priced(_Written):
    list_price_gross: float
    list_price_net: float
    promo_code_discount: float
    auto_discount_amount: float
    total_discount_gross: float
    total_discount_net: float
    total_gross: float
    total_net: float


class _Item(_Priced):
    id: int
    parent_item_id: int | None
    product_variant: _Variant
    auto_discount: _Numbered | None
    vat_rate: float


class _Code(_Written):
    code: str
    valid: bool
    total_amount: float


class _Paying(_Written):
    amount: float


class _Voucher(_Paying):
    code: str


class _Channel(_Written):
    uuid: str


class _Checkout(_Priced):
    uuid: str
    status: str
    reference_number: str | None
    sales_channel: _Channel
    currency: str
    items: list[_Item]
    promo_codes: list[_Code]
    auto_discounts: list[_Numbered]
    vouchers: list[_Voucher]
    donation: _Paying | None
    total_subscription_gross: float
    total_subscription_net: float


class _Envelope(_Written):
    data: _Checkout


_decode = msgspec.json.Decoder(_Envelope).decode


class Amounts(NamedTuple):
    """The amounts that an item and a checkout have, in minor units."""

    list_price_gross: int
    list_price_net: int
    promo_code_discount: int
    auto_discount_amount: int
    total_discount_gross: int
    total_discount_net: int
    total_gross: int
    total_net: int


_NOTHING = Amounts(*[0] * len(Amounts._fields))


class ItemFigures(NamedTuple):
    """An item; ``rate`` in parts per million, ``discount`` the id of the automatic discount that it has."""

    id: int
    parent: int | None
    variant: int
    is_subscription: bool
    rate: int
    discount: int | None
    amounts: Amounts


class Figures(NamedTuple):
    """What an order shows for ever; ``promo_codes`` are the valid ones, with what each took.

    Codes are in the normal form of today, which may not be the one they are shown in.
    """

    uuid: str
    status: str
    reference: str | None
    channel: str
    currency: str
    items: Sequence[ItemFigures]
    amounts: Amounts
    promo_codes: Sequence[tuple[str, int]]
    taken_by_invalid_codes: int
    discounts: Sequence[int]
    vouchers: Sequence[tuple[str, int]]
    donation: int
    subscription: tuple[int, int]


def read_figures(text: str) -> Figures:
    """The figures that an order keeps as JSON.

    Raises:
        msgspec.MsgspecError: it is no JSON, or not that of a checkout.
        ValueError: an amount has more decimals than its currency.
        FaregateError: there is no such currency.
    """
    data = _decode(text).data
    minor = partial(_minor, scale=10 ** currency(data.currency).exponent)
    return Figures(
        uuid=data.uuid,
        status=data.status,
        reference=data.reference_number,
        channel=data.sales_channel.uuid,
        currency=data.currency,
        items=[_item(item, _amounts(item, data.currency)) for item in data.items],
        amounts=_amounts(data, data.currency),
        promo_codes=[
            (normalize_code(code.code), minor(code.total_amount)) for code in data.promo_codes if code.valid
        ],
        taken_by_invalid_codes=sum(minor(code.total_amount) for code in data.promo_codes if not code.valid),
        discounts=[discount.id for discount in data.auto_discounts],
        vouchers=[(normalize_code(voucher.code), minor(voucher.amount)) for voucher in data.vouchers],
        donation=minor(data.donation.amount) if data.donation else 0,
        subscription=(minor(data.total_subscription_gross), minor(data.total_subscription_net)),
    )


def _minor(amount: float, *, scale: int) -> int:
    units = round(amount * scale)
    # Both are the number next to the same decimal fraction, or it has more digits.
    if units / scale != amount:
        raise ValueError(f"{amount} has more decimals than the currency")
    return units


def _amounts(row: _Priced, unit: str) -> Amounts:
    scale: int = 10 ** currency(unit).exponent
    return Amounts(
        _minor(row.list_price_gross, scale=scale),
        _minor(row.list_price_net, scale=scale),
        _minor(row.promo_code_discount, scale=scale),
        _minor(row.auto_discount_amount, scale=scale),
        _minor(row.total_discount_gross, scale=scale),
        _minor(row.total_discount_net, scale=scale),
        _minor(row.total_gross, scale=scale),
        _minor(row.total_net, scale=scale),
    )


def _item(item: _Item, amounts: Amounts) -> ItemFigures:
    variant = item.product_variant
    return ItemFigures(
        item.id,
        item.parent_item_id,
        variant.id,
        variant.product.is_subscription,
        _minor(item.vat_rate, scale=MILLION // 100),
        item.auto_discount.id if item.auto_discount else None,
        amounts,
    )


# ---------------------------------------------------------------- what holds of them


def figure_faults(figures: Figures) -> Iterator[str]:
    """Say which identities do not hold of *figures*."""
    yield from _tree_faults(figures.items)
    for item in figures.items:
        for fault in _item_faults(item):
            yield f"item {item.id}: {fault}"
    yield from _sum_faults(figures)
    yield from _discount_faults(figures)
    yield from _tax_faults(figures.items)
    paid_by_vouchers = sum(amount for _, amount in figures.vouchers)
    if paid_by_vouchers > figures.amounts.total_gross:
        yield f"vouchers pay {paid_by_vouchers} of {figures.amounts.total_gross}"


def _tree_faults(items: Sequence[ItemFigures]) -> Iterator[str]:
    seen: set[int] = set()
    for item in items:
        if item.id in seen:
            yield f"item {item.id} is there twice"
        if item.parent is not None and item.parent not in seen:
            yield f"item {item.id} comes before its parent {item.parent}, or without"
        seen.add(item.id)


def _item_faults(item: ItemFigures) -> Iterator[str]:
    amounts = item.amounts
    yield from _difference_faults(amounts, donation=0)
    if not 0 <= amounts.total_discount_gross <= amounts.list_price_gross:
        yield f"totalDiscountGross {amounts.total_discount_gross} of {amounts.list_price_gross}"
    if not 0 <= amounts.total_net <= amounts.total_gross:
        yield f"totalNet {amounts.total_net} of totalGross {amounts.total_gross}"
    if (item.discount is None) != (amounts.auto_discount_amount == 0):
        yield f"automatic discount {item.discount} takes {amounts.auto_discount_amount}"


def _difference_faults(amounts: Amounts, *, donation: int) -> Iterator[str]:
    gross = amounts.list_price_gross - amounts.total_discount_gross + donation
    net = amounts.list_price_net - amounts.total_discount_net + donation
    yield from _unequal("totalGross", gross, amounts.total_gross)
    yield from _unequal("totalNet", net, amounts.total_net)


def _sum_faults(figures: Figures) -> Iterator[str]:
    of_items = Amounts(*map(sum, zip(_NOTHING, *(item.amounts for item in figures.items), strict=True)))
    donated = of_items._replace(
        total_gross=of_items.total_gross + figures.donation, total_net=of_items.total_net + figures.donation
    )
    for name, expected, found in zip(Amounts._fields, donated, figures.amounts, strict=True):
        yield from _unequal(f"{name} of the items", expected, found)
    yield from _difference_faults(figures.amounts, donation=figures.donation)
    if not any(item.is_subscription for item in figures.items):
        yield from _unequal("subscriptions", (0, 0), figures.subscription)


def _discount_faults(figures: Figures) -> Iterator[str]:
    taken = sum(amount for _, amount in figures.promo_codes)
    yield from _unequal("promoCodeDiscount", taken, figures.amounts.promo_code_discount)
    yield from _unequal("what invalid codes take", 0, figures.taken_by_invalid_codes)
    in_order = sorted(figures.items, key=lambda item: item.id)
    winners = [item.discount for item in in_order if item.discount is not None]
    yield from _unequal("autoDiscounts", list(dict.fromkeys(winners)), list(figures.discounts))
    # One side for the whole channel: that of its prices.
    if not any(all(_is_basis(item.amounts, side) for item in figures.items) for side in _SIDES):
        yield "the discounts of an item are not those of its codes and its automatic discount"


_SIDES = Amounts._fields.index("total_discount_gross"), Amounts._fields.index("total_discount_net")


def _is_basis(amounts: Amounts, side: int) -> bool:
    return amounts[side] == amounts.promo_code_discount + amounts.auto_discount_amount


def _tax_faults(items: Sequence[ItemFigures]) -> Iterator[str]:
    """Of every item the tax is within a unit of what is exact; per rate within half a unit for each item."""
    by_rate: dict[int, list[Amounts]] = {}
    for item in items:
        by_rate.setdefault(item.rate, []).append(item.amounts)
        if not _is_taxed(item.rate, [item.amounts], tolerance=2):
            yield f"item {item.id}: the tax is not {item.rate} parts per million"
    for rate, of_rate in by_rate.items():
        if not _is_taxed(rate, of_rate, tolerance=len(of_rate)):
            yield f"the tax of all items is not {rate} parts per million"


def _is_taxed(rate: int, amounts: Sequence[Amounts], *, tolerance: int) -> bool:
    """Whether totals and discounts differ from their tax by no more than *tolerance* halves of a unit."""
    pairs = (
        _summed((row.total_gross, row.total_net) for row in amounts),
        _summed((row.total_discount_gross, row.total_discount_net) for row in amounts),
    )
    if rate == 0:
        return all(gross == net for gross, net in pairs)
    whole = MILLION + rate
    return all(2 * abs((gross - net) * whole - gross * rate) <= tolerance * whole for gross, net in pairs)


def _summed(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    gross, net = zip(*pairs, strict=True)
    return sum(gross), sum(net)


def _unequal(name: str, expected: object, found: object) -> Iterator[str]:
    if found != expected:
        yield f"{name}: expected {expected}, got {found}"
