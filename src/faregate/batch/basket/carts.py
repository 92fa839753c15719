"""Columns of baskets that are priced together, and the layout of their lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.basket.lines import LineColumns
from faregate.batch.columns.offsets import lines_of
from faregate.batch.columns.values import Mask, Numbers
from faregate.batch.money.layouts import Flat, Groups, Layout, Matrix
from faregate.batch.tax.rates import RateConversions, RateTable

LIMIT = 2**31
"""Exclusive upper bound for units, prices and totals; scalar functions price baskets that reach it."""
_EXACT_PRODUCTS = 94_906_265
"""Largest amount whose square is below 2**53."""


@dataclass(frozen=True, eq=False)
class CartColumns:
    """Input of the pricing stages; lines left to the scalar functions have price 0 and quantity 1."""

    columns: LineColumns
    context: ContextColumns
    layout: Layout
    quantities: Numbers
    list_prices: Numbers
    floors: Numbers | None
    """Floor price of each line; None if no line has one."""
    needs_scalar: Mask | None
    """Mask of the baskets that the scalar functions price; None for no basket."""
    rates: RateTable
    conversions: RateConversions
    """Conversions between net and gross, one for each rate in ``rates``."""

    @cached_property
    def dtype(self) -> type[np.float64 | np.int64]:
        """Dtype in which products of two amounts of one basket are exact."""
        return np.float64 if self.totals.max(initial=0) <= _EXACT_PRODUCTS else np.int64

    @cached_property
    def totals(self) -> Numbers:
        """Total of each basket before discounts."""
        return self.layout.sums(self.list_prices)

    def sums(self, prices: Numbers) -> Numbers:
        """Return the sum of *prices* in each basket."""
        return self.totals if prices is self.list_prices else self.layout.sums(prices)

    @cached_property
    def rate_index(self) -> Numbers:
        """Index of each line's rate in the table of rates."""
        return self.rates.index(self.columns.rate)

    @cached_property
    def conversions_of_lines(self) -> RateConversions:
        """Conversions between net and gross, one for each line."""
        return self.conversions.at(self.rate_index)

    @cached_property
    def conversions_of_groups(self) -> RateConversions:
        """Conversions between net and gross, one for each group in ``by_rate``."""
        return self.conversions.at(self.by_rate.kinds)

    @cached_property
    def by_rate(self) -> Groups:
        """Lines of each basket, grouped by rate."""
        kinds = len(self.rates.rates)
        return self.layout.whole if kinds <= 1 else Groups(self.layout, self.rate_index, kinds)

    def part(self, baskets: Numbers) -> tuple[CartColumns, Any]:
        """Return a cart with only *baskets* (ascending rows), and the index of their lines in ``self``."""
        layout = self.layout
        lines: Any
        offsets: Numbers | None
        if isinstance(layout, Flat):
            lines, offsets = lines_of(baskets, layout.offsets)
            own: Layout = Flat(offsets)
        else:
            offsets, lines = None, (slice(None), baskets)
            own = Matrix(layout.longest, len(baskets))
        part = replace(
            self,
            columns=self.columns.part(lines, offsets),
            context=self.context.part(baskets),
            layout=own,
            quantities=self.quantities[lines],
            list_prices=self.list_prices[lines],
            floors=None if self.floors is None else self.floors[lines],
            needs_scalar=None,
        )
        return part, lines

    def in_later_periods(self, price: Numbers) -> CartColumns:
        """Return the cart at recurring unit prices (*price*); lines without a recurring price keep theirs."""
        unit_price = np.where(price >= 0, price, self.columns.unit_price)
        list_prices = unit_price * self.quantities
        if self.needs_scalar is not None:
            list_prices[np.broadcast_to(self.layout.of_lines(self.needs_scalar), list_prices.shape)] = 0
        return replace(self, list_prices=list_prices)


def layout_of(columns: LineColumns) -> Layout:
    """Return the memory layout of *columns*: ``Flat`` if they have offsets, otherwise ``Matrix``."""
    if columns.offsets is None:
        return Matrix(*columns.unit_price.shape)
    return Flat(columns.offsets)


def cart_of(
    columns: LineColumns,
    context: ContextColumns,
    rates: RateTable,
    conversions: RateConversions,
    needs_scalar: Mask | None,
) -> CartColumns:
    """Return a cart of *columns* (lines sorted by key); its ``needs_scalar`` also includes large baskets."""
    layout = layout_of(columns)
    quantities = columns.quantity
    list_prices = columns.unit_price * quantities
    floors = None if columns.floor_price is None else columns.floor_price * columns.quantity
    needs_scalar = either(_too_large(columns, layout, list_prices), needs_scalar)
    if needs_scalar is not None:
        of_lines = np.broadcast_to(layout.of_lines(needs_scalar), list_prices.shape)
        quantities, list_prices = np.where(of_lines, 1, quantities), np.where(of_lines, 0, list_prices)
        floors = None if floors is None else np.where(of_lines, 0, floors)
    return CartColumns(
        columns, context, layout, quantities, list_prices, floors, needs_scalar, rates, conversions
    )


def either(one: Mask | None, other: Mask | None) -> Mask | None:
    """Return a mask of the baskets in *one*, *other* or both; None if both are None."""
    if one is None or other is None:
        return other if one is None else one
    return one | other


def _too_large(columns: LineColumns, layout: Layout, list_prices: Numbers) -> Mask | None:
    """Return a mask of baskets in which a price, quantity or sum reaches ``LIMIT``; None for no basket."""
    given = (columns.unit_price, columns.floor_price, columns.recurring_price)
    prices = [price for price in given if price is not None]
    units = int(columns.quantity.max(initial=1))
    most = max(int(price.max(initial=0)) for price in prices)
    if max(1, most) * units * max(1, layout.longest) < LIMIT:
        return None
    highest = prices[0] if len(prices) == 1 else np.maximum.reduce(prices)
    # Compare as floats first: a product that wraps in int64 is already too large as a float.
    is_large = (columns.quantity >= LIMIT) | (highest.astype(np.float64) * columns.quantity >= LIMIT)
    line_prices = list_prices if len(prices) == 1 else highest * columns.quantity
    needs_scalar: Mask = layout.sums(is_large) > 0
    needs_scalar |= layout.sums(np.where(is_large, 0, line_prices)) >= LIMIT
    needs_scalar |= layout.sums(np.where(is_large, 0, columns.quantity)) >= LIMIT
    return needs_scalar if needs_scalar.any() else None
