"""Offers whose discount all units of a group share. Decisions §3.6."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import Line
from faregate.basket.policy import Fairness, TotalsPolicy
from faregate.discounts.automatic import LineDiscount
from faregate.discounts.kinds import EVERYTHING, AutomaticDiscount, BuyXGetY, PromoCode, Scope
from faregate.explanations.descriptions import what_it_takes
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.shops.small_shop import REDUCED, UNTAXED, VAT

TICKETS, LUNCHES = Scope(products=frozenset({1})), Scope(products=frozenset({2}))
TICKET, LUNCH = Line(1, 9000, 3, VAT, product=1), Line(2, 1000, 2, REDUCED, product=2)
LUNCH_FREE = BuyXGetY(buy=1, get=1, at_most=1, rewards=LUNCHES, spread=True)
MILLION = 10**6


def applied(
    kind: BuyXGetY, lines: list[Line], *, scope: Scope = EVERYTHING, fairness: Fairness = Fairness.CUSTOMER
) -> CheckoutTotals:
    rule = AutomaticDiscount(id=1, kind=kind, scope=scope)
    return checkout_totals(lines, automatic=[rule], policy=TotalsPolicy(fairness=fairness))


def shares(totals: CheckoutTotals) -> list[int]:
    return [line.total_discount_gross for line in totals.lines]


def test_the_free_lunch_reduces_the_price_of_the_ticket_too() -> None:
    # One ticket and one lunch cost 10000: the ticket has 9/10 of the 1000 taken off.
    totals = applied(LUNCH_FREE, [TICKET, LUNCH], scope=TICKETS)

    assert shares(totals) == [900, 100]
    rule = totals.auto_discounts[0].discount
    assert [line.auto_discounts for line in totals.lines] == [
        (LineDiscount(rule, 1, 900),),
        (LineDiscount(rule, 1, 100),),
    ]
    # 26100 include 1956 (1955.7) at 8.1 %, 1900 include 48 (48.1) at 2.6 %.
    assert [(row.gross, row.vat) for row in totals.vat_breakdown] == [(1900, 48), (26_100, 1956)]


def test_a_promo_code_is_spread_alike() -> None:
    code = PromoCode(code="LUNCH", kind=LUNCH_FREE, scope=TICKETS)

    assert shares(checkout_totals([TICKET, LUNCH], promo_codes=[code])) == [900, 100]


@pytest.mark.parametrize(
    ("fairness", "expected"),
    [
        # Of the dearest three units, the third is free: 300 over 500 + 400 + 300.
        (Fairness.CUSTOMER, [125, 100, 75, 0]),
        # The cheapest unit is free: 200 over 500 + 400 + 200, and 90.9, 72.7 and 36.4 are rounded to 200.
        (Fairness.MERCHANT, [91, 73, 0, 36]),
    ],
)
def test_a_group_has_the_dearest_units_and_the_free_one(fairness: Fairness, expected: list[int]) -> None:
    lines = [Line(key, price, 1, UNTAXED) for key, price in enumerate((500, 400, 300, 200), 1)]

    assert shares(applied(BuyXGetY(buy=2, get=1, spread=True), lines, fairness=fairness)) == expected


def test_a_floor_price_limits_the_share_of_a_line() -> None:
    lines = [TICKET._replace(floor_price=9000), LUNCH]

    totals = applied(LUNCH_FREE, lines, scope=TICKETS)

    assert shares(totals) == [0, 1000]


def test_another_rule_leaves_the_bought_units_of_a_spread_offer_alone() -> None:
    offer = AutomaticDiscount(id=1, kind=LUNCH_FREE, scope=TICKETS)
    two_for_one = AutomaticDiscount(id=2, kind=BuyXGetY(buy=1, get=1), scope=TICKETS)

    totals = checkout_totals([TICKET, LUNCH], automatic=[offer, two_for_one])

    assert [
        [(own.discount.id, own.units, own.amount) for own in line.auto_discounts] for line in totals.lines
    ] == [
        [(1, 1, 900), (2, 2, 9000)],
        [(1, 1, 100)],
    ]


def test_its_description_says_that_all_units_share_the_discount() -> None:
    assert what_it_takes(LUNCH_FREE) == "buy 1 get 1, shared by all units"


counts = st.integers(1, 3)
limits = st.sampled_from((None, 1, 2))
offers = st.builds(BuyXGetY, counts, counts, st.integers(101, MILLION), limits)
amounts = st.lists(st.tuples(st.integers(0, 999), st.integers(1, 4)), min_size=1, max_size=5)


@given(offers, amounts, st.sampled_from(Fairness), st.sampled_from((Scope(), Scope(products=frozenset({2})))))
def test_units_of_a_group_share_the_discount_of_the_offer(
    plain: BuyXGetY, sold: list[tuple[int, int]], fairness: Fairness, rewards: Scope
) -> None:
    lines = [Line(n, *own, UNTAXED, product=1 + n % 2) for n, own in enumerate(sold)]
    own_rewards = rewards if rewards.products else None
    kinds = [
        BuyXGetY(plain.buy, plain.get, plain.parts_per_million, plain.at_most, own_rewards, spread=spread)
        for spread in (False, True)
    ]

    unspread, spread = (applied(kind, lines, fairness=fairness) for kind in kinds)

    total = sum(shares(unspread))
    assert sum(shares(spread)) == total
    worth = [0] * len(lines)
    for unit in in_groups(kinds[1], lines, fairness):
        worth[unit.key] += unit.unit_price
    for line, share in zip(lines, shares(spread), strict=True):
        exact = Fraction(total * worth[line.key], sum(worth)) if total else Fraction(0)
        assert abs(share - exact) < 1


def in_groups(kind: BuyXGetY, lines: list[Line], fairness: Fairness) -> list[Line]:
    """Return the units of the groups of *kind*, read unit by unit from its description."""
    units = [line for line in lines for _ in range(line.quantity)]
    units.sort(key=lambda line: (-line.unit_price, line.key))
    free = [unit for unit in units if kind.rewards is None or unit.product in kind.rewards.products]
    bought = units if kind.rewards is None else [unit for unit in units if unit not in free]
    if kind.rewards is None:
        groups = len(units) // (kind.buy + kind.get)
    else:
        groups = min(len(bought) // kind.buy, len(free) // kind.get)
    groups = groups if kind.at_most is None else min(groups, kind.at_most)
    paid, given = groups * kind.buy, groups * kind.get
    if fairness is Fairness.MERCHANT:
        return bought[:paid] + free[len(free) - given :]
    return bought[: paid + given] if kind.rewards is None else bought[:paid] + free[:given]
