"""Prices from a Parquet file, counted in batches of rows with ``faregate.frames``."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from faregate.errors import InvalidAmount, InvalidInput
from faregate.frames import PriceUnit, distributions
from faregate.money.amounts import LARGEST_AMOUNT, format_minor_units
from faregate_cli.insights.groups import InsightQuery, PriceCounter, column_indices, price_reader
from faregate_cli.terminal.progress import progress

BATCH_ROWS = 262_144
"""Maximum number of rows in memory at a time."""


def count_parquet(query: InsightQuery, counter: PriceCounter) -> None:
    """Count the prices in a Parquet file: integers in the unit of *query*, or decimals in major units.

    Faults name rows by their numbers, which begin with 1.

    Raises:
        InvalidInput: the file or its columns are faulty.
    """
    try:
        with (
            pq.ParquetFile(query.file) as file,
            progress(f"Reading {query.file.name}", total=file.metadata.num_rows) as advance,
        ):
            _check_columns(query, file.schema_arrow)
            rows = 0
            for batch in file.iter_batches(BATCH_ROWS, columns=list(dict.fromkeys((query.price, *query.by)))):
                _count(batch, query, counter, first_row=rows + 1)
                rows += batch.num_rows
                advance(rows)
    except (pa.ArrowException, OSError) as error:
        first_line = str(error).partition("\n")[0]
        raise InvalidInput(f"{query.file}: cannot be read as Parquet: {first_line}") from None


def _check_columns(query: InsightQuery, schema: Any) -> None:
    column_indices(query, schema.names)
    faults = [*_price_faults(query, schema.field(query.price).type)]
    faults += [
        f"--by: column '{name}' is of type {schema.field(name).type}, which cannot be grouped"
        for name in query.by
        if pa.types.is_nested(schema.field(name).type)
    ]
    if faults:
        raise InvalidInput(*faults)


def _price_faults(query: InsightQuery, dtype: Any) -> Iterator[str]:
    name = query.price
    if pa.types.is_integer(dtype) and query.unit is None and query.currency.exponent:
        yield (
            f"--unit: column '{name}' has integers: say whether they are minor or major units of"
            f" {query.currency.code}, as in --unit minor"
        )
    elif query.unit is not None and not pa.types.is_integer(dtype):
        yield f"--unit: column '{name}' is of type {dtype}, but the unit applies to integers"
    elif pa.types.is_floating(dtype):
        yield (
            f"--price: column '{name}' is of type {dtype}, and binary fractions are not exact: cast it"
            f" to decimals, as in CAST({name} AS DECIMAL(12, 2)), or to integers of minor units"
        )
    elif not pa.types.is_integer(dtype) and not pa.types.is_decimal(dtype):
        yield f"--price: column '{name}' is of type {dtype}, expected decimals in major units or integers"


def _count(batch: Any, query: InsightQuery, counter: PriceCounter, *, first_row: int) -> None:
    prices = batch.column(query.price)
    columns = [prices, *(_texts(batch.column(name)) for name in query.by)]
    price, *by = map(str, range(len(columns)))  # unique names
    table = pa.table(columns, names=[price, *by])
    unit = None if query.unit is None else PriceUnit(query.unit)
    try:
        groups = distributions(table, price=price, by=by, currency=query.currency, unit=unit)
    except InvalidAmount:
        _refuse_rows(prices, query, counter, first_row=first_row)
        return
    for key, distribution in groups.items():
        for amount, times in zip(distribution.prices, distribution.counts, strict=True):
            counter.add(key, amount, times)


def _texts(column: Any) -> Any:
    """Return the values of *column*, which may have any type, as strings formatted by Python."""
    encoded = column.dictionary_encode()
    texts = [None if value is None else str(value) for value in encoded.dictionary.to_pylist()]
    return pa.array(texts, pa.string()).take(encoded.indices)


def _refuse_rows(prices: Any, query: InsightQuery, counter: PriceCounter, *, first_row: int) -> None:
    """Record the rows with faulty prices; the rules are the same as for a CSV file."""
    read, unit = price_reader(query.currency), query.currency
    is_minor = pa.types.is_integer(prices.type) and query.unit != PriceUnit.MAJOR.value
    for row, price in enumerate(prices.to_pylist(), first_row):
        if is_minor and price is not None and price > LARGEST_AMOUNT:
            counter.refuse(f"row {row}", f"{price} exceeds the limit of {LARGEST_AMOUNT} minor units")
            continue
        reason = read("" if price is None else format_minor_units(price, unit) if is_minor else str(price))
        if isinstance(reason, str):
            counter.refuse(f"row {row}", reason)
