"""What is demanded of the figures of an order holds under every policy, and breaks with any amount."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import pricing_lines
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals.items import item_totals
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate.totals.request import PricingRequest
from faregate_server.audit.figures import Amounts, Figures, ItemFigures, figure_faults
from whole_checkouts import Sizes, checkouts, priced

of_items = checkouts(sizes=Sizes(lines=12, automatic=3, codes=4, vouchers=3), line_quantities=st.just(1))


def figures_of(request: PricingRequest) -> Figures:
    """The figures that an order of *request* would keep."""
    joined = pricing_lines(request.lines)
    totals = priced(request._replace(lines=joined.lines))
    lines = {line.key: line for line in request.lines}
    return Figures(
        uuid="",
        status="CLOSED",
        reference=None,
        channel="",
        currency="CHF",
        items=[
            ItemFigures(
                item.key,
                None,
                1,
                lines[item.key].is_subscription,
                item.rate.parts_per_million,
                item.auto_discount.id if item.auto_discount else None,
                amounts_of(item),
            )
            for item in item_totals(totals, joined.members)
        ],
        amounts=amounts_of(totals),
        promo_codes=[
            (code.code, code.total_amount) for code in totals.promo_codes if isinstance(code, AppliedCode)
        ],
        taken_by_invalid_codes=0,
        discounts=[applied.discount.id for applied in totals.auto_discounts],
        vouchers=[(paid.voucher.code, paid.amount) for paid in totals.vouchers],
        donation=totals.donation,
        subscription=(totals.total_subscription_gross, totals.total_subscription_net),
    )


def amounts_of(totals: LineTotals | CheckoutTotals) -> Amounts:
    return Amounts(*(getattr(totals, name) for name in Amounts._fields))


@given(of_items)
def test_whatever_is_priced_goes_together(request: PricingRequest) -> None:
    assert [*figure_faults(figures_of(request))] == []


@given(of_items, st.sampled_from(Amounts._fields), st.sampled_from([-1, 1]), st.integers(-1, 11))
def test_no_amount_can_be_another(request: PricingRequest, name: str, by: int, place: int) -> None:
    figures = figures_of(request)

    spoilt = _spoilt(figures, name, by, place)

    assert [*figure_faults(spoilt)] != []


def _spoilt(figures: Figures, name: str, by: int, place: int) -> Figures:
    """*figures* with another amount of the checkout, or of an item."""
    if place < 0 or not figures.items:
        return figures._replace(amounts=_moved(figures.amounts, name, by))
    items = [*figures.items]
    item = items[place % len(items)]
    items[place % len(items)] = item._replace(amounts=_moved(item.amounts, name, by))
    return figures._replace(items=items)


def _moved(amounts: Amounts, name: str, by: int) -> Amounts:
    return amounts._replace(**{name: getattr(amounts, name) + by})


@given(of_items.filter(lambda request: request.lines), st.data())
def test_no_item_can_be_lost_or_stand_there_twice(request: PricingRequest, data: st.DataObject) -> None:
    figures = figures_of(request)
    item = data.draw(st.sampled_from(figures.items))
    others = [other for other in figures.items if other is not item]

    assert [*figure_faults(figures._replace(items=[*figures.items, item]))] != []
    if item.amounts.list_price_gross:
        assert [*figure_faults(figures._replace(items=others))] != []


# ---------------------------------------------------------------- one at a time

_FULL = Amounts(1081, 1000, 0, 0, 0, 0, 1081, 1000)
_REDUCED = Amounts(1081, 1000, 0, 108, 108, 100, 973, 900)
GOOD = Figures(
    uuid="",
    status="CLOSED",
    reference=None,
    channel="",
    currency="CHF",
    items=[
        ItemFigures(1, None, 10, False, 81_000, None, _FULL),
        ItemFigures(2, 1, 10, False, 81_000, 7, _REDUCED),
    ],
    amounts=Amounts(2162, 2000, 0, 108, 108, 100, 2054, 1900),
    promo_codes=[],
    taken_by_invalid_codes=0,
    discounts=[7],
    vouchers=[("GIFT", 2054)],
    donation=0,
    subscription=(0, 0),
)


def with_item(number: int, amounts: Amounts | None = None, **fields: Any) -> Figures:
    """Good figures but for an item."""
    items = [*GOOD.items]
    items[number] = items[number]._replace(amounts=amounts or items[number].amounts, **fields)
    return GOOD._replace(items=items)


SPOILT = {
    "net-above-gross": (with_item(0, _FULL._replace(total_net=1082)), "item 1: totalNet 1082 of"),
    "more-off-than-it-costs": (
        with_item(0, _FULL._replace(total_discount_gross=1082)),
        "item 1: totalDiscountGross 1082 of 1081",
    ),
    "a-discount-of-nothing": (with_item(0, discount=7), "item 1: automatic discount 7 takes 0"),
    "nobodys-discount": (with_item(1, discount=None), "item 2: automatic discount None takes 108"),
    "other-winners": (GOOD._replace(discounts=[]), "autoDiscounts: expected [7], got []"),
    "codes-of-no-amount": (GOOD._replace(promo_codes=[("X", 1)]), "promoCodeDiscount: expected 1, got 0"),
    "an-invalid-code-takes": (GOOD._replace(taken_by_invalid_codes=1), "what invalid codes take"),
    "discount-of-neither-side": (
        with_item(1, _REDUCED._replace(auto_discount_amount=99)),
        "the discounts of an item are not those of its codes",
    ),
    "tax-where-there-is-none": (
        with_item(0, _FULL._replace(total_net=1080), rate=0),
        "item 1: the tax is not 0 parts per million",
    ),
    "tax-of-an-item": (with_item(0, rate=77_000), "item 1: the tax is not 77000 parts per million"),
    "tax-of-all": (
        GOOD._replace(
            items=[
                item._replace(amounts=item.amounts._replace(total_net=item.amounts.total_net + 1))
                for item in [*GOOD.items, GOOD.items[0], GOOD.items[0]]
            ]
        ),
        "the tax of all items is not 81000 parts per million",
    ),
    "vouchers-of-more": (GOOD._replace(vouchers=[("GIFT", 2055)]), "vouchers pay 2055 of 2054"),
    "unsubscribed": (GOOD._replace(subscription=(1, 1)), "subscriptions: expected (0, 0), got (1, 1)"),
    "no-parent": (with_item(1, parent=3), "item 2 comes before its parent 3, or without"),
    "twice": (with_item(1, id=1), "item 1 is there twice"),
}


def test_good_figures_are_good() -> None:
    assert [*figure_faults(GOOD)] == []


@pytest.mark.parametrize(("figures", "text"), SPOILT.values(), ids=SPOILT)
def test_each_fault_is_told(figures: Figures, text: str) -> None:
    assert any(fault.startswith(text) for fault in figure_faults(figures)), [*figure_faults(figures)]
