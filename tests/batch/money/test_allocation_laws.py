"""Twins of allocation: shares of the scalar function, or its error for the first refused basket."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.columns import offsets as baskets
from faregate.batch.columns.offsets import offsets_of
from faregate.batch.money.allocation import allocate, allocate_bucket
from faregate.money import allocation
from faregate.money.allocation import AllocationMode
from support.baskets.strategies import amounts, members, sized
from support.baskets.strategies import weights as shared_weights
from support.columns.numbers import LEAST, MOST, Outcome, by_column, by_row, column_of, numbers, sizes

Basket: TypeAlias = tuple[int, list[int]]
"""An amount, and the weights of the lines that share it."""

modes = members(AllocationMode)
# Few lines per step, so that most examples take several steps; and the real number.
steps = st.sampled_from([1, 4, 30, baskets.STEP_LINES])
# Scales at which products and totals are exact in floats, in int64, and in neither.
_scales = st.sampled_from([1, 3, 400, 2**20, 2**26, 2**31, 2**40, 2**62, MOST])
_hardly_any = st.sampled_from([0] * 20 + [1, -1, LEAST])
_line_counts = st.one_of(st.integers(0, 4), st.integers(0, 9), st.sampled_from([24, 25, 40]))


@st.composite
def weight_lists(draw: st.DrawFn, counts: st.SearchStrategy[int] = _line_counts) -> list[int]:
    scale = draw(_scales)
    own = st.one_of(st.just(0), st.integers(0, 5).map(lambda n: min(n, scale)), st.integers(0, scale))
    return draw(sized(own, counts))


@st.composite
def amounts_for(draw: st.DrawFn, weights: list[int]) -> int:
    """Draw an amount: up to the sum of the weights, or any; rarely above 0 if all weights are 0."""
    if not any(weights):
        return draw(_hardly_any)
    scale = draw(_scales)
    within = st.integers(0, min(max(sum(weights), 0), MOST))
    amount: int = draw(st.one_of(amounts, st.integers(-scale, scale), within, numbers))
    return amount


@st.composite
def shared_baskets(
    draw: st.DrawFn,
    lists: st.SearchStrategy[list[int]] = weight_lists() | shared_weights,  # noqa: B008
) -> Basket:
    weights = draw(lists)
    if weights and draw(st.integers(0, 40)) == 40:
        weights[-1] = draw(st.sampled_from([-1, LEAST]))
    return draw(amounts_for(weights)), weights


@contextmanager
def steps_of_lines(most: int) -> Iterator[None]:
    with patch.object(baskets, "STEP_LINES", most):
        yield


def flat_columns(given_baskets: Sequence[Basket]) -> tuple[npt.NDArray[Any], ...]:
    """Return amounts, weights and offsets."""
    weights = [weight for _, own in given_baskets for weight in own]
    line_counts = np.array([len(own) for _, own in given_baskets], np.int64)
    return column_of([amount for amount, _ in given_baskets]), column_of(weights), offsets_of(line_counts)


def shares_by_basket(given_baskets: Sequence[Basket], mode: AllocationMode) -> Outcome:
    """Return a tuple of shares for each basket."""
    return by_row(
        len(given_baskets),
        lambda row: allocation.allocate(given_baskets[row][0], given_baskets[row][1], mode=mode),
    )


def joined(answers: Outcome) -> Outcome:
    return [share for shares in answers for share in shares] if isinstance(answers, list) else answers


@given(sized(shared_baskets(), sizes), modes, steps)
def test_shares_match_the_scalar_in_every_basket(
    given_baskets: list[Basket], mode: AllocationMode, step: int
) -> None:
    own_amounts, weights, offsets = flat_columns(given_baskets)

    with steps_of_lines(step):
        found = by_column(lambda: allocate(own_amounts, weights, offsets=offsets, mode=mode))

    assert found == joined(shares_by_basket(given_baskets, mode))


@st.composite
def buckets(draw: st.DrawFn) -> tuple[int, list[Basket]]:
    """Draw a line count, and baskets with this number of lines."""
    count = draw(st.one_of(st.integers(0, 9), st.sampled_from([40, 100, 101, 130])))
    return count, draw(sized(shared_baskets(weight_lists(st.just(count))), sizes))


@given(buckets(), modes, steps)
def test_shares_in_a_bucket_match_the_scalar_in_every_basket(
    bucket: tuple[int, list[Basket]], mode: AllocationMode, step: int
) -> None:
    count, given_baskets = bucket
    own_amounts = column_of([amount for amount, _ in given_baskets])
    matrix = column_of([w for _, own in given_baskets for w in own]).reshape(len(given_baskets), count).T

    with steps_of_lines(step):
        found = by_column(lambda: allocate_bucket(own_amounts, matrix, mode=mode).T)

    expected = shares_by_basket(given_baskets, mode)
    assert found == ([[*shares] for shares in expected] if isinstance(expected, list) else expected)


@given(sized(shared_baskets(weight_lists()), st.integers(1, 9)), modes)
def test_any_memory_layout_gives_the_same_results(given_baskets: list[Basket], mode: AllocationMode) -> None:
    own_amounts, weights, offsets = flat_columns(given_baskets)
    strided = np.repeat(own_amounts, 2)[::2], np.repeat(weights, 3)[::3]

    found = by_column(lambda: allocate(*strided, offsets=np.repeat(offsets, 2)[::2], mode=mode))

    assert found == by_column(lambda: allocate(own_amounts, weights, offsets=offsets, mode=mode))
