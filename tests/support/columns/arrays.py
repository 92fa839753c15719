"""Strategies for seasons and columns, small enough that ties, gaps and season ends are frequent."""

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from hypothesis.strategies import SearchStrategy

from support.oracles.seasons import Season

MOST_DAYS = 14

lengths = st.lists(st.integers(1, MOST_DAYS + 3), max_size=6)


def read_only(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the array, made read-only."""
    array.flags.writeable = False
    return array


def columns() -> SearchStrategy[npt.NDArray[Any]]:
    """Draw int32 or int64 ``[days, ...]`` arrays in C or Fortran order."""
    shapes = st.tuples(st.integers(0, MOST_DAYS), npst.array_shapes(min_dims=0, max_dims=2, max_side=3)).map(
        lambda parts: (parts[0], *parts[1])
    )
    whole = st.sampled_from([np.int32, np.int64]).flatmap(lambda dtype: npst.arrays(dtype, shapes))
    return st.tuples(whole, st.sampled_from("CF")).map(
        lambda drawn: read_only(np.array(drawn[0], order=drawn[1]))
    )


@st.composite
def seasons(draw: st.DrawFn) -> Season:
    days, pools, variants = draw(st.integers(0, MOST_DAYS)), draw(st.integers(0, 3)), draw(st.integers(1, 4))

    def table(entries: SearchStrategy[Any], rows: int, columns: int) -> list[list[Any]]:
        return draw(
            st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows)
        )

    def flags(count: int) -> list[bool]:
        return draw(st.lists(st.integers(0, 4).map(lambda n: n == 0), min_size=count, max_size=count))

    places = st.none() | st.integers(0, 9) | st.integers(0, 2**31 - 2)
    scale = draw(st.sampled_from([3, 9_000, 10**10]))
    prices = st.integers(0, 20).flatmap(lambda n: st.none() if n == 0 else st.integers(0, scale))
    parts = st.integers(0, 1_300_000) | st.sampled_from([500_000, 1_000_000])
    return Season(
        free=table(places, days, pools),
        uses=table(st.integers(0, 4), variants, pools),
        first_day_only=flags(pools),
        prices=table(prices, days, variants),
        factors=draw(st.lists(parts, min_size=1, max_size=5)),
        increment=draw(st.sampled_from([1, 5, 50, 100])),
        closed=flags(days),
    )
