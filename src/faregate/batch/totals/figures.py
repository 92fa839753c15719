"""The figures that pricing gives many checkouts and their lines, and the memory they are written to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from faregate.batch.columns.views import columns_html
from faregate.batch.discounts.automatic import NO_DISCOUNT
from faregate.batch.discounts.codes import CodeResults

if TYPE_CHECKING:
    from faregate.batch.basket.lines import LineColumns
    from faregate.batch.columns.values import Numbers
    from faregate.batch.discounts.automatic import RuleIndex
    from faregate.batch.discounts.codes import CodeColumns


class LineTotals(NamedTuple):
    """The figures of all lines, as the scalar ``LineTotals`` has those of one: int64, as the lines lie.

    ``auto_discount`` is the index of the one that takes most among the automatic discounts, or
    ``NO_DISCOUNT``: int32.
    """

    list_price_gross: Numbers
    list_price_net: Numbers
    auto_discount: RuleIndex
    auto_discount_amount: Numbers
    promo_code_discount: Numbers
    total_discount_gross: Numbers
    total_discount_net: Numbers
    total_gross: Numbers
    total_net: Numbers

    def _repr_html_(self) -> str:
        return columns_html(self)


class Sums(NamedTuple):
    """The figures of each basket that its lines add up to."""

    list_price_gross: Numbers
    list_price_net: Numbers
    promo_code_discount: Numbers
    auto_discount_amount: Numbers
    total_discount_gross: Numbers
    total_discount_net: Numbers
    total_subscription_gross: Numbers
    total_subscription_net: Numbers
    total_gross: Numbers
    total_net: Numbers
    """Without donation."""


class Priced(NamedTuple):
    """What is being worked out, step by step: lines, baskets, entries of codes."""

    lines: LineTotals
    sums: Sums
    codes: CodeResults

    @classmethod
    def empty(cls, columns: LineColumns, entered: CodeColumns) -> Priced:
        """Memory for all of it."""
        shape, entries = columns.unit_price.shape, len(entered.codes)
        # What no discount touches is zeros that are never written: the operating system's, for nothing.
        lines: list[Numbers] = [*np.zeros((8, *shape), np.int64)]
        amounts, unapplied = np.zeros((2, entries), np.int64)
        return cls(
            LineTotals(lines[0], lines[1], np.full(shape, NO_DISCOUNT, np.int32), *lines[2:]),
            Sums(*np.zeros((10, columns.baskets), np.int64)),
            CodeResults(entered, amounts, unapplied, np.zeros(entries, np.int8)),
        )

    def part(self, lines: Any, baskets: slice) -> Priced:
        """Views of some consecutive baskets."""
        return Priced(
            LineTotals(*[_part(column, lines) for column in self.lines]),
            Sums(*[column[baskets] for column in self.sums]),
            self.codes.part(baskets),
        )

    def reordered(self, order: Any) -> Priced:
        """The lines where they were before *order* picked them."""
        return self._replace(lines=LineTotals(*[_restored(column, order) for column in self.lines]))


def _part(column: Any, lines: Any) -> Any:
    return column[lines]


def _restored(ordered: Any, order: Any) -> Any:
    column = np.empty_like(ordered)
    column[order] = ordered
    return column
