"""Price statistics for data frames, and repricing of orders in them; results are frames of the same library.

Supports pandas, Polars, PyArrow, DuckDB, Dask and PySpark.

Statistics run one group-by inside the engine and fetch only how often each price occurs. All later steps are
exact and return the same rows for every engine (decisions §10). ``reprice`` and ``totals`` price past orders
again, ``reprice_parquet`` does so for orders in a Parquet file, and ``unknown_codes`` counts entered codes
that the rules do not define. ``what_if`` reports the change of revenue under other rules, and
``explain_order`` explains one order.

>>> import pyarrow as pa
>>> from faregate.frames import insights
>>> offers = pa.table({"season": ["winter", "summer", "winter"], "price": [6900, 4900, 7400]})
>>> found = insights(offers, price="price", by=["season"])
>>> for row in found.select(["season", "n", "lower", "upper"]).to_pylist():
...     print(row)
{'season': 'summer', 'n': 1, 'lower': 4900, 'upper': 4900}
{'season': 'winter', 'n': 2, 'lower': 7025, 'upper': 7275}

Needs the extra ``frames``: narwhals, pandas and PyArrow, which are imported on first use. Install Polars,
DuckDB, Dask or PySpark (4.0 or newer) separately.
"""

from __future__ import annotations

from faregate._lazy import lazy

__getattr__, __dir__ = lazy(__name__, extra="faregate[frames]")
