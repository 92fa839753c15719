"""Codes of past orders: as they were entered, and which of them the rules do not know."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from faregate.discounts.kinds import normalize_code
from faregate.errors import InvalidInput
from faregate.frames.columns.encoded import encoded
from faregate.frames.orders.fields import Lines
from faregate.frames.orders.groups import groups_of
from faregate.frames.orders.values import is_list

if TYPE_CHECKING:
    from collections.abc import Collection

    from faregate.batch.columns.values import Numbers
    from faregate.frames.columns.encoded import Ids

_SEPARATORS = re.compile(r"[\s,]+")
_UNSEEN = re.compile("\x1f")


class Entered(NamedTuple):
    """Codes that were entered together, each of them once; and which of these are in each row."""

    together: list[list[str]]
    rows: Numbers


def entered_codes(column: Ids) -> Entered:
    """The codes in a column of texts, or of lists of texts; null: none."""
    import pyarrow as pa  # only where it is used
    import pyarrow.compute as pc

    separators = _SEPARATORS
    if is_list(column.type):  # as texts, with a separator that no code has
        separators = _UNSEEN
        column = pc.binary_join(column.cast(pa.list_(pa.string())), _UNSEEN.pattern)
    texts, rows = encoded(column)
    return Entered([_apart(text, separators) for text in texts], rows)


def _apart(text: str | None, separators: re.Pattern[str]) -> list[str]:
    codes = map(normalize_code, separators.split(text or ""))
    return [code for code in dict.fromkeys(codes) if code]


def how_often(ids: Ids, column: Ids, *, known: Collection[str], by: str) -> Counter[str]:
    """In how many checkouts each code was entered that is not *known*; *ids* are those of the column *by*.

    Raises:
        InvalidInput: one of the ids is null.
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
    """The codes of most checkouts first, then by name."""
    return dict(sorted(counts.items(), key=lambda counted: (-counted[1], counted[0])))
