"""Twins of rounding: results of the scalar function per row, or its error for the first refused row."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.money.rounding import (
    divide_rounded,
    fitting,
    floor_quotients,
    round_to_increment,
)
from faregate.money import rounding
from faregate.money.rounding import RoundingMode
from support.baskets.strategies import rounding_modes, sized
from support.columns.numbers import (
    MOST,
    anything,
    by_column,
    by_row,
    column_of,
    edges,
    numbers,
    sizes,
)

_small = st.integers(1, 12) | st.integers(1, 1_100_000)


@st.composite
def _near_halves(draw: st.DrawFn) -> tuple[int, int]:
    """Draw a quotient that is a half, or next to a half or to an integer."""
    divisor = draw(_small | st.integers(1, 2**40))
    halves = draw(st.integers(-30, 30) | st.integers(-(2**20), 2**20))
    numerator = halves * divisor // 2 + draw(st.integers(-1, 1))
    return draw(st.sampled_from([(numerator, divisor), (-numerator, -divisor)]))


_quotients = st.one_of(
    _near_halves(),
    _near_halves(),
    st.tuples(numbers, _small),
    st.tuples(edges | anything, edges | anything),
    st.tuples(numbers, st.sampled_from([1, -1, 0, 3, MOST])),
)


@given(rounding_modes, sized(_quotients, sizes))
def test_quotient_matches_the_scalar_in_every_row(mode: RoundingMode, rows: list[tuple[int, int]]) -> None:
    numerators, denominators = column_of([row[0] for row in rows]), column_of([row[1] for row in rows])

    found = by_column(lambda: divide_rounded(numerators, denominators, mode=mode))

    expected = by_row(len(rows), lambda row: _quotient(*rows[row], mode))
    assert found == expected


def _quotient(numerator: int, denominator: int, mode: RoundingMode) -> int:
    return fitting(rounding.divide_rounded(numerator, denominator, mode=mode))


@given(rounding_modes, sized(st.tuples(numbers, _small | numbers), sizes))
def test_multiple_matches_the_scalar_in_every_row(mode: RoundingMode, rows: list[tuple[int, int]]) -> None:
    column, increments = column_of([row[0] for row in rows]), column_of([row[1] for row in rows])

    found = by_column(lambda: round_to_increment(column, increments, mode=mode))

    assert found == by_row(len(rows), lambda row: fitting(rounding.round_to_increment(*rows[row], mode=mode)))


@given(rounding_modes, sized(numbers, st.integers(1, 7)), _small)
def test_one_value_applies_to_a_whole_column(mode: RoundingMode, values: list[int], one: int) -> None:
    column = column_of(values)
    full = np.full(len(values), one)

    assert by_column(lambda: divide_rounded(column, one, mode=mode)) == by_column(
        lambda: divide_rounded(column, full, mode=mode)
    )
    assert by_column(lambda: divide_rounded(one, column, mode=mode)) == by_column(
        lambda: divide_rounded(full, column, mode=mode)
    )
    assert by_column(lambda: round_to_increment(column, one, mode=mode)) == by_column(
        lambda: round_to_increment(column, full, mode=mode)
    )


@given(rounding_modes, st.sampled_from([np.int8, np.uint8, np.int32, np.uint32]), st.integers(1, 100))
def test_narrower_dtypes_give_the_same_results(
    mode: RoundingMode, dtype: type[np.integer], divisor: int
) -> None:
    narrow = np.array([0, 1, 5, 50, 100, 127], dtype)

    found = divide_rounded(narrow, np.array(divisor, dtype), mode=mode)

    assert found.dtype == np.int64
    assert found.tolist() == divide_rounded(narrow.astype(np.int64), divisor, mode=mode).tolist()


@given(sized(st.tuples(st.integers(1, 2**32) | st.integers(1, MOST), st.integers(0, 2**32)), sizes))
def test_floor_just_below_and_at_a_whole_quotient_is_exact(rows: list[tuple[int, int]]) -> None:
    pairs = [(number, by) for by, times in rows for number in (by * times - 1, by * times)]
    pairs = [(number, by) for number, by in pairs if 0 <= number <= MOST]
    tops, bottoms = column_of([pair[0] for pair in pairs]), column_of([pair[1] for pair in pairs])

    found = floor_quotients(tops, bottoms)

    assert found.tolist() == [Fraction(*pair).__floor__() for pair in pairs]
