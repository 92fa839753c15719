"""Counting of the prices in each group, by a single group-by inside the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np

from faregate.batch.columns.values import Numbers
from faregate.batch.insights.distribution import price_distributions
from faregate.frames.columns.encoded import Encoded, combined, encoded_column
from faregate.frames.columns.faults import FaultyCount, faulty_amounts
from faregate.frames.columns.prices import FaultyValue, Kind, PriceColumn, PriceReader
from faregate.frames.columns.types import CATEGORIES, checked_kind
from faregate.frames.engines import Column, Frame, renamed
from faregate.insights.distribution import PriceDistribution
from faregate.money.currency import Currency, currency

Key: TypeAlias = tuple[Any, ...]
"""Key of a group: its values in the group columns, in the order of these columns."""


_MAX_KEYS = 5


class Distributions(dict[Any, PriceDistribution]):
    """Price distributions by group. Keys are tuples; with one group column, plain values work, too."""

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or super().__contains__((key,))

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the distribution of the group *key*, or *default* if the group does not exist."""
        return super().get((key,) if super().__contains__((key,)) else key, default)

    def __missing__(self, key: object) -> PriceDistribution:
        """Return the distribution of the group with the plain value *key* in its single group column.

        Raises:
            KeyError: the group does not exist.
        """
        if super().__contains__((key,)):
            return self[key,]
        shown = [*map(repr, islice(self, _MAX_KEYS)), *(["…"] if len(self) > _MAX_KEYS else [])]
        raise KeyError(f"no group {key!r}{', only ' if shown else ' in an empty frame'}{', '.join(shown)}")


class Counts(NamedTuple):
    """Price distribution of each group, ascending by key with null last, and the Arrow types of the keys."""

    by: tuple[str, ...]
    key_types: tuple[Any, ...]
    groups: Distributions
    reader: PriceReader

    def unit_of(self, key: Key) -> Currency | None:
        """Return the currency of a group's prices if they are in major units; None for minor units."""
        column, kind, only = self.reader.column, self.reader.kind, self.reader.only
        if kind is Kind.MINOR_UNITS:
            return None
        code = dict(zip(self.by, key, strict=True)).get(str(column.currency_column), only)
        return column.stated_currency or currency(str(code))

    def key_columns(self, keys: Sequence[Key]) -> list[Column]:
        """Return the group columns of a result that has one row for each of *keys*."""
        return [
            Column(name, [key[index] for key in keys], dtype)
            for index, (name, dtype) in enumerate(zip(self.by, self.key_types, strict=True))
        ]


class _GroupCounts(NamedTuple):
    """Result of the group-by: each row has a group, a price (with its currency code, if any) and a count."""

    keys: Encoded
    prices: Encoded
    times: Numbers


def counted(frame: Frame, column: PriceColumn, by: Sequence[str]) -> Counts:
    """Return the price distribution of each group in *frame*, with prices in minor units.

    Raises:
        InvalidInput: a column is missing or has an unreadable type; the error lists all faults.
        InvalidAmount: values are not prices; the error lists all faults, with their first rows.
        UnknownCurrency: the currency is unknown.
    """
    kind = checked_kind(frame, column, by)
    small = _grouped(frame, column, by)
    tally = _tally(small, by)
    reader = PriceReader(column, kind, only=_only_currency(tally, column, by))
    amounts = [reader.read(*value) for value in tally.prices.values]
    faults = {code: amount for code, amount in enumerate(amounts) if isinstance(amount, FaultyValue)}
    if faults:
        raise faulty_amounts(_faulty_counts(tally, faults), frame, reader, by=by)
    types = tuple(_key_type(small.get_column(f"key{index}").to_arrow()) for index in range(len(by)))
    return Counts(tuple(by), types, _groups(tally, np.array(amounts, np.int64)), reader)


def _grouped(frame: Frame, column: PriceColumn, by: Sequence[str]) -> nw.DataFrame[Any]:
    """Return the result of the group-by, after renaming columns to names that are safe in every engine."""
    names = {f"key{index}": name for index, name in enumerate(by)} | {"price": column.name}
    if column.currency_column is not None:
        names["code"] = column.currency_column
    chosen = renamed(frame, names)
    categories = [name for name, dtype in chosen.collect_schema().items() if dtype.base_type() in CATEGORIES]
    # Cast before grouping: pandas 2 puts nulls of Arrow categories into another group.
    plain = chosen.with_columns(nw.col(name).cast(nw.String) for name in categories)
    counts = plain.group_by(*names, drop_null_keys=False).agg(nw.len().alias("times"))
    return counts.collect() if isinstance(counts, nw.LazyFrame) else counts


def _tally(small: nw.DataFrame[Any], by: Sequence[str]) -> _GroupCounts:
    rows = len(small)
    keys = combined([encoded_column(small, f"key{index}") for index in range(len(by))], rows)
    values = [encoded_column(small, name) for name in ("price", "code") if name in small.columns]
    times = encoded_column(small, "times")
    return _GroupCounts(keys, combined(values, rows), np.array(times.values, np.int64)[times.codes])


def _only_currency(tally: _GroupCounts, column: PriceColumn, by: Sequence[str]) -> str | None:
    """Return the code of the only allowed currency (as given, or else the most frequent); None for any."""
    if column.stated_currency is not None:
        return column.stated_currency.code
    if column.currency_column is None or column.currency_column in by:
        return None
    counts: dict[str, int] = {}
    of_price = np.bincount(tally.prices.codes, tally.times, len(tally.prices.values))
    for (_, code), times in zip(tally.prices.values, of_price.tolist(), strict=True):
        if code is not None:
            counts[code] = counts.get(code, 0) + times
    return max(sorted(counts), key=counts.__getitem__, default=None)


def _groups(tally: _GroupCounts, amounts: Numbers) -> Distributions:
    keys: list[Key] = tally.keys.values
    groups = price_distributions(
        amounts[tally.prices.codes], tally.keys.codes, count=len(keys), weights=tally.times
    )
    return Distributions(sorted(zip(keys, groups, strict=True), key=lambda group: _order(group[0])))


def _order(key: Key) -> tuple[object, ...]:
    return tuple((value is None, value) for value in key)


def _faulty_counts(tally: _GroupCounts, faults: Mapping[int, FaultyValue]) -> list[FaultyCount]:
    rows = np.flatnonzero(np.isin(tally.prices.codes, [*faults]))
    columns = (tally.keys.codes, tally.prices.codes, tally.times)
    return [
        FaultyCount(tally.keys.values[key], faults[price], times)
        for key, price, times in zip(*(column[rows].tolist() for column in columns), strict=True)
    ]


def _key_type(key: Any) -> Any:
    """Return the Arrow type of the group column *key* in results: strings have one type in all engines."""
    import pyarrow as pa  # imported on first use

    types = pa.types
    is_text = types.is_null(key.type) or types.is_large_string(key.type) or types.is_string_view(key.type)
    return pa.string() if is_text else key.type
