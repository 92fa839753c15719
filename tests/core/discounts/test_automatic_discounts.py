"""The automatic discount of each line, and group rules across lines. Decisions §3.2, §3.3."""

from itertools import permutations

import pytest

from faregate.basket.lines import Line
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.errors import InvalidDiscount
from faregate.totals.pipeline import checkout_totals
from support.baskets.stacked_discounts import automatic, off, winners
from support.shops.small_shop import NOW, UNTAXED, ZURICH, days, lines


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
            [automatic(1, Percentage.percent(10, level=DiscountLevel.LINE)), automatic(2, off(30))],
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
        # 100 off each of two lines is displaced by a discount of more than 200 on both.
        pytest.param([off(100), Absolute(200)], [(1, 100), (1, 100)], id="no more than line by line"),
        pytest.param([off(100), Absolute(201)], [(2, 101), (2, 100)], id="one cent more"),
        pytest.param([off(100), Percentage.percent(11)], [(2, 110), (2, 110)], id="cart percentage"),
        pytest.param([off(100), FixedPrice(1790, 2)], [(2, 105), (2, 105)], id="bundle"),
        # The bought unit belongs to the group too.
        pytest.param([off(100), BuyXGetY(1, 1)], [(None, 0), (2, 1000)], id="buy one get one"),
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
            # Line 3 is open to the second rule, but a rule applies as a whole or not at all.
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
            # 300 gains 100 over 200 line by line; 150 on the other lines is all gain.
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

    totals = checkout_totals(lines(1000), automatic=rules, context=Context(at=NOW, zone=ZURICH))

    assert winners(totals) == [(3, 100)]


def test_a_group_rule_takes_no_line_from_an_earlier_one() -> None:
    def pair(number: int, price: int, *keys: int) -> AutomaticDiscount:
        return automatic(number, FixedPrice(price, 2), *keys)

    # 600, 550 and 500 off a pair; the third would gain 200 over the share that the first takes of its line.
    rules = [pair(1, 1400, 1, 2), pair(2, 1450, 3, 4), pair(3, 1500, 2, 5)]

    assert winners(checkout_totals(lines(1000, 1000, 1000, 1000, 1000), automatic=rules)) == [
        (1, 300),
        (1, 300),
        (2, 275),
        (2, 275),
        (None, 0),
    ]


def test_an_automatic_discount_that_matches_no_line_does_not_compete() -> None:
    rules = [automatic(1, off(300), 9), automatic(2, off(100))]

    assert winners(checkout_totals(lines(1000), automatic=rules)) == [(2, 100)]


def test_a_minimum_of_an_automatic_discount_may_count_early_orders() -> None:
    ahead = Threshold(spend=1000, counting=Scope(min_lead_days=7))
    rule = AutomaticDiscount(id=1, kind=off(100), conditions=Conditions(thresholds=(ahead,)))
    early, late = (
        Line(key, 1000, 1, UNTAXED, validity=days(day, day))
        for key, day in ((1, "2026-12-28"), (2, "2026-12-27"))
    )

    assert [
        checkout_totals([line], automatic=[rule], context=Context(at=NOW, zone=ZURICH)).auto_discount_amount
        for line in (early, late)
    ] == [100, 0]


def test_rewards_may_be_selected_by_lead_days() -> None:
    basket = [
        Line(key, 1000, 1, UNTAXED, validity=days(day, day))
        for key, day in ((1, "2026-12-21"), (2, "2026-12-27"), (3, "2026-12-28"))
    ]
    code = PromoCode(code="A", kind=BuyXGetY(1, 1, rewards=Scope(min_lead_days=7)))

    totals = checkout_totals(basket, promo_codes=[code], context=Context(at=NOW, zone=ZURICH))

    assert [line.promo_code_discount for line in totals.lines] == [0, 0, 1000]


def test_winners_are_listed_once_in_order_of_their_first_line() -> None:
    rules = [automatic(1, off(100), 2), automatic(2, off(50)), automatic(3, off(10))]

    totals = checkout_totals(lines(1000, 1000, 1000), automatic=rules)

    assert [
        (won.discount.id, won.total_amount, won.shares, won.unapplied) for won in totals.auto_discounts
    ] == [(2, 100, (50, 0, 50), 0), (1, 100, (0, 100, 0), 0)]
    assert totals.auto_discount_amount == 200


def test_automatic_discounts_have_unique_ids() -> None:
    rules = [automatic(2, off(10)), automatic(1, off(20)), automatic(2, off(30))]

    with pytest.raises(
        InvalidDiscount, match=r"^expected automatic discounts with different ids, got \[1, 2, 2\]$"
    ):
        checkout_totals(lines(1000), automatic=rules)


@pytest.mark.parametrize(("groups", "discount"), [({"member", "press"}, 200), ({"press"}, 0), (set(), 0)])
def test_a_discount_for_members(groups: set[str], discount: int) -> None:
    rule = AutomaticDiscount(
        id=1, kind=Percentage.percent(20), conditions=Conditions(customer_groups=frozenset({"member"}))
    )
    context = Context(customer_groups=frozenset(groups))

    assert checkout_totals(lines(1000), automatic=[rule], context=context).auto_discount_amount == discount
