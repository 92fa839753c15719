"""The units that one use of a code makes cheaper: `PromoCode.max_units`. Decisions §3.4."""

from typing import Any

import pytest

from faregate.basket.lines import Line, pricing_lines
from faregate.basket.policy import CodeOrder, Fairness, Stacking, TotalsPolicy
from faregate.discounts.eligibility import RejectionReason, Shortfall
from faregate.discounts.kinds import (
    Absolute,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
)
from faregate.discounts.promo_codes import RejectedCode
from faregate.explanations.descriptions import effect
from faregate.explanations.explanation import explain, item_trace
from faregate.render import receipt
from faregate.render.receipts import RowKind
from faregate.totals.pipeline import checkout_totals
from support.baskets.stacked_discounts import applied, code, of_lines, off
from support.shops.small_shop import UNTAXED, lines

FREE, FREE_LINES = Percentage.percent(100), Percentage.percent(100, level=DiscountLevel.LINE)
HALF_OF_LINES = Percentage.percent(50, level=DiscountLevel.LINE)
CUSTOMER, MERCHANT = (TotalsPolicy(fairness=fairness) for fairness in (Fairness.CUSTOMER, Fairness.MERCHANT))
MIXED = [Line(1, 500, 2, UNTAXED), Line(2, 1000, 3, UNTAXED), Line(3, 0, 1, UNTAXED)]


def shares(
    kind: DiscountKind,
    max_units: int,
    basket: list[Line],
    policy: TotalsPolicy = CUSTOMER,
    **options: Any,
) -> list[int]:
    """Return the amount that a code takes from each line."""
    one = code("A", kind, max_units=max_units, **options)
    return [
        line.promo_code_discount for line in checkout_totals(basket, promo_codes=[one], policy=policy).lines
    ]


def test_a_code_with_one_use_left_still_covers_max_units() -> None:
    tickets = [Line(1, 1000, 5, UNTAXED)]

    assert shares(FREE, 1, tickets, uses_left=1) == [1000]
    assert shares(FREE, 2, tickets, uses_left=1) == [2000]
    assert shares(FREE, 5, tickets, uses_left=1) == shares(FREE, 9, tickets, uses_left=1) == [5000]


@pytest.mark.parametrize(
    ("kind", "for_customer", "for_merchant"),
    [
        (FREE, [500, 3000, 0], [1000, 2000, 0]),
        (Absolute(700), [100, 600, 0], [233, 467, 0]),
        (FixedPrice(900, 2), [243, 1457, 0], [100, 100, 0]),
    ],
)
def test_four_units_are_the_dearest_for_the_customer_and_the_cheapest_for_the_merchant(
    kind: DiscountKind, for_customer: list[int], for_merchant: list[int]
) -> None:
    assert (shares(kind, 4, MIXED), shares(kind, 4, MIXED, MERCHANT)) == (for_customer, for_merchant)


def test_three_units_are_one_group_of_two() -> None:
    assert shares(BuyXGetY(1, 2), 3, MIXED) == [0, 2000, 0]
    assert shares(BuyXGetY(1, 2), 3, MIXED, MERCHANT) == [500, 0, 0]
    assert shares(FixedPrice(900, 2), 3, MIXED) == [0, 1100, 0]


def test_the_price_of_chosen_units_is_discounted_and_rounded_once() -> None:
    of_three = Line(1, 0, 3, UNTAXED)._replace(unit_price=35)
    left = code("FIRST", Absolute(5), lane=-1)
    two = code("TWO", HALF_OF_LINES, max_units=2)

    # 1.00 is left of three units: 0.34, 0.33, 0.33. Half of 0.67 is 0.34, half of 0.66 is 0.33.
    for policy, amount in ((CUSTOMER, 34), (MERCHANT, 33)):
        totals = checkout_totals([of_three], promo_codes=[left, two], policy=policy)
        assert applied(totals) == [("FIRST", 5), ("TWO", amount)]


def test_chosen_units_stop_at_their_own_floor_price() -> None:
    floored = [Line(1, 1000, 5, UNTAXED, floor_price=800), Line(2, 900, 1, UNTAXED)]

    assert shares(FREE, 2, floored) == [400, 0]
    assert shares(FREE_LINES, 2, floored, MERCHANT) == [200, 900]


def test_an_additive_percentage_applies_to_chosen_units_after_automatic_discounts() -> None:
    codes = [code("A", Percentage.percent(60), max_units=1), code("B", Percentage.percent(50), max_units=1)]

    totals = checkout_totals(
        lines(100, 90), promo_codes=codes, policy=TotalsPolicy(stacking=Stacking.ADDITIVE)
    )

    assert applied(totals) == [("A", 60), ("B", 40)]


