"""Reading what a call asks about the prices of a file. Every fault of the call is listed."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from faregate.arguments.checks import option
from faregate.errors import InvalidInput, InvalidRate
from faregate.money.amounts import parts_per_million
from faregate_catalogue.faults import shown
from faregate_cli.failures import file_fault
from faregate_cli.insights.groups import CSV, PARQUET, Inquiry, PriceUnit
from faregate_cli.prices import read_currency, read_price
from faregate_cli.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence


__all__ = ["AskedInsights", "read_inquiry"]

_PARTS = 10_000
_WHOLE = 100 * _PARTS


class AskedInsights(NamedTuple):
    """The words of a call."""

    file: Path
    price: str
    by: Sequence[str] = ()
    benchmark: str | None = None
    lower: str = "25"
    upper: str = "75"
    currency: str | None = None
    unit: str | None = None


def read_inquiry(asked: AskedInsights) -> Inquiry:
    """What is *asked*; the file is only looked for.

    Raises:
        InvalidInput: lists every fault of the call.
    """
    words = Words()
    if asked.currency is None:
        words.note("--currency", "name that of the prices, as in --currency CHF")
    unit = words.read("--currency", read_currency, asked.currency, None)
    price_unit = words.read("--unit", _price_unit, asked.unit, None)
    if price_unit is not None and asked.file.suffix.lower() in CSV:
        words.note("--unit", "the prices of a CSV file are major units: it is for integers in Parquet")
    lower = words.read("--lower", _percent, asked.lower, Fraction(0))
    upper = words.read("--upper", _percent, asked.upper, Fraction(100))
    if lower > upper:
        words.note("--lower", f"{asked.lower} is above --upper, {asked.upper}")
    benchmark = unit and words.read("--benchmark", partial(read_price, unit), asked.benchmark, None)
    if asked.file.suffix.lower() not in {*CSV, *PARQUET}:
        words.faults.append(f"{asked.file}: expected a file named {', '.join((*CSV, *PARQUET))}")
    elif fault := file_fault(asked.file):
        words.faults.append(fault)
    if words.faults or unit is None:
        raise InvalidInput(*words.faults)
    by = tuple(dict.fromkeys(asked.by))
    return Inquiry(asked.file, asked.price, by, benchmark, lower, upper, unit, price_unit)


def _price_unit(word: str) -> PriceUnit:
    return option(PriceUnit, word, "the unit")


def _percent(word: str) -> Fraction:
    try:
        parts = parts_per_million(word)
    except InvalidRate as error:
        raise InvalidInput(f"{error}, expected one such as 25 or 97.5") from None
    if not 0 <= parts <= _WHOLE:
        raise InvalidInput(f"expected 0 to 100, got {shown(word)}")
    return Fraction(parts, _PARTS)
