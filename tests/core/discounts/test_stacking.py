"""Order and base amounts of several codes. Decisions §3.2, §3.3, §3.7."""

from functools import partial
from itertools import permutations

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import CodeOrder, Stacking, ThresholdBase, TotalsPolicy
from faregate.discounts import promo_codes
from faregate.discounts.best_codes import best_order
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import (
    Absolute,
    BuyXGetY,
    Conditions,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Threshold,
)
from faregate.discounts.promo_codes import AppliedCode, RejectedCode
from faregate.totals.pipeline import checkout_totals
from support.baskets.stacked_discounts import (
    HUNDRED,
    QUARTER,
    TEN_OFF,
    applied,
    automatic,
    code,
    of_lines,
    off,
)
from support.shops.small_shop import UNTAXED, lines

# ---------------------------------------------------------------- the order of codes


def test_codes_of_one_lane_and_priority_apply_by_kind() -> None:
    basket = [Line(1, 10_000, 10, UNTAXED)]
    codes = [
        code("A", Absolute(500)),
        code("B", Percentage.percent(10)),
        code("C", off(100)),
        code("D", Percentage.percent(10, level=DiscountLevel.LINE)),
        code("E", PerUnit(100)),
        code("F", FixedPrice(4000)),
        code("G", BuyXGetY(1, 1)),
    ]

    totals = checkout_totals(basket, promo_codes=codes)

    # 100000, halved; ten units at 4000; 1000 off; a tenth; 100 off; a tenth; 500 off
    assert applied(totals) == [
        ("G", 50_000),
        ("F", 10_000),
        ("E", 1000),
        ("D", 3900),
        ("C", 100),
        ("B", 3500),
        ("A", 500),
    ]
    assert [result.code for result in totals.promo_codes] == ["A", "B", "C", "D", "E", "F", "G"]


@pytest.mark.parametrize(
    ("codes", "names"),
    [
        pytest.param([code("B", off(1)), code("A", off(1))], ["A", "B"], id="by code"),
        pytest.param([code("A", off(1)), code("B", PerUnit(1))], ["B", "A"], id="by kind before code"),
        pytest.param(
            [code("A", PerUnit(1)), code("B", off(1), priority=1)], ["B", "A"], id="by priority before kind"
        ),
        pytest.param(
            [code("A", off(1), lane=1, priority=9), code("B", off(1))],
            ["B", "A"],
            id="by lane before priority",
        ),
    ],
)
def test_codes_rank_by_lane_priority_kind_and_code(codes: list[PromoCode], names: list[str]) -> None:
    for entered in permutations(codes):
        assert [name for name, _ in applied(checkout_totals(HUNDRED, promo_codes=entered))] == names


@pytest.mark.parametrize(
    ("order", "entered", "expected"),
    [
        # Ranked by lane: 10.00 off first, then 25 % of 90.00.
        (CodeOrder.RANKED, [QUARTER, TEN_OFF], [("TEN", 1000), ("QUARTER", 2250)]),
        (CodeOrder.AS_ENTERED, [QUARTER, TEN_OFF], [("QUARTER", 2500), ("TEN", 1000)]),
        # 25 % of 100.00 and then 10.00 is cheaper.
        (CodeOrder.BEST, [TEN_OFF, QUARTER], [("QUARTER", 2500), ("TEN", 1000)]),
    ],
)
def test_the_policy_decides_in_which_order_codes_apply(
    order: CodeOrder, entered: list[PromoCode], expected: list[tuple[str, int]]
) -> None:
    totals = checkout_totals(HUNDRED, promo_codes=entered, policy=TotalsPolicy(code_order=order))

    assert applied(totals) == expected


@pytest.mark.parametrize("cents", [4, 5, 20])
def test_another_code_never_makes_the_best_order_dearer(cents: int) -> None:
    codes = [QUARTER, TEN_OFF, *(code(f"CENT{number}", Absolute(1)) for number in range(cents))]

    totals = checkout_totals(HUNDRED, promo_codes=codes, policy=TotalsPolicy(code_order=CodeOrder.BEST))

    # 25 % of 100.00 first.
    assert totals.total_gross == 7500 - 1000 - cents
    assert totals.codes_are_exact


