"""The rank of each price in a frame among the prices of its group. Decisions §10."""

from __future__ import annotations

from typing import Any, TypeVar, Unpack

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa

from faregate.batch.columns.values import Mask
from faregate.frames.engines import Column, frame_of
from faregate.frames.prices.counting import Tally
from faregate.frames.prices.options import TableOptions, lists_options
from faregate.frames.prices.tables import int_column, rank_columns, require_rows, table_of, thresholds
from faregate.insights.distribution import LOWER_PERCENT, UPPER_PERCENT
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
    result: Any = table_of(frame, price, options, lambda tally: _columns(tally, price, percents))
    engine: nw.Implementation = own.implementation
    is_ranked = engine is nw.Implementation.PANDAS and "level" in result.columns
    ranked: Native = result.set_axis(own.to_native().index) if is_ranked else result
    return ranked


def _columns(tally: Tally, price: str, percents: tuple[Percent, Percent]) -> list[Column]:
    counts = tally.counts()
    prices, groups = counts.prices, counts.groups[tally.keys.codes]
    places, n = counts.places[tally.cells], prices.n(groups)
    values, bounds = prices.distinct[places], np.zeros((2, len(counts.keys)), np.int64)
    bounds[:, prices.observed] = [prices.quantile(prices.observed, each) for each in percents]
    shown = rank_columns(prices.ranks(groups, values, places, places + 1), values, *bounds[:, groups])
    is_left_out = np.array([cell is None for cell in tally.observed], np.bool_)[tally.cells]
    return [
        *counts.key_columns(groups),
        int_column("n", n),
        _with_nulls(int_column(price, values), is_left_out),
        *(_with_nulls(own, is_left_out | (n == 0)) for own in shown),
    ]


def _with_nulls(column: Column, is_null: Mask) -> Column:
    return column._replace(values=pa.array(column.values, column.dtype, mask=is_null))
