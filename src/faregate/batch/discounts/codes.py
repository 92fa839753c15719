"""The codes entered in many baskets, and what became of each. Decisions §3.7."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from faregate.batch.columns.offsets import baskets_of, checked_offsets, integers
from faregate.batch.columns.views import columns_html
from faregate.batch.discounts.eligibility import REASONS, VALID
from faregate.errors import InvalidDiscount, InvalidInput

if TYPE_CHECKING:
    from faregate.batch.columns.values import Numbers
    from faregate.batch.discounts.eligibility import Reasons
    from faregate.discounts.eligibility import RejectionReason


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CodeColumns:
    """Which codes were entered in each basket, in that order, the baskets one after the other.

    *codes* are indexes into the sequence of promo codes: int64 ``[e]``; *offsets*: int64 ``[m + 1]``.

    Raises:
        InvalidInput: other dtypes or shapes, or an index is negative.
        InvalidDiscount: a code is entered twice in a basket.
    """

    offsets: Numbers
    codes: Numbers

    def __post_init__(self) -> None:
        codes = integers("codes", self.codes)
        offsets = checked_offsets(self.offsets, lines=len(codes))
        object.__setattr__(self, "codes", codes)
        object.__setattr__(self, "offsets", offsets)
        if codes.min(initial=0) < 0:
            raise InvalidInput(f"codes: expected places of at least 0, got {codes.min()}")
        self._refuse_twice()

    def _refuse_twice(self) -> None:
        baskets, codes = self.baskets, self.codes
        is_same = baskets[1:] == baskets[:-1]
        if (is_same & (codes[1:] <= codes[:-1])).any():
            # Only then are they put in order: mostly they are.
            codes = codes[np.lexsort((codes, baskets))]
            is_twice = is_same & (codes[1:] == codes[:-1])
            if is_twice.any():
                raise InvalidDiscount(f"row {baskets[np.argmax(is_twice)]}: a code is entered twice")

    @property
    def baskets(self) -> Numbers:
        """Which basket each entry is of: int64 ``[e]``."""
        return baskets_of(self.offsets)

    def check(self, baskets: int, codes: int) -> None:
        """Refuse entries of another number of baskets, or beyond so many codes.

        Raises:
            InvalidInput: they are.
        """
        own, most = len(self.offsets) - 1, int(self.codes.max(initial=-1))
        if own != baskets or most >= codes:
            wanted = f"of {baskets} baskets, among {codes} codes"
            raise InvalidInput(
                f"codes entered: expected those {wanted}, got {own} baskets, places up to {most}"
            )

    def index_of(self, index: int) -> slice:
        """The entries of one basket."""
        return slice(int(self.offsets[index]), int(self.offsets[index + 1]))

    def part(self, baskets: slice) -> CodeColumns:
        """Those of some consecutive baskets, unchecked."""
        first, last = self.offsets[baskets.start], self.offsets[baskets.stop]
        return _unchecked(self.codes[first:last], self.offsets[baskets.start : baskets.stop + 1] - first)


def every_code(count: int, baskets: int) -> CodeColumns:
    """All of *count* codes in all *baskets*."""
    return _unchecked(np.tile(np.arange(count), baskets), np.arange(baskets + 1) * count)


def _unchecked(codes: Numbers, offsets: Numbers) -> CodeColumns:
    columns = object.__new__(CodeColumns)
    object.__setattr__(columns, "codes", codes)
    object.__setattr__(columns, "offsets", offsets)
    return columns


class CodeResults(NamedTuple):
    """What became of each code that was entered, in the order of the entries.

    ``amounts`` and ``unapplied`` are int64 ``[e]``; ``reasons`` int8 ``[e]``: ``VALID``, or the index in
    ``REASONS`` of why it does not apply.
    """

    entered: CodeColumns
    amounts: Numbers
    unapplied: Numbers
    reasons: Reasons

    def part(self, baskets: slice) -> CodeResults:
        """Those of some consecutive baskets: views."""
        entered = self.entered
        own = slice(int(entered.offsets[baskets.start]), int(entered.offsets[baskets.stop]))
        return CodeResults(entered.part(baskets), self.amounts[own], self.unapplied[own], self.reasons[own])

    def reason(self, entry: int) -> RejectionReason | None:
        """Why the code of one entry does not apply; None: it does."""
        code = int(self.reasons[entry])
        return None if code == VALID else REASONS[code]

    def _repr_html_(self) -> str:
        return columns_html(self)
