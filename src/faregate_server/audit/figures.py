"""The amounts stored with an order, in minor units, and the equations between them. Decisions §5.

The channel's pricing policy at the time of the order is not stored, so only equations that hold for every
policy are checked.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from faregate.discounts.kinds import normalize_code
from faregate.money.amounts import MILLION
from faregate.money.currency import currency


class Amount(int):
    """An amount in minor units; in the JSON it is in major units."""


class Rate(int):
    """A VAT rate in parts per million; in the JSON it is in percent."""


class _View(msgspec.Struct, rename="camel", gc=False):
    """A JSON object; fields that the audit does not read are ignored."""


class Amounts(_View):
    """The amounts that exist both for each item and for the whole checkout."""

    list_price_gross: Amount
    list_price_net: Amount
    promo_code_discount: Amount
    auto_discount_amount: Amount
    total_discount_gross: Amount
    total_discount_net: Amount
    total_gross: Amount
    total_net: Amount


class Discount(_View):
    """An automatic discount."""

    id: int


class Product(_View):
    """The product of a variant."""

    is_subscription: bool


class Variant(_View):
    """The variant of an item."""

    id: int
    product: Product


class Item(Amounts):
    """An item, with its automatic discount if it has one."""

    id: int
    parent_item_id: int | None
    product_variant: Variant
    auto_discount: Discount | None
    vat_rate: Rate


class PromoCode(_View):
    """A promo code and the discount that it gave."""

    code: str
    valid: bool
    total_amount: Amount


class Voucher(_View):
    """A voucher and the amount that it paid."""

    code: str
    amount: Amount


class Donation(_View):
    """A donation, paid in addition to the items."""

    amount: Amount


class Channel(_View):
    """The sales channel."""

    uuid: str


class Figures(Amounts):
    """The amounts and other data of an order that the audit reads."""

    uuid: str
    status: str
    reference_number: str | None
    sales_channel: Channel
    currency: str
    items: list[Item]
    promo_codes: list[PromoCode]
    auto_discounts: list[Discount]
    vouchers: list[Voucher]
    donation: Donation | None
    total_subscription_gross: Amount
    total_subscription_net: Amount

    def code_discounts(self) -> dict[str, int]:
        """Return the discount that each valid promo code gave, keyed by the normalised code."""
        return {normalize_code(code.code): code.total_amount for code in self.promo_codes if code.valid}

    def voucher_payments(self) -> list[tuple[str, int]]:
        """Return the normalised code of each voucher, with the amount that it paid."""
        return [(normalize_code(voucher.code), voucher.amount) for voucher in self.vouchers]


class _Currency(_View):
    currency: str


class _CurrencyOnly(_View):
    data: _Currency


class _Envelope(_View):
    data: Figures


_decode_currency = msgspec.json.Decoder(_CurrencyOnly).decode


def read_figures(text: str) -> Figures:
    """Return the figures in *text*, the JSON stored with an order.

    Raises:
        ValueError: *text* is not the JSON of a checkout, or a number has too many decimal places.
        FaregateError: the currency of the order is unknown.
    """
    return _decoder(_decode_currency(text).data.currency).decode(text).data


@cache
def _decoder(code: str) -> msgspec.json.Decoder[_Envelope]:
    scales = {Amount: 10 ** currency(code).exponent, Rate: MILLION // 100}
    return msgspec.json.Decoder(_Envelope, dec_hook=lambda kind, number: kind(_scaled(number, scales[kind])))


def _scaled(number: object, scale: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise TypeError(f"expected a number, got {number!r}")
    units = round(number * scale)
    # Equal if both are the float nearest to the same decimal fraction; otherwise *number* has more digits.
    if units / scale != number:
        raise ValueError(f"{number} has more decimals than its unit allows")
    return units


def figure_faults(figures: Figures) -> Iterator[str]:
    """Yield a message for each equation that *figures* violate, and for each impossible value."""
    yield from _tree_faults(figures.items)
    for item in figures.items:
        for fault in _item_faults(item):
            yield f"item {item.id}: {fault}"
    yield from _sum_faults(figures)
    yield from _discount_faults(figures)
    yield from _tax_faults(figures.items)
    paid_by_vouchers = sum(voucher.amount for voucher in figures.vouchers)
    if paid_by_vouchers > figures.total_gross:
        yield f"vouchers pay {paid_by_vouchers} of {figures.total_gross}"


def _tree_faults(items: Sequence[Item]) -> Iterator[str]:
    seen: set[int] = set()
    for item in items:
        if item.id in seen:
            yield f"item {item.id} occurs twice"
        if item.parent_item_id is not None and item.parent_item_id not in seen:
            yield f"item {item.id} precedes or lacks its parent {item.parent_item_id}"
        seen.add(item.id)


def _item_faults(item: Item) -> Iterator[str]:
    yield from _difference_faults(item, donation=0)
    if not 0 <= item.total_discount_gross <= item.list_price_gross:
        yield f"totalDiscountGross {item.total_discount_gross} of {item.list_price_gross}"
    if not 0 <= item.total_net <= item.total_gross:
        yield f"totalNet {item.total_net} of totalGross {item.total_gross}"
    discount = item.auto_discount.id if item.auto_discount else None
    if (discount is None) != (item.auto_discount_amount == 0):
        yield f"automatic discount {discount} takes {item.auto_discount_amount}"


def _difference_faults(amounts: Amounts, *, donation: int) -> Iterator[str]:
    gross = amounts.list_price_gross - amounts.total_discount_gross + donation
    net = amounts.list_price_net - amounts.total_discount_net + donation
    yield from _unequal("totalGross", gross, amounts.total_gross)
    yield from _unequal("totalNet", net, amounts.total_net)


def _sum_faults(figures: Figures) -> Iterator[str]:
    donation = figures.donation.amount if figures.donation else 0
    for name in Amounts.__struct_fields__:
        donated = donation if name in {"total_gross", "total_net"} else 0
        expected = sum(getattr(item, name) for item in figures.items) + donated
        yield from _unequal(f"{name} of the items", expected, getattr(figures, name))
    yield from _difference_faults(figures, donation=donation)
    if not any(item.product_variant.product.is_subscription for item in figures.items):
        subscription = figures.total_subscription_gross, figures.total_subscription_net
        yield from _unequal("subscriptions", (0, 0), subscription)


def _discount_faults(figures: Figures) -> Iterator[str]:
    taken = sum(code.total_amount for code in figures.promo_codes if code.valid)
    taken_by_invalid = sum(code.total_amount for code in figures.promo_codes if not code.valid)
    yield from _unequal("promoCodeDiscount", taken, figures.promo_code_discount)
    yield from _unequal("the discount of invalid codes", 0, taken_by_invalid)
    in_order = sorted(figures.items, key=lambda item: item.id)
    winners = [item.auto_discount.id for item in in_order if item.auto_discount]
    shown = [discount.id for discount in figures.auto_discounts]
    yield from _unequal("autoDiscounts", list(dict.fromkeys(winners)), shown)
    # Gross or net, as the channel's prices are: the same side for all items.
    sides = ("total_discount_gross", "total_discount_net")
    if not any(all(_is_basis(item, side) for item in figures.items) for side in sides):
        yield "the discounts of an item differ from those of its codes and its automatic discount"


def _is_basis(item: Item, side: str) -> bool:
    discount: int = getattr(item, side)
    return discount == item.promo_code_discount + item.auto_discount_amount


def _tax_faults(items: Sequence[Item]) -> Iterator[str]:
    """Yield a message for each item with a wrong tax, and for each VAT rate whose total tax is wrong."""
    by_rate: dict[int, list[Item]] = {}
    for item in items:
        by_rate.setdefault(item.vat_rate, []).append(item)
        if not _is_taxed(item.vat_rate, [item], tolerance=2):
            yield f"item {item.id}: the tax is not {item.vat_rate} parts per million"
    for rate, of_rate in by_rate.items():
        if not _is_taxed(rate, of_rate, tolerance=len(of_rate)):
            yield f"the tax of all items is not {rate} parts per million"


def _is_taxed(rate: int, items: Sequence[Item], *, tolerance: int) -> bool:
    """Return True if the tax of *items* matches *rate* to within *tolerance* halves of a minor unit."""
    whole = MILLION + rate
    allowed = tolerance * whole if rate else 0
    for side in ("total", "total_discount"):
        gross = sum(getattr(item, f"{side}_gross") for item in items)
        net = sum(getattr(item, f"{side}_net") for item in items)
        if 2 * abs((gross - net) * whole - gross * rate) > allowed:
            return False
    return True


def _unequal(name: str, expected: object, found: object) -> Iterator[str]:
    if found != expected:
        yield f"{name}: expected {expected}, got {found}"
