"""Laws of automatic discounts on whole lines: the best one wins, group rules as a whole. Decisions §3.2."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import Line
from faregate.basket.policy import AutomaticChoice
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    Scope,
)
from faregate.money.rounding import rdiv
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import CHANNELS, NOW, automatic_discount, policies, scales
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.stacking import best_automatic, in_key_order

several = checkouts(
    policy=policies(automatic_choice=AutomaticChoice.LINE),
    sizes=Sizes(lines=14, codes=0, vouchers=0),
    min_lines=2,
    min_automatic=3,
)


def won(totals: CheckoutTotals) -> dict[int, tuple[int | None, int]]:
    """Return the id of the winner and its amount, by key."""
    return {
        line.key: (line.auto_discount.id if line.auto_discount else None, line.auto_discount_amount)
        for line in totals.lines
    }


@given(several)
def test_every_line_has_the_winner_given_by_the_definition(request: PricingRequest) -> None:
    totals = priced(request)

    expected = best_automatic(request)
    keys = [line.key for line in in_key_order(request)]
    assert won(totals) == dict(zip(keys, zip(expected.ids, expected.amounts, strict=True), strict=True))


# From 2 % on, every line in scope has a share: a rule excludes others on the lines that it reduces.
@given(st.lists(st.tuples(st.integers(2, 60), st.frozensets(st.integers(1, 6), min_size=1)), max_size=7))
def test_rival_group_rules_with_the_largest_gain_are_taken(
    rules: list[tuple[int, frozenset[int]]],
) -> None:
    lines = [Line(n, unit_price=60, quantity=1, rate=VatRate(parts_per_million=0)) for n in range(1, 7)]
    automatic = tuple(
        AutomaticDiscount(id=n, kind=Percentage(parts_per_million=10_000 * parts), scope=Scope(lines=keys))
        for n, (parts, keys) in enumerate(rules)
    )

    totals = checkout_totals(lines, automatic=automatic)

    taken = [(rdiv(60 * len(keys) * parts, 100), keys) for parts, keys in rules]
    packings = [
        sum(amount for amount, _ in chosen)
        for count in range(len(rules) + 1)
        for chosen in combinations(taken, count)
        if sum(len(keys) for _, keys in chosen) == len(frozenset[int]().union(*[keys for _, keys in chosen]))
    ]
    assert totals.automatic_is_exact
    assert totals.auto_discount_amount == max(packings)


@given(several, st.integers(-3, 3), st.integers(-3, 3).filter(bool))
def test_among_equal_amounts_the_higher_priority_wins_then_the_lower_id(
    request: PricingRequest, higher: int, shift: int
) -> None:
    # Every discount meets a twin that takes the same.
    first = request.automatic[0]
    twin = replace(first, id=first.id + 1000 * shift, priority=first.priority + higher)

    totals = priced(request._replace(automatic=(first, twin)))

    expected = min(first, twin, key=lambda discount: (-discount.priority, discount.id))
    assert {winner for winner, _ in won(totals).values()} <= {None, expected.id}


@given(several)
def test_only_the_order_of_ids_and_priorities_matters(request: PricingRequest) -> None:
    renumbered = tuple(
        replace(discount, id=3 * discount.id + 7, priority=10 * discount.priority - 5)
        for discount in request.automatic
    )

    totals, other = priced(request), priced(request._replace(automatic=renumbered))

    assert won(other) == {
        key: (None if winner is None else 3 * winner + 7, amount)
        for key, (winner, amount) in won(totals).items()
    }


@given(several, scales.flatmap(automatic_discount))
def test_a_discount_whose_conditions_are_not_met_changes_nothing(
    request: PricingRequest, discount: AutomaticDiscount
) -> None:
    unmet = [
        Conditions(starts_at=NOW.replace(year=2030)),
        Conditions(ends_at=NOW),
        Conditions(weekdays=frozenset({7})),
        Conditions(channels=frozenset(CHANNELS) - {request.context.channel or ""}),
        Conditions(accounts=frozenset({99})),
    ]
    totals = priced(request)

    for conditions in unmet:
        more = (*request.automatic, replace(discount, id=0, conditions=conditions))
        assert priced(request._replace(automatic=more))._replace(request=request) == totals


@pytest.mark.parametrize(
    ("kind", "across_lines"),
    [
        (BuyXGetY(1, 1), True),
        (FixedPrice(100, 2), True),
        (FixedPrice(100, 1), False),
        (Absolute(100, DiscountLevel.CART), True),
        (Absolute(100, DiscountLevel.LINE), False),
        (Percentage.percent(10, level=DiscountLevel.CART), True),
        (Percentage.percent(10, level=DiscountLevel.LINE), False),
        (PerUnit(100), False),
    ],
)
def test_a_rule_that_works_across_lines_is_a_group_rule(
    kind: BuyXGetY | FixedPrice | Absolute | Percentage | PerUnit, *, across_lines: bool
) -> None:
    assert AutomaticDiscount(id=1, kind=kind).is_group_rule is across_lines
