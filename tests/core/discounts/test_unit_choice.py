"""The automatic discount of each unit, worked out by hand. Decisions §3.2."""

from dataclasses import replace

import pytest

from faregate.basket.lines import Line, pricing_lines
from faregate.basket.policy import AutomaticChoice, Fairness, TotalsPolicy
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
)
from faregate.discounts.targets import Target
from faregate.discounts.unit_claims import MAX_STEPS, Claims, Stock, TooLong, best_claims, group_rule
from faregate.explanations.explanation import explain, item_trace
from faregate.money.amounts import MILLION
from faregate.totals.items import item_totals
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.baskets.stacked_discounts import automatic, of_lines, winners
from support.shops.small_shop import UNTAXED, lines

FIFTH = Percentage.percent(20, level=DiscountLevel.LINE)
THREE_FOR_TWO = BuyXGetY(2, 1)
ONCE = Absolute(4000, level=DiscountLevel.LINE)
BY_LINE = TotalsPolicy(automatic_choice=AutomaticChoice.LINE)
DEFAULT = TotalsPolicy()
MERCHANT = TotalsPolicy(fairness=Fairness.MERCHANT)


def units(count: int) -> list[Line]:
    return [Line(1, 1000, count, UNTAXED)]


def numbered(*kinds: DiscountKind) -> list[AutomaticDiscount]:
    return [automatic(number, kind) for number, kind in enumerate(kinds, start=1)]


def taken(
    basket: list[Line],
    rules: list[AutomaticDiscount],
    policy: TotalsPolicy = DEFAULT,
) -> int:
    totals = checkout_totals(basket, automatic=rules, policy=policy)
    assert totals.automatic_is_exact
    return totals.auto_discount_amount


def by_unit(totals: CheckoutTotals) -> list[list[tuple[int, int, int]]]:
    """Return discount, units and amount of each line."""
    return [
        [(own.discount.id, own.units, own.amount) for own in line.auto_discounts] for line in totals.lines
    ]


def test_a_basket_costs_what_its_parts_cost() -> None:
    rules = numbered(FIFTH, THREE_FOR_TWO)

    totals = {
        quantity: checkout_totals([Line(1, 1000, quantity, UNTAXED)], automatic=rules)
        for quantity in (5, 3, 2)
    }

    assert {quantity: own.total_gross for quantity, own in totals.items()} == {5: 3600, 3: 2000, 2: 1600}
    assert by_unit(totals[5]) == [[(2, 3, 1000), (1, 2, 400)]]
    assert winners(totals[5]) == [(2, 1400)]
    assert [own.discount.id for own in totals[5].auto_discounts] == [2, 1]


def test_by_line_one_discount_applies_to_the_whole_line() -> None:
    totals = checkout_totals(units(5), automatic=numbered(FIFTH, THREE_FOR_TWO), policy=BY_LINE)

    assert (totals.total_gross, by_unit(totals)) == (4000, [[(1, 5, 1000)]])


def test_each_item_has_its_own_discount_with_group_rules_first() -> None:
    joined = pricing_lines([Line(key, 1000, 1, UNTAXED) for key in range(1, 6)])
    totals = checkout_totals(joined.lines, automatic=numbered(FIFTH, THREE_FOR_TWO))

    items = item_totals(totals, joined.members)

    assert winners(totals._replace(lines=items)) == [(2, 334), (2, 333), (2, 333), (1, 200), (1, 200)]
    trace = item_trace(totals, joined.members)
    assert [trace.amount("auto_discount_amount", line=item.key) for item in items] == [
        334,
        333,
        333,
        200,
        200,
    ]
    assert [step.source for step in trace.of("auto_discount_amount", line=4)] == ["automatic discount 1"]


def test_the_steps_of_each_discount_add_up_to_its_amount_for_the_line() -> None:
    totals = checkout_totals(units(5), automatic=numbered(FIFTH, THREE_FOR_TWO))

    steps = explain(totals).trace.of("auto_discount_amount", line=1)

    assert [(step.source, step.amount) for step in steps] == [
        ("automatic discount 2", 1000),
        ("automatic discount 1", 400),
    ]


def test_a_single_group_rule_names_the_units_it_claims() -> None:
    totals = checkout_totals(units(5), automatic=numbered(THREE_FOR_TWO))
    whole = checkout_totals(units(3), automatic=numbered(THREE_FOR_TWO))

    assert (by_unit(totals), by_unit(whole)) == ([[(1, 3, 1000)]], [[(1, 3, 1000)]])
    assert whole.lines[0].auto_shares == ()
    assert by_unit(checkout_totals(lines(5))) == [[]]


