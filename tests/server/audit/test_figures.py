"""The identities of an order's figures hold under every policy, and break with any changed amount."""

from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from faregate.basket.lines import pricing_lines
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals.items import item_totals
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate.totals.request import PricingRequest
from faregate_server.audit.figures import (
    Amount,
    Amounts,
    Channel,
    Discount,
    Donation,
    Figures,
    Item,
    Product,
    PromoCode,
    Rate,
    Variant,
    Voucher,
    figure_faults,
)
from support.baskets.whole_checkouts import Sizes, checkouts, priced

AnyAmounts = TypeVar("AnyAmounts", bound=Amounts)

of_items = checkouts(sizes=Sizes(lines=12, automatic=3, codes=4, vouchers=3), line_quantities=st.just(1))


def figures_of(request: PricingRequest) -> Figures:
    """Return the figures that an order of *request* would store."""
    joined = pricing_lines(request.lines)
    totals = priced(request._replace(lines=joined.lines))
    lines = {line.key: line for line in request.lines}
    return Figures(
        **amounts_of(totals),
        uuid="",
        status="CLOSED",
        reference_number=None,
        sales_channel=Channel(""),
        currency="CHF",
        items=[
            Item(
                **amounts_of(item),
                id=item.key,
                parent_item_id=None,
                product_variant=Variant(1, Product(is_subscription=lines[item.key].is_subscription)),
                auto_discount=Discount(item.auto_discount.id) if item.auto_discount else None,
                vat_rate=Rate(item.rate.parts_per_million),
            )
            for item in item_totals(totals, joined.members)
        ],
        promo_codes=[
            PromoCode(code.code, valid=True, total_amount=Amount(code.total_amount))
            for code in totals.promo_codes
            if isinstance(code, AppliedCode)
        ],
        auto_discounts=[Discount(applied.discount.id) for applied in totals.auto_discounts],
        vouchers=[Voucher(paid.voucher.code, Amount(paid.amount)) for paid in totals.vouchers],
        donation=Donation(Amount(totals.donation)),
        total_subscription_gross=Amount(totals.total_subscription_gross),
        total_subscription_net=Amount(totals.total_subscription_net),
    )


def amounts_of(totals: LineTotals | CheckoutTotals) -> dict[str, Any]:
    return {name: Amount(getattr(totals, name)) for name in Amounts.__struct_fields__}


@given(of_items)
def test_figures_of_any_priced_basket_are_consistent(request: PricingRequest) -> None:
    assert [*figure_faults(figures_of(request))] == []


@given(of_items, st.sampled_from(Amounts.__struct_fields__), st.sampled_from([-1, 1]), st.integers(-1, 11))
def test_any_changed_amount_is_detected(request: PricingRequest, name: str, by: int, place: int) -> None:
    figures = figures_of(request)

    spoilt = _spoilt(figures, name, by, place)

    assert [*figure_faults(spoilt)] != []


def _spoilt(figures: Figures, name: str, by: int, place: int) -> Figures:
    """Return *figures* with another amount in the checkout or an item."""
    if place < 0 or not figures.items:
        return _moved(figures, name, by)
    items = [*figures.items]
    items[place % len(items)] = _moved(items[place % len(items)], name, by)
    return replace(figures, items=items)


def _moved(amounts: AnyAmounts, name: str, by: int) -> AnyAmounts:
    return replace(amounts, **{name: Amount(getattr(amounts, name) + by)})


@given(of_items.filter(lambda request: request.lines), st.data())
def test_missing_and_duplicate_items_are_detected(request: PricingRequest, data: st.DataObject) -> None:
    figures = figures_of(request)
    item = data.draw(st.sampled_from(figures.items))
    others = [other for other in figures.items if other is not item]

    assert [*figure_faults(replace(figures, items=[*figures.items, item]))] != []
    if item.list_price_gross:
        assert [*figure_faults(replace(figures, items=others))] != []


def amounts(*numbers: int) -> dict[str, Any]:
    return dict(zip(Amounts.__struct_fields__, map(Amount, numbers), strict=True))


