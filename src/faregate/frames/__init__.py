"""Price statistics for data frames, and repricing of orders in them; results are frames of the same library.

Supports pandas, Polars, PyArrow, DuckDB, Dask and PySpark.

Statistics run one group-by inside the engine and fetch only how often each price occurs. All later steps are
exact and return the same rows for every engine (decisions §10). ``reprice`` and ``totals`` price past orders
again, ``reprice_parquet`` does so for orders in a Parquet file, and ``unknown_codes`` counts entered codes
that the rules do not define. ``what_if`` reports the change of revenue under other rules, and
``explain_order`` explains one order.

>>> import pyarrow as pa
>>> offers = pa.table({"season": ["winter", "summer", "winter"], "price": [6900, 4900, 7400]})
>>> found = insights(offers, price="price", by=["season"])
>>> for row in found.select(["season", "n", "lower", "upper"]).to_pylist():
...     print(row)
{'season': 'summer', 'n': 1, 'lower': 4900, 'upper': 4900}
{'season': 'winter', 'n': 2, 'lower': 7025, 'upper': 7275}

Needs the extra ``frames``: narwhals, pandas and PyArrow. Install Polars, DuckDB, Dask or PySpark (4.0 or
newer) separately.
"""

from __future__ import annotations

try:
    import narwhals.stable.v2  # noqa: F401  # what all modules here are built on
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "faregate.frames needs narwhals: install faregate[frames]", name="narwhals"
    ) from missing

from faregate.frames.columns.prices import Negatives, Nulls, OnError, PriceColumn, PriceUnit
from faregate.frames.orders.fields import Lines
from faregate.frames.orders.parquet import reprice_parquet
from faregate.frames.orders.reprice import reprice, totals, unknown_codes
from faregate.frames.orders.what_if import explain_order, what_if
from faregate.frames.prices.arrow import PriceTable, counts_table
from faregate.frames.prices.comparing import compare
from faregate.frames.prices.options import PriceOptions, TableOptions
from faregate.frames.prices.ranking import ranks
from faregate.frames.prices.reports import distributions, insights, price_counts, quantiles

__all__ = [
    "Lines",
    "Negatives",
    "Nulls",
    "OnError",
    "PriceColumn",
    "PriceOptions",
    "PriceTable",
    "PriceUnit",
    "TableOptions",
    "compare",
    "counts_table",
    "distributions",
    "explain_order",
    "insights",
    "price_counts",
    "quantiles",
    "ranks",
    "reprice",
    "reprice_parquet",
    "totals",
    "unknown_codes",
    "what_if",
]
