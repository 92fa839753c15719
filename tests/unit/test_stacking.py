"""Which discounts apply and in which order. Decisions §3.2, §3.3, §3.7."""

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from faregate.discounts import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountKind,
    FixedPrice,
    Level,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
)
from faregate.eligibility import Context, Missing, Reason
from faregate.errors import InvalidDiscount
from faregate.lines import Line
from faregate.policy import CodeOrder, Stacking, TotalsPolicy
from faregate.stacking import AppliedCode, RejectedCode
from faregate.totals import CheckoutTotals, checkout_totals
from unit.small_shop import NOW, UNTAXED, days, lines

HUNDRED = [Line(1, 10_000, 1, UNTAXED)]
Entered = PromoCode | UnknownCode


def of_lines(*keys: int) -> Scope:
    return Scope(lines=frozenset(keys))


def automatic(
    number: int, kind: DiscountKind, *keys: int, priority: int = 0, max_amount: int | None = None
) -> AutomaticDiscount:
    return AutomaticDiscount(
        id=number, kind=kind, scope=of_lines(*keys), priority=priority, max_amount=max_amount
    )


def winners(totals: CheckoutTotals) -> list[tuple[int | None, int]]:
    """By line: which automatic discount it has, and how much that takes."""
    return [
        (None if line.auto_discount is None else line.auto_discount.id, line.auto_discount_amount)
        for line in totals.lines
    ]


def off(amount: int) -> Absolute:
    """So much off each line."""
    return Absolute(amount, Level.LINE)


# ---------------------------------------------------------------- automatic discounts


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param(
            [automatic(1, off(10)), automatic(2, off(20))], [(2, 20), (2, 20)], id="the largest amount"
        ),
        pytest.param(
            [automatic(1, off(10), priority=9), automatic(2, off(20))],
            [(2, 20), (2, 20)],
            id="whatever its priority",
        ),
        pytest.param(
            [automatic(1, off(20)), automatic(2, off(20), priority=1)],
            [(2, 20), (2, 20)],
            id="of equal ones the higher priority",
        ),
        pytest.param(
            [automatic(2, off(20)), automatic(1, off(20)), automatic(3, off(20))],
            [(1, 20), (1, 20)],
            id="then the lower id",
        ),
        pytest.param(
            # 10 % of 1000 and 200; 30 off each
            [automatic(1, Percentage.percent(10, level=Level.LINE)), automatic(2, off(30))],
            [(1, 100), (2, 30)],
            id="each line its own",
        ),
        pytest.param([automatic(1, off(20), 2)], [(None, 0), (1, 20)], id="a line out of scope has none"),
        pytest.param([], [(None, 0), (None, 0)], id="no discount"),
    ],
)
def test_each_line_has_its_best_automatic_discount(
    rules: list[AutomaticDiscount], expected: list[tuple[int | None, int]]
) -> None:
    for ordered in permutations(rules):
        assert winners(checkout_totals(lines(1000, 200), automatic=ordered)) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        # 100 off each of two lines is displaced by what takes more than 200 of both.
        pytest.param([off(100), Absolute(200)], [(1, 100), (1, 100)], id="no more than line by line"),
        pytest.param([off(100), Absolute(201)], [(2, 101), (2, 100)], id="one cent more"),
        pytest.param([off(100), Percentage.percent(11)], [(2, 110), (2, 110)], id="cart percentage"),
        pytest.param([off(100), FixedPrice(1790, 2)], [(2, 105), (2, 105)], id="bundle"),
        # Buy one get one touches the second line only, where it takes 1000 instead of 100.
        pytest.param([off(100), BuyXGetY(1, 1)], [(1, 100), (2, 1000)], id="buy one get one"),
        pytest.param([off(100), BuyXGetY(2, 1)], [(1, 100), (1, 100)], id="not enough units"),
    ],
)
def test_a_group_rule_wins_only_where_it_gains_more_than_it_displaces(
    rules: list[DiscountKind], expected: list[tuple[int | None, int]]
) -> None:
    numbered = [automatic(number, kind) for number, kind in enumerate(rules, start=1)]

    assert winners(checkout_totals(lines(1000, 1000), automatic=numbered)) == expected
    assert winners(checkout_totals(lines(1000, 1000), automatic=numbered[::-1])) == expected


