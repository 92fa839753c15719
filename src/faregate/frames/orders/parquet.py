"""Repricing of Parquet files as a stream, with a few hundred thousand rows in memory at a time."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput
from faregate.frames.orders.fields import BY, Figures, Lines, OrderReading, plan_of
from faregate.frames.orders.returns import RereadIds
from faregate.frames.orders.streams import STREAM_ROWS, Pricing, priced_pieces
from faregate.frames.orders.values import is_text
from faregate.money.currency import Currency
from faregate.money.rounding import RoundingMode

Progress = Callable[[int, int], None]
StrPath = str | Path

_ARROW = "ARROW:schema"
"""Key of the Arrow schema in the metadata of a Parquet file."""

Item = TypeVar("Item")


def reprice_parquet(  # noqa: PLR0913 - every option is listed, so that Python refuses all others
    source: StrPath,
    target: StrPath,
    rules: PricingRules,
    *,
    by: str = "checkout",
    prefix: str = "",
    progress: Progress | None = None,
    columns: Mapping[str, str | None] | None = None,
    currency: Currency | str | None = None,
    rounding: RoundingMode | None = None,
    zone: str | None = None,
    ids: Mapping[str, Mapping[str, int]] | None = None,
) -> None:
    """Reprice the orders in a Parquet file and write them to another file, using limited memory.

    Options and figures are those of ``reprice``. The lines of a checkout must be adjacent, as in a file
    sorted by checkout. Three threads read, price and write at the same time. *target* appears once all rows
    are written: until then they are in a temporary file beside it, which is removed on failure. *progress* is
    called with the number of rows finished so far and the total number of rows.

    >>> import tempfile, pyarrow as pa, pyarrow.parquet as pq
    >>> from faregate import PricingRules
    >>> lines = {"checkout": [1, 1, 2], "unit_price": [7900, 1250, 4900], "quantity": [1, 2, 1]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pq.write_table(pa.table(lines | {"rate": ["8.1"] * 3}), f"{folder}/orders.parquet")
    ...     reprice_parquet(f"{folder}/orders.parquet", f"{folder}/repriced.parquet", PricingRules())
    ...     pq.read_table(f"{folder}/repriced.parquet")["total_net"].to_pylist()
    [7308, 2313, 4533]

    Raises:
        InvalidInput: the file does not exist, lines of a checkout are not adjacent, or as for ``reprice``.
        InvalidLines: values are faulty; the error lists all such columns and their first faulty rows.
        InvalidAmount, InvalidDiscount, UnknownCurrency, InvalidOption: as for ``reprice``.
    """
    reading = OrderReading(columns or {}, Lines.TOGETHER, currency, rounding, zone, ids or {})
    with ParquetOrders.opened(source, rules, by=by, prefix=prefix, reading=reading) as orders:
        for _ in orders.written(orders.priced(progress), target):
            pass


class ParquetOrders:
    """An open Parquet file of orders, in which the lines of each checkout are adjacent."""

    def __init__(self, file: Any, schema: Any, pricing: Pricing, threads: Executor) -> None:
        self.file = file
        self.schema = schema
        self.pricing = pricing
        self._threads = threads

    @classmethod
    @contextmanager
    def opened(
        cls, source: StrPath, rules: PricingRules, *, by: str, prefix: str, reading: OrderReading
    ) -> Iterator[ParquetOrders]:
        """Open the file *source* and check its columns.

        Raises:
            InvalidInput: the file cannot be opened or read as Parquet, or columns are missing or unreadable.
            UnknownCurrency: the currency is unknown.
        """
        try:
            schema = pq.read_schema(source)
            plan = plan_of(by, rules, schema.names, reading, figures=Figures.LINES)
            pricing = Pricing(plan, Figures.LINES, prefix)
            pricing.check(schema)
            texts = [
                name for field, name in plan.names.items() if field != BY and is_text(schema.field(name).type)
            ]
            with (
                pq.ParquetFile(source, pre_buffer=False, read_dictionary=texts) as file,
                ThreadPoolExecutor(2) as threads,
            ):
                yield cls(file, schema, pricing, threads)
        except (pa.ArrowException, OSError) as error:
            raise InvalidInput(f"{source}: cannot be read as Parquet: {_first_line(error)}") from None

    @property
    def rows(self) -> int:
        """Number of rows in the file."""
        count: int = self.file.metadata.num_rows
        return count

    def priced(self, progress: Progress | None = None) -> Iterator[Any]:
        """Yield Arrow tables of the lines with their figures; no checkout is split between two tables.

        Raises:
            InvalidLines: rows are faulty.
            InvalidInput: lines of a checkout are not adjacent; this may be noticed only at the end.
        """
        name, done = self.pricing.plan.names[BY], 0
        seen = RereadIds(name, partial(self._ids, name))
        batches = _ahead(self.file.iter_batches(STREAM_ROWS), self._threads)
        pieces = priced_pieces(batches, self.pricing, seen, rows=STREAM_ROWS)
        for piece in _ahead(pieces, self._threads):
            yield piece
            done += len(piece)
            if progress is not None:
                progress(done, self.rows)

    def _ids(self, name: str) -> Iterator[Any]:
        return (batch.column(0) for batch in self.file.iter_batches(STREAM_ROWS, columns=[name]))

    def written(self, pieces: Iterable[Any], target: StrPath) -> Iterator[Any]:
        """Yield each of *pieces* after writing it; the Parquet file *target* appears once all are written.

        Raises:
            InvalidInput: the file cannot be written. Errors raised by *pieces* propagate unchanged.
        """
        part = Path(target).with_name(f".{Path(target).name}.part")
        try:
            with self._writer(part, target) as write:
                for piece in pieces:
                    write(piece)
                    yield piece
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)

    def _repetitive(self) -> list[str]:
        """Return the columns with values that repeat: all but the ids, which would only fill a dictionary."""
        schema = self.file.schema
        paths = [schema.column(index).path for index in range(len(schema))]
        return [path for path in paths if path != self.pricing.plan.names[BY]] + self.pricing.names

    def _with_figures(self, schema: Any) -> Any:
        for name in self.pricing.names:
            schema = schema.append(pa.field(name, pa.int64()))
        return schema

    @contextmanager
    def _writer(self, part: Path, target: StrPath) -> Iterator[Callable[[Any], None]]:
        def write(piece: Any) -> None:
            """Append an Arrow table to the file."""
            with _named(target):
                writer.write_table(piece)

        # Strings are written as read, as indices into a dictionary; the file says that they are strings.
        given, own = self._with_figures(self.schema), self._with_figures(self.file.schema_arrow)
        with _named(target):
            writer = pq.ParquetWriter(part, own, use_dictionary=self._repetitive(), store_schema=False)
        writer.add_key_value_metadata({**(given.metadata or {}), _ARROW: b64encode(given.serialize())})
        try:
            yield write
        finally:
            with _named(target):
                writer.close()


def _ahead(items: Iterator[Item], threads: Executor) -> Iterator[Item]:
    """Yield *items*; one of the *threads* computes the next one in the meantime."""
    coming = threads.submit(next, items, None)
    while (item := coming.result()) is not None:
        coming = threads.submit(next, items, None)
        yield item


@contextmanager
def _named(target: StrPath) -> Iterator[None]:
    """Convert an ``OSError`` raised in the block to an ``InvalidInput`` that names the file *target*."""
    try:
        yield
    except OSError as error:
        raise InvalidInput(f"{target}: cannot be written: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
