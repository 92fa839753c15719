"""Reports on frames of prices: counts, distributions, insights. Decisions §10."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain
from typing import TypeVar

from faregate.errors import InvalidInput
from faregate.frames.columns.prices import Negatives, PriceColumn, PriceUnit
from faregate.frames.engines import Column, frame_of, in_kind_of
from faregate.frames.prices.benchmarks import Benchmark, prices_to_judge
from faregate.frames.prices.counting import Counts, Distributions, counted
from faregate.insights.distribution import (
    LOWER_PERCENT,
    UPPER_PERCENT,
    PriceDistribution,
    PriceInsight,
    price_insight,
)
from faregate.insights.percentiles import Percent
from faregate.money.currency import Currency
from faregate.money.rounding import RoundingMode, divide_rounded

Native = TypeVar("Native")


def price_counts(
    frame: Native,
    *,
    price: str = "price",
    by: str | Sequence[str] = (),
    currency: Currency | str | None = None,
    currency_column: str | None = None,
    unit: PriceUnit | None = None,
    rounding: RoundingMode | None = None,
    negatives: Negatives = Negatives.REFUSED,
) -> Native:
    """Count the rows with each price: return the columns *by*, the column *price*, and ``count``.

    The result is sorted by group (null last), then by price. Prices are int64 minor units, counts int64;
    group columns keep their type, but categories become texts. A lazy frame is evaluated once, and the result
    is lazy. ``PriceColumn`` describes how prices are read.

    >>> import pandas as pd
    >>> offers = pd.DataFrame({"season": ["w", "s", "w"], "chf": ["69.00", "49", "69"]})
    >>> print(price_counts(offers, price="chf", by=["season"], currency="CHF").to_string(index=False))
    season  chf  count
         s 4900      1
         w 6900      2

    Raises:
        InvalidInput: *frame* is not a frame, or a column is missing, unreadable or named like a result.
        InvalidAmount: prices are null, negative, not amounts, or in several currencies. The message gives the
            column, the number of rows and the first rows, counted from 0; for a lazy frame, whose rows have
            no order, it gives the groups.
        UnknownCurrency: *currency* is unknown.
        UnitRequired: the prices are ints with a currency, and *unit* is not given.
        InvalidOption: *unit*, *rounding* or *negatives* is not a valid option.
    """
    column = PriceColumn(price, currency, currency_column, unit, rounding, negatives)
    counts = _counts(frame, column, by)
    groups = counts.groups.values()
    columns = [
        *counts.key_columns([key for key, own in counts.groups.items() for _ in own.prices]),
        _ints(price, chain.from_iterable(own.prices for own in groups)),
        _ints("count", chain.from_iterable(own.counts for own in groups)),
    ]
    return _result(frame, columns)


def distributions(
    frame: object,
    *,
    price: str = "price",
    by: str | Sequence[str] = (),
    currency: Currency | str | None = None,
    currency_column: str | None = None,
    unit: PriceUnit | None = None,
    rounding: RoundingMode | None = None,
    negatives: Negatives = Negatives.REFUSED,
) -> Distributions:
    """Return the price distribution of each group, keyed by its values in the columns *by*, null last.

    Keys are tuples; with one column, plain values work, too. Without *by*, the only key is ``()``.

    >>> import pandas as pd
    >>> offers = pd.DataFrame({"season": ["w", "s", "w"], "rappen": [6900, 4900, 7400]})
    >>> distributions(offers, price="rappen", by="season")["w"].quantile(50)
    Fraction(7150, 1)

    Raises:
        InvalidInput, InvalidAmount, UnknownCurrency, UnitRequired, InvalidOption: as for ``price_counts``.
    """
    column = PriceColumn(price, currency, currency_column, unit, rounding, negatives)
    return _counts(frame, column, by).groups


def insights(  # noqa: PLR0913 - every option is listed, so that Python refuses all others
    frame: Native,
    *,
    price: str = "price",
    by: str | Sequence[str] = (),
    benchmark: Benchmark | None = None,
    lower: Percent = LOWER_PERCENT,
    upper: Percent = UPPER_PERCENT,
    currency: Currency | str | None = None,
    currency_column: str | None = None,
    unit: PriceUnit | None = None,
    rounding: RoundingMode | None = None,
    negatives: Negatives = Negatives.REFUSED,
) -> Native:
    """Summarise the prices of each group, and rank a benchmark among them: one row per group.

    The columns *by* are followed by ``n``, ``minimum``, ``lower``, ``upper``, ``maximum``, and with a
    *benchmark* also ``benchmark``, ``percentile``, ``interpolated_percent`` and ``level``. Amounts are int64
    minor units; thresholds are rounded half even to whole minor units. Ranks are float64: the exact rank is
    rounded half even to four decimals and stored as the nearest binary fraction, which prints as these
    decimals. ``level`` is ``low``, ``typical`` or ``high``. ``distributions`` gives unrounded ranks.

    A *benchmark* must have the unit of the prices: an int for ints; a string or Decimal such as ``"69.50"``
    for decimals, strings or floats in a currency. There, an int is refused, because 79 could mean 0.79.

    >>> import pandas as pd
    >>> offers = pd.DataFrame({"season": ["w", "s", "w", "w"], "rappen": [6900, 4900, 7400, 5900]})
    >>> found = insights(offers, price="rappen", by="season", benchmark=5000)
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
    column = PriceColumn(price, currency, currency_column, unit, rounding, negatives)
    counts = _counts(frame, column, by)
    groups = {key: own for key, own in counts.groups.items() if own.n}
    judged = _first_prices(counts) if benchmark is None else prices_to_judge(benchmark, counts, [*groups])
    judged_groups = [
        price_insight(own, price, lower=lower, upper=upper)
        for own, price in zip(groups.values(), judged, strict=True)
    ]
    columns = [*counts.key_columns(list(groups)), *_spread(list(groups.values()), judged_groups)]
    return _result(frame, columns if benchmark is None else [*columns, *_standings(judged_groups)])


