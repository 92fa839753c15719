"""Arguments of ``faregate insights``, read with all faults reported together."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import NamedTuple

from faregate.errors import InvalidInput, InvalidOption, InvalidRate
from faregate.files.text.issues import shown
from faregate.money.amounts import parts_per_million
from faregate_cli.insights.groups import CSV, PARQUET, InsightQuery
from faregate_cli.terminal.amounts import read_currency, read_price
from faregate_cli.terminal.arguments import ArgumentReader

_PARTS = 10_000
_WHOLE = 100 * _PARTS
_UNITS = ("minor", "major")


class InsightArguments(NamedTuple):
    """The arguments of ``faregate insights`` as typed."""

    file: Path
    price: str
    by: Sequence[str] = ()
    benchmark: str | None = None
    lower: str = "25"
    upper: str = "75"
    currency: str | None = None
    unit: str | None = None


def read_query(arguments: InsightArguments) -> InsightQuery:
    """Return the query in *arguments*; check that the file exists, but not its contents.

    Raises:
        InvalidInput: lists every fault of the arguments.
    """
    reader, file = ArgumentReader(), arguments.file
    if arguments.currency is None:
        reader.refuse("--currency", "required, as in --currency CHF")
    currency = reader.read("--currency", read_currency, arguments.currency, None)
    unit = reader.read("--unit", _unit, arguments.unit, None)
    if unit is not None and file.suffix.lower() in CSV:
        reader.refuse("--unit", "applies only to integers in Parquet: CSV prices are in major units")
    lower = reader.read("--lower", _percent, arguments.lower, Fraction(0))
    upper = reader.read("--upper", _percent, arguments.upper, Fraction(100))
    if lower > upper:
        reader.refuse("--lower", f"{arguments.lower} is above --upper, {arguments.upper}")
    benchmark = None
    if currency is not None:
        benchmark = reader.read("--benchmark", partial(read_price, currency), arguments.benchmark, None)
    reader.check_file(file, (*CSV, *PARQUET))
    if reader.faults or currency is None:
        raise InvalidInput(*reader.faults)
    by = tuple(dict.fromkeys(arguments.by))
    return InsightQuery(file, arguments.price, by, benchmark, lower, upper, currency, unit)


def _unit(text: str) -> str:
    if text not in _UNITS:
        raise InvalidOption("the unit", text, _UNITS)
    return text


def _percent(text: str) -> Fraction:
    try:
        parts = parts_per_million(text)
    except InvalidRate as error:
        raise InvalidInput(f"{error}, expected a number such as 25 or 97.5") from None
    if not 0 <= parts <= _WHOLE:
        raise InvalidInput(f"expected a percentage from 0 to 100, got {shown(text)}")
    return Fraction(parts, _PARTS)