@pytest.mark.parametrize(
    ("basket", "rules", "amount"),
    [
        # Five at 1000: 3 for 2 takes 1000, 2 for 15 takes 500.
        pytest.param(units(5), numbered(THREE_FOR_TWO, FixedPrice(1500, 2)), 1500, id="two groups"),
        # One group of eight; a fifth off each of the five units left.
        pytest.param(units(8), numbered(FIFTH, BuyXGetY(2, 1, at_most=1)), 2000, id="at most one"),
        pytest.param(
            [Line(1, 1000, 2, UNTAXED), Line(2, 500, 3, UNTAXED)],
            [automatic(1, BuyXGetY(1, 1, rewards=of_lines(2)), 1), automatic(2, PerUnit(100))],
            1100,
            id="rewards beside single units",
        ),
        pytest.param(
            [Line(1, 1000, 3, UNTAXED), Line(2, 500, 3, UNTAXED)],
            [automatic(1, BuyXGetY(1, 1, at_most=1, rewards=of_lines(2)), 1), automatic(2, PerUnit(100))],
            900,
            id="rewards at most once",
        ),
        # 1000 units: 333 free, and a fifth off one
        pytest.param(units(1000), numbered(FIFTH, THREE_FOR_TWO), 333_200, id="a thousand units"),
        pytest.param(units(1000), numbered(FIFTH, BuyXGetY(9, 1)), 200_000, id="nothing in groups"),
        # 3 for 2 and twice 50 off; one of two free and 100 off the third.
        pytest.param(
            [*units(5), Line(2, 500, 3, UNTAXED)],
            [automatic(1, THREE_FOR_TWO, 1), automatic(2, BuyXGetY(1, 1), 2),
             automatic(3, PerUnit(50), 1), automatic(4, PerUnit(100), 2)],
            1100 + 600, id="each line its own rules",
        ),
        # 4000 off once makes four units free; groups of the other units make half of them free.
        pytest.param(units(8), numbered(ONCE, BuyXGetY(1, 1)), 6000, id="an amount once"),
        pytest.param(units(1000), numbered(ONCE, BuyXGetY(1, 1)), 502_000, id="once for a thousand units"),
        # Down to 900 each: a free unit gains 100, and so does a fifth off each unit.
        pytest.param(
            [Line(1, 1000, 3, UNTAXED, floor_price=900)], numbered(FIFTH, THREE_FOR_TWO), 300, id="floors"
        ),
    ],
)  # fmt: skip
def test_units_are_grouped_for_the_largest_discount(
    basket: list[Line], rules: list[AutomaticDiscount], amount: int
) -> None:
    assert taken(basket, rules) == amount


def test_a_floor_price_limits_the_units_of_a_group_and_not_their_line() -> None:
    # The group has one of the two units at 3.00, which may cost no less than 1.00.
    basket = [Line(1, 300, 2, UNTAXED, floor_price=100), Line(2, 400, 4, UNTAXED)]
    apart = [
        Line(1, 300, 1, UNTAXED, floor_price=100),
        *basket[1:],
        Line(3, 300, 1, UNTAXED, floor_price=100),
    ]

    for rules in (numbered(FixedPrice(0, 5)), numbered(FixedPrice(0, 5), FixedPrice(1999, 5))):
        assert taken(basket, rules) == taken(apart, rules) == 200 + 1600


# At most 1.00 off each unit of the first line; a free unit of the second displaces one of these discounts.
@pytest.mark.parametrize(("floor_price", "amount"), [(0, 500 + 2 * 100), (450, 3 * 100)])
def test_floor_prices_limit_groups_and_the_units_left_over(floor_price: int, amount: int) -> None:
    basket = [Line(1, 1000, 3, UNTAXED, floor_price=900), Line(2, 500, 1, UNTAXED, floor_price=floor_price)]
    gift = AutomaticDiscount(id=1, kind=BuyXGetY(1, 1, rewards=of_lines(2)), scope=of_lines(1))

    assert taken(basket, [gift, automatic(2, PerUnit(500), 1)]) == amount


@pytest.mark.parametrize("policy", [TotalsPolicy(), BY_LINE])
def test_rival_bundles_with_the_largest_gain_are_taken(policy: TotalsPolicy) -> None:
    pairs = {1: (10, 2, 3), 2: (9, 1, 2), 3: (9, 3, 4)}
    rules = [automatic(number, Absolute(amount), *keys) for number, (amount, *keys) in pairs.items()]

    assert taken(lines(100, 100, 100, 100), rules, policy) == 18


