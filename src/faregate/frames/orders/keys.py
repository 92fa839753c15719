"""Keys by which rows of orders are grouped in reports; dates become ISO weeks."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


def cannot_be_keys(dtype: Any) -> bool:
    """Return True if the values of an Arrow type are lists, structures or binary fractions."""
    return bool(pa.types.is_nested(dtype) or pa.types.is_floating(dtype))


def week_or_text(column: Any) -> Any:
    """Return the values of *column*, of a plain type, as strings; dates become ISO weeks such as 2026-W01."""
    is_time = pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)
    if is_time:
        days = column.cast(pa.date32(), safe=False) if pa.types.is_date(column.type) else column
        return pc.strftime(days.cast(pa.timestamp("s", getattr(days.type, "tz", None)), safe=False), "%G-W%V")
    return column.cast(pa.string())
