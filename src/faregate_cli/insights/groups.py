"""Prices in a file, counted by group: the query, the counter and the insights. Decisions §10."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from faregate.arguments.suggestions import did_you_mean
from faregate.errors import InvalidAmount, InvalidInput
from faregate.files.text.issues import shown
from faregate.insights.distribution import PriceDistribution, PriceInsight, price_insight
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate_cli.terminal.amounts import read_price
from faregate_cli.terminal.groups import MAX_GROUPS, GroupKey, group_order

CSV, PARQUET = (".csv", ".tsv", ".txt"), (".parquet", ".pq")
"""File name suffixes of the two formats that can be read."""

MAX_FAULTS = 50
"""Maximum number of faulty rows that are listed; further ones are only counted."""

_MAX_CACHED_PRICES = 65_536  # prices repeat
_MAX_PRICE_LENGTH = 64
_MAX_SHOWN_NAMES = 10


class InsightQuery(NamedTuple):
    """A query on a file of prices: its columns, two thresholds in percent, and the price to rank, if any.

    ``unit`` is the unit of integers in a Parquet file: ``minor`` or ``major``.
    """

    file: Path
    price: str
    by: tuple[str, ...]
    benchmark: MinorUnits | None
    lower: Fraction
    upper: Fraction
    currency: Currency
    unit: str | None = None


class PriceGroup(NamedTuple):
    """A group of prices and its insight; without a benchmark, only the insight's thresholds have meaning."""

    key: GroupKey
    distribution: PriceDistribution
    insight: PriceInsight


class FileInsights(NamedTuple):
    """The insights for each group of prices in a file; ``groups`` are sorted by key."""

    query: InsightQuery
    groups: tuple[PriceGroup, ...]

    @property
    def together(self) -> PriceDistribution:
        """The distribution of the prices of all groups."""
        return sum((group.distribution for group in self.groups), PriceDistribution())


class PriceCounter:
    """A counter of prices by group, which also collects the faults of rows."""

    def __init__(self, query: InsightQuery) -> None:
        self._query = query
        self._counts: dict[GroupKey, Counter[MinorUnits]] = {}
        self._faults: list[str] = []
        self._unlisted = 0

    def add(self, key: GroupKey, price: MinorUnits, times: int = 1) -> None:
        """Add *times* occurrences of *price* to the group *key*.

        Raises:
            InvalidInput: there are too many groups.
        """
        counts = self._counts.get(key)
        if counts is None:
            if len(self._counts) == MAX_GROUPS:
                names = ", ".join(self._query.by)
                raise InvalidInput(f"--by: more than {MAX_GROUPS} groups of {names}: name fewer columns")
            counts = self._counts[key] = Counter()
        counts[price] += times

    def refuse(self, loc: str, reason: str) -> None:
        """Record that the row at *loc* is faulty, with the *reason* to show."""
        if len(self._faults) < MAX_FAULTS:
            self._faults.append(f"{loc}: {reason}")
        else:
            self._unlisted += 1

    def insights(self) -> FileInsights:
        """Return the insights for all prices that were counted.

        Raises:
            InvalidInput: rows are faulty, or the file has no prices.
        """
        if self._faults:
            rest = [f"and {self._unlisted} more faulty rows"] if self._unlisted else []
            raise InvalidInput(*self._faults, *rest)
        if not self._counts:
            raise InvalidInput(f"{self._query.file}: has no prices")
        keys = sorted(self._counts, key=group_order)
        return FileInsights(self._query, tuple(self._group(key) for key in keys))

    def _group(self, key: GroupKey) -> PriceGroup:
        counts, query = self._counts[key], self._query
        distribution = PriceDistribution.from_counts(counts.keys(), counts.values())
        price = distribution.prices[0] if query.benchmark is None else query.benchmark
        insight = price_insight(distribution, price, lower=query.lower, upper=query.upper)
        return PriceGroup(key, distribution, insight)


def price_reader(unit: Currency) -> Callable[[str], MinorUnits | str]:
    """Return a function that parses a string as an amount in *unit*, or describes why it is not one."""

    @lru_cache(maxsize=_MAX_CACHED_PRICES)
    def read(text: str) -> MinorUnits | str:
        if not text.strip():
            return "is empty"
        try:
            return read_price(unit, text.strip())
        except InvalidAmount as error:
            return str(error) if len(text) <= _MAX_PRICE_LENGTH else f"{shown(text)} is not an amount"

    return read


def column_indices(query: InsightQuery, names: Sequence[str]) -> list[int]:
    """Return the positions in *names* of the price column and then of the columns to group by.

    Raises:
        InvalidInput: lists the columns that are missing or ambiguous.
    """
    columns = [("--price", query.price), *[("--by", name) for name in query.by]]
    faults = [
        f"{option}: unknown column {shown(name)}{_hint(name, names)}"
        if name not in names
        else f"{option}: there are {names.count(name)} columns {shown(name)}"
        for option, name in columns
        if names.count(name) != 1
    ]
    if faults:
        raise InvalidInput(*faults)
    return [names.index(name) for _, name in columns]


def _hint(name: str, names: Sequence[str]) -> str:
    some = ", ".join(names[:_MAX_SHOWN_NAMES]) + (" …" if len(names) > _MAX_SHOWN_NAMES else "")
    return did_you_mean(name, names) or f", only {some or 'none'}"
