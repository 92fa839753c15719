"""Prices out of a CSV file, row by row: exact decimals in major units, whatever the size of the file."""

from __future__ import annotations

import csv
import re
from functools import lru_cache
from io import TextIOWrapper
from typing import TYPE_CHECKING

from faregate.errors import InvalidAmount, InvalidInput
from faregate_catalogue.faults import shown
from faregate_cli.insights.columns import column_positions
from faregate_cli.insights.groups import MOST_PRICES_AT_HAND, Tally
from faregate_cli.prices import read_price
from faregate_cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

    from faregate.money.amounts import MinorUnits
    from faregate.money.currency import Currency
    from faregate_cli.insights.groups import FileInsights, Inquiry

__all__ = ["csv_insights"]

_DELIMITERS = ",;\t"
_QUOTED = re.compile('"[^"]*"')
_LONGEST_HEADER = 65_536
_LONGEST_PRICE = 64
_ROWS_PER_SIGN = 20_000


def csv_insights(inquiry: Inquiry) -> FileInsights:
    """What the CSV file of *inquiry* says: UTF-8, with the names of its columns in the first row.

    Its fields are apart by whatever the first line has most of: commas, semicolons or tabs. Blank lines
    do not count.

    Raises:
        InvalidInput: lists the rows at fault by their lines; or the file or its columns are at fault.
    """
    tally, file = Tally(inquiry), inquiry.file
    try:
        with (
            file.open("rb") as raw,
            TextIOWrapper(raw, encoding="utf-8-sig", newline="") as text,
            progress(f"Reading {file.name}", total=file.stat().st_size) as told,
        ):
            _count(_rows(text, tally), inquiry, tally, told=lambda: told(raw.tell()))
    except OSError as error:
        raise InvalidInput(f"{file}: cannot be read: {error.strerror}") from None
    return tally.insights()


def _rows(text: TextIO, tally: Tally) -> Iterator[tuple[int, list[str]]]:
    """The rows, each with the line on which it begins, up to what cannot be read as CSV."""
    line = 1
    try:
        reader = csv.reader(text, delimiter=_delimiter(text), strict=True)
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        tally.refuse(f"line {line}", f"is no CSV: {error}")
    except UnicodeDecodeError:
        tally.refuse(f"line {line} or later", "is not UTF-8")


def _delimiter(text: TextIO) -> str:
    first = _QUOTED.sub("", text.readline(_LONGEST_HEADER))
    text.seek(0)
    return max(_DELIMITERS, key=first.count)


def _count(
    rows: Iterator[tuple[int, list[str]]], inquiry: Inquiry, tally: Tally, *, told: Callable[[], None]
) -> None:
    """Count the *rows* after the first, which names the columns."""
    _, names = next(rows, (1, None))
    if names is None:
        return
    at, *by = column_positions(inquiry, names)
    read = _price_reader(inquiry.currency)
    for number, (line, row) in enumerate(rows):
        if len(row) != len(names):
            tally.refuse(f"line {line}", f"expected {len(names)} fields, got {len(row)}")
            continue
        price = read(row[at])
        if isinstance(price, str):
            tally.refuse(f"line {line}", price)
        else:
            tally.add(tuple([row[position] for position in by]), price)
        if number % _ROWS_PER_SIGN == 0:
            told()


def _price_reader(unit: Currency) -> Callable[[str], MinorUnits | str]:
    """How a field is read: an amount, or what is wrong with it."""

    @lru_cache(maxsize=MOST_PRICES_AT_HAND)
    def read(text: str) -> MinorUnits | str:
        """Read one."""
        if not text.strip():
            return "is empty"
        try:
            return read_price(unit, text.strip())
        except InvalidAmount as error:
            return str(error) if len(text) <= _LONGEST_PRICE else f"{shown(text)} is no amount"

    return read
