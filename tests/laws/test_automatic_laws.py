"""Decisions §3.2 for whole lines: each has the best discount, group rules win or lose as a whole."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from faregate.basket.lines import Line
from faregate.basket.policy import AutomaticChoice, SubscriptionBasis
from faregate.discounts.kinds import (
    ALWAYS,
    EVERYTHING,
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    FixedPrice,
    Level,
    Percentage,
    PerUnit,
    Scope,
)
from faregate.errors import InvalidDiscount
from faregate.money.rounding import rdiv
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, PricingRequest, checkout_totals
from laws.oracles import Taking, is_in_scope
from laws.stacking_oracle import automatic_alone, best_automatic, in_key_order
from strategies import CARDS, CHANNELS, NOW, automatic_discount, percentages, policies, scales, some
from whole_checkouts import Sizes, checkouts, priced

several = checkouts(
    policy=policies(automatic_choice=AutomaticChoice.LINE),
    sizes=Sizes(lines=14, codes=0, vouchers=0),
    min_lines=2,
    min_automatic=3,
)


def won(totals: CheckoutTotals) -> dict[int, tuple[int | None, int]]:
    """By key: the id of the winner, and what it took."""
    return {
        line.key: (line.auto_discount.id if line.auto_discount else None, line.auto_discount_amount)
        for line in totals.lines
    }


def best_single(request: PricingRequest, alone: dict[int, Taking]) -> list[int]:
    """By line in ascending key: the most that a discount which is no group rule would take."""
    singles = [
        discount for discount in request.automatic if not discount.is_group_rule and discount.id in alone
    ]
    return [
        max((alone[discount.id].shares[n] for discount in singles), default=0)
        for n in range(len(request.lines))
    ]


@given(several)
def test_every_line_has_the_winner_that_the_definition_names(request: PricingRequest) -> None:
    totals = priced(request)

    expected = best_automatic(request)
    keys = [line.key for line in in_key_order(request)]
    assert won(totals) == dict(zip(keys, zip(expected.ids, expected.amounts, strict=True), strict=True))


@given(several)
def test_a_winner_takes_of_a_line_what_it_would_take_alone(request: PricingRequest) -> None:
    totals = priced(request)

    alone = automatic_alone(request)
    for n, line in enumerate(sorted(totals.lines, key=lambda line: line.key)):
        if line.auto_discount is not None:
            assert line.auto_discount_amount == alone[line.auto_discount.id].shares[n]
    for applied in totals.auto_discounts:
        assert applied.unapplied == alone[applied.discount.id].unapplied


@given(several)
def test_together_they_take_at_least_what_any_one_takes_alone(request: PricingRequest) -> None:
    totals = priced(request)

    for taken in automatic_alone(request).values():
        assert totals.auto_discount_amount >= sum(taken.shares)


@given(several)
def test_no_discount_that_is_no_group_rule_would_take_more_of_a_line(request: PricingRequest) -> None:
    totals = priced(request)

    groups = {discount.id for discount in request.automatic if discount.is_group_rule}
    best = best_single(request, automatic_alone(request))
    for n, line in enumerate(in_key_order(request)):
        winner, amount = won(totals)[line.key]
        assert winner in groups or amount == best[n]


@given(several)
def test_a_group_rule_wins_every_line_it_touches_and_gains_more_than_it_displaces(
    request: PricingRequest,
) -> None:
    totals = priced(request)

    alone = automatic_alone(request)
    best = best_single(request, alone)
    keys = [line.key for line in in_key_order(request)]
    for applied in totals.auto_discounts:
        if applied.discount.is_group_rule:
            shares = alone[applied.discount.id].shares
            touched = [n for n, share in enumerate(shares) if share]
            assert all(won(totals)[keys[n]] == (applied.discount.id, shares[n]) for n in touched)
            assert sum(shares) > sum(best[n] for n in touched)


# From 2 % on each line in scope has a share: a rule excludes others where it takes something.
@given(st.lists(st.tuples(st.integers(2, 60), st.frozensets(st.integers(1, 6), min_size=1)), max_size=7))
def test_of_group_rules_that_exclude_one_another_those_are_taken_that_gain_most(
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


@given(several)
def test_a_group_rule_that_lost_is_not_missed(request: PricingRequest) -> None:
    # What takes nothing now may still win in later periods, at recurring prices.
    now = replace(request.policy, subscription_basis=SubscriptionBasis.FIRST_PERIOD)
    request = request._replace(policy=now)
    totals = priced(request)

    winners = [applied.discount for applied in totals.auto_discounts]
    others = tuple(d for d in request.automatic if d in winners or not d.is_group_rule)
    assert priced(request._replace(automatic=others))._replace(request=request) == totals


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


@given(several, percentages, some(CARDS))
def test_a_discount_card_earns_its_discount_on_the_items_that_carry_it(
    request: PricingRequest, parts: int, cards: frozenset[int]
) -> None:
    half_fare = AutomaticDiscount(
        id=1,
        kind=Percentage(parts_per_million=parts, level=Level.LINE),
        scope=Scope(discount_cards=cards),
    )

    totals = priced(request._replace(automatic=(half_fare,)))

    for given_line, line in zip(request.lines, totals.lines, strict=True):
        assert line.auto_discount in {None, half_fare}
        assert line.auto_discount is None or given_line.discount_card in cards


@given(several)
def test_an_automatic_discount_stays_in_its_scope_and_below_its_cap(request: PricingRequest) -> None:
    totals = priced(request)

    for applied in totals.auto_discounts:
        rewards = applied.discount.kind.rewards if isinstance(applied.discount.kind, BuyXGetY) else None
        for line, share in zip(request.lines, applied.shares, strict=True):
            assert not share or is_in_scope(line, rewards or applied.discount.scope, request.context)
        assert applied.total_amount <= (applied.discount.max_amount or applied.total_amount)


@given(several)
def test_an_id_used_twice_is_refused(request: PricingRequest) -> None:
    twice = (*request.automatic, replace(request.automatic[0], priority=9, conditions=ALWAYS))

    with pytest.raises(InvalidDiscount):
        priced(request._replace(automatic=twice))


@pytest.mark.parametrize(
    ("kind", "across_lines"),
    [
        (BuyXGetY(1, 1), True),
        (FixedPrice(100, 2), True),
        (FixedPrice(100, 1), False),
        (Absolute(100, Level.CART), True),
        (Absolute(100, Level.LINE), False),
        (Percentage.percent(10, level=Level.CART), True),
        (Percentage.percent(10, level=Level.LINE), False),
        (PerUnit(100), False),
    ],
)
def test_a_rule_that_works_across_lines_is_a_group_rule(
    kind: BuyXGetY | FixedPrice | Absolute | Percentage | PerUnit, *, across_lines: bool
) -> None:
    assert AutomaticDiscount(id=1, kind=kind).is_group_rule is across_lines


@given(several)
def test_a_single_discount_for_everything_wins_wherever_it_takes_anything(request: PricingRequest) -> None:
    only = replace(request.automatic[0], scope=EVERYTHING, conditions=ALWAYS)
    assume(not isinstance(only.kind, BuyXGetY))

    totals = priced(request._replace(automatic=(only,)))

    (taken,) = automatic_alone(request._replace(automatic=(only,))).values()
    assert [won(totals)[line.key][1] for line in in_key_order(request)] == taken.shares
