"""Twins of rounding: results of the scalar function per row, or its error for the first refused row."""

from fractions import Fraction

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


@given(sized(st.tuples(st.integers(1, 2**32) | st.integers(1, MOST), st.integers(0, 2**32)), sizes))
def test_floor_just_below_and_at_a_whole_quotient_is_exact(rows: list[tuple[int, int]]) -> None:
    pairs = [(number, by) for by, times in rows for number in (by * times - 1, by * times)]
    pairs = [(number, by) for number, by in pairs if 0 <= number <= MOST]
    tops, bottoms = column_of([pair[0] for pair in pairs]), column_of([pair[1] for pair in pairs])

    found = floor_quotients(tops, bottoms)

    assert found.tolist() == [Fraction(*pair).__floor__() for pair in pairs]