def test_a_group_rule_wins_as_a_whole_though_a_line_gets_less() -> None:
    # 500 off the first line alone; 800 off both is 400 and 400.
    rules = [automatic(1, off(500), 1), automatic(2, Absolute(800))]

    assert winners(checkout_totals(lines(1000, 1000), automatic=rules)) == [(2, 400), (2, 400)]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param(
            [automatic(1, Absolute(200)), automatic(2, Absolute(300))],
            [(2, 100), (2, 100), (2, 100)],
            id="two cart-wide amounts never add up",
        ),
        pytest.param(
            [automatic(1, Absolute(300)), automatic(2, Absolute(300), priority=1)],
            [(2, 100), (2, 100), (2, 100)],
            id="of equal ones the higher priority",
        ),
        pytest.param(
            [automatic(2, Absolute(300)), automatic(1, Absolute(300))],
            [(1, 100), (1, 100), (1, 100)],
            id="then the lower id",
        ),
        pytest.param(
            [automatic(1, Absolute(100), 1), automatic(2, Absolute(200), 2, 3)],
            [(1, 100), (2, 100), (2, 100)],
            id="two that do not touch",
        ),
        pytest.param(
            # The second is free on line 3, but comes as a whole or not at all.
            [automatic(1, Absolute(300), 1, 2), automatic(2, Absolute(200), 2, 3)],
            [(1, 150), (1, 150), (None, 0)],
            id="two that touch",
        ),
        pytest.param(
            [automatic(1, Absolute(200), 2, 3, priority=9), automatic(2, Absolute(300), 1, 2)],
            [(2, 150), (2, 150), (None, 0)],
            id="the larger advantage before the higher priority",
        ),
        pytest.param(
            # 300 gains 100 over the 200 line by line, 150 on the other lines gains all of it.
            [automatic(1, off(200), 1), automatic(2, Absolute(300), 1, 2), automatic(3, Absolute(150), 2, 3)],
            [(1, 200), (3, 75), (3, 75)],
            id="the advantage is over what is displaced",
        ),
    ],
)
def test_group_rules_never_share_a_line(
    rules: list[AutomaticDiscount], expected: list[tuple[int | None, int]]
) -> None:
    for ordered in permutations(rules):
        assert winners(checkout_totals(lines(1000, 1000, 1000), automatic=ordered)) == expected


def test_an_automatic_discount_that_does_not_apply_now_does_not_compete() -> None:
    minimum = Conditions(thresholds=(Threshold(spend=5000),))
    over = Conditions(ends_at=NOW)
    rules = [
        AutomaticDiscount(id=1, kind=off(300), conditions=minimum),
        AutomaticDiscount(id=2, kind=off(200), conditions=over),
        AutomaticDiscount(id=3, kind=off(100)),
    ]

    totals = checkout_totals(lines(1000), automatic=rules, context=Context(at=NOW))

    assert winners(totals) == [(3, 100)]


def test_of_group_rules_none_takes_a_line_of_any_before_it() -> None:
    def pair(number: int, price: int, *keys: int) -> AutomaticDiscount:
        return automatic(number, FixedPrice(price, 2), *keys)

    # 600, 550 and 500 off a pair; the third would gain 200 on what the first takes of its line.
    rules = [pair(1, 1400, 1, 2), pair(2, 1450, 3, 4), pair(3, 1500, 2, 5)]

    assert winners(checkout_totals(lines(1000, 1000, 1000, 1000, 1000), automatic=rules)) == [
        (1, 300),
        (1, 300),
        (2, 275),
        (2, 275),
        (None, 0),
    ]


def test_an_automatic_discount_for_nothing_there_does_not_compete() -> None:
    rules = [automatic(1, off(300), 9), automatic(2, off(100))]

    assert winners(checkout_totals(lines(1000), automatic=rules)) == [(2, 100)]


