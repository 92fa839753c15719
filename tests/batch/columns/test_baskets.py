"""Baskets in columns, buckets and steps."""

from itertools import pairwise
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.columns import offsets as baskets
from faregate.batch.columns.offsets import (
    Bucket,
    bucket_steps,
    buckets_of,
    checked_offsets,
    from_buckets,
    offsets_of,
    steps_of,
    sums_of,
    to_buckets,
)
from faregate.errors import InvalidInput
from support.columns.numbers import MOST, column_of

line_counts = st.lists(st.integers(0, 4) | st.integers(0, 12), max_size=12)
most_lines = st.sampled_from([1, 2, 5, 30])


@given(line_counts, most_lines)
def test_steps_are_consecutive_and_as_long_as_allowed(counts: list[int], most: int) -> None:
    offsets = offsets_of(column_of(counts))

    with patch.object(baskets, "STEP_LINES", most):
        steps = [*steps_of(offsets)]

    assert [row for step in steps for row in range(len(counts))[step.baskets]] == [*range(len(counts))]
    for step in steps:
        taken = counts[step.baskets]
        assert (step.lines.start, step.lines.stop) == (
            offsets[step.baskets.start],
            offsets[step.baskets.stop],
        )
        assert 1 <= len(taken) <= most
        assert sum(taken) <= most or len(taken) == 1
        if len(taken) < most and step is not steps[-1]:
            assert sum(taken) + counts[step.baskets.stop] > most


@given(st.integers(0, 12), st.integers(0, 12), most_lines)
def test_steps_of_a_bucket_are_as_long_as_allowed(size: int, count: int, most: int) -> None:
    with patch.object(baskets, "STEP_LINES", most):
        steps = [*bucket_steps(size, count)]

    taken = [range(count)[step] for step in steps]
    assert [row for rows in taken for row in rows] == [*range(count)]
    assert all(len(rows) * size <= most or len(rows) == 1 for rows in taken)
    assert all((len(rows) + 1) * max(size, 1) > most for rows in taken[:-1])


@given(line_counts, st.data())
def test_sums_per_basket_are_exact_even_where_running_sums_wrap(
    counts: list[int], data: st.DataObject
) -> None:
    largest = MOST // 12
    values = data.draw(st.lists(st.integers(-largest, largest), min_size=sum(counts), max_size=sum(counts)))
    offsets = offsets_of(column_of(counts))

    found = sums_of(column_of(values), offsets, np.empty(len(values) + 1, np.int64))

    bounds = offsets.tolist()
    assert found.tolist() == [sum(values[start:end]) for start, end in pairwise(bounds)]


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ([0, 2], r"^offsets: expected int64 \[n\], got list$"),
        (np.zeros((1, 2), np.int64), r"^offsets: expected int64 \[n\], got int64 \[1, 2\]$"),
        (np.array([0.0, 2.0]), r"^offsets: expected int64 \[n\] or an int of 64 bits, got float64 \[2\]$"),
        (np.array([], np.int64), r"^offsets: expected int64 \[m \+ 1\], got int64 \[0\]$"),
        (np.array([0, 2, 1, 0]), "^row 1: offsets fall from 2 to 1$"),
        (np.array([1, 2]), "^offsets: expected 0 first and 2 last, got 1 and 2$"),
        (np.array([-1, 2]), "^offsets: expected 0 first and 2 last, got -1 and 2$"),
    ],
)
def test_invalid_offsets_are_refused(offsets: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        checked_offsets(offsets, lines=2)
    with pytest.raises(InvalidInput, match=message):
        buckets_of(offsets)


@pytest.mark.parametrize("lines", [1, 3])
def test_offsets_that_do_not_match_the_lines_are_refused(lines: int) -> None:
    with pytest.raises(InvalidInput, match=rf"^offsets: expected 0 first and {lines} last, got 0 and 2$"):
        checked_offsets(np.array([0, 2]), lines=lines)


def test_offsets_that_do_not_match_the_baskets_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^offsets: expected int64 \[2 \+ 1\], got int64 \[2\]$"):
        checked_offsets(np.array([0, 2]), lines=2, baskets=2)


def test_first_negative_size_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"^row 1: the size is -1, expected at least 0$"):
        offsets_of(np.array([3, -1, -1]))


def test_sizes_that_would_wrap_are_refused() -> None:
    with pytest.raises(InvalidInput, match=rf"^the sizes add up to more than {2**62} lines$"):
        offsets_of(np.array([2**62, 2**62, 2**62, 2**62]))


def test_narrower_offsets_are_accepted() -> None:
    narrow = np.array([0, 2, 4], np.int32)

    assert checked_offsets(narrow, lines=4).dtype == np.int64
    assert buckets_of(narrow)[0].starts.dtype == np.int64


BUCKETS = (Bucket(2, np.array([0, 1]), np.array([0, 2])),)


@pytest.mark.parametrize("count", [3, 5])
def test_values_that_do_not_match_the_lines_are_refused(count: int) -> None:
    with pytest.raises(
        InvalidInput, match=rf"^values: expected 4, one for each line in the buckets, got {count}$"
    ):
        to_buckets(np.arange(count), BUCKETS)


@pytest.mark.parametrize(
    ("matrices", "message"),
    [
        ([], "^matrices: expected 1, one for each bucket, got 0$"),
        (
            [np.zeros((2, 3), np.int64)],
            r"^matrix: expected int64 \[lines = 2, baskets = 2\], got int64 \[2, 3\]$",
        ),
        ([np.zeros((2, 2))], r"got float64 \[2, 2\]$"),
    ],
)
def test_matrices_that_do_not_match_the_buckets_are_refused(matrices: Any, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        from_buckets(matrices, BUCKETS)
