"""Promo codes as entered in past orders, and counts of those that the rules do not define."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from faregate.batch.insights.prices import Integers
from faregate.discounts.kinds import normalize_code
from faregate.errors import InvalidInput
from faregate.frames.columns.encoded import Ids, encoded, one_array
from faregate.frames.orders.fields import Lines
from faregate.frames.orders.groups import groups_of
from faregate.frames.orders.values import is_list

_SEPARATORS = re.compile(r"[\s,]+")
_UNSEEN = re.compile("\x1f")


class Entered(NamedTuple):
    """Codes in a column: the distinct lists of codes (``together``), and the index of each row's list."""

    together: list[list[str]]
    rows: Integers


def entered_codes(column: Ids) -> Entered:
    """Return the codes in *column*, whose values are strings or lists of strings; null means no code."""
    separators = _SEPARATORS
    if is_list(column.type):  # as strings, with a separator that no code has
        separators = _UNSEEN
        column = pc.binary_join(one_array(column).cast(pa.list_(pa.string())), _UNSEEN.pattern)
    texts, rows = encoded(column)
    return Entered([_apart(text, separators) for text in texts], rows)


def _apart(text: str | None, separators: re.Pattern[str]) -> list[str]:
    codes = map(normalize_code, separators.split(text or ""))
    return [code for code in dict.fromkeys(codes) if code]


def how_often(ids: Ids, column: Ids, *, known: Collection[str], by: str) -> Counter[str]:
    """Count, for each code that is not *known*, the checkouts in which it was entered.

    *ids* holds the checkout id of each row, *column* its codes; errors refer to the id column as *by*.
    """
    if ids.null_count:
        raise InvalidInput(f"column {by!r}: expected the id of a checkout in every row, got null")
    together, rows = entered_codes(column)
    firsts = groups_of(ids, Lines.SCATTERED, column=by).firsts
    counts: Counter[str] = Counter()
    for codes, count in zip(together, np.bincount(rows[firsts], minlength=len(together)), strict=True):
        counts.update({code: int(count) for code in codes if count and code not in known})
    return counts


def ranked(counts: Counter[str]) -> dict[str, int]:
    """Return *counts* sorted by descending count, then by code."""
    return dict(sorted(counts.items(), key=lambda counted: (-counted[1], counted[0])))