def test_a_minimum_of_an_automatic_discount_may_count_who_orders_ahead() -> None:
    ahead = Threshold(spend=1000, counting=Scope(min_lead_days=7))
    rule = AutomaticDiscount(id=1, kind=off(100), conditions=Conditions(thresholds=(ahead,)))
    early, late = (
        Line(key, 1000, 1, UNTAXED, validity=days(day, day))
        for key, day in ((1, "2026-12-28"), (2, "2026-12-27"))
    )

    assert [
        checkout_totals([line], automatic=[rule], context=Context(at=NOW)).auto_discount_amount
        for line in (early, late)
    ] == [100, 0]


def test_each_of_two_exclusive_codes_that_are_not_valid_says_why() -> None:
    codes = [
        PromoCode(code="A", kind=off(100), exclusive=True, uses_left=0),
        PromoCode(code="B", kind=off(100), exclusive=True, scope=of_lines(9)),
        PromoCode(code="C", kind=off(100)),
    ]

    refused_a, refused_b, applied = checkout_totals(lines(1000), promo_codes=codes).promo_codes

    assert isinstance(refused_a, RejectedCode)
    assert isinstance(refused_b, RejectedCode)
    assert (refused_a.reason, refused_b.reason) == (Reason.USED_UP, Reason.NOT_APPLICABLE)
    assert applied.total_amount == 100


def test_rewards_may_be_what_begins_some_days_later() -> None:
    basket = [
        Line(key, 1000, 1, UNTAXED, validity=days(day, day))
        for key, day in ((1, "2026-12-21"), (2, "2026-12-27"), (3, "2026-12-28"))
    ]
    code = PromoCode(code="A", kind=BuyXGetY(1, 1, rewards=Scope(min_lead_days=7)))

    totals = checkout_totals(basket, promo_codes=[code], context=Context(at=NOW))

    assert [line.promo_code_discount for line in totals.lines] == [0, 0, 1000]


def test_an_automatic_discount_has_a_maximum_too() -> None:
    # 50 % of 2000, at most 100
    totals = checkout_totals(
        lines(1000, 1000), automatic=[automatic(1, Percentage.percent(50), max_amount=100)]
    )

    assert winners(totals) == [(1, 50), (1, 50)]


def test_winners_are_listed_once_by_their_first_line_with_what_they_took() -> None:
    rules = [automatic(1, off(100), 2), automatic(2, off(50)), automatic(3, off(10))]

    totals = checkout_totals(lines(1000, 1000, 1000), automatic=rules)

    assert [
        (won.discount.id, won.total_amount, won.shares, won.unapplied) for won in totals.auto_discounts
    ] == [(2, 100, (50, 0, 50), 0), (1, 100, (0, 100, 0), 0)]
    assert totals.auto_discount_amount == 200


def test_what_a_floor_price_keeps_from_an_automatic_discount_is_told() -> None:
    basket = [Line(1, 1000, 1, UNTAXED, floor_price=900)]

    (won,) = checkout_totals(basket, automatic=[automatic(1, off(300))]).auto_discounts

    assert (won.total_amount, won.unapplied) == (100, 200)


def test_one_id_names_one_automatic_discount() -> None:
    rules = [automatic(2, off(10)), automatic(1, off(20)), automatic(2, off(30))]

    with pytest.raises(InvalidDiscount, match=r"^an id is used twice: \[1, 2, 2\]$"):
        checkout_totals(lines(1000), automatic=rules)


# ---------------------------------------------------------------- the order of codes


def code(name: str, kind: DiscountKind, **options: Any) -> PromoCode:
    return PromoCode(code=name, kind=kind, **options)


def applied(totals: CheckoutTotals) -> list[tuple[str, int]]:
    """The valid codes in the order applied, and what each took."""
    valid = [result for result in totals.promo_codes if isinstance(result, AppliedCode)]
    return [
        (result.code, result.total_amount) for result in sorted(valid, key=lambda result: result.position)
    ]