def test_the_best_order_has_a_code_that_a_floor_price_keeps_out_at_first() -> None:
    basket = [Line(1, 10, 1, UNTAXED, floor_price=10), Line(2, 18, 1, UNTAXED)]
    free, half = code("FREE", BuyXGetY(1, 1)), code("HALF", Percentage.percent(50), scope=of_lines(2))

    totals = checkout_totals(basket, promo_codes=[free, half], policy=TotalsPolicy(code_order=CodeOrder.BEST))

    assert applied(totals) == [("HALF", 9), ("FREE", 9)]


def test_a_search_for_the_best_order_that_ends_early_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(promo_codes, "best_order", partial(best_order, most_work=0))
    best = TotalsPolicy(code_order=CodeOrder.BEST)

    assert not checkout_totals(HUNDRED, promo_codes=[TEN_OFF, QUARTER], policy=best).codes_are_exact


@pytest.mark.parametrize("stacking", Stacking)
def test_the_best_order_reaches_a_minimum_before_it_is_undercut(stacking: Stacking) -> None:
    minimum = Conditions(thresholds=(Threshold(spend=10_000),))
    codes = [TEN_OFF, code("BIG", Percentage.percent(50), lane=9, conditions=minimum)]
    policy = TotalsPolicy(code_order=CodeOrder.BEST, threshold_base=ThresholdBase.RUNNING, stacking=stacking)

    totals = checkout_totals(HUNDRED, promo_codes=codes, policy=policy)

    assert applied(totals) == [("BIG", 5000), ("TEN", 1000)]


# ---------------------------------------------------------------- combined


@pytest.mark.parametrize(
    ("stacking", "taken"),
    [
        # 80.00 after the automatic discount; 10 % and 20 %
        (Stacking.SEQUENTIAL, [("A", 800), ("B", 1440)]),
        (Stacking.ADDITIVE, [("A", 800), ("B", 1600)]),
    ],
)
@pytest.mark.parametrize("level", DiscountLevel)
def test_percentages_apply_to_the_remainder_or_after_automatic_discounts(
    level: DiscountLevel, stacking: Stacking, taken: list[tuple[str, int]]
) -> None:
    codes = [
        code("A", Percentage.percent(10, level=level)),
        code("B", Percentage.percent(20, level=level)),
    ]

    totals = checkout_totals(
        HUNDRED,
        automatic=[automatic(1, off(2000))],
        promo_codes=codes,
        policy=TotalsPolicy(stacking=stacking),
    )

    assert applied(totals) == taken


def test_additive_percentages_end_when_nothing_is_left() -> None:
    codes = [code("A", Percentage.percent(70)), code("B", Percentage.percent(50)), code("C", Absolute(1))]

    totals = checkout_totals(HUNDRED, promo_codes=codes, policy=TotalsPolicy(stacking=Stacking.ADDITIVE))

    assert applied(totals) == [("A", 7000), ("B", 3000)]
    assert totals.promo_codes[1].valid
    assert totals.promo_codes[2] == RejectedCode(codes[2], RejectionReason.NOT_APPLICABLE)
    assert totals.total_gross == 0


def test_an_additive_percentage_moves_to_lines_that_have_room_left() -> None:
    # 60 % of 200 is 60 and 60, but the first line is free already: 100 off the second, 20 not applied.
    codes = [code("A", Absolute(100), scope=of_lines(1)), code("B", Percentage.percent(60), lane=1)]

    totals = checkout_totals(
        lines(100, 100), promo_codes=codes, policy=TotalsPolicy(stacking=Stacking.ADDITIVE)
    )

    second = totals.promo_codes[1]
    assert isinstance(second, AppliedCode)
    assert (second.shares, second.unapplied) == ((0, 100), 20)