def test_a_unit_that_is_free_in_one_group_is_not_bought_in_another() -> None:
    # Two free children would be one with the adult and one with the other child: a free child buys nothing.
    adult, child = of_lines(1), of_lines(2)
    rules = [
        AutomaticDiscount(id=1, kind=BuyXGetY(1, 1, rewards=child), scope=adult),
        AutomaticDiscount(id=2, kind=BuyXGetY(1, 1, rewards=of_lines(3)), scope=child),
    ]
    basket = lines(1000, 500, 400)

    for policy in (TotalsPolicy(), BY_LINE, MERCHANT):
        assert winners(checkout_totals(basket, automatic=rules, policy=policy)) == [
            (None, 0),
            (1, 500),
            (None, 0),
        ]


@pytest.mark.parametrize(
    ("rules", "amount"),
    [
        # 400 off all units: the groups take 1000 and 400.
        ([automatic(1, Absolute(400)), *[automatic(2, THREE_FOR_TWO), automatic(3, FIFTH)]], 1400),
        ([automatic(1, Absolute(1401)), *[automatic(2, THREE_FOR_TWO), automatic(3, FIFTH)]], 1401),
        # A cap makes it one candidate: 600 by three tenths, or 400 by 3 for 2 and single units
        (
            [
                automatic(1, Percentage.percent(30, level=DiscountLevel.LINE), max_amount=1200),
                automatic(3, FIFTH),
            ],
            1200,
        ),
        (
            [
                automatic(1, Percentage.percent(30, level=DiscountLevel.LINE), max_amount=900),
                automatic(3, FIFTH),
            ],
            1000,
        ),
        ([automatic(1, BuyXGetY(2, 1), max_amount=900), automatic(3, FIFTH)], 1000),
    ],
)
def test_a_discount_across_lines_or_with_a_cap_applies_as_a_whole(
    rules: list[AutomaticDiscount], amount: int
) -> None:
    assert taken(units(5), rules) == amount


def test_a_capped_discount_applies_as_a_whole_unless_chosen_by_line() -> None:
    capped = automatic(1, Percentage.percent(30, level=DiscountLevel.LINE), max_amount=300)
    rules = [capped, automatic(2, PerUnit(150), 2)]  # 200 and 100, or 150 off line 2

    assert [taken(lines(1000, 500), rules, policy) for policy in (DEFAULT, BY_LINE)] == [300, 350]


def test_a_whole_discount_and_groups_may_win_different_lines() -> None:
    # 700 off line 1 as a whole; on lines 2 and 3 the groups are better.
    basket = [Line(key, 1000, 3, UNTAXED) for key in (1, 2, 3)]
    rules = [automatic(1, Absolute(1100), 1), automatic(2, Absolute(700), 2), automatic(3, THREE_FOR_TWO)]

    totals = checkout_totals(basket, automatic=rules)

    assert (by_unit(totals), totals.auto_discount_amount) == (
        [[(1, 3, 1100)], [(3, 3, 1000)], [(3, 3, 1000)]],
        3100,
    )


def test_equal_groups_go_to_the_higher_priority_then_the_lower_id() -> None:
    basket = units(3)
    twins = [automatic(2, THREE_FOR_TWO), automatic(1, THREE_FOR_TWO)]

    assert winners(checkout_totals(basket, automatic=twins)) == [(1, 1000)]
    first = automatic(2, THREE_FOR_TWO, priority=1)
    assert winners(checkout_totals(basket, automatic=[first, twins[1]])) == [(2, 1000)]


def test_a_group_that_gains_no_more_than_single_units_is_not_taken() -> None:
    rules = numbered(PerUnit(100), BuyXGetY(2, 1, 300_000))

    assert winners(checkout_totals(units(3), automatic=rules)) == [(1, 300)]


def test_in_favour_of_the_merchant_a_group_rule_is_taken_as_a_whole() -> None:
    totals = checkout_totals(units(5), automatic=numbered(FIFTH, BuyXGetY(1, 1)), policy=MERCHANT)

    assert by_unit(totals) == [[(2, 5, 2000)]]


# ---------------------------------------------------------------- beyond the bounds


def test_with_too_many_rivals_the_largest_gains_are_tried_first() -> None:
    # Amounts on overlapping pairs of lines: 10, then 9 beside it, where 9 and 9 would be best.
    rules = [
        automatic(1, Absolute(10), 2, 3),
        automatic(2, Absolute(9), 1, 2),
        automatic(3, Absolute(9), 3, 4),
    ]
    chain = [automatic(10 + key, Absolute(2), key, key + 1) for key in range(4, 14)]

    totals = checkout_totals(lines(*[100] * 14), automatic=[*rules, *chain])

    assert not totals.automatic_is_exact
    assert [own.discount.id for own in totals.auto_discounts if own.discount.id <= 3] == [1]
    twelve = checkout_totals(lines(*[100] * 14), automatic=[*rules, *chain[:-1]])
    assert twelve.automatic_is_exact
    assert [own.discount.id for own in twelve.auto_discounts if own.discount.id <= 3] == [2, 3]


