"""Many checkouts in one call: examples."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import SubscriptionBasis, TotalsPolicy
from faregate.batch.basket.lines import NONE, LineColumns
from faregate.batch.totals.pipeline import checkout_totals, vat_breakdown
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    AutomaticDiscount,
    Bundle,
    BundlePart,
    BuyXGetY,
    DiscountLevel,
    Percentage,
    PromoCode,
    Scope,
)
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals as price_one
from support.columns.lines import (
    FIGURES,
    LINE_FIGURES,
    MANY_RULES,
    NORTH_STAR,
    assert_is_the_scalar,
    assert_priced_as_the_scalar,
    columns,
    ints,
    like_north_star,
)

VAT = VatRate.percent("8.1")
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)

REFERENCE_10 = {
    "list_price_gross": 50231,
    "list_price_net": 47860,
    "promo_code_discount": 4973,
    "auto_discount_amount": 500,
    "total_discount_gross": 5473,
    "total_discount_net": 5219,
    "total_gross": 44958,
    "total_net": 42841,
}


def test_every_total_of_ten_lines() -> None:
    lines = like_north_star(10).basket(0)

    totals = checkout_totals(lines, **NORTH_STAR, donation=200)

    assert {name: getattr(totals, name).item() for name in REFERENCE_10} == REFERENCE_10


@pytest.mark.parametrize("size", [1, 2, 10, 64, 1000])
def test_figures_of_one_basket_of_lines_match_the_scalar(size: int) -> None:
    columns_of = like_north_star(size)
    lines, one = columns_of.basket(0), price_one(columns_of.basket(0), **MANY_RULES, donation=200)

    totals = checkout_totals(lines, **MANY_RULES, donation=200)

    assert {name: getattr(totals, name).shape for name in FIGURES} == dict.fromkeys(FIGURES, ())
    assert {name: int(getattr(totals, name)) for name in FIGURES} == {
        name: getattr(one, name) for name in FIGURES
    }
    assert [getattr(totals.lines, name).tolist() for name in LINE_FIGURES] == [
        [getattr(row, name) for row in one.lines] for name in LINE_FIGURES
    ]


def test_basket_without_lines_costs_the_donation() -> None:
    totals = checkout_totals([], **NORTH_STAR, donation=200)

    assert (totals.total_gross.item(), totals.total_net.item(), totals.amount_due.item()) == (200, 200, 200)
    assert totals.list_price_gross.item() == 0
    assert totals.lines.total_gross.tolist() == []


NO_LINES = np.zeros((4, 0), np.int64)


@pytest.mark.parametrize(
    "nothing",
    [
        columns(),
        LineColumns(unit_price=NO_LINES, quantity=NO_LINES, rate=NO_LINES),
    ],
)
def test_no_baskets_give_no_figures(nothing: LineColumns) -> None:
    totals = checkout_totals(nothing, **MANY_RULES)

    assert [getattr(totals, name).tolist() for name in FIGURES] == [[]] * len(FIGURES)
    assert vat_breakdown(nothing, totals.lines).vat.tolist() == []


VOUCHERS = [
    Voucher(code="B", balance=300),
    Voucher(code="A", balance=300),
    Voucher(code="SOON", balance=500, expires_at=NOW + timedelta(days=1)),
    Voucher(code="GONE", balance=9000, expires_at=NOW),
]


@pytest.mark.parametrize(
    ("pays_donation", "paid", "due"), [(False, [200, 300, 500, 0], 200), (True, [300, 300, 500, 0], 100)]
)
def test_one_basket_accepts_a_list_of_vouchers(pays_donation: bool, paid: list[int], due: int) -> None:
    totals = checkout_totals(
        [Line(1, 1000, 1, VAT)],
        donation=200,
        vouchers=VOUCHERS,
        policy=TotalsPolicy(vouchers_pay_donation=pays_donation),
        context=Context(at=NOW),
    )

    assert totals.vouchers.tolist() == paid
    assert (totals.amount_due.shape, int(totals.amount_due), int(totals.total_gross)) == ((), due, 1200)


@pytest.mark.parametrize(
    ("balances", "paid"),
    [
        ([2**64], [1000]),
        ([2**64, 2**63], [0, 1000]),
        ([2**63, 2**63 - 1], [0, 1000]),
        ([2**64, 2**64], [1000, 0]),
        ([2**64, 300, 2**63], [0, 300, 700]),
    ],
)
def test_smaller_of_balances_beyond_int64_pays_first(balances: list[int], paid: list[int]) -> None:
    line = Line(1, 1000, 1, VAT)
    vouchers = [Voucher(code=code, balance=balance) for code, balance in zip("ABC", balances, strict=False)]

    totals = checkout_totals([line], vouchers=vouchers)

    assert totals.vouchers.tolist() == paid
    assert sorted(paid) == sorted(own.amount for own in price_one([line], vouchers=vouchers).vouchers)


@pytest.mark.parametrize("basis", SubscriptionBasis)
def test_baskets_in_which_discounts_compete_for_units_use_the_scalar(basis: SubscriptionBasis) -> None:
    # Basket 0: both rules on one product. 1: each on its own. 2: neither, but now a group in later periods.
    rules: dict[str, Any] = {
        "automatic": [
            AutomaticDiscount(
                id=1,
                kind=Percentage.percent(20, level=DiscountLevel.LINE),
                scope=Scope(products=frozenset({0, 1, 2})),
            ),
            AutomaticDiscount(id=2, kind=BuyXGetY(2, 1), scope=Scope(products=frozenset({1, 4}))),
            AutomaticDiscount(
                id=3,
                kind=BuyXGetY(1, 1, rewards=Scope(products=frozenset({6}))),
                scope=Scope(products=frozenset({5})),
            ),
        ],
        "policy": TotalsPolicy(subscription_basis=basis),
    }
    lines = columns(
        2, 2, 2, 2,
        product=ints(1, 3, 2, 4, 1, 3, 5, 6),
        unit_price=ints(1000, 1000, 1000, 1000, 0, 500, 700, 600),
        quantity=ints(5, 1, 1, 4, 5, 1, 2, 1),
        is_subscription=np.array([False, False, True, False, True, False, False, True]),
        recurring_price=ints(NONE, NONE, NONE, NONE, 900, NONE, NONE, NONE),
    )  # fmt: skip

    assert_priced_as_the_scalar(lines, **rules)


@pytest.mark.parametrize("is_automatic", [True, False])
def test_baskets_with_bundles_use_the_scalar(is_automatic: bool) -> None:
    adult, child = (BundlePart(Scope(products=frozenset({own}))) for own in (1, 2))
    pair = Bundle(parts=(adult, child), price=1200, at_most=1)
    rules: dict[str, Any] = {"promo_codes": [PromoCode(code="ONE", kind=pair)]}
    if is_automatic:
        rules = {"automatic": [AutomaticDiscount(id=1, kind=pair)]}
    # A pair, two adults, pairs of which one is a bundle, and a pair of different days
    days = np.array(["NaT"] * 5 + ["2027-01-04", "2027-01-05"], "datetime64[D]")
    products, units = ints(1, 2, 1, 1, 2, 1, 2), ints(1, 1, 2, 2, 2, 1, 1)
    lines = columns(2, 1, 2, 2, product=products, quantity=units, first_day=days)

    totals = checkout_totals(lines, **rules)

    assert totals.total_discount_gross.tolist() == [800, 0, 800, 0]
    assert_priced_as_the_scalar(lines, **rules)


@pytest.mark.parametrize("is_automatic", [True, False])
def test_baskets_with_a_spread_offer_use_the_scalar(is_automatic: bool) -> None:
    free = Scope(products=frozenset({2}))
    offer = BuyXGetY(2, 1, rewards=free, spread=True)
    rules: dict[str, Any] = {"promo_codes": [PromoCode(code="ONE", kind=offer)]}
    if is_automatic:
        half = AutomaticDiscount(id=2, kind=Percentage.percent(50, level=DiscountLevel.LINE), scope=free)
        rules = {"automatic": [AutomaticDiscount(id=1, kind=offer), half]}
    lines = columns(2, 1, 1, 2, product=ints(1, 2, 1, 2, 1, 2), quantity=ints(2, 1, 2, 1, 4, 2))

    totals = checkout_totals(lines, **rules)

    for index in range(4):
        assert_is_the_scalar(totals, lines, index, **rules)


def test_an_exclusive_rule_is_the_only_one_of_its_basket() -> None:
    only = AutomaticDiscount(
        id=1, kind=Percentage.percent(10), scope=Scope(products=frozenset({1})), exclusive=True
    )
    half = AutomaticDiscount(id=2, kind=Percentage.percent(50, level=DiscountLevel.LINE))
    lines = columns(1, 2, product=ints(2, 1, 2))

    totals = checkout_totals(lines, automatic=[half, only])

    assert totals.total_discount_gross.tolist() == [500, 100]
    assert_priced_as_the_scalar(lines, automatic=[half, only])


def test_vat_of_a_rate_that_a_basket_does_not_have_is_zero() -> None:
    lines = columns(1, 0, 1, rate=ints(26_000, 81_000))

    vat = vat_breakdown(lines, checkout_totals(lines).lines)

    assert vat.gross.tolist() == [[1000, 0, 0], [0, 0, 1000]]
    assert vat.vat.tolist() == [[25, 0, 0], [0, 0, 75]]
