"""Promo codes entered in many baskets, and the result of each. Decisions §3.7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from faregate.batch.columns.offsets import baskets_of, checked_offsets, integers
from faregate.batch.columns.values import Numbers
from faregate.batch.columns.views import columns_html
from faregate.batch.discounts.eligibility import REASONS, VALID, Reasons
from faregate.discounts.eligibility import RejectionReason
from faregate.errors import InvalidDiscount, InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodeColumns:
    """Codes entered in each basket, in the order of entry, basket by basket.

    *codes* are indexes into the sequence of promo codes: int64 ``[e]``; *offsets*: int64 ``[m + 1]``.

    Raises:
        InvalidInput: a column has the wrong dtype or shape, or an index is negative.
        InvalidDiscount: the same code is entered twice in a basket.
    """

    offsets: Numbers
    codes: Numbers

    def __post_init__(self) -> None:
        codes = integers("codes", self.codes)
        offsets = checked_offsets(self.offsets, lines=len(codes))
        object.__setattr__(self, "codes", codes)
        object.__setattr__(self, "offsets", offsets)
        if codes.min(initial=0) < 0:
            raise InvalidInput(f"codes: expected indexes of at least 0, got {codes.min()}")
        self._refuse_twice()

    def _refuse_twice(self) -> None:
        baskets, codes = self.baskets, self.codes
        is_same = baskets[1:] == baskets[:-1]
        if (is_same & (codes[1:] <= codes[:-1])).any():
            # Sort only if needed: the codes mostly ascend already.
            codes = codes[np.lexsort((codes, baskets))]
            is_twice = is_same & (codes[1:] == codes[:-1])
            if is_twice.any():
                raise InvalidDiscount(f"row {baskets[np.argmax(is_twice)]}: the same code is entered twice")

    @property
    def baskets(self) -> Numbers:
        """For each entry, the row of its basket: int64 ``[e]``."""
        return baskets_of(self.offsets)

    def check(self, baskets: int, codes: int) -> None:
        """Check the entries against the number of *baskets* and of *codes*.

        Raises:
            InvalidInput: the number of baskets differs, or an index is not below the number of codes.
        """
        own, most = len(self.offsets) - 1, int(self.codes.max(initial=-1))
        if own != baskets or most >= codes:
            wanted = f"{baskets} baskets and indexes below {codes}"
            raise InvalidInput(
                f"codes entered: expected {wanted}, got {own} baskets and indexes up to {most}"
            )

    def index_of(self, index: int) -> slice:
        """Return a slice that selects the entries of the basket in row *index*."""
        return slice(int(self.offsets[index]), int(self.offsets[index + 1]))

    def part(self, baskets: slice) -> CodeColumns:
        """Return the entries of some consecutive *baskets*, unchecked."""
        first, last = self.offsets[baskets.start], self.offsets[baskets.stop]
        return _unchecked(self.codes[first:last], self.offsets[baskets.start : baskets.stop + 1] - first)


def every_code(count: int, baskets: int) -> CodeColumns:
    """Return columns in which all *count* codes are entered in every basket."""
    return _unchecked(np.tile(np.arange(count), baskets), np.arange(baskets + 1) * count)


def _unchecked(codes: Numbers, offsets: Numbers) -> CodeColumns:
    columns = object.__new__(CodeColumns)
    object.__setattr__(columns, "codes", codes)
    object.__setattr__(columns, "offsets", offsets)
    return columns


class CodeResults(NamedTuple):
    """Result of each entered code, in the order of the entries.

    ``amounts`` and ``unapplied`` are int64 ``[e]``; ``reasons`` is int8 ``[e]``: ``VALID``, or the index of
    the rejection reason in ``REASONS``.
    """

    entered: CodeColumns
    amounts: Numbers
    unapplied: Numbers
    reasons: Reasons

    def part(self, baskets: slice) -> CodeResults:
        """Return views of the results of some consecutive *baskets*."""
        entered = self.entered
        own = slice(int(entered.offsets[baskets.start]), int(entered.offsets[baskets.stop]))
        return CodeResults(entered.part(baskets), self.amounts[own], self.unapplied[own], self.reasons[own])

    def reason(self, entry: int) -> RejectionReason | None:
        """Return the reason why the code in *entry* was rejected; None if it was applied."""
        code = int(self.reasons[entry])
        return None if code == VALID else REASONS[code]

    def _repr_html_(self) -> str:
        return columns_html(self)