def _counts(frame: object, column: PriceColumn, by: str | Sequence[str]) -> Counts:
    groups = (by,) if isinstance(by, str) else tuple(by)
    return counted(frame_of(frame), column, groups)


def _first_prices(counts: Counts) -> list[int]:
    """Return the lowest price of each group, which stands in for a benchmark if none was given."""
    return [own.prices[0] for own in counts.groups.values() if own.n]


def _spread(groups: Sequence[PriceDistribution], judged_groups: Sequence[PriceInsight]) -> list[Column]:
    return [
        _ints("n", [own.n for own in groups]),
        _ints("minimum", [own.prices[0] for own in groups]),
        _ints("lower", [own.lower.price for own in judged_groups]),
        _ints("upper", [own.upper.price for own in judged_groups]),
        _ints("maximum", [own.prices[-1] for own in groups]),
    ]


def _standings(judged_groups: Sequence[PriceInsight]) -> list[Column]:
    benchmarks = [own.benchmark for own in judged_groups]
    return [
        _ints("benchmark", [own.price for own in benchmarks]),
        _ranks("percentile", [own.percentile for own in benchmarks]),
        _ranks("interpolated_percent", [own.interpolated_percent for own in benchmarks]),
        Column("level", [own.level.value for own in judged_groups], "string"),
    ]


def _ints(name: str, values: Iterable[int]) -> Column:
    return Column(name, list(values), "int64")


def _ranks(name: str, ranks: Iterable[Fraction]) -> Column:
    # Dividing two ints gives the nearest binary fraction, which prints as these four decimals.
    return Column(name, [_ten_thousandths(rank) / 10_000 for rank in ranks], "float64")


def _ten_thousandths(rank: Fraction) -> int:
    return divide_rounded(*(10_000 * rank).as_integer_ratio(), mode=RoundingMode.HALF_EVEN)


def _result(frame: Native, columns: Sequence[Column]) -> Native:
    names = [column.name for column in columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInput(*(f"column {name!r}: a result has the same name; rename it" for name in twice))
    result: Native = in_kind_of(frame_of(frame), columns)
    return result
