"""The rank of each price in a frame among the prices of its group. Decisions §10."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar, Unpack

import narwhals.stable.v2 as nw

from faregate.frames.columns.encoded import Encoded, combined
from faregate.frames.columns.prices import Observed
from faregate.frames.engines import Column, frame_of
from faregate.frames.prices.counting import Tally
from faregate.frames.prices.options import TableOptions, lists_options
from faregate.frames.prices.tables import Thresholds, require_rows, shown_rank, table_of, thresholds
from faregate.insights.distribution import (
    LOWER_PERCENT,
    UPPER_PERCENT,
    PriceDistribution,
    PriceLevel,
    price_insight,
)
from faregate.insights.percentiles import Percent

Native = TypeVar("Native")


@lists_options(TableOptions)
def ranks(
    frame: Native,
    price: str = "price",
    *,
    lower: Percent = LOWER_PERCENT,
    upper: Percent = UPPER_PERCENT,
    **options: Unpack[TableOptions],
) -> Native:
    """Rank each price of *frame* among the prices of its group: one row per row, in the same order.

    The columns *by* are followed by ``n``, the number of prices in the group, the column *price* in minor
    units, and ``percentile``, ``interpolated_percent`` and ``level``, which are computed as for the benchmark
    of ``insights``. With ``nulls="left_out"``, a null price has null ranks and counts for no group; the same
    holds if all prices of the group are left out. A pandas result has the index of *frame*, so that its
    columns can be assigned to *frame*.

    >>> import pandas as pd
    >>> offers = pd.DataFrame({"season": ["w", "s", "w", "w"], "rappen": [7400, 4900, 6900, 5900]})
    >>> offers["level"] = ranks(offers, "rappen", by="season").level
    >>> print(offers.to_string(index=False))
    season  rappen   level
         w    7400    high
         s    4900 typical
         w    6900 typical
         w    5900     low

    Raises:
        InvalidInput: as for ``price_counts``, or *frame* is lazy: its rows have no order.
        InvalidPercent: *lower* or *upper* is not a percentage, or *lower* is above *upper*.
        InvalidAmount, UnknownCurrency, UnitRequired, InvalidOption: as for ``price_counts``.
    """
    own = frame_of(frame)
    require_rows(own, "ranks")
    percents = thresholds(lower, upper)
    result: Any = table_of(
        frame, price, options, lambda tally: _columns(tally, price, percents), each_row=True
    )
    engine: nw.Implementation = own.implementation
    is_ranked = engine is nw.Implementation.PANDAS and "level" in result.columns
    ranked: Native = result.set_axis(own.to_native().index) if is_ranked else result
    return ranked


class _Rank(NamedTuple):
    """A price in its group of *n* prices; all else is None if it cannot be ranked."""

    n: int
    price: int | None
    percentile: float | None = None
    interpolated_percent: float | None = None
    level: str | None = None


_TYPES = ("int64", "int64", "float64", "float64", "string")


def _columns(tally: Tally, price: str, percents: Thresholds) -> list[Column]:
    counts, keys = tally.counts(), tally.keys
    groups = [_group(counts.groups.get(key, PriceDistribution()), percents) for key in keys.values]
    pairs = combined([Encoded(groups, keys.codes), Encoded(tally.observed, tally.cells)], len(tally.cells))
    distinct = [_rank(group, cell) for group, cell in pairs.values]
    rows = [distinct[code] for code in pairs.codes.tolist()]
    names = [price if name == "price" else name for name in _Rank._fields]
    return [
        *counts.key_columns([keys.values[code] for code in keys.codes.tolist()]),
        *(
            Column(name, [row[index] for row in rows], dtype)
            for index, (name, dtype) in enumerate(zip(names, _TYPES, strict=True))
        ),
    ]


class _Group(NamedTuple):
    """The prices of a group, and the thresholds between low, typical and high prices."""

    prices: PriceDistribution
    lower: int
    upper: int


def _group(prices: PriceDistribution, percents: Thresholds) -> _Group:
    if not prices.n:
        return _Group(prices, 0, 0)
    insight = price_insight(prices, prices.price_at(1), **percents)
    return _Group(prices, insight.lower.price, insight.upper.price)


def _rank(group: _Group, cell: Observed | None) -> _Rank:
    prices, lower, upper = group
    if cell is None or not prices.n:
        return _Rank(prices.n, None if cell is None else cell.price)
    price = cell.price
    level = PriceLevel.LOW if price < lower else PriceLevel.HIGH if price > upper else PriceLevel.TYPICAL
    percentile = shown_rank(prices.percentile_rank(price))
    return _Rank(prices.n, price, percentile, shown_rank(prices.interpolated_percent(price)), level.value)
