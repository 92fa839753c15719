"""Orders priced piece by piece, in bounded memory: their lines lie together, checkout after checkout."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from faregate.errors import InvalidInput
from faregate.frames.columns.encoded import one_array
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
from faregate.frames.orders.schema import check_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faregate.frames.orders.returns import Seen

STREAM_ROWS = 262_144
"""So many rows are priced at a time, and are in memory."""


@dataclass(frozen=True, slots=True)
class Pricing:
    """What becomes of an Arrow table of orders; the names of results begin with *prefix*."""

    plan: Plan
    figures: Figures
    prefix: str = ""

    @property
    def names(self) -> list[str]:
        """What the figures are called."""
        figures = LINE_FIGURES if self.figures is Figures.LINES else CHECKOUT_FIGURES
        return [f"{self.prefix}{name}" for name in figures]

    def check(self, schema: Any) -> None:
        """Refuse a frame of that Arrow schema if it cannot be read.

        Raises:
            InvalidInput: columns are of other types, or called as a result is; all of them together.
        """
        import pyarrow as pa  # only where it is used

        own = schema.names if self.figures is Figures.LINES else [self.plan.names[BY]]
        clashes = [
            f"column {name!r}: a result is called so, too; rename it, or give the results a prefix"
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
        """The figures of *table* as Arrow arrays; those of checkouts after their ids.

        Raises:
            FaultyOrders: rows are at fault.
        """
        import pyarrow as pa  # only where it is used

        names = self.plan.names
        chosen = pa.table([table.column(name) for name in names.values()], names=list(names))
        orders = priced(chosen, self.plan, start=start)
        if self.figures is Figures.LINES:
            return {f"{self.prefix}{name}": column for name, column in line_columns(orders).items()}
        ids, *figures = checkout_columns(orders).items()
        return dict([ids, *((f"{self.prefix}{name}", column) for name, column in figures)])

    def table(self, table: Any, *, start: int = 0) -> Any:
        """A table of the figures, after the columns of *table* if they are those of its lines.

        Raises:
            FaultyOrders: rows are at fault.
        """
        import pyarrow as pa  # only where it is used

        columns = self.columns(table, start=start)
        if self.figures is Figures.LINES:
            for name, column in columns.items():
                table = table.append_column(name, column)
            return table
        return pa.table(columns)


def priced_pieces(
    batches: Iterable[Any], pricing: Pricing, seen: Seen, *, rows: int = STREAM_ROWS
) -> Iterator[Any]:
    """Arrow batches of orders in, tables with their figures out; *seen* is told of every checkout.

    An unfinished checkout waits for the next batch. Memory holds *rows*, or the longest checkout.

    Raises:
        InvalidLines: rows are at fault, all of them together, once all batches are read.
        InvalidInput: a checkout comes again.
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
    """The figures of a table in memory; piece by piece as well, where its checkouts lie together.

    Raises:
        InvalidLines: rows are at fault, all of them together.
        InvalidInput: lines should be together, and a checkout comes again.
    """
    import pyarrow as pa  # only where it is used

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
    """The rows where pieces begin, and the last one ends."""
    ids = one_array(table.column(plan.names[BY]))
    if len(ids) <= STREAM_ROWS or ids.null_count:
        return [0, len(ids)]
    groups = groups_of(ids, plan.lines, column=plan.names[BY])
    if groups.order is not None:
        return [0, len(ids)]
    ends = np.searchsorted(groups.offsets, np.arange(STREAM_ROWS, len(ids), STREAM_ROWS))
    return [0, *np.unique(groups.offsets[np.append(ends, len(groups.offsets) - 1)]).tolist()]


def _whole_checkouts(batches: Iterable[Any], name: str, rows: int) -> Iterator[Any]:
    import pyarrow as pa  # only where it is used

    waiting: list[Any] = []
    count, enough = 0, rows
    for batch in batches:
        waiting.append(batch)
        count += batch.num_rows
        if count >= enough:
            table = pa.Table.from_batches(waiting)
            end = int(run_starts(one_array(table.column(name)))[-1])
            if end:
                yield table.slice(0, end)
            rest = table.slice(end)
            # A checkout that fills it all is looked at again only when it has doubled.
            waiting, count, enough = rest.to_batches(), len(rest), max(rows, 2 * len(rest))
    if count:
        yield pa.Table.from_batches(waiting)
