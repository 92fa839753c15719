"""Price distributions as tables for any library that supports the Arrow C stream interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from faregate.errors import InvalidAmount, InvalidInput, InvalidWeights
from faregate.frames.prices.counting import Key
from faregate.frames.prices.options import read_options
from faregate.insights.distribution import PriceDistribution
from faregate.money.amounts import LARGEST_AMOUNT
from faregate.money.currency import Currency

_GREATEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class PriceTable:
    """A table of stored counts: columns ``by``, int64 ``price`` and ``count``, and ``currency`` if given.

    Pass it to ``polars.DataFrame``, ``pyarrow.table``, ``duckdb`` or ``pandas.DataFrame.from_arrow``.
    """

    groups: Mapping[Key, PriceDistribution]
    by: tuple[str, ...] = ()
    currency: str | None = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a PyCapsule that holds the table as an Arrow C stream."""
        rows = [
            (key, price, count)
            for key, own in self.groups.items()
            for price, count in zip(own.prices, own.counts, strict=True)
        ]
        columns = {name: pa.array([key[index] for key, _, _ in rows]) for index, name in enumerate(self.by)}
        columns["price"] = pa.array([price for _, price, _ in rows], pa.int64())
        columns["count"] = pa.array([count for _, _, count in rows], pa.int64())
        if self.currency is not None:
            columns["currency"] = pa.array([self.currency] * len(rows), pa.string())
        return pa.table(columns).__arrow_c_stream__(requested_schema)


def counts_table(
    distribution: PriceDistribution | Mapping[Any, PriceDistribution],
    *,
    by: str | Sequence[str] = (),
    currency: Currency | str | None = None,
) -> PriceTable:
    """Return *distribution* as a table of prices, in minor units, and their counts.

    A mapping has a distribution for each group, as returned by ``distributions``; *by* names the columns of
    its keys. Groups without prices have no row. ``distributions`` with the same *by* and ``count="count"``
    reads the table back.

    >>> import pyarrow as pa
    >>> from faregate import PriceDistribution
    >>> winter = PriceDistribution.from_prices([6900, 5900, 6900])
    >>> pa.table(counts_table(winter)).to_pylist()
    [{'price': 5900, 'count': 1}, {'price': 6900, 'count': 2}]
    >>> pa.table(counts_table({"winter": winter}, by="season", currency="CHF")).to_pylist()[0]
    {'season': 'winter', 'price': 5900, 'count': 1, 'currency': 'CHF'}

    Raises:
        InvalidInput: *distribution* is neither a distribution nor a mapping of distributions, a key does not
            have a value for each column of *by*, or two columns have the same name.
        InvalidAmount: a price is beyond the largest amount that can be read back, 10^12 minor units.
        InvalidWeights: a count is 2^63 or more.
        UnknownCurrency: *currency* is unknown.
    """
    column, names = read_options("price", {"by": by, "currency": currency})
    own = [*names, "price", "count", *(["currency"] if currency is not None else [])]
    twice = sorted({name for name in own if own.count(name) > 1})
    if twice:
        raise InvalidInput(
            *(f"column {name!r}: another column has the same name; rename it" for name in twice)
        )
    given = {(): distribution} if isinstance(distribution, PriceDistribution) else distribution
    if not isinstance(given, Mapping):
        raise InvalidInput(f"distribution: expected one or a mapping of several, got {type(given).__name__}")
    groups = {key if isinstance(key, tuple) else (key,): counts for key, counts in given.items()}
    for key, counts in groups.items():
        _require_storable(key, counts, names)
    stated = column.stated_currency
    return PriceTable(groups, names, None if stated is None else stated.code)


def _require_storable(key: Key, counts: object, by: tuple[str, ...]) -> None:
    if not isinstance(counts, PriceDistribution):
        raise InvalidInput(f"group {key!r}: expected a price distribution, got {type(counts).__name__}")
    if len(key) != len(by):
        raise InvalidInput(f"by: expected {len(key)} names of columns, for keys such as {key!r}, got {by!r}")
    beyond = next((price for price in counts.prices if abs(price) > LARGEST_AMOUNT), None)
    if beyond is not None:
        raise InvalidAmount(f"price {beyond}: beyond {LARGEST_AMOUNT} minor units")
    if max(counts.counts, default=0) > _GREATEST:
        raise InvalidWeights(f"expected counts of at most {_GREATEST}, got {max(counts.counts)}")
