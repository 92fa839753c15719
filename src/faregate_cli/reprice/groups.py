"""Orders in a Parquet file, repriced under other rules: new and old totals by group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from faregate.errors import InvalidInput
from faregate.frames import unknown_codes
from faregate.frames.columns.encoded import one_array
from faregate.frames.columns.prices import Kind
from faregate.frames.orders.codes import ranked
from faregate.frames.orders.faults import Faults
from faregate.frames.orders.fields import Lines, OrderReading, Plan
from faregate.frames.orders.groups import run_starts
from faregate.frames.orders.keys import cannot_be_keys, week_or_text
from faregate.frames.orders.parquet import ParquetOrders
from faregate.frames.orders.values import OrderValues, money_kind
from faregate.insights.what_if import Bridge, BridgeStep, WhatIf
from faregate.money.amounts import LARGEST_AMOUNT, MinorUnits
from faregate_cli.reprice.arguments import RepriceQuery
from faregate_cli.terminal.groups import MAX_GROUPS, GroupKey, group_label, group_order
from faregate_cli.terminal.progress import progress

OLD_TOTAL = "total_gross"
"""Name of the column with the old totals, which the file may lack."""

PREFIX = "new_"
"""Prefix of the names of result columns, so that they differ from those of the orders."""

_FIGURES = ("list_price_gross", "total_discount_gross", "total_gross")


class OrderSums(NamedTuple):
    """The number of order lines, and sums of their gross amounts; ``old_total`` is None if unknown."""

    lines: int
    list_price: MinorUnits
    discount: MinorUnits
    new_total: MinorUnits
    old_total: MinorUnits | None

    @property
    def difference(self) -> MinorUnits | None:
        """The new total minus the old one."""
        return None if self.old_total is None else self.new_total - self.old_total

    def plus(self, other: OrderSums) -> OrderSums:
        """Return these sums with *other* added to them."""
        mine, theirs = self.old_total, other.old_total
        old_total = None if mine is None or theirs is None else mine + theirs
        return OrderSums(
            self.lines + other.lines,
            self.list_price + other.list_price,
            self.discount + other.discount,
            self.new_total + other.new_total,
            old_total,
        )


class RepricedOrders(NamedTuple):
    """The sums of all orders in a file and of each group; groups are sorted by key, null last."""

    query: RepriceQuery
    checkouts: int
    total: OrderSums
    groups: dict[GroupKey, OrderSums]
    unknown_codes: Mapping[str, int]
    """Number of checkouts for each code that the rules do not define."""
    more_unknown: int
    """Number of checkouts for all unknown codes beyond the limit of ``unknown_codes``."""
    returns: int
    """Number of lines with negative units."""

    @property
    def what_if(self) -> WhatIf | None:
        """The change of the total by group, as a report; None if the old totals are unknown."""
        if self.total.old_total is None:
            return None
        steps = [
            BridgeStep(group_label(key), sums.old_total or 0, sums.new_total)
            for key, sums in (self.groups or {(): self.total}).items()
        ]
        return WhatIf(
            checkouts=self.checkouts,
            lines=self.total.lines,
            returns=self.returns,
            bridges=(Bridge(", ".join(self.query.groups), tuple(steps)),),
            elasticity=self.query.elasticity,
        )


def reprice_orders(query: RepriceQuery) -> RepricedOrders:
    """Price the orders, write them to the output file of *query*, if any, and return their sums.

    Raises:
        FaregateError: the file, its columns or its rows are faulty, as in ``reprice_parquet``.
    """
    reading = OrderReading(query.columns, Lines.TOGETHER, currency=query.rules.currency, zone=query.zone)
    rules, by = query.rules.rules, query.by
    with ParquetOrders.opened(query.orders, rules, by=by, prefix=PREFIX, reading=reading) as orders:
        tally = _OrderCounter(query, orders.schema)
        with progress(f"Repricing {query.orders.name}", total=orders.rows) as advance:
            pieces = orders.priced(lambda done, _: advance(done))
            for piece in pieces if query.output is None else orders.written(pieces, query.output):
                tally.add(piece)
        return tally.repriced()


class _OrderCounter:
    def __init__(self, query: RepriceQuery, schema: Any) -> None:
        self._query = query
        self._has_old = OLD_TOTAL in schema.names
        self._total = OrderSums(0, 0, 0, 0, 0 if self._has_old else None)
        self._groups: dict[GroupKey, OrderSums] = {}
        self._checkouts = 0
        self._unknown: Counter[str] = Counter()
        self._more_unknown = 0
        self._returns = 0
        faults = [*_group_faults(query, schema), *(_old_faults(schema) if self._has_old else ())]
        if faults:
            raise InvalidInput(*faults)

    def add(self, piece: Any) -> None:
        """Add *piece*, a table of whole checkouts, to the sums."""
        columns = {name: piece.column(f"{PREFIX}{name}") for name in _FIGURES}
        if self._has_old:
            columns["old"] = self._old(piece)
        keys = {str(place): week_or_text(piece.column(name)) for place, name in enumerate(self._query.groups)}
        table = pa.table(keys | columns)
        found = table.group_by(list(keys)).aggregate(
            [([], "count_all"), *((name, "sum") for name in columns)]
        )
        for row in found.to_pylist():
            key = tuple(row[name] for name in keys)
            listed, discount, new = (row[f"{name}_sum"] for name in _FIGURES)
            self._add(key, OrderSums(row["count_all"], listed, discount, new, row.get("old_sum")))
        self._checkouts += len(run_starts(one_array(piece.column(self._query.by))))
        self._returns += _returns(piece, self._query)
        self._count_unknown(piece)

    def _add(self, key: GroupKey, sums: OrderSums) -> None:
        if key not in self._groups and len(self._groups) == MAX_GROUPS:
            names = ", ".join(self._query.groups)
            raise InvalidInput(f"--group: more than {MAX_GROUPS} groups of {names}: name fewer columns")
        before = self._groups.get(key)
        self._groups[key] = sums if before is None else before.plus(sums)
        self._total = self._total.plus(sums)

    def _count_unknown(self, piece: Any) -> None:
        query = self._query
        for code, count in unknown_codes(
            piece, query.rules.rules, by=query.by, columns=query.columns
        ).items():
            if code in self._unknown or len(self._unknown) < MAX_GROUPS:
                self._unknown[code] += count
            else:
                self._more_unknown += count

    def _old(self, piece: Any) -> Any:
        """Return the old total of each line in *piece*, in minor units."""
        plan = Plan(self._query.rules.rules, {"old": OLD_TOTAL}, unit=self._query.rules.currency)
        faults = Faults(lambda row: f"row {self._total.lines + row}")
        values = OrderValues(pa.table([piece.column(OLD_TOTAL)], names=["old"]), plan, faults)
        amounts = values.amounts("old", least=-LARGEST_AMOUNT)
        if faults:
            raise faults.error()
        return pa.array(amounts)

    def repriced(self) -> RepricedOrders:
        keys = sorted(self._groups, key=group_order) if self._query.groups else []
        groups = {key: self._groups[key] for key in keys}
        return RepricedOrders(
            self._query,
            self._checkouts,
            self._total,
            groups,
            ranked(self._unknown),
            self._more_unknown,
            self._returns,
        )


def _group_faults(query: RepriceQuery, schema: Any) -> Iterator[str]:
    for name in query.groups:
        if name not in schema.names:
            yield f"--group: unknown column {name!r}, expected one of {', '.join(schema.names)}"
            continue
        dtype = schema.field(name).type
        if cannot_be_keys(dtype):
            yield f"--group: column {name!r} is of type {dtype}, which cannot be grouped"


def _returns(piece: Any, query: RepriceQuery) -> int:
    quantity = one_array(piece.column(query.columns.get("quantity", "quantity")))
    return int(pc.sum(pc.less(quantity, 0)).as_py() or 0)


def _old_faults(schema: Any) -> Iterator[str]:
    dtype = schema.field(OLD_TOTAL).type
    if money_kind(dtype) in {None, Kind.BINARY_FRACTIONS}:
        yield (
            f"column {OLD_TOTAL!r}: {dtype} is not exact: cast it to decimals or to integers of minor units,"
            " or rename it"
        )