@pytest.mark.parametrize(("preferred", "chosen"), [(0, [1, 3, 5, 7, 9, 11, 13]), (2, [2, 4, 6, 8, 10, 12])])
def test_of_too_many_rivals_with_equal_gains_the_first_by_priority_and_id_are_tried_first(
    preferred: int, chosen: list[int]
) -> None:
    chain = [automatic(key, Absolute(10), key, key + 1) for key in range(13, 0, -1)]
    rules = [replace(own, priority=1) if own.id == preferred else own for own in chain]

    totals = checkout_totals(lines(*[100] * 14), automatic=rules)

    assert not totals.automatic_is_exact
    assert [own.discount.id for own in totals.auto_discounts] == chosen


def test_beyond_the_bound_groups_claim_the_remaining_units() -> None:
    # Thirteen rules on all units: the largest first, then bundles of the rest.
    many = [automatic(number, BuyXGetY(2, 1, 1000 + number)) for number in range(4, 15)]
    rules = [automatic(1, THREE_FOR_TWO), automatic(2, FixedPrice(1500, 2)), automatic(3, FIFTH), *many]

    totals = checkout_totals(units(5), automatic=rules)

    assert (totals.automatic_is_exact, by_unit(totals)) == (False, [[(1, 3, 1000), (2, 2, 500)]])


def test_beyond_the_bound_a_line_is_taken_as_a_whole_or_not_at_all() -> None:
    rules = [automatic(1, Absolute(5000)), automatic(2, THREE_FOR_TWO), automatic(16, Absolute(100), 1)]
    rules += [automatic(number, Absolute(10), number) for number in range(3, 13)]
    basket = lines(*[1000] * 12)

    whole = checkout_totals(basket, automatic=rules)
    groups = checkout_totals(basket, automatic=[automatic(1, Absolute(300)), *rules[1:]])

    assert winners(whole)[0][0] == 1
    assert [own.discount.id for own in groups.auto_discounts] == [2]
    assert [whole.automatic_is_exact, groups.automatic_is_exact] == [False, False]


def test_groups_that_gain_as_much_as_they_displace_are_not_taken_if_the_search_is_too_long() -> None:
    # 80 groups of five and one gain 80 x 480 and displace 80 off each of 480 units.
    basket = [Line(1, 1000, 400, UNTAXED), Line(2, 480, 300, UNTAXED)]
    rules = [AutomaticDiscount(id=1, kind=BuyXGetY(5, 1, rewards=of_lines(2)), scope=of_lines(1))]

    totals = checkout_totals(basket, automatic=[*rules, automatic(2, PerUnit(80))])

    assert (totals.automatic_is_exact, totals.auto_discount_amount) == (False, 700 * 80)
    assert [own.discount.id for own in totals.auto_discounts] == [2]


def test_a_search_may_take_exactly_its_number_of_steps() -> None:
    def claims_after(steps: int) -> Claims:
        stock = Stock([1000], [1000], [2], lambda _line, _units: 0, MILLION, steps=steps)
        rule = group_rule(0, BuyXGetY(1, 1), Target([2000], [2000], [2], [0], None), stock)
        return best_claims([rule], stock, [0])[1]

    assert claims_after(MAX_STEPS - 2) == {0: {0: 2}}
    with pytest.raises(TooLong):
        claims_after(MAX_STEPS - 1)


# 80 groups of five and one gain 40_000 and displace 10 off each of 300 units; at 100 off they do not pay.
@pytest.mark.parametrize(("off", "amount"), [(10, 42_200), (50, 51_000), (100, 70_000)])
def test_if_the_search_is_too_long_all_groups_are_taken_or_none(off: int, amount: int) -> None:
    basket = [Line(1, 1000, 400, UNTAXED), Line(2, 500, 300, UNTAXED)]
    rules = [AutomaticDiscount(id=1, kind=BuyXGetY(5, 1, rewards=of_lines(2)), scope=of_lines(1))]

    totals = checkout_totals(basket, automatic=[*rules, automatic(2, PerUnit(off))])

    assert not totals.automatic_is_exact
    assert totals.auto_discount_amount == amount
