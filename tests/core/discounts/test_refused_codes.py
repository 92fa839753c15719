"""Codes that apply, alone or with others, and the reasons for refused codes. Decisions §3.3, §3.7."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import CodeOrder, TotalsPolicy
from faregate.discounts.eligibility import Context, RejectionReason, Shortfall
from faregate.discounts.kinds import (
    Absolute,
    Conditions,
    Percentage,
    Threshold,
    UnknownCode,
)
from faregate.discounts.promo_codes import RejectedCode
from faregate.errors import InvalidDiscount
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.baskets.stacked_discounts import HUNDRED, TEN_OFF, Entered, applied, code, of_lines
from support.shops.small_shop import NOW, UNTAXED

# ---------------------------------------------------------------- exclusive codes

ALONE = code("ALONE", Absolute(100), exclusive=True)


def reasons(totals: CheckoutTotals) -> dict[str, RejectionReason | None]:
    return {
        result.code: result.reason if isinstance(result, RejectedCode) else None
        for result in totals.promo_codes
    }


def test_an_exclusive_code_applies_alone_whatever_the_other_codes() -> None:
    codes = [code("FIRST", Absolute(5000), lane=-1, priority=9), replace(ALONE, lane=5, priority=-5)]

    totals = checkout_totals(HUNDRED, promo_codes=codes)

    assert reasons(totals) == {"FIRST": RejectionReason.NOT_COMBINABLE, "ALONE": None}
    assert totals.promo_code_discount == 100


@pytest.mark.parametrize("order", [CodeOrder.RANKED, CodeOrder.AS_ENTERED])
def test_the_first_ranked_of_two_exclusive_codes_applies(order: CodeOrder) -> None:
    codes = [ALONE, code("OTHER", Absolute(200), exclusive=True, priority=1)]
    first = "ALONE" if order is CodeOrder.AS_ENTERED else "OTHER"

    totals = checkout_totals(HUNDRED, promo_codes=codes, policy=TotalsPolicy(code_order=order))

    assert [name for name, _ in applied(totals)] == [first]


def test_the_best_order_omits_an_exclusive_code_if_others_take_more() -> None:
    spent = code("SPENT", Absolute(9000), uses_left=0)

    totals = checkout_totals(
        HUNDRED, promo_codes=[ALONE, TEN_OFF, spent], policy=TotalsPolicy(code_order=CodeOrder.BEST)
    )

    assert reasons(totals) == {
        "ALONE": RejectionReason.NOT_COMBINABLE,
        "TEN": None,
        "SPENT": RejectionReason.USED_UP,
    }


def test_an_exclusive_code_that_does_not_apply_leaves_the_next_exclusive_one_alone() -> None:
    codes = [
        code("A", Absolute(100), exclusive=True, uses_left=0),
        code("B", Absolute(200), exclusive=True),
        code("C", Absolute(300)),
    ]

    totals = checkout_totals(HUNDRED, promo_codes=codes)

    assert reasons(totals) == {"A": RejectionReason.USED_UP, "B": None, "C": RejectionReason.NOT_COMBINABLE}


def test_a_code_refused_with_an_exclusive_code_keeps_its_own_reason() -> None:
    codes: list[Entered] = [
        code("SPENT", Absolute(100), budget_left=0),
        code("MORE", Absolute(100), conditions=Conditions(thresholds=(Threshold(spend=10_500),))),
        UnknownCode("NOBODY"),
        ALONE,
        code("FINE", Absolute(100)),
    ]

    totals = checkout_totals(HUNDRED, promo_codes=codes)

    assert reasons(totals) == {
        "SPENT": RejectionReason.USED_UP,
        "MORE": RejectionReason.MINIMUM_NOT_REACHED,
        "NOBODY": RejectionReason.UNKNOWN,
        "ALONE": None,
        "FINE": RejectionReason.NOT_COMBINABLE,
    }
    more = totals.promo_codes[1]
    assert isinstance(more, RejectedCode)
    assert more.missing == Shortfall(spend=500)


# ---------------------------------------------------------------- reasons

TOMORROW = NOW + timedelta(days=1)
MONDAY, TUESDAY = 1, 2  # NOW is a Monday


def test_reasons_that_no_purchase_can_fix_come_first() -> None:
    conditions: dict[str, Any] = {
        "channels": frozenset({"desk"}),
        "accounts": frozenset({7}),
        "customer_groups": frozenset({"staff"}),
        "starts_at": TOMORROW,
        "ends_at": NOW,
        "weekdays": frozenset({TUESDAY}),
        "thresholds": (Threshold(spend=20_000),),
    }
    options: dict[str, Any] = {"uses_left": 0, "scope": of_lines(9)}
    mended: list[tuple[RejectionReason, Shortfall | None, dict[str, Any], dict[str, Any]]] = [
        (RejectionReason.WRONG_CHANNEL, None, {"channels": frozenset({"web"})}, {}),
        (RejectionReason.WRONG_ACCOUNT, None, {"accounts": frozenset()}, {}),
        (RejectionReason.WRONG_GROUP, None, {"customer_groups": frozenset()}, {}),
        (RejectionReason.NOT_YET_VALID, Shortfall(until=TOMORROW), {"starts_at": None}, {}),
        (RejectionReason.EXPIRED, None, {"ends_at": None}, {}),
        (RejectionReason.WRONG_DAY, None, {"weekdays": frozenset({MONDAY})}, {}),
        (RejectionReason.USED_UP, None, {}, {"uses_left": 1}),
        (RejectionReason.NOT_APPLICABLE, None, {}, {"scope": of_lines(1)}),
        (RejectionReason.MINIMUM_NOT_REACHED, Shortfall(spend=20_000), {"thresholds": ()}, {}),
        (RejectionReason.NOT_APPLICABLE, None, {}, {}),
    ]
    free = [Line(1, 0, 1, UNTAXED)]

    for reason, missing, better_conditions, better_options in mended:
        hopeless = code("A", Absolute(100), conditions=Conditions(**conditions), **options)
        (result,) = checkout_totals(
            free, promo_codes=[hopeless], context=Context(at=NOW, channel="web", zone=NOW.tzinfo)
        ).promo_codes
        assert result == RejectedCode(hopeless, reason, missing)
        conditions |= better_conditions
        options |= better_options


@pytest.mark.parametrize(
    "options", [{"uses_left": 0}, {"uses_left": -1}, {"budget_left": 0}, {"budget_left": -500}]
)
def test_a_code_without_uses_or_budget_is_used_up(options: dict[str, int]) -> None:
    totals = checkout_totals(HUNDRED, promo_codes=[code("A", Absolute(100), **options)])

    assert reasons(totals) == {"A": RejectionReason.USED_UP}


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        ({"budget_left": 300, "max_amount": 200}, 200),
        ({"budget_left": 200, "max_amount": 300}, 200),
    ],
)
def test_a_code_takes_at_most_its_maximum_or_its_remaining_budget(
    options: dict[str, int], taken: int
) -> None:
    totals = checkout_totals(HUNDRED, promo_codes=[code("A", Percentage.percent(10), **options)])

    assert applied(totals) == [("A", taken)]


def test_results_are_in_the_order_entered_and_refused_codes_take_nothing() -> None:
    late_code = code("LATE", Absolute(1), conditions=Conditions(ends_at=NOW))
    entered: list[Entered] = [UnknownCode("nobody"), late_code, TEN_OFF]

    unknown, late, ten = checkout_totals(HUNDRED, promo_codes=entered, context=Context(at=NOW)).promo_codes

    assert (unknown.code, unknown.valid, unknown.total_amount) == ("NOBODY", False, 0)
    assert (late.code, late.valid, late.total_amount) == ("LATE", False, 0)
    assert (ten.code, ten.valid, ten.total_amount) == ("TEN", True, 1000)
    assert unknown == RejectedCode(UnknownCode("NOBODY"), RejectionReason.UNKNOWN)


@pytest.mark.parametrize(
    "entered",
    [
        [TEN_OFF, code(" ten", Absolute(5))],
        [TEN_OFF, UnknownCode("Ten")],
        [UnknownCode("ten"), UnknownCode("TEN ")],
    ],
)
def test_a_duplicate_code_is_refused(entered: list[Entered]) -> None:
    with pytest.raises(InvalidDiscount, match=r"^expected different promo codes, got \['TEN', 'TEN'\]$"):
        checkout_totals(HUNDRED, promo_codes=entered)
