"""Bridges from the old total to the new one, worked by hand, and the response of buyers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from faregate.errors import InvalidInput
from faregate.insights.what_if import (
    Bridge,
    BridgeStep,
    WhatIf,
    break_even_elasticity,
    elasticity_of,
    revenue_at,
)


def bridge(*amounts: tuple[int, int], column: str = "product") -> Bridge:
    return Bridge(column, tuple([BridgeStep(str(key), *pair) for key, pair in enumerate(amounts)]))


def report(*bridges: Bridge, **given: Any) -> WhatIf:
    return WhatIf(checkouts=1, lines=1, bridges=bridges, **given)


def test_contributions_add_up_to_the_change() -> None:
    found = bridge((900, 800), (100, 130))

    assert [step.change for step in found.steps] == [-100, 30]
    assert (found.before, found.change, found.after) == (1000, -70, 930)


def test_without_an_elasticity_nobody_responds() -> None:
    found = report(bridge((1000, 1100)))

    assert (found.before, found.after, found.change) == (1000, 1100, 100)
    assert (found.response, found.expected) == (0, 1100)


@pytest.mark.parametrize(
    ("elasticity", "expected"),
    [
        (0, 1100),
        ("-0.5", 1045),  # 10 % dearer: 5 % fewer units at 1100
        (-2, 880),
        (-10, 0),  # nobody buys
        (-50, 0),  # and never fewer than nobody
    ],
)
def test_units_respond_linearly_to_their_price(elasticity: Any, expected: int) -> None:
    found = report(bridge((1000, 1100)), elasticity=elasticity)

    assert (found.expected, found.response) == (expected, expected - 1100)


@pytest.mark.parametrize(
    ("pairs", "response"),
    [
        ([(4, 6)], -2),  # 6 (1 - 1/4) - 6 = -1.5
        ([(4, 2)], 0),  # 2 (1 + 1/4) - 2 = 0.5
        ([(4, 6), (4, 6)], -3),  # the sum is rounded, not each product
    ],
)
def test_the_response_is_rounded_once_half_to_even(pairs: list[tuple[int, int]], response: int) -> None:
    assert report(bridge(*pairs), elasticity="-0.5").response == response


@pytest.mark.parametrize("pair", [(0, 100), (-5, 100), (100, 0), (100, -5)])
def test_steps_without_a_price_before_or_after_do_not_respond(pair: tuple[int, int]) -> None:
    assert revenue_at(bridge(pair), Fraction(-3)) == pair[1]


@pytest.mark.parametrize(
    ("pairs", "even"),
    [
        ([(1000, 1100)], Fraction(-10, 11)),  # 1100 (1 - 10/11 * 1/10) = 1000
        ([(1000, 900)], Fraction(-10, 9)),  # 900 (1 + 10/9 * 1/10) = 1000
        ([(900, 800), (100, 130)], Fraction(-630, 449)),
        ([(1000, 1000)], Fraction(0)),
        ([(100, 110), (100, 90)], Fraction(0)),
        ([(0, 100)], None),  # new revenue that nobody can lose
        ([(100, 0)], None),
        ([(100, 110), (0, 500)], None),  # at -10, the first product is lost, and 500 are left
        ([], Fraction(0)),
        # At -1, the first product loses its last unit; 850 (1 + 100/51 * 15/100) = 1100.
        ([(100, 200), (1000, 850)], Fraction(-100, 51)),
        # At -1/2, the second product loses its last unit: 150 (1 - 11/12) + 1500 (1 + 11/24) = 2200.
        ([(100, 150), (100, 300), (2000, 1500)], Fraction(-11, 6)),
    ],
)
def test_break_even_elasticities_worked_by_hand(pairs: list[tuple[int, int]], even: Fraction | None) -> None:
    found = bridge(*pairs)

    assert break_even_elasticity(found) == even
    if even is not None:
        assert revenue_at(found, even) == found.before


def test_the_report_has_the_break_even_of_its_first_bridge() -> None:
    weeks = bridge((400, 500), (600, 600), column="week")

    assert report(bridge((1000, 1100)), weeks).break_even == Fraction(-10, 11)


@pytest.mark.parametrize(
    ("value", "exact"),
    [
        ("-0.8", Fraction(-4, 5)),
        (" -2 ", Fraction(-2)),
        (Decimal("-1.25"), Fraction(-5, 4)),
        (Fraction(-1, 3), Fraction(-1, 3)),
    ],
)
def test_elasticities_are_exact(value: Any, exact: Fraction) -> None:
    assert elasticity_of(value) == exact


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-0.8, "elasticity: -0.8 is not a decimal such as '-0.8': a float is not exact, write '-0.8'"),
        ("-1e9", "elasticity: '-1e9' is not a decimal such as '-0.8'"),
        (Decimal("NaN"), "elasticity: Decimal('NaN') is not a decimal such as '-0.8'"),
        (True, "elasticity: True is not a decimal such as '-0.8'"),
        ("0.5", "elasticity: expected at most 0, got 0.5"),
    ],
)
def test_other_elasticities_are_refused(value: Any, message: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        elasticity_of(value)

    assert str(refused.value) == message


def test_a_report_checks_its_elasticity() -> None:
    with pytest.raises(InvalidInput, match="expected at most 0, got 2"):
        report(bridge((1, 1)), elasticity=2)


@pytest.mark.parametrize("bridges", [(), (bridge((1, 2)), bridge((1, 3)))])
def test_bridges_that_do_not_agree_are_refused(bridges: tuple[Bridge, ...]) -> None:
    with pytest.raises(InvalidInput, match="bridges: expected one pair of totals, got"):
        report(*bridges)
