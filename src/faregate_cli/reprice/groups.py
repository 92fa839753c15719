"""Past orders of a Parquet file under other rules: what they cost, and what they did cost, by group."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from faregate.errors import InvalidInput
from faregate.frames import unknown_codes
from faregate.frames.order_codes import ranked
from faregate.frames.order_faults import Faults
from faregate.frames.order_fields import Lines, OrderReading, Plan
from faregate.frames.order_groups import one_array, run_starts
from faregate.frames.order_parquet import ParquetOrders
from faregate.frames.order_values import OrderValues, money_kind
from faregate.frames.price_columns import Kind
from faregate_cli.insights.groups import MOST_GROUPS
from faregate_cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from faregate.money.amounts import MinorUnits
    from faregate_cli.reprice.asking import RepriceInquiry

__all__ = ["OLD_TOTAL", "PREFIX", "Repriced", "Sums", "repriced"]

OLD_TOTAL = "total_gross"
"""The column that has what a line did cost, where there is one."""

PREFIX = "new_"
"""What the columns of the results begin with, for those of the orders may be called as they are."""

Key: TypeAlias = tuple[str | None, ...]

_FIGURES = ("list_price_gross", "total_discount_gross", "total_gross")


class Sums(NamedTuple):
    """How many lines there are, and gross amounts in minor units; ``old`` is None if it is unknown."""

    lines: int
    list_price: MinorUnits
    discount: MinorUnits
    new: MinorUnits
    old: MinorUnits | None

    @property
    def difference(self) -> MinorUnits | None:
        """What is more than it was."""
        return None if self.old is None else self.new - self.old

    def plus(self, other: Sums) -> Sums:
        """Both together."""
        return Sums(
            self.lines + other.lines,
            self.list_price + other.list_price,
            self.discount + other.discount,
            self.new + other.new,
            None if self.old is None or other.old is None else self.old + other.old,
        )


class Repriced(NamedTuple):
    """What a file of orders says, group by group in the order of their keys, null last."""

    inquiry: RepriceInquiry
    checkouts: int
    total: Sums
    groups: dict[Key, Sums]
    unknown_codes: Mapping[str, int]
    """In how many checkouts each code was entered that the rules do not know, so many codes of them."""
    more_unknown: int
    """The number of times that codes beyond these were entered."""


def repriced(inquiry: RepriceInquiry) -> Repriced:
    """Price the orders again and add them up; write them, if there is an output.

    Raises:
        FaregateError: the file, its columns or rows are at fault, as ``reprice_parquet`` says.
    """
    reading = OrderReading(
        inquiry.columns, Lines.TOGETHER, currency=inquiry.rules.currency, zone=inquiry.zone
    )
    rules, by = inquiry.rules.rules, inquiry.by
    with ParquetOrders.opened(inquiry.orders, rules, by=by, prefix=PREFIX, reading=reading) as orders:
        tally = _Tally(inquiry, orders.file.schema_arrow)
        with progress(f"Repricing {inquiry.orders.name}", total=orders.rows) as told:
            pieces = orders.priced(lambda done, _: told(done))
            for piece in pieces if inquiry.output is None else orders.written(pieces, inquiry.output):
                tally.add(piece)
        return tally.repriced()


class _Tally:
    def __init__(self, inquiry: RepriceInquiry, schema: Any) -> None:
        self._inquiry = inquiry
        self._has_old = OLD_TOTAL in schema.names
        self._total = Sums(0, 0, 0, 0, 0 if self._has_old else None)
        self._groups: dict[Key, Sums] = {}
        self._checkouts = 0
        self._unknown: Counter[str] = Counter()
        self._more_unknown = 0
        faults = [*_group_faults(inquiry, schema), *(_old_faults(schema) if self._has_old else ())]
        if faults:
            raise InvalidInput(*faults)

    def add(self, piece: Any) -> None:
        """Add up some whole checkouts."""
        columns = {name: piece.column(f"{PREFIX}{name}") for name in _FIGURES}
        if self._has_old:
            columns["old"] = self._old(piece)
        keys = {str(place): _key(piece.column(name)) for place, name in enumerate(self._inquiry.groups)}
        table = pa.table(keys | columns)
        found = table.group_by(list(keys)).aggregate(
            [([], "count_all"), *((name, "sum") for name in columns)]
        )
        for row in found.to_pylist():
            key = tuple(row[name] for name in keys)
            listed, discount, new = (row[f"{name}_sum"] for name in _FIGURES)
            self._add(key, Sums(row["count_all"], listed, discount, new, row.get("old_sum")))
        self._checkouts += len(run_starts(one_array(piece.column(self._inquiry.by))))
        self._count_unknown(piece)

    def _add(self, key: Key, sums: Sums) -> None:
        if key not in self._groups and len(self._groups) == MOST_GROUPS:
            names = ", ".join(self._inquiry.groups)
            raise InvalidInput(f"--group: more than {MOST_GROUPS} groups of {names}: name fewer columns")
        before = self._groups.get(key)
        self._groups[key] = sums if before is None else before.plus(sums)
        self._total = self._total.plus(sums)

    def _count_unknown(self, piece: Any) -> None:
        asked = self._inquiry
        for code, count in unknown_codes(
            piece, asked.rules.rules, by=asked.by, columns=asked.columns
        ).items():
            if code in self._unknown or len(self._unknown) < MOST_GROUPS:
                self._unknown[code] += count
            else:
                self._more_unknown += count

    def _old(self, piece: Any) -> Any:
        """What each line did cost, in minor units."""
        plan = Plan(self._inquiry.rules.rules, {"old": OLD_TOTAL}, unit=self._inquiry.rules.currency)
        faults = Faults(lambda row: f"row {self._total.lines + row}")
        amounts = OrderValues(pa.table([piece.column(OLD_TOTAL)], names=["old"]), plan, faults).amounts("old")
        if faults:
            raise faults.error()
        return pa.array(amounts)

    def repriced(self) -> Repriced:
        """All that was added."""
        keys = sorted(self._groups, key=lambda key: [(part is None, part or "") for part in key])
        groups = {key: self._groups[key] for key in keys} if self._inquiry.groups else {}
        return Repriced(
            self._inquiry, self._checkouts, self._total, groups, ranked(self._unknown), self._more_unknown
        )


def _group_faults(inquiry: RepriceInquiry, schema: Any) -> Iterator[str]:
    for name in inquiry.groups:
        if name not in schema.names:
            yield f"--group: there is no column {name!r}, only {', '.join(schema.names)}"
            continue
        dtype = schema.field(name).type
        if pa.types.is_nested(dtype) or pa.types.is_floating(dtype):
            yield f"--group: column {name!r} is of type {dtype}, by which rows cannot be grouped"


def _old_faults(schema: Any) -> Iterator[str]:
    dtype = schema.field(OLD_TOTAL).type
    if money_kind(dtype) in {None, Kind.BINARY_FRACTIONS}:
        yield (
            f"column {OLD_TOTAL!r}: {dtype} is not exact: cast it to decimals or to integers of minor units,"
            " or rename it"
        )


def _key(column: Any) -> Any:
    """What rows are grouped by, as texts: dates and instants by their ISO week."""
    is_time = pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)
    if is_time:
        days = column.cast(pa.date32(), safe=False) if pa.types.is_date(column.type) else column
        return pc.strftime(days.cast(pa.timestamp("s", getattr(days.type, "tz", None)), safe=False), "%G-W%V")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.cast(pa.string())
