"""Counting of the prices in each group, by a single group-by inside the engine."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

import narwhals.stable.v2 as nw
import numpy as np
import pyarrow as pa

from faregate.batch.columns.values import Numbers
from faregate.batch.insights.distribution import least_dtype
from faregate.batch.insights.distribution import tallied as tallied_keys
from faregate.batch.insights.grouped import GroupedPrices
from faregate.batch.insights.prices import Integers, add_counts, parts
from faregate.errors import InvalidWeights
from faregate.frames.columns.encoded import Encoded, combined, encoded_column
from faregate.frames.columns.faults import FaultyCount, faulty_amounts
from faregate.frames.columns.groups import GroupColumn, groupable
from faregate.frames.columns.prices import (
    FaultyValue,
    Kind,
    Observed,
    PriceColumn,
    PriceReader,
    is_left_out,
)
from faregate.frames.columns.types import checked_kind
from faregate.frames.engines import Column, Frame, renamed
from faregate.insights.distribution import PriceDistribution
from faregate.money.currency import Currency, currency

Key: TypeAlias = tuple[Any, ...]
"""Key of a group: its values in the group columns, in the order of these columns."""


_MAX_KEYS = 5
_GREATEST = 2**63 - 1


class Distributions(dict[Any, PriceDistribution]):
    """Price distributions by group. Keys are tuples; with one group column, plain values work, too."""

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or super().__contains__((key,))

    def get(self, key: Any, default: Any = None) -> Any:
        """Return the distribution of the group *key*, or *default* if the group does not exist."""
        return super().get((key,) if super().__contains__((key,)) else key, default)

    def __missing__(self, key: object) -> PriceDistribution:
        """Return the distribution of the group with the plain value *key* in its single group column."""
        if super().__contains__((key,)):
            return self[key,]
        shown = [*map(repr, islice(self, _MAX_KEYS)), *(["…"] if len(self) > _MAX_KEYS else [])]
        raise KeyError(f"no group {key!r}{', only ' if shown else ' in an empty frame'}{', '.join(shown)}")


class Counts(NamedTuple):
    """Prices of each group, the groups ascending by key with null last, and the Arrow types of the keys.

    ``groups`` has the group of each key of the tally, ``places`` the index of each cell's price.
    """

    by: tuple[str, ...]
    group_columns: Sequence[GroupColumn]
    keys: Sequence[Key]
    prices: GroupedPrices
    groups: Numbers
    places: Numbers
    reader: PriceReader

    def distributions(self) -> Distributions:
        """Return the distribution of each group."""
        # A group with nothing but prices that are left out or counted 0 times is the same as no group.
        groups = self.prices.observed if self.by else np.arange(1)
        keys = [self.keys[group] for group in groups.tolist()]
        return Distributions(zip(keys, self.prices.distributions(groups), strict=True))

    def unit_of(self, key: Key) -> Currency | None:
        """Return the currency of a group's prices if they are in major units; None for minor units."""
        column, kind, only = self.reader.column, self.reader.kind, self.reader.only
        if kind is Kind.MINOR_UNITS:
            return None
        code = dict(zip(self.by, key, strict=True)).get(str(column.currency_column), only)
        return column.stated_currency or currency(str(code))

    def key_columns(self, groups: Integers) -> list[Column]:
        """Return the group columns of a result that has one row for each of *groups*."""
        columns = []
        for index, (name, own) in enumerate(zip(self.by, self.group_columns, strict=True)):
            values = np.fromiter((key[index] for key in self.keys), object, len(self.keys))
            columns.append(own.column(name, values[groups].tolist()))
        return columns


