"""Price distributions as tables for any library that supports the Arrow C stream interface."""

from __future__ import annotations

from dataclasses import dataclass

from faregate.insights.distribution import PriceDistribution


@dataclass(frozen=True, slots=True)
class PriceTable:
    """A table of the prices in a distribution, ascending: int64 columns ``price`` and ``count``.

    Pass it to ``polars.DataFrame``, ``pyarrow.table``, ``duckdb`` or ``pandas.DataFrame.from_arrow``.
    """

    distribution: PriceDistribution

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a PyCapsule that holds the table as an Arrow C stream."""
        import pyarrow as pa  # imported on first use: frames of other engines load without it

        columns = {"price": self.distribution.prices, "count": self.distribution.counts}
        table = pa.table({name: pa.array(values, pa.int64()) for name, values in columns.items()})
        return table.__arrow_c_stream__(requested_schema)


def counts_table(distribution: PriceDistribution) -> PriceTable:
    """Return *distribution* as a table of prices, in minor units, and their counts.

    >>> import pyarrow as pa
    >>> from faregate import PriceDistribution
    >>> pa.table(counts_table(PriceDistribution.from_prices([6900, 5900, 6900]))).to_pylist()
    [{'price': 5900, 'count': 1}, {'price': 6900, 'count': 2}]
    """
    return PriceTable(distribution)
