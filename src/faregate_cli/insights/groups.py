"""Prices of a file by group: what is asked, how they are counted, and what they say. Decisions §10."""

from __future__ import annotations

from collections import Counter
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from faregate.errors import InvalidInput
from faregate.insights.distribution import PriceDistribution, price_insight

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from faregate.insights.distribution import PriceInsight
    from faregate.money.amounts import MinorUnits
    from faregate.money.currency import Currency

__all__ = [
    "CSV",
    "MOST_FAULTS",
    "MOST_GROUPS",
    "MOST_PRICES_AT_HAND",
    "PARQUET",
    "FileInsights",
    "Group",
    "Inquiry",
    "Key",
    "PriceUnit",
    "Tally",
]

CSV, PARQUET = (".csv", ".tsv", ".txt"), (".parquet", ".pq")
"""How the names of files end that can be read."""

MOST_FAULTS = 50
"""So many faulty rows are listed; others are only counted."""

MOST_PRICES_AT_HAND = 65_536
"""Prices repeat: so many values are remembered, each with the amount that it is."""

MOST_GROUPS = 1000
"""More cannot be taken in, and would be kept in memory."""

Key: TypeAlias = tuple[str | None, ...]
"""What a row has in the columns that it is grouped by; None: nothing."""


class PriceUnit(Enum):
    """The unit of integers, as in ``faregate.frames``, whose packages not every file needs."""

    MINOR = "minor"
    MAJOR = "major"


class Inquiry(NamedTuple):
    """What is asked: how the prices in a column of ``file`` lie, in each group, and where ``benchmark`` is.

    ``lower`` and ``upper`` are percentages; ``unit`` is that of integers in a Parquet file.
    """

    file: Path
    price: str
    by: tuple[str, ...]
    benchmark: MinorUnits | None
    lower: Fraction
    upper: Fraction
    currency: Currency
    unit: PriceUnit | None = None

    @property
    def is_parquet(self) -> bool:
        """Whether the file is one by its name; else it is CSV."""
        return self.file.suffix.lower() in PARQUET

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that are read, each once."""
        return tuple(dict.fromkeys((self.price, *self.by)))


class Group(NamedTuple):
    """The prices of one group, and how the benchmark compares; without one only its thresholds count."""

    key: Key
    distribution: PriceDistribution
    insight: PriceInsight


class FileInsights(NamedTuple):
    """What a file says, group by group in the order of their keys."""

    inquiry: Inquiry
    groups: tuple[Group, ...]

    @property
    def together(self) -> PriceDistribution:
        """The prices of all groups."""
        return sum((group.distribution for group in self.groups), PriceDistribution())


class Tally:
    """Counts how often each price occurs in each group; keeps what is wrong with rows."""

    def __init__(self, inquiry: Inquiry) -> None:
        self._inquiry = inquiry
        self._counts: dict[Key, Counter[MinorUnits]] = {}
        self._faults: list[str] = []
        self._unlisted = 0

    def add(self, key: Key, price: MinorUnits, times: int = 1) -> None:
        """Count a price.

        Raises:
            InvalidInput: there are too many groups.
        """
        counts = self._counts.get(key)
        if counts is None:
            if len(self._counts) == MOST_GROUPS:
                names = ", ".join(self._inquiry.by)
                raise InvalidInput(f"--by: more than {MOST_GROUPS} groups of {names}: name fewer columns")
            counts = self._counts[key] = Counter()
        counts[price] += times

    def refuse(self, place: str, reason: str) -> None:
        """Keep what is wrong with a row."""
        if len(self._faults) < MOST_FAULTS:
            self._faults.append(f"{place}: {reason}")
        else:
            self._unlisted += 1

    def insights(self) -> FileInsights:
        """What was counted says.

        Raises:
            InvalidInput: rows are at fault, or there are none.
        """
        if self._faults:
            rest = [f"and {self._unlisted} more faulty rows"] if self._unlisted else []
            raise InvalidInput(*self._faults, *rest)
        if not self._counts:
            raise InvalidInput(f"{self._inquiry.file}: holds no prices")
        keys = sorted(self._counts, key=lambda key: [(part is None, part or "") for part in key])
        return FileInsights(self._inquiry, tuple(self._group(key) for key in keys))

    def _group(self, key: Key) -> Group:
        counts, asked = self._counts[key], self._inquiry
        distribution = PriceDistribution.from_counts(counts.keys(), counts.values())
        price = distribution.prices[0] if asked.benchmark is None else asked.benchmark
        return Group(
            key, distribution, price_insight(distribution, price, lower=asked.lower, upper=asked.upper)
        )
