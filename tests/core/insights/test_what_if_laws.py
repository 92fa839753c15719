"""Laws of bridges: the response and the break-even elasticity agree with the definition. Decisions §17."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from faregate.insights.what_if import Bridge, BridgeStep, WhatIf, break_even_elasticity, revenue_at
from support.oracles import what_ifs as oracle

pairs = st.lists(st.tuples(st.integers(-20, 300), st.integers(-20, 300)), max_size=6)
elasticities = st.fractions(-30, 0, max_denominator=50)


def bridge(amounts: list[tuple[int, int]]) -> Bridge:
    return Bridge("product", tuple([BridgeStep(None, *pair) for pair in amounts]))


@given(pairs, elasticities)
def test_revenue_follows_its_definition(amounts: list[tuple[int, int]], elasticity: Fraction) -> None:
    assert revenue_at(bridge(amounts), elasticity) == oracle.revenue(amounts, elasticity)


@given(pairs, elasticities)
def test_steps_and_response_add_up_to_the_expected_total(
    amounts: list[tuple[int, int]], elasticity: Fraction
) -> None:
    found = WhatIf(checkouts=1, lines=1, bridges=(bridge(amounts),), elasticity=elasticity)

    contributions = sum(step.change for step in found.bridges[0].steps)
    assert found.before + contributions + found.response == found.expected
    assert abs(found.expected - oracle.revenue(amounts, elasticity)) <= Fraction(1, 2)


@given(pairs, st.fractions(0, 1, max_denominator=50), elasticities)
@example([(100, 200), (1000, 850)], Fraction(1, 2), Fraction(-20))
@example([(100, 110), (0, 500)], Fraction(1, 2), Fraction(-20))
def test_break_even_is_the_first_elasticity_at_which_nothing_changes(
    amounts: list[tuple[int, int]], share: Fraction, elasticity: Fraction
) -> None:
    before = sum(old for old, _ in amounts)

    even = break_even_elasticity(bridge(amounts))

    if even is None:
        assert oracle.revenue(amounts, elasticity) != before
    else:
        assert even <= 0
        assert oracle.revenue(amounts, even) == before
        assert share == 1 or even == 0 or oracle.revenue(amounts, share * even) != before
