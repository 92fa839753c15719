"""Prices out of a Parquet file, a batch of rows at a time: integers of minor units, or exact decimals."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from faregate.errors import InvalidAmount, InvalidInput
from faregate_cli.insights.columns import column_positions
from faregate_cli.insights.groups import MOST_PRICES_AT_HAND, PriceUnit, Tally
from faregate_cli.prices import checked_price, read_price
from faregate_cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from faregate.money.amounts import MinorUnits
    from faregate.money.currency import Currency
    from faregate_cli.insights.groups import FileInsights, Inquiry

__all__ = ["BATCH_ROWS", "parquet_insights"]

BATCH_ROWS = 262_144
"""So many rows are in memory at a time."""

_Table: TypeAlias = Any  # pyarrow has no types


def parquet_insights(inquiry: Inquiry) -> FileInsights:
    """What the Parquet file of *inquiry* says. Rows are numbered from 1.

    Integers are of the unit asked for, decimals are major units.

    Raises:
        InvalidInput: lists the rows at fault; or the file or its columns are at fault.
    """
    tally = Tally(inquiry)
    try:
        with pq.ParquetFile(inquiry.file) as file:
            _check_columns(inquiry, file.schema_arrow)
            _count(file, inquiry, tally)
    except (pa.ArrowException, OSError) as error:
        raise InvalidInput(f"{inquiry.file}: cannot be read as Parquet: {_first_line(error)}") from None
    return tally.insights()


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _check_columns(inquiry: Inquiry, schema: Any) -> None:
    column_positions(inquiry, schema.names)
    faults = [*_price_faults(inquiry, schema.field(inquiry.price).type)]
    faults += [
        f"--by: column '{name}' is of type {schema.field(name).type}, by which rows cannot be grouped"
        for name in inquiry.by
        if pa.types.is_nested(schema.field(name).type)
    ]
    if faults:
        raise InvalidInput(*faults)


def _price_faults(inquiry: Inquiry, kind: Any) -> Iterator[str]:
    name = inquiry.price
    if pa.types.is_integer(kind) and inquiry.unit is None and inquiry.currency.exponent:
        yield (
            f"--unit: column '{name}' has integers: say whether they are minor or major units of"
            f" {inquiry.currency.code}, as in --unit minor"
        )
    elif inquiry.unit is not None and not pa.types.is_integer(kind):
        yield f"--unit: column '{name}' is of type {kind}: the unit is for integers"
    elif pa.types.is_floating(kind):
        yield (
            f"--price: column '{name}' is of type {kind}, and binary fractions are no exact prices: cast it"
            f" to decimals, as in CAST({name} AS DECIMAL(12, 2)), or to integers of minor units"
        )
    elif not pa.types.is_integer(kind) and not pa.types.is_decimal(kind):
        yield (f"--price: column '{name}' is of type {kind}, expected decimals in major units or integers")


def _count(file: Any, inquiry: Inquiry, tally: Tally) -> None:
    read, done = _price_reader(inquiry.currency, inquiry.unit), 0
    with progress(f"Reading {inquiry.file.name}", total=file.metadata.num_rows) as told:
        for batch in file.iter_batches(BATCH_ROWS, columns=list(inquiry.columns)):
            _count_batch(_keyed(batch, inquiry), tally, read=read, first_row=done + 1)
            done += batch.num_rows
            told(done)


def _keyed(batch: Any, inquiry: Inquiry) -> _Table:
    """The price first, then what it is grouped by, under names that cannot clash."""
    columns = [batch.column(name) for name in (inquiry.price, *inquiry.by)]
    return pa.table(columns, names=[str(position) for position in range(len(columns))])


def _count_batch(
    table: _Table, tally: Tally, *, read: Callable[[object], MinorUnits | str], first_row: int
) -> None:
    """Count what a few rows hold: the engine does the counting, and what comes back is small."""
    counted = table.group_by(table.column_names).aggregate([([], "count_all")])
    prices, *keys = (counted[name].to_pylist() for name in table.column_names)
    faulty = False
    for price, times, *parts in zip(prices, counted["count_all"].to_pylist(), *keys, strict=True):
        amount = read(price)
        if isinstance(amount, str):
            faulty = True
        else:
            tally.add(tuple([None if part is None else str(part) for part in parts]), amount, times)
    if faulty:
        _refuse_rows(table.column(0).to_pylist(), tally, read=read, first_row=first_row)


def _refuse_rows(
    prices: list[object], tally: Tally, *, read: Callable[[object], MinorUnits | str], first_row: int
) -> None:
    for row, price in enumerate(prices, first_row):
        reason = read(price)
        if isinstance(reason, str):
            tally.refuse(f"row {row}", reason)


def _price_reader(unit: Currency, integers: PriceUnit | None) -> Callable[[object], MinorUnits | str]:
    """How a value is read: an amount, or what is wrong with it."""

    @lru_cache(maxsize=MOST_PRICES_AT_HAND)
    def read(value: object) -> MinorUnits | str:
        """Read one."""
        try:
            match value:
                case int() if integers is not PriceUnit.MAJOR:
                    return checked_price(unit, value)
                case int() | Decimal():
                    return read_price(unit, Decimal(value))
                case _:
                    return "is empty"
        except InvalidAmount as error:
            return str(error)

    return read
