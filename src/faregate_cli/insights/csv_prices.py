"""Prices from a CSV file of any size, read row by row as exact decimals in major units."""

import csv
import re
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from typing import TextIO

from faregate.errors import InvalidInput
from faregate_cli.insights.groups import InsightQuery, PriceCounter, column_indices, price_reader
from faregate_cli.terminal.progress import progress

_DELIMITERS = ",;\t"
_QUOTED = re.compile('"[^"]*"')
_MAX_HEADER_LENGTH = 65_536
_ROWS_PER_UPDATE = 20_000


def count_csv(query: InsightQuery, counter: PriceCounter) -> None:
    """Count the prices in a CSV file, which must be in UTF-8 and have column names in its first row.

    The delimiter is the most frequent of comma, semicolon and tab in the first line. Blank lines are
    ignored.

    Raises:
        InvalidInput: the file or its columns are faulty.
    """
    file = query.file
    try:
        with (
            file.open("rb") as raw,
            TextIOWrapper(raw, encoding="utf-8-sig", newline="") as text,
            progress(f"Reading {file.name}", total=file.stat().st_size) as advance,
        ):
            _count(_rows(text, counter), query, counter, advance=lambda: advance(raw.tell()))
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read: {error.strerror}") from None


def _rows(text: TextIO, counter: PriceCounter) -> Iterator[tuple[int, list[str]]]:
    """Yield each row with its line number, up to the first violation of the CSV format."""
    line = 1
    try:
        reader = csv.reader(text, delimiter=_delimiter(text), strict=True)
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        counter.refuse(f"line {line}", f"is not valid CSV: {error}")
    except UnicodeDecodeError:
        counter.refuse(f"line {line} or later", "is not UTF-8")


def _delimiter(text: TextIO) -> str:
    first = _QUOTED.sub("", text.readline(_MAX_HEADER_LENGTH))
    text.seek(0)
    return max(_DELIMITERS, key=first.count)


def _count(
    rows: Iterator[tuple[int, list[str]]],
    query: InsightQuery,
    counter: PriceCounter,
    *,
    advance: Callable[[], None],
) -> None:
    """Count the prices in *rows*, whose first row contains the column names."""
    _, names = next(rows, (1, None))
    if names is None:
        return
    at, *by = column_indices(query, names)
    read = price_reader(query.currency)
    for number, (line, row) in enumerate(rows):
        if len(row) != len(names):
            counter.refuse(f"line {line}", f"expected {len(names)} fields, got {len(row)}")
            continue
        price = read(row[at])
        if isinstance(price, str):
            counter.refuse(f"line {line}", price)
        else:
            counter.add(tuple([row[index] for index in by]), price)
        if number % _ROWS_PER_UPDATE == 0:
            advance()
