"""Reports on frames of prices: counts, distributions, insights, quantiles. Decisions §10."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, Unpack

import numpy as np

from faregate.frames.engines import Column, frame_of
from faregate.frames.prices.benchmarks import Benchmark, prices_to_judge
from faregate.frames.prices.counting import Distributions, Tally, refuse_faults, tallied
from faregate.frames.prices.options import PriceOptions, TableOptions, lists_options, read_options
from faregate.frames.prices.tables import (
    int_column,
    named_percents,
    rank_columns,
    table_of,
    thresholds,
)
from faregate.insights.distribution import LOWER_PERCENT, UPPER_PERCENT
from faregate.insights.percentiles import Percent

Native = TypeVar("Native")


@lists_options(TableOptions)
def price_counts(frame: Native, price: str = "price", **options: Unpack[TableOptions]) -> Native:
    """Count the rows with each price: return the columns *by*, the column *price*, and ``count``.

    The result is sorted by group (null last), then by price. Prices are int64 minor units, counts int64;
    group columns keep their type, but Dask returns categories as strings. Ordered categories are sorted by
    their order. A lazy frame is evaluated once, and the result is lazy. ``PriceColumn`` describes how prices
    are read.

    With *count*, the name of a column of ints, a row stands for that many prices (none if it is 0). The
    tables of several files can thus be concatenated and read again.

    With ``on_error="return"``, faulty values do not raise ``InvalidAmount``: all faulty rows are returned as
    a frame with the columns ``row`` (counted from 0), ``column`` and ``fault``. This needs an eager frame.

    >>> import pandas as pd
    >>> offers = pd.DataFrame({"season": ["w", "s", "w"], "chf": ["69.00", "49", "69"]})
    >>> counts = price_counts(offers, "chf", by=["season"], currency="CHF")
    >>> print(counts.to_string(index=False))
    season  chf  count
         s 4900      1
         w 6900      2
    >>> twice = pd.concat([counts, counts])
    >>> price_counts(twice, "chf", by="season", count="count")["count"].tolist()
    [2, 4]

    Raises:
        InvalidInput: *frame* is not a frame, or a column is missing, unreadable or named like a result.
        InvalidAmount: prices are null, negative, not amounts, or in several currencies, or counts are null or
            negative. The message gives the column, the number of rows and the first rows, counted from 0; for
            a lazy frame, whose rows have no order, it gives the groups.
        InvalidWeights: the counts add up to 2^63 or more.
        UnknownCurrency: *currency* is unknown.
        UnitRequired: the prices are ints with a currency, and *unit* is not given.
        InvalidOption: *unit*, *rounding*, *negatives*, *nulls* or *on_error* is not a valid option.
    """

    def columns(tally: Tally) -> list[Column]:
        counts = tally.counts()
        groups, found, times = counts.prices.table()
        return [
            *counts.key_columns(groups),
            int_column(price, found),
            int_column("count", times),
        ]

    return table_of(frame, price, options, columns)


@lists_options(PriceOptions)
def distributions(frame: object, price: str = "price", **options: Unpack[PriceOptions]) -> Distributions:
    """Return the price distribution of each group, keyed by its values in the columns *by*, null last.

    Keys are tuples; with one column, plain values work, too. Without *by*, the only key is ``()``.

    >>> import pandas as pd
    >>> offers = pd.DataFrame({"season": ["w", "s", "w"], "rappen": [6900, 4900, 7400]})
    >>> distributions(offers, "rappen", by="season")["w"].quantile(50)
    Fraction(7150, 1)

    Raises:
        InvalidInput, InvalidAmount, InvalidWeights: as for ``price_counts``.
        UnknownCurrency, UnitRequired, InvalidOption: as for ``price_counts``.
    """
    column, by = read_options(price, options)
    own = frame_of(frame)
    tally = tallied(own, column, by)
    refuse_faults(tally, own)
    return tally.counts().distributions()


@lists_options(TableOptions)
def quantiles(
    frame: Native,
    price: str = "price",
    *,
    percents: Iterable[Percent] = (10, 25, 50, 75, 90),
    **options: Unpack[TableOptions],
) -> Native:
    """Return the mean and the quantiles of the prices of each group: one row per group.

    The columns *by* are followed by ``n``, ``mean`` and a column for each of *percents*, in their order: p10
    for 10, p97_5 for Fraction("97.5"), p100/3 for Fraction(100, 3), which no decimal equals. Amounts are
    int64: the exact values, each rounded half even to whole minor units. Quantiles are of the type
    ``QuantileMethod.LINEAR``. ``distributions`` gives unrounded values and the other types.

    >>> import pandas as pd
    >>> offers = pd.DataFrame({"season": ["w", "s", "w", "w"], "rappen": [6900, 4900, 7400, 5900]})
    >>> print(quantiles(offers, "rappen", by="season", percents=[50, 90]).to_string(index=False))
    season  n  mean  p50  p90
         s  1  4900 4900 4900
         w  3  6733 6900 7300

    Raises:
        InvalidPercent: *percents* is not a list of different ints and Fractions from 0 to 100.
        InvalidInput, InvalidAmount, InvalidWeights: as for ``price_counts``.
        UnknownCurrency, UnitRequired, InvalidOption: as for ``price_counts``.
    """
    named = named_percents(percents)

    def columns(tally: Tally) -> list[Column]:
        counts = tally.counts()
        prices, groups = counts.prices, counts.prices.observed
        return [
            *counts.key_columns(groups),
            int_column("n", prices.n(groups)),
            int_column("mean", prices.means(groups)),
            *(int_column(name, prices.quantile(groups, at)) for name, at in named.items()),
        ]

    return table_of(frame, price, options, columns)


@lists_options(TableOptions)
def insights(
    frame: Native,
    price: str = "price",
    *,
    benchmark: Benchmark | None = None,
    lower: Percent = LOWER_PERCENT,
    upper: Percent = UPPER_PERCENT,
    **options: Unpack[TableOptions],
) -> Native:
    """Summarise the prices of each group, and rank a benchmark among them: one row per group.

    The columns *by* are followed by ``n``, ``minimum``, ``lower``, ``median``, ``upper``, ``maximum``, and
    with a *benchmark* also ``benchmark``, ``percentile``, ``interpolated_percent`` and ``level``. Amounts are
    int64 minor units; thresholds and median are rounded half even to whole minor units. Ranks are float64:
    the exact rank is rounded half even to four decimals and stored as the nearest binary fraction, which
    prints as these decimals. ``level`` is ``low``, ``typical`` or ``high``. ``distributions`` gives unrounded
    ranks, ``ranks`` those of every row.

    A *benchmark* must have the unit of the prices: an int for ints; a string or Decimal such as ``"69.50"``
    for decimals, strings or floats in a currency. There, an int is refused, because 79 could mean 0.79.

    >>> import pandas as pd
    >>> offers = pd.DataFrame({"season": ["w", "s", "w", "w"], "rappen": [6900, 4900, 7400, 5900]})
    >>> found = insights(offers, "rappen", by="season", benchmark=5000)
    >>> print(found[["season", "lower", "upper", "percentile", "level"]].to_string(index=False))
    season  lower  upper  percentile level
         s   4900   4900       100.0  high
         w   6400   7150         0.0   low

    Raises:
        InvalidInput: as for ``price_counts``, or *benchmark* has no price for a group.
        InvalidPercent: *lower* or *upper* is not a percentage, or *lower* is above *upper*.
        InvalidAmount: as for ``price_counts``, or the *benchmark* is not in the unit of the prices.
        UnknownCurrency, UnitRequired, InvalidOption: as for ``price_counts``.
    """
    percents = thresholds(lower, upper)

    def columns(tally: Tally) -> list[Column]:
        counts = tally.counts()
        prices, groups = counts.prices, counts.prices.observed
        low, high = (prices.quantile(groups, each) for each in percents)
        spread = [
            *counts.key_columns(groups),
            int_column("n", prices.n(groups)),
            int_column("minimum", prices.price_at(groups, np.ones_like(groups))),
            int_column("lower", low),
            int_column("median", prices.quantile(groups, 50)),
            int_column("upper", high),
            int_column("maximum", prices.price_at(groups, prices.n(groups))),
        ]
        if benchmark is None:
            return spread
        keys = [counts.keys[group] for group in groups.tolist()]
        judged = np.array(prices_to_judge(benchmark, counts, keys), object)
        # No price is outside these bounds, so a benchmark that is need not fit int64.
        bounded = np.clip(judged, -_GREATEST, _GREATEST).astype(np.int64)
        places, ends = (prices.distinct.searchsorted(bounded, side) for side in ("left", "right"))
        ranked = prices.ranks(groups, judged, places, ends)
        return [*spread, int_column("benchmark", judged), *rank_columns(ranked, judged, low, high)]

    return table_of(frame, price, options, columns)


_GREATEST = 2**63 - 1
