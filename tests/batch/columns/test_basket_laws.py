"""Baskets in columns and in buckets, compared with lists of lists."""

from itertools import accumulate

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.columns.offsets import Bucket, buckets_of, from_buckets, offsets_of, to_buckets
from support.columns.numbers import anything, column_of

Baskets = list[list[int]]

baskets = st.lists(st.lists(anything, max_size=4) | st.lists(anything, max_size=12), max_size=12)


def running_sums(sizes: list[int]) -> list[int]:
    return [0, *accumulate(sizes)]


def bucketed(lists: Baskets) -> list[tuple[int, list[int], list[int]]]:
    """Return the baskets of each line count, and where they begin."""
    starts = running_sums([len(own) for own in lists])
    rows = {size: [row for row, own in enumerate(lists) if len(own) == size] for size in map(len, lists)}
    return [(size, rows[size], [starts[row] for row in rows[size]]) for size in sorted(rows)]


def transposed(lists: Baskets) -> list[list[list[int]]]:
    """Return, for each line count, the first lines of its baskets, then the second lines, and so on."""
    return [
        [[lists[row][place] for row in rows] for place in range(size)] for size, rows, _ in bucketed(lists)
    ]


def joined(lists: Baskets) -> list[int]:
    return [value for own in lists for value in own]


def buckets_for(lists: Baskets) -> list[Bucket]:
    return [Bucket(size, column_of(rows), column_of(starts)) for size, rows, starts in bucketed(lists)]


@given(baskets)
def test_offsets_are_running_sums_of_sizes(lists: Baskets) -> None:
    sizes = [len(own) for own in lists]

    found = offsets_of(column_of(sizes))

    assert found.dtype == np.int64
    assert found.tolist() == running_sums(sizes)


@given(baskets)
def test_buckets_group_the_baskets_by_line_count(lists: Baskets) -> None:
    found = buckets_of(column_of([sum(map(len, lists[:row])) for row in range(len(lists) + 1)]))

    assert [(size, rows.tolist(), starts.tolist()) for size, rows, starts in found] == bucketed(lists)


@given(baskets)
def test_matrices_have_a_row_per_position_and_a_column_per_basket(lists: Baskets) -> None:
    found = to_buckets(column_of([value for own in lists for value in own]), buckets_for(lists))

    assert [matrix.tolist() for matrix in found] == transposed(lists)


@given(baskets)
def test_matrices_convert_back_to_their_column(lists: Baskets) -> None:
    buckets = buckets_for(lists)
    matrices = [
        np.array(rows, np.int64).reshape(bucket.size, len(bucket.baskets))
        for rows, bucket in zip(transposed(lists), buckets, strict=True)
    ]

    found = from_buckets(matrices, buckets)

    assert found.dtype == np.int64
    assert found.tolist() == joined(lists)
