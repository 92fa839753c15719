"""Tables of VAT rates, and conversions between net and gross. Decisions §4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.batch.columns.values import Numbers
from faregate.batch.money.layouts import Work
from faregate.money.amounts import MILLION
from faregate.tax.rates import Tie

_MAX_SORTED = 20_000
"""Maximum number of lines for which sorting the rates costs less than a table of all rates."""


@dataclass(frozen=True, eq=False)
class RateTable:
    """Distinct rates of a column, ascending, and the index of each."""

    rates: Numbers
    table: Numbers | None
    """Index of each rate, looked up by its parts per million; None if a search in ``rates`` is faster."""

    @classmethod
    def of(cls, column: Numbers) -> RateTable:
        """Return the table of the rates in *column*, each from 0 to 1,000,000 parts per million."""
        if column.size < _MAX_SORTED:
            return cls(np.unique(column), None)
        is_there = np.zeros(int(column.max()) + 1, np.bool_)
        is_there[column.reshape(-1)] = True
        rates = np.flatnonzero(is_there)
        table = np.zeros(len(is_there), np.int64)
        table[rates] = np.arange(len(rates))
        return cls(rates, table)

    def index(self, column: Numbers) -> Numbers:
        """Return the index in this table of each rate in *column*."""
        if self.table is None:
            return np.searchsorted(self.rates, column)
        return self.table.take(column)


class RateConversions(NamedTuple):
    """Conversion factors as fractions: integers in float64 ``[rates]``, or ``[1]`` for all rates.

    The fractions are not in lowest terms: either the numerator or the denominator is always a million.
    """

    numerators: Work
    denominators: Work
    down: Work
    """1 if exact halves round down, as when VAT rounded half up is subtracted (``Tie.TAX``); otherwise 0."""

    @classmethod
    def of(cls, rates: Numbers, policy: TotalsPolicy) -> RateConversions:
        """Return conversions equal to ``faregate.tax.rates.Conversion``, one for each of *rates*."""
        taxed = MILLION + rates.astype(np.float64)
        million = np.array([MILLION], np.float64)
        if policy.price_basis is PriceBasis.NET:
            return cls(taxed, million, np.zeros(1))
        return cls(million, taxed, np.array([policy.tie is Tie.TAX], np.float64))

    def at(self, index: Numbers) -> RateConversions:
        """Return the conversions at *index*; a value that applies to all rates is not repeated."""
        return RateConversions(*[column if len(column) == 1 else column.take(index) for column in self])

    def __call__(self, amounts: Numbers) -> Numbers:
        """Return *amounts* (each below 2**31) converted from net to gross or back, rounded once."""
        numerators, denominators, down = self
        exact = 2 * amounts.astype(np.float64) * numerators + (denominators - down)
        converted: Numbers = np.floor(exact / (2 * denominators)).astype(np.int64)
        return converted