def test_codes_of_one_lane_and_priority_apply_by_kind() -> None:
    basket = [Line(1, 10_000, 10, UNTAXED)]
    codes = [
        code("A", Absolute(500)),
        code("B", Percentage.percent(10)),
        code("C", off(100)),
        code("D", Percentage.percent(10, level=Level.LINE)),
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
            [code("A", off(1), priority=-1), code("B", off(1))], ["B", "A"], id="a negative priority is last"
        ),
        pytest.param(
            [code("A", off(1), lane=1, priority=9), code("B", off(1))],
            ["B", "A"],
            id="by lane before priority",
        ),
        pytest.param([code("A", off(1)), code("B", off(1), lane=-1)], ["B", "A"], id="lower lanes first"),
    ],
)
def test_codes_rank_by_lane_priority_kind_and_code(codes: list[PromoCode], names: list[str]) -> None:
    for entered in permutations(codes):
        assert [name for name, _ in applied(checkout_totals(HUNDRED, promo_codes=entered))] == names


TEN_OFF = code("TEN", Absolute(1000))
QUARTER = code("QUARTER", Percentage.percent(25), lane=1)


@pytest.mark.parametrize(
    ("order", "entered", "expected"),
    [
        # Ranked by lane: 10.00 off first, then 25 % of 90.00.
        (CodeOrder.RANKED, [QUARTER, TEN_OFF], [("TEN", 1000), ("QUARTER", 2250)]),
        (CodeOrder.AS_ENTERED, [QUARTER, TEN_OFF], [("QUARTER", 2500), ("TEN", 1000)]),
        (CodeOrder.AS_ENTERED, [TEN_OFF, QUARTER], [("TEN", 1000), ("QUARTER", 2250)]),
        # 25 % of 100.00 and then 10.00 is cheaper.
        (CodeOrder.BEST, [TEN_OFF, QUARTER], [("QUARTER", 2500), ("TEN", 1000)]),
        (CodeOrder.BEST, [TEN_OFF], [("TEN", 1000)]),
    ],
)
def test_the_policy_says_in_which_order_codes_apply(
    order: CodeOrder, entered: list[PromoCode], expected: list[tuple[str, int]]
) -> None:
    totals = checkout_totals(HUNDRED, promo_codes=entered, policy=TotalsPolicy(code_order=order))

    assert applied(totals) == expected


def test_orders_that_cost_the_same_stay_ranked() -> None:
    codes = [code("B", Absolute(100)), code("A", Absolute(200))]

    totals = checkout_totals(HUNDRED, promo_codes=codes, policy=TotalsPolicy(code_order=CodeOrder.BEST))

    assert applied(totals) == [("A", 200), ("B", 100)]


@pytest.mark.parametrize(
    ("cents", "total"),
    # With QUARTER and TEN, four codes over one cent make six, and five make seven.
    [
        pytest.param(4, 7500 - 1004, id="six codes: 25 % of 100.00 first"),
        pytest.param(5, 8995 - 2249, id="seven codes: as ranked, 25 % of 89.95 last"),
    ],
)
def test_the_best_of_all_orders_is_looked_for_among_up_to_six_codes(cents: int, total: int) -> None:
    codes = [QUARTER, TEN_OFF, *(code(f"CENT{number}", Absolute(1)) for number in range(cents))]

    totals = checkout_totals(HUNDRED, promo_codes=codes, policy=TotalsPolicy(code_order=CodeOrder.BEST))

    assert totals.total_gross == total


# ---------------------------------------------------------------- on top of each other


