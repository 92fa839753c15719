"""Figures of many checkouts and their lines, and the memory that pricing writes them to."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from faregate.batch.basket.lines import LineColumns
from faregate.batch.columns.values import Numbers
from faregate.batch.columns.views import columns_html
from faregate.batch.discounts.automatic import NO_DISCOUNT, RuleIndex
from faregate.batch.discounts.codes import CodeColumns, CodeResults


class LineTotals(NamedTuple):
    """Figures of all lines, named as in the scalar ``LineTotals``: int64, in the shape of the lines.

    ``auto_discount``, int32, is the index of the line's largest automatic discount, or ``NO_DISCOUNT``.
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
    """Figures of each basket that are sums over its lines."""

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
    """Net total without the donation."""


class Priced(NamedTuple):
    """Figures being computed, for lines, baskets and entered codes."""

    lines: LineTotals
    sums: Sums
    codes: CodeResults

    @classmethod
    def empty(cls, columns: LineColumns, entered: CodeColumns) -> Priced:
        """Allocate memory for all figures."""
        shape, entries = columns.unit_price.shape, len(entered.codes)
        # Columns without discounts are never written, so their zeros cost no memory.
        lines: list[Numbers] = [*np.zeros((8, *shape), np.int64)]
        amounts, unapplied = np.zeros((2, entries), np.int64)
        return cls(
            LineTotals(lines[0], lines[1], np.full(shape, NO_DISCOUNT, np.int32), *lines[2:]),
            Sums(*np.zeros((10, columns.baskets), np.int64)),
            CodeResults(entered, amounts, unapplied, np.zeros(entries, np.int8)),
        )

    def part(self, lines: Any, baskets: slice) -> Priced:
        """Return views of the figures of some consecutive *baskets* and their *lines*."""
        return Priced(
            LineTotals(*[column[lines] for column in self.lines]),
            Sums(*[column[baskets] for column in self.sums]),
            self.codes.part(baskets),
        )

    def reordered(self, order: Any) -> Priced:
        """Return the figures with the lines back in the order that they had before *order* was applied."""
        return self._replace(lines=LineTotals(*[_restored(column, order) for column in self.lines]))


def _restored(ordered: Any, order: Any) -> Any:
    column = np.empty_like(ordered)
    column[order] = ordered
    return column