_FULL = Item(
    **amounts(1081, 1000, 0, 0, 0, 0, 1081, 1000),
    id=1,
    parent_item_id=None,
    product_variant=Variant(10, Product(is_subscription=False)),
    auto_discount=None,
    vat_rate=Rate(81_000),
)
_REDUCED = replace(
    _FULL,
    **amounts(1081, 1000, 0, 108, 108, 100, 973, 900),
    id=2,
    parent_item_id=1,
    auto_discount=Discount(7),
)
GOOD = Figures(
    **amounts(2162, 2000, 0, 108, 108, 100, 2054, 1900),
    uuid="",
    status="CLOSED",
    reference_number=None,
    sales_channel=Channel(""),
    currency="CHF",
    items=[_FULL, _REDUCED],
    promo_codes=[],
    auto_discounts=[Discount(7)],
    vouchers=[Voucher("GIFT", Amount(2054))],
    donation=None,
    total_subscription_gross=Amount(0),
    total_subscription_net=Amount(0),
)


def with_items(full: Item = _FULL, reduced: Item = _REDUCED) -> Figures:
    """Return valid figures except for an item."""
    return replace(GOOD, items=[full, reduced])


def a_code(amount: int, *, valid: bool) -> PromoCode:
    return PromoCode("X", valid=valid, total_amount=Amount(amount))


SPOILT = {
    "net-above-gross": (with_items(replace(_FULL, total_net=1082)), "item 1: totalNet 1082 of"),
    "more-off-than-it-costs": (
        with_items(replace(_FULL, total_discount_gross=1082)),
        "item 1: totalDiscountGross 1082 of 1081",
    ),
    "a-discount-of-nothing": (
        with_items(replace(_FULL, auto_discount=Discount(7))),
        "item 1: automatic discount 7 takes 0",
    ),
    "nobodys-discount": (
        with_items(reduced=replace(_REDUCED, auto_discount=None)),
        "item 2: automatic discount None takes 108",
    ),
    "other-winners": (replace(GOOD, auto_discounts=[]), "autoDiscounts: expected [7], got []"),
    "codes-of-no-amount": (
        replace(GOOD, promo_codes=[a_code(1, valid=True)]),
        "promoCodeDiscount: expected 1, got 0",
    ),
    "an-invalid-code-takes": (
        replace(GOOD, promo_codes=[a_code(1, valid=False)]),
        "the discount of invalid codes",
    ),
    "discount-of-neither-side": (
        with_items(reduced=replace(_REDUCED, auto_discount_amount=99)),
        "the discounts of an item differ from those of its codes",
    ),
    "tax-where-there-is-none": (
        with_items(replace(_FULL, total_net=1080, vat_rate=0)),
        "item 1: the tax is not 0 parts per million",
    ),
    "tax-of-an-item": (
        with_items(replace(_FULL, vat_rate=77_000)),
        "item 1: the tax is not 77000 parts per million",
    ),
    "tax-of-all": (
        replace(GOOD, items=[_moved(item, "total_net", 1) for item in (_FULL, _REDUCED, _FULL, _FULL)]),
        "the tax of all items is not 81000 parts per million",
    ),
    "vouchers-of-more": (
        replace(GOOD, vouchers=[Voucher("GIFT", Amount(2055))]),
        "vouchers pay 2055 of 2054",
    ),
    "unsubscribed": (
        replace(GOOD, total_subscription_gross=1, total_subscription_net=1),
        "subscriptions: expected (0, 0), got (1, 1)",
    ),
    "no-parent": (
        with_items(reduced=replace(_REDUCED, parent_item_id=3)),
        "item 2 precedes or lacks its parent 3",
    ),
    "twice": (with_items(reduced=replace(_REDUCED, id=1)), "item 1 occurs twice"),
}


def test_consistent_figures_have_no_faults() -> None:
    assert [*figure_faults(GOOD)] == []


@pytest.mark.parametrize(("figures", "text"), SPOILT.values(), ids=SPOILT)
def test_each_fault_is_reported(figures: Figures, text: str) -> None:
    assert any(fault.startswith(text) for fault in figure_faults(figures)), [*figure_faults(figures)]
