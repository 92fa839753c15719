"""Reading what a call asks about past orders. Every fault of the call is listed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from faregate.errors import InvalidCatalogue, InvalidInput
from faregate_catalogue.rules_file import CurrencyRules, read_currency_rules
from faregate_cli.failures import file_fault
from faregate_cli.insights.groups import PARQUET
from faregate_cli.words import overwriting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["AskedReprice", "RepriceInquiry", "read_reprice"]


class AskedReprice(NamedTuple):
    """The words of a call."""

    orders: Path
    rules: Path
    output: Path | None = None
    by: str = "checkout"
    groups: Sequence[str] = ()
    columns: Sequence[str] = ()
    zone: str | None = None


class RepriceInquiry(NamedTuple):
    """What is asked: what the ``orders`` of a file cost under other rules, and each of their ``groups``."""

    orders: Path
    rules: CurrencyRules
    output: Path | None
    by: str
    groups: tuple[str, ...]
    columns: Mapping[str, str]
    zone: str | None


def read_reprice(asked: AskedReprice) -> RepriceInquiry:
    """What is *asked*; the orders are only looked for.

    Raises:
        InvalidInput: lists every fault of the call and of the rules.
    """
    faults: list[str] = []
    if asked.orders.suffix.lower() not in PARQUET:
        faults.append(f"{asked.orders}: expected a file named {', '.join(PARQUET)}")
    elif fault := file_fault(asked.orders):
        faults.append(fault)
    if asked.output is not None:
        faults += overwriting("--output", asked.output, [asked.orders, asked.rules])
    columns = dict(word.partition("=")[::2] for word in asked.columns)
    faults += [
        f"--column: expected one as in unit_price=price_cents, got {name!r}"
        for name, column in columns.items()
        if not name or not column
    ]
    try:
        rules = read_currency_rules(asked.rules)
    except InvalidCatalogue as faulty:
        raise InvalidInput(*faults, *faulty.faults) from None
    if faults:
        raise InvalidInput(*faults)
    groups = tuple(dict.fromkeys(asked.groups))
    return RepriceInquiry(asked.orders, rules, asked.output, asked.by, groups, columns, asked.zone)