class Tally(NamedTuple):
    """Rows of a frame, or of a group-by inside its engine: the group, the cell and the number of each.

    ``observed`` holds each distinct cell as read, None for a null that is left out; ``cells`` has the index
    of each row's cell there. ``times`` is None for the rows of a frame.
    """

    by: tuple[str, ...]
    group_columns: Sequence[GroupColumn]
    keys: Encoded
    cells: Integers
    observed: list[Observed | FaultyValue | None]
    times: Integers | None
    reader: PriceReader

    def faulty(self) -> list[FaultyCount]:
        """Return the faulty cells of each group."""
        faults = {code: own for code, own in enumerate(self.observed) if isinstance(own, FaultyValue)}
        if not faults:
            return []
        rows = np.flatnonzero(np.isin(self.cells, [*faults]))
        size = len(self.observed)
        pairs = self.keys.codes[rows].astype(np.int64) * size + self.cells[rows]
        found, counts = tallied_keys(pairs, None if self.times is None else self.times[rows])
        return [
            FaultyCount(self.keys.values[pair // size], faults[pair % size], times)
            for pair, times in zip(found.tolist(), counts.tolist(), strict=True)
        ]

    def counts(self) -> Counts:
        """Return the prices of each group; no cell may be faulty.

        Raises:
            InvalidWeights: the counts add up to 2^63 or more.
        """
        order = sorted(range(len(self.keys.values)), key=lambda code: self._order(self.keys.values[code]))
        prices = [own.price if isinstance(own, Observed) else 0 for own in self.observed]
        distinct, places = np.unique(np.array(prices, np.int64), return_inverse=True)
        positions = np.argsort(order)
        column = np.empty(len(self.cells), least_dtype(len(order) * len(distinct)))
        for part in parts(len(column)):
            np.add(
                positions[self.keys.codes[part]] * len(distinct), places[self.cells[part]], out=column[part]
            )
        grouped = GroupedPrices.counted(column, self._weights(), distinct=distinct, size=len(order))
        keys = [self.keys.values[code] for code in order]
        return Counts(self.by, self.group_columns, keys, grouped, positions, places, self.reader)

    def _weights(self) -> Integers | None:
        counts = np.array([own.times if isinstance(own, Observed) else 0 for own in self.observed], np.int64)
        if (counts == 1).all():
            return self.times
        rows = np.zeros(len(counts), np.int64)
        add_counts(rows, self.cells, self.times)
        total = int(rows.astype(object) @ counts.astype(object))  # of Python ints, which cannot overflow
        if total > _GREATEST:
            raise InvalidWeights(f"expected counts that add up to at most {_GREATEST}, got {total}")
        return counts[self.cells] if self.times is None else self.times * counts[self.cells]

    def _order(self, key: Key) -> tuple[object, ...]:
        return tuple(own.order(value) for own, value in zip(self.group_columns, key, strict=True))


def refuse_faults(tally: Tally, frame: Frame) -> None:
    """Raise an error if *tally*, which was read from *frame*, has faulty cells."""
    faulty = tally.faulty()
    if faulty:
        raise faulty_amounts(faulty, frame, tally.reader, by=tally.by)


def tallied(frame: Frame, column: PriceColumn, by: Sequence[str]) -> Tally:
    """Read an eager frame row by row, any other by a single group-by.

    Raises:
        InvalidInput: a column is missing or has an unreadable type; the error lists all faults.
        UnknownCurrency: the currency is unknown.
    """
    kind = checked_kind(frame, column, by)
    aliases = [f"key{index}" for index in range(len(by))]
    chosen, group_columns = groupable(_chosen(frame, column, by), aliases)
    small = chosen if isinstance(chosen, nw.DataFrame) else _grouped(chosen).collect()
    rows = len(small)
    keys = combined([own.encoded(small, key) for own, key in zip(group_columns, aliases, strict=True)], rows)
    names = [name for name in ("value", "code", "count") if name in small.columns]
    cells = combined([encoded_column(small, name) for name in names], rows)
    times = None
    if "rows" in small.columns:
        counts, codes = encoded_column(small, "rows")
        times = np.array(counts, least_dtype(max(counts, default=0)))[codes]
    reader = PriceReader(column, kind, only=_only_currency(cells, times, column, by))
    observed = reader.ints(cells.values) if names == ["value"] else None
    if observed is None:
        observed = [reader.observed(**dict(zip(names, own, strict=True))) for own in cells.values]
    typed = [
        own._replace(dtype=_key_type(small.get_column(key).to_arrow()))
        for own, key in zip(group_columns, aliases, strict=True)
    ]
    return Tally(tuple(by), typed, keys, cells.codes, observed, times, reader)


def _chosen(frame: Frame, column: PriceColumn, by: Sequence[str]) -> Frame:
    """Return the columns to be read, renamed to names that are safe in every engine."""
    names = {f"key{index}": name for index, name in enumerate(by)} | {"value": column.name}
    for alias, name in (("code", column.currency_column), ("count", column.count)):
        if name is not None:
            names[alias] = name
    return renamed(frame, names)


def _grouped(chosen: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """Count equal rows. Stored counts are a part of the row, since engines add them up without a check."""
    names = chosen.collect_schema().names()
    return chosen.group_by(*names, drop_null_keys=False).agg(nw.len().alias("rows"))


def _only_currency(
    cells: Encoded, times: Integers | None, column: PriceColumn, by: Sequence[str]
) -> str | None:
    """Return the code of the only allowed currency (as given, or else the most frequent); None for any."""
    if column.stated_currency is not None:
        return column.stated_currency.code
    if column.currency_column is None or column.currency_column in by:
        return None
    counts: dict[str, float] = {}
    of_cell = np.bincount(cells.codes, times, len(cells.values)).tolist()
    for (price, code, *_), own in zip(cells.values, of_cell, strict=True):
        if code is not None and not is_left_out(price, column):
            counts[code] = counts.get(code, 0) + own
    return max(sorted(counts), key=counts.__getitem__, default=None)


def _key_type(key: Any) -> Any:
    """Return the Arrow type of the group column *key* in results: strings have one type in all engines."""
    types = pa.types
    is_text = types.is_null(key.type) or types.is_large_string(key.type) or types.is_string_view(key.type)
    return pa.string() if is_text else key.type
