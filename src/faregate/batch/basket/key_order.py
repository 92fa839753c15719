"""Sorting of lines by key. Keys break ties, so callers can pass lines in any order. Decisions §3.9."""

from typing import Any

import numpy as np

from faregate.batch.basket.lines import LineColumns
from faregate.batch.columns.offsets import baskets_of
from faregate.errors import InvalidLines


def in_key_order(columns: LineColumns) -> tuple[LineColumns, Any]:
    """Return *columns* sorted by key within each basket, and the sorting index (None if already sorted)."""
    keys = columns.key
    if keys is None:
        return columns, None
    if columns.offsets is None:
        if (keys[1:] > keys[:-1]).all():
            return columns, None
        order: Any = (np.argsort(keys, axis=0), np.arange(keys.shape[1]))
        ascending = keys[order]
        is_twice = (ascending[1:] == ascending[:-1]).any(axis=0)
        basket = int(np.argmax(is_twice)) if is_twice.any() else None
    else:
        baskets = baskets_of(columns.offsets)
        is_same = baskets[1:] == baskets[:-1]
        if not (is_same & (keys[1:] <= keys[:-1])).any():
            return columns, None
        order = np.lexsort((keys, baskets))
        ascending = keys[order]
        is_twice = is_same & (ascending[1:] == ascending[:-1])
        basket = int(baskets[np.argmax(is_twice)]) if is_twice.any() else None
    if basket is not None:
        raise InvalidLines(f"row {basket}: two lines have the same key")
    return columns.part(order, columns.offsets), order
