"""Arguments of ``faregate reprice``, read with all faults reported together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from faregate.errors import InvalidInput
from faregate.files.rules import CurrencyRules, read_currency_rules
from faregate.insights.what_if import elasticity_of
from faregate_cli.insights.groups import PARQUET
from faregate_cli.terminal.arguments import ArgumentReader, check_not_overwritten


class RepriceArguments(NamedTuple):
    """The arguments of ``faregate reprice`` as typed."""

    orders: Path
    rules: Path
    output: Path | None = None
    by: str = "checkout"
    groups: Sequence[str] = ()
    columns: Sequence[str] = ()
    zone: str | None = None
    elasticity: str | None = None


class RepriceQuery(NamedTuple):
    """A query: a file of ``orders``, the rules to price them with, and the columns to group the sums by."""

    orders: Path
    rules: CurrencyRules
    output: Path | None
    by: str
    groups: tuple[str, ...]
    columns: Mapping[str, str]
    zone: str | None
    elasticity: Fraction | None = None


def read_query(arguments: RepriceArguments) -> RepriceQuery:
    """Return the query in *arguments*; check that the file of orders exists, but not its contents.

    Raises:
        InvalidInput: lists every fault of the arguments and of the rules.
    """
    reader, orders, output = ArgumentReader(), arguments.orders, arguments.output
    reader.check_file(orders, PARQUET)
    reader.attempt(lambda: check_not_overwritten("--output", output, [orders, arguments.rules]))
    columns = dict(text.partition("=")[::2] for text in arguments.columns)
    for name, column in columns.items():
        if not name or not column:
            reader.refuse("--column", f"expected one as in unit_price=price_cents, got {name!r}")
    rules = reader.attempt(lambda: read_currency_rules(arguments.rules))
    given = arguments.elasticity
    elasticity = None if given is None else reader.attempt(lambda: elasticity_of(given))
    if reader.faults or rules is None:
        raise InvalidInput(*reader.faults)
    groups = tuple(dict.fromkeys(arguments.groups))
    return RepriceQuery(orders, rules, output, arguments.by, groups, columns, arguments.zone, elasticity)