def test_the_best_order_finds_that_another_code_changes_which_units_are_chosen() -> None:
    basket = [Line(1, 1000, 2, UNTAXED), Line(2, 1000, 1, UNTAXED)]
    codes = [code("A", off(500), max_units=2), code("B", off(100), scope=of_lines(1))]

    ranked = checkout_totals(basket, promo_codes=codes)
    best = checkout_totals(basket, promo_codes=codes, policy=TotalsPolicy(code_order=CodeOrder.BEST))

    # Both units of line 1; after B, one unit of each line.
    assert applied(ranked) == [("A", 500), ("B", 100)]
    assert applied(best) == [("B", 100), ("A", 1000)]


@pytest.mark.parametrize("kind", [FixedPrice(100, 3), BuyXGetY(1, 3)])
def test_fewer_units_than_a_group_are_not_made_cheaper(kind: DiscountKind) -> None:
    two = code("TWO", kind, max_units=2)

    (result,) = checkout_totals([Line(1, 1000, 9, UNTAXED)], promo_codes=[two]).promo_codes

    assert isinstance(result, RejectedCode)
    assert (result.reason, result.missing) == (RejectionReason.NOT_APPLICABLE, None)


def test_chosen_units_are_in_scope_and_rewards_count_but_not_bought_units() -> None:
    basket = [Line(1, 1000, 4, UNTAXED), Line(2, 300, 4, UNTAXED)]

    assert shares(FREE, 3, basket, scope=of_lines(2)) == [0, 900]
    assert shares(BuyXGetY(1, 1, rewards=of_lines(2)), 3, basket, scope=of_lines(1)) == [0, 900]


@pytest.mark.parametrize(("max_units", "words"), [(1, "at most 1 unit"), (2, "at most 2 units")])
def test_receipts_and_explanations_state_max_units(max_units: int, words: str) -> None:
    some = code("SOME", Percentage.percent(50), max_units=max_units)
    joined = pricing_lines([Line(key, 1000, 1, UNTAXED) for key in (1, 2, 3)])
    totals = checkout_totals([*joined.lines, Line(9, 700, 1, UNTAXED)], promo_codes=[some])

    (row,) = [row for row in receipt(totals).rows if row.kind is RowKind.DISCOUNT]
    assert (row.amount, row.note) == (-500 * max_units, f"50 % off, {words}")
    trace = explain(totals).trace
    for line in (1, None):
        (step,) = trace.of("promo_code_discount", line=line)
        assert (step.amount, step.note) == (500 * max_units, f"50 % off, {words}")
    items = item_trace(totals, [*joined.members, (9,)])
    assert items.of("promo_code_discount", line=1)[0].note.startswith(f"50 % off, {words}: ")


@pytest.mark.parametrize(
    ("kind", "amounts"),
    [
        (FREE, [1000, 2000, 0]),
        (FixedPrice(400), [200, 1200, 0]),
        (FixedPrice(1500, 4), [500, 1000, 0]),
        (BuyXGetY(2, 1), [500, 0, 0]),
    ],
)
def test_a_code_may_apply_to_a_few_units_of_each_line(kind: DiscountKind, amounts: list[int]) -> None:
    assert shares(kind, 99, MIXED, max_units_per_line=2) == amounts


def test_a_shortfall_counts_only_the_units_to_which_the_code_applies() -> None:
    three = code("THREE", BuyXGetY(2, 1), max_units_per_line=2)
    (result,) = checkout_totals([Line(1, 1000, 9, UNTAXED)], promo_codes=[three]).promo_codes

    assert result == RejectedCode(three, RejectionReason.MINIMUM_NOT_REACHED, Shortfall(quantity=1))


@pytest.mark.parametrize(("policy", "amount"), [(CUSTOMER, 68), (MERCHANT, 67)])
def test_the_dearest_or_the_cheapest_units_of_a_line_count(policy: TotalsPolicy, amount: int) -> None:
    codes = [code("A", off(199)), code("B", FREE, max_units_per_line=2)]

    # 1.01 is left of three units: 0.34, 0.34, 0.33.
    totals = checkout_totals([Line(1, 100, 3, UNTAXED)], promo_codes=codes, policy=policy)

    assert totals.promo_code_discount == 199 + amount


def test_receipts_state_the_units_of_each_line() -> None:
    some = code("SOME", FREE, max_units=3, max_units_per_line=1)

    assert effect(some) == "100 % off, at most 3 units and 1 unit of each line"
