"""Input of the protection levels and of the revenue at one price."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

from faregate.errors import FaregateError, InvalidAmount, InvalidWeights, NoObservations
from faregate.insights.distribution import PriceDistribution
from faregate.insights.revenue import (
    DemandDistribution,
    best_price,
    protection_level,
    protection_levels,
    revenue_curve,
)

DEMAND = DemandDistribution.from_units([3, 0, 3])


def test_units_are_counted_in_ascending_order() -> None:
    assert DEMAND == DemandDistribution((0, 3), (1, 2)) == DemandDistribution.from_units(iter([0, 3, 3]))
    assert DEMAND.mean == 2
    assert eval(repr(DEMAND)) == pickle.loads(pickle.dumps(DEMAND)) == DEMAND


def test_nothing_is_kept_back_for_fares_without_demand() -> None:
    never = DemandDistribution.from_units([0, 0])

    assert protection_level(never, fare=2, lower_fare=1) == 0
    assert protection_levels({3: never, 2: never, 1: DEMAND}) == {2: 0, 1: 0}


def test_everything_is_kept_back_from_a_fare_of_0() -> None:
    assert protection_levels({2: DEMAND, 1: DEMAND, 0: DEMAND}) == {1: 3, 0: 6}


def test_level_never_falls_for_a_lower_fare() -> None:
    """The second rule alone would keep back nothing: only 55 % of the combinations have any demand."""
    rare = DemandDistribution((0, 1000), (9, 1))

    found = protection_levels({100: DemandDistribution.from_units([0, 10]), 10: rare, 9: DEMAND})

    assert found == {10: 10, 9: 10}


def test_a_price_of_0_earns_nothing() -> None:
    points = revenue_curve(PriceDistribution.from_prices([0, 0, 5]))

    assert [point.revenue for point in points] == [0, Fraction(5, 3)]


ORDER = "expected ascending units of at least 0 without duplicates"
NONE = "expected at least one observation of demand"


@pytest.mark.parametrize(
    ("units", "counts", "message"),
    [
        ((1, 2), (1,), "2 numbers of units but 1 counts"),
        ((), (), NONE),
        ((2, 1), (1, 1), ORDER),
        ((1, 1), (1, 1), ORDER),
        ((-1, 1), (1, 1), ORDER),
        ((1, 2), (1, 0), "expected counts of at least 1, got 0"),
        ((1.5,), (1,), "units contains 1.5, expected an int"),
        ((1,), (True,), "counts contains True, expected an int"),
    ],
)
def test_an_invalid_distribution_is_refused(units: Any, counts: Any, message: str) -> None:
    with pytest.raises(InvalidWeights) as caught:
        DemandDistribution(units, counts)

    assert str(caught.value) == message


def level(fare: Any, lower_fare: Any, demand: Any = DEMAND) -> int:
    return protection_level(demand, fare=fare, lower_fare=lower_fare)


def best(prices: list[int]) -> object:
    return best_price(PriceDistribution.from_prices(prices))


AT_LEAST_0, NO_DEMAND = "expected an int of at least 0", "expected a DemandDistribution"


@pytest.mark.parametrize(
    ("error", "call", "given", "message"),
    [
        (InvalidWeights, DemandDistribution.from_units, [[]], NONE),
        (InvalidWeights, DemandDistribution.from_units, [[2, -1]], f"units is -1, {AT_LEAST_0}"),
        (InvalidWeights, DemandDistribution.from_units, [["2"]], f"units is '2', {AT_LEAST_0}"),
        (
            InvalidWeights,
            DemandDistribution.from_units,
            ["2"],
            "units is '2', expected a list: write ['2'] for a single value",
        ),
        (InvalidAmount, level, [2, 2], "lower_fare is 2, expected less than the fare of 2"),
        (InvalidAmount, level, [2.5, 1], f"fare is 2.5, {AT_LEAST_0}"),
        (InvalidAmount, level, [2, -1], f"lower_fare is -1, {AT_LEAST_0}"),
        (InvalidWeights, level, [2, 1, [1]], f"demand is [1], {NO_DEMAND}"),
        (InvalidAmount, protection_levels, [{2: DEMAND}], "expected at least 2 fares, got 1"),
        (InvalidAmount, protection_levels, [{"1": DEMAND}], f"a fare is '1', {AT_LEAST_0}"),
        (InvalidWeights, protection_levels, [{2: DEMAND, 1: 4}], f"demand at 1 is 4, {NO_DEMAND}"),
        (InvalidWeights, protection_levels, [[4]], "demands is [4], expected a Mapping"),
        (NoObservations, best, [[]], "the price distribution is empty"),
        (InvalidAmount, best, [[-1, 5]], "expected prices of at least 0, got -1"),
        (InvalidAmount, revenue_curve, [[5]], "willingness_to_pay is [5], expected a PriceDistribution"),
    ],
)
def test_invalid_input_is_refused(
    error: type[FaregateError], call: Any, given: list[Any], message: str
) -> None:
    with pytest.raises(error) as caught:
        call(*given)

    assert type(caught.value) is error
    assert str(caught.value) == message