@pytest.mark.parametrize(
    ("stacking", "taken"),
    [
        # 80.00 after the automatic discount; 10 % and 20 %
        (Stacking.SEQUENTIAL, [("A", 800), ("B", 1440)]),
        (Stacking.ADDITIVE, [("A", 800), ("B", 1600)]),
    ],
)
@pytest.mark.parametrize("level", Level)
def test_percentages_are_taken_of_what_is_left_or_of_what_automatic_discounts_left(
    level: Level, stacking: Stacking, taken: list[tuple[str, int]]
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


def test_additive_percentages_end_where_nothing_is_left() -> None:
    codes = [code("A", Percentage.percent(70)), code("B", Percentage.percent(50)), code("C", Absolute(1))]

    totals = checkout_totals(HUNDRED, promo_codes=codes, policy=TotalsPolicy(stacking=Stacking.ADDITIVE))

    assert applied(totals) == [("A", 7000), ("B", 3000)]
    assert totals.promo_codes[1].valid
    assert totals.promo_codes[2] == RejectedCode(codes[2], Reason.NOT_APPLICABLE)
    assert totals.total_gross == 0


def test_amounts_are_never_additive() -> None:
    codes = [code("A", Absolute(9500)), code("B", Absolute(1000), lane=1)]

    totals = checkout_totals(HUNDRED, promo_codes=codes, policy=TotalsPolicy(stacking=Stacking.ADDITIVE))

    assert applied(totals) == [("A", 9500), ("B", 500)]


def test_an_additive_percentage_moves_to_lines_that_have_room_left() -> None:
    # 60 % of 200 is 60 and 60, but the first line is free already: 100 of the second, and 20 nowhere.
    codes = [code("A", Absolute(100), scope=of_lines(1)), code("B", Percentage.percent(60), lane=1)]

    totals = checkout_totals(
        lines(100, 100), promo_codes=codes, policy=TotalsPolicy(stacking=Stacking.ADDITIVE)
    )

    second = totals.promo_codes[1]
    assert isinstance(second, AppliedCode)
    assert (second.shares, second.unapplied) == ((0, 100), 20)


def test_codes_take_of_what_automatic_discounts_left() -> None:
    totals = checkout_totals(
        lines(1000, 1000), automatic=[automatic(1, off(500), 1)], promo_codes=[code("A", Absolute(300))]
    )

    # 300 by 500 and 1000
    assert [line.promo_code_discount for line in totals.lines] == [100, 200]


# ---------------------------------------------------------------- exclusive codes

ALONE = code("ALONE", Absolute(100), exclusive=True)


def reasons(totals: CheckoutTotals) -> dict[str, Reason | None]:
    return {
        result.code: result.reason if isinstance(result, RejectedCode) else None
        for result in totals.promo_codes
    }


def test_an_exclusive_code_stands_alone_whatever_the_priority_and_lane_of_the_others() -> None:
    codes = [code("FIRST", Absolute(5000), lane=-1, priority=9), replace(ALONE, lane=5, priority=-5)]

    totals = checkout_totals(HUNDRED, promo_codes=codes)

    assert reasons(totals) == {"FIRST": Reason.NOT_COMBINABLE, "ALONE": None}
    assert totals.promo_code_discount == 100


@pytest.mark.parametrize("order", CodeOrder)
def test_of_two_exclusive_codes_the_one_that_ranks_first_stands(order: CodeOrder) -> None:
    codes = [ALONE, code("OTHER", Absolute(200), exclusive=True, priority=1)]
    first = "ALONE" if order is CodeOrder.AS_ENTERED else "OTHER"

    totals = checkout_totals(HUNDRED, promo_codes=codes, policy=TotalsPolicy(code_order=order))

    assert [name for name, _ in applied(totals)] == [first]


def test_an_exclusive_code_that_does_not_apply_stands_in_nobodys_way() -> None:
    codes = [replace(ALONE, uses_left=0), code("TEN", Absolute(1000))]

    totals = checkout_totals(HUNDRED, promo_codes=codes)

    assert reasons(totals) == {"ALONE": Reason.USED_UP, "TEN": None}


def test_an_exclusive_code_that_does_not_apply_leaves_the_next_exclusive_one_alone() -> None:
    codes = [
        code("A", Absolute(100), exclusive=True, uses_left=0),
        code("B", Absolute(200), exclusive=True),
        code("C", Absolute(300)),
    ]

    totals = checkout_totals(HUNDRED, promo_codes=codes)

    assert reasons(totals) == {"A": Reason.USED_UP, "B": None, "C": Reason.NOT_COMBINABLE}


def test_beside_an_exclusive_code_a_code_keeps_a_reason_of_its_own() -> None:
    codes: list[Entered] = [
        code("SPENT", Absolute(100), budget_left=0),
        code("MORE", Absolute(100), conditions=Conditions(thresholds=(Threshold(spend=10_500),))),
        UnknownCode("NOBODY"),
        ALONE,
        code("FINE", Absolute(100)),
    ]

    totals = checkout_totals(HUNDRED, promo_codes=codes)

    assert reasons(totals) == {
        "SPENT": Reason.USED_UP,
        "MORE": Reason.MINIMUM_NOT_REACHED,
        "NOBODY": Reason.UNKNOWN,
        "ALONE": None,
        "FINE": Reason.NOT_COMBINABLE,
    }
    more = totals.promo_codes[1]
    assert isinstance(more, RejectedCode)
    assert more.missing == Missing(spend=500)


# ---------------------------------------------------------------- why not

TOMORROW = NOW + timedelta(days=1)
MONDAY, TUESDAY = 1, 2  # NOW is a Monday


def test_the_reason_given_is_the_first_that_stands_and_no_purchase_is_asked_for_in_vain() -> None:
    conditions: dict[str, Any] = {
        "channels": frozenset({"desk"}),
        "accounts": frozenset({7}),
        "starts_at": TOMORROW,
        "ends_at": NOW,
        "weekdays": frozenset({TUESDAY}),
        "thresholds": (Threshold(spend=20_000),),
    }
    options: dict[str, Any] = {"uses_left": 0, "scope": of_lines(9)}
    mended: list[tuple[Reason, Missing | None, dict[str, Any], dict[str, Any]]] = [
        (Reason.WRONG_CHANNEL, None, {"channels": frozenset({"web"})}, {}),
        (Reason.WRONG_ACCOUNT, None, {"accounts": frozenset()}, {}),
        (Reason.NOT_YET_VALID, Missing(until=TOMORROW), {"starts_at": None}, {}),
        (Reason.EXPIRED, None, {"ends_at": None}, {}),
        (Reason.WRONG_DAY, None, {"weekdays": frozenset({MONDAY})}, {}),
        (Reason.USED_UP, None, {}, {"uses_left": 1}),
        (Reason.NOT_APPLICABLE, None, {}, {"scope": of_lines(1)}),
        (Reason.MINIMUM_NOT_REACHED, Missing(spend=20_000), {"thresholds": ()}, {}),
        (Reason.NOT_APPLICABLE, None, {}, {}),
    ]
    free = [Line(1, 0, 1, UNTAXED)]

    for reason, missing, better_conditions, better_options in mended:
        hopeless = code("A", Absolute(100), conditions=Conditions(**conditions), **options)
        (result,) = checkout_totals(free, promo_codes=[hopeless], context=Context(NOW, "web")).promo_codes
        assert result == RejectedCode(hopeless, reason, missing)
        conditions |= better_conditions
        options |= better_options


@pytest.mark.parametrize(
    "options", [{"uses_left": 0}, {"uses_left": -1}, {"budget_left": 0}, {"budget_left": -500}]
)
def test_a_code_without_uses_or_budget_is_used_up(options: dict[str, int]) -> None:
    totals = checkout_totals(HUNDRED, promo_codes=[code("A", Absolute(100), **options)])

    assert reasons(totals) == {"A": Reason.USED_UP}


@pytest.mark.parametrize(
    ("options", "taken"),
    [
        ({"budget_left": 300}, 300),
        ({"max_amount": 300}, 300),
        ({"budget_left": 300, "max_amount": 200}, 200),
        ({"budget_left": 200, "max_amount": 300}, 200),
        ({"budget_left": 5000, "uses_left": 1}, 1000),
    ],
)
def test_a_code_takes_no_more_than_its_maximum_or_what_is_left_of_its_budget(
    options: dict[str, int], taken: int
) -> None:
    totals = checkout_totals(HUNDRED, promo_codes=[code("A", Percentage.percent(10), **options)])

    assert applied(totals) == [("A", taken)]


@pytest.mark.parametrize(
    ("kind", "missing"),
    [(BuyXGetY(2, 1), Missing(quantity=2)), (FixedPrice(9900, 3), Missing(quantity=2)), (Absolute(1), None)],
)
def test_a_group_rule_that_takes_nothing_for_want_of_units_says_so(
    kind: DiscountKind, missing: Missing | None
) -> None:
    entered = code("A", kind)

    (result,) = checkout_totals(HUNDRED, promo_codes=[entered]).promo_codes

    if missing is None:
        assert result.valid
    else:
        assert result == RejectedCode(entered, Reason.MINIMUM_NOT_REACHED, missing)


def test_a_code_that_rounds_to_nothing_is_not_valid() -> None:
    # A tenth of 4 cents
    totals = checkout_totals(lines(4), promo_codes=[code("A", Percentage.percent(10))])

    assert reasons(totals) == {"A": Reason.NOT_APPLICABLE}


def test_a_code_over_what_is_never_discounted_is_not_applicable() -> None:
    fee = Line(1, 500, 1, UNTAXED, discountable=False)

    assert reasons(checkout_totals([fee], promo_codes=[ALONE])) == {"ALONE": Reason.NOT_APPLICABLE}


def test_every_code_is_answered_as_entered_and_what_is_refused_takes_nothing() -> None:
    late_code = code("LATE", Absolute(1), conditions=Conditions(ends_at=NOW))
    entered: list[Entered] = [UnknownCode("nobody"), late_code, TEN_OFF]

    unknown, late, ten = checkout_totals(HUNDRED, promo_codes=entered, context=Context(at=NOW)).promo_codes

    assert (unknown.code, unknown.valid, unknown.total_amount) == ("NOBODY", False, 0)
    assert (late.code, late.valid, late.total_amount) == ("LATE", False, 0)
    assert (ten.code, ten.valid, ten.total_amount) == ("TEN", True, 1000)
    assert unknown == RejectedCode(UnknownCode("NOBODY"), Reason.UNKNOWN)


@pytest.mark.parametrize("others", [0, 1, 2])
def test_positions_count_from_0(others: int) -> None:
    entered = [code(f"C{number}", Absolute(1)) for number in range(others + 1)]

    totals = checkout_totals(HUNDRED, promo_codes=entered)

    positions = [result.position for result in totals.promo_codes if isinstance(result, AppliedCode)]
    assert positions == list(range(others + 1))


def test_refused_codes_take_no_place_in_the_order_applied() -> None:
    entered = [code("A", Absolute(1), uses_left=0), code("B", Absolute(2)), code("C", Absolute(3))]

    totals = checkout_totals(HUNDRED, promo_codes=entered)

    assert [r.position for r in totals.promo_codes if isinstance(r, AppliedCode)] == [0, 1]


@pytest.mark.parametrize(
    "entered",
    [
        [TEN_OFF, code(" ten", Absolute(5))],
        [TEN_OFF, UnknownCode("Ten")],
        [UnknownCode("ten"), UnknownCode("TEN ")],
    ],
)
def test_a_code_is_given_once(entered: list[Entered]) -> None:
    with pytest.raises(InvalidDiscount, match=r"^a code is given twice: \['TEN', 'TEN'\]$"):
        checkout_totals(HUNDRED, promo_codes=entered)


def test_a_code_valid_at_one_instant_is_refused_at_another() -> None:
    week = Conditions(starts_at=NOW, ends_at=NOW + timedelta(days=7))
    entered = [code("WEEK", Absolute(100), conditions=week)]

    def reason(at: datetime) -> Reason | None:
        return reasons(checkout_totals(HUNDRED, promo_codes=entered, context=Context(at=at)))["WEEK"]

    assert reason(NOW) is None
    assert reason(NOW - timedelta(seconds=1)) is Reason.NOT_YET_VALID
    assert reason(NOW + timedelta(days=7)) is Reason.EXPIRED
