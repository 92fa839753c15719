"""The rates of VAT of a column, and from one side of the tax to the other. Decisions §4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.money.amounts import MILLION
from faregate.tax.rates import Tie

if TYPE_CHECKING:
    from faregate.batch.columns.values import Numbers
    from faregate.batch.money.layouts import Work

_MAX_SORTED = 20_000
"""Up to so many lines sorting their rates costs less than a table of all."""


@dataclass(frozen=True, eq=False)
class RateTable:
    """The distinct rates of a column, ascending, and where each is found among them."""

    rates: Numbers
    table: Numbers | None
    """By parts per million; of those that are rates here. None: looking among them is less than that."""

    @classmethod
    def of(cls, column: Numbers) -> RateTable:
        """The rates that *column* has, each from 0 to 1,000,000."""
        if column.size < _MAX_SORTED:
            return cls(np.unique(column), None)
        is_there = np.zeros(int(column.max()) + 1, np.bool_)
        is_there[column.reshape(-1)] = True
        rates = np.flatnonzero(is_there)
        table = np.zeros(len(is_there), np.int64)
        table[rates] = np.arange(len(rates))
        return cls(rates, table)

    def index(self, column: Numbers) -> Numbers:
        """The places of the rates of *column*."""
        if self.table is None:
            return np.searchsorted(self.rates, column)
        return self.table.take(column)


class RateConversions(NamedTuple):
    """Times *numerators* by *denominators*, rounded once: whole numbers in float64 ``[rates]`` or ``[1]``.

    Not in lowest terms, unlike the scalar's: so that one of the two is a million for all rates.
    """

    numerators: Work
    denominators: Work
    down: Work
    """1 where an exact half goes down: to subtract the tax, rounded half up (``Tie.TAX``); else 0."""

    @classmethod
    def of(cls, rates: Numbers, policy: TotalsPolicy) -> RateConversions:
        """What ``faregate.tax.rates.Conversion`` says of each of *rates*."""
        taxed = MILLION + rates.astype(np.float64)
        million = np.array([MILLION], np.float64)
        if policy.price_basis is PriceBasis.NET:
            return cls(taxed, million, np.zeros(1))
        return cls(million, taxed, np.array([policy.tie is Tie.TAX], np.float64))

    def at(self, index: Numbers) -> RateConversions:
        """Those at *index*; of what is the same for all rates the one there is."""
        return RateConversions(*[column if len(column) == 1 else column.take(index) for column in self])

    def __call__(self, amounts: Numbers) -> Numbers:
        """The other side of *amounts*, which are below 2**31."""
        numerators, denominators, down = self
        exact = 2 * amounts.astype(np.float64) * numerators + (denominators - down)
        converted: Numbers = np.floor(exact / (2 * denominators)).astype(np.int64)
        return converted
