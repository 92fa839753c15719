"""Pricing of orders piece by piece with limited memory, for frames whose checkouts have adjacent lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from faregate.errors import InvalidInput
from faregate.frames.columns.encoded import Ids, one_array
from faregate.frames.orders.faults import Faults, FaultyOrders
from faregate.frames.orders.fields import BY, Figures, Plan
from faregate.frames.orders.groups import groups_of, run_starts
from faregate.frames.orders.pricing import (
    CHECKOUT_FIGURES,
    LINE_FIGURES,
    checkout_columns,
    line_columns,
    priced,
)
from faregate.frames.orders.returns import Seen
from faregate.frames.orders.schema import check_types

STREAM_ROWS = 262_144
"""Number of rows that are priced at a time and held in memory."""


@dataclass(frozen=True, slots=True)
class Pricing:
    """Prices Arrow tables of orders according to *plan*; names of result columns begin with *prefix*."""

    plan: Plan
    figures: Figures
    prefix: str = ""

    @property
    def names(self) -> list[str]:
        """Names of the result columns, including the prefix."""
        figures = LINE_FIGURES if self.figures is Figures.LINES else CHECKOUT_FIGURES
        return [f"{self.prefix}{name}" for name in figures]

    def check(self, schema: Any) -> None:
        """Check that a frame with this Arrow schema can be read."""
        own = schema.names if self.figures is Figures.LINES else [self.plan.names[BY]]
        clashes = [
            f"column {name!r}: a result has the same name; rename it, or give the results a prefix"
            for name in self.names
            if name in own
        ]
        if clashes:
            raise InvalidInput(*clashes)
        check_types(
            pa.schema([(field, schema.field(name).type) for field, name in self.plan.names.items()]),
            self.plan,
        )

    def columns(self, table: Any, *, start: int = 0) -> dict[str, Any]:
        """Return the figures for *table* as Arrow arrays by name; figures of checkouts follow their ids.

        Errors number the rows from *start*.
        """
        names = self.plan.names
        chosen = pa.table([table.column(name) for name in names.values()], names=list(names))
        orders = priced(chosen, self.plan, start=start)
        if self.figures is Figures.LINES:
            return {f"{self.prefix}{name}": column for name, column in line_columns(orders).items()}
        ids, *figures = checkout_columns(orders).items()
        return dict([ids, *((f"{self.prefix}{name}", column) for name, column in figures)])

    def table(self, table: Any, *, start: int = 0) -> Any:
        """Return a table of the figures; figures of lines are appended to the columns of *table*.

        Errors number the rows from *start*.
        """
        columns = self.columns(table, start=start)
        if self.figures is Figures.LINES:
            for name, column in columns.items():
                table = table.append_column(name, column)
            return table
        return pa.table(columns)


def priced_pieces(
    batches: Iterable[Any], pricing: Pricing, seen: Seen, *, rows: int = STREAM_ROWS
) -> Iterator[Any]:
    """Yield tables with the figures of Arrow *batches* of orders; *seen* checks that no checkout is repeated.

    A checkout at the end of a batch waits for the next batch, which may contain more of its lines. Memory
    holds about *rows* rows, or one checkout if it is longer.

    Raises:
        InvalidLines: rows are faulty; raised for all of them once all batches are read.
        InvalidInput: a checkout occurs again.
    """
    name, start = pricing.plan.names[BY], 0
    faults = Faults(str)
    for piece in _whole_checkouts(batches, name, rows):
        seen.add(one_array(piece.column(name)), start)
        try:
            figures = pricing.table(piece, start=start)
        except FaultyOrders as faulty:
            faults.add(faulty.faults)
        else:
            yield figures
        start += len(piece)
    if faults:
        raise faults.error()
    seen.refuse_returns()


def priced_table(table: Any, pricing: Pricing) -> Any:
    """Return the figures of the orders in *table*, priced in pieces if lines of each checkout are adjacent.

    Raises:
        InvalidLines: rows are faulty; the error covers all of them.
        InvalidInput: lines of a checkout must be adjacent, but are not.
    """
    faults, pieces = Faults(str), []
    for start, end in pairwise(_cuts(table, pricing.plan)):
        try:
            pieces.append(pa.table(pricing.columns(table.slice(start, end - start), start=start)))
        except FaultyOrders as faulty:
            faults.add(faulty.faults)
    if faults:
        raise faults.error()
    return pa.concat_tables(pieces)


def _cuts(table: Any, plan: Plan) -> list[int]:
    """Return the bounds of the pieces in which *table* is priced: the first row of each, and the end."""
    ids = one_array(table.column(plan.names[BY]))
    if len(ids) <= STREAM_ROWS or ids.null_count:
        return [0, len(ids)]
    groups = groups_of(ids, plan.lines, column=plan.names[BY])
    if groups.order is not None:
        return [0, len(ids)]
    ends = np.searchsorted(groups.offsets, np.arange(STREAM_ROWS, len(ids), STREAM_ROWS))
    return [0, *np.unique(groups.offsets[np.append(ends, len(groups.offsets) - 1)]).tolist()]


def _whole_checkouts(batches: Iterable[Any], name: str, rows: int) -> Iterator[Any]:
    waiting: list[Any] = []
    count, enough = 0, rows
    for batch in batches:
        waiting.append(batch)
        count += batch.num_rows
        if count >= enough:
            table = pa.Table.from_batches(waiting).combine_chunks()  # once, not each time a column is read
            end = _last_start(one_array(table.column(name)))
            if end:
                yield table.slice(0, end)
            rest = table.slice(end)
            # If one checkout fills the whole buffer, it is not examined again until the buffer has doubled.
            waiting, count, enough = rest.to_batches(), len(rest), max(rows, 2 * len(rest))
    if count:
        yield pa.Table.from_batches(waiting)


def _last_start(ids: Ids) -> int:
    """Return the first row of the last checkout; the last rows of *ids* are searched first."""
    size = 1024
    while True:
        skipped = max(0, len(ids) - size)
        start = skipped + int(run_starts(ids.slice(skipped))[-1])
        if start > skipped or not skipped:
            return start
        size *= 16
