"""Repriced orders for the terminal: a table of the groups, all orders last."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from rich.text import Text

from faregate.money.amounts import format_minor_units
from faregate.render.wording import printable
from faregate_cli.insights.as_json import rounded
from faregate_cli.look import REFUSED, STRONG, Trimmed, key_label, packed, sheet

if TYPE_CHECKING:
    from rich.console import Console

    from faregate.money.currency import Currency
    from faregate_cli.reprice.groups import Key, Repriced, Sums

__all__ = ["print_repriced"]

_MOST_CODES = 10
"""The most codes that are named, those of most checkouts first."""

_NOTHING, _EVERYTHING = "(none)", "all orders"


def print_repriced(console: Console, found: Repriced) -> None:
    """Print what orders cost and did cost, each group and all together."""
    unit, separator = found.inquiry.rules.currency, " - " if console.options.ascii_only else " · "
    title = [
        f"{found.checkouts:,} checkout{'' if found.checkouts == 1 else 's'}",
        f"{found.total.lines:,} line{'' if found.total.lines == 1 else 's'}",
        f"{unit.code}, gross",
    ]
    console.print(Trimmed(packed(title, separator, width=console.width, style=STRONG)))
    console.print()
    heads = (
        ["List price", "Discounts", "New"] if found.total.old is None else ["Old", "New", "Difference", "%"]
    )
    label = ", ".join(map(printable, found.inquiry.groups))
    table = sheet(console, label, "Lines", *heads, is_full_width=False)
    for key, sums in found.groups.items():
        table.add_row(_key_label(key), *_cells(sums, unit))
    if found.groups:
        table.add_section()
    table.add_row(Text(_EVERYTHING, STRONG), *_cells(found.total, unit))
    console.print(Trimmed(table))
    if found.unknown_codes:
        console.print()
        console.print(Text(_unknown_label(found), REFUSED))


def _unknown_label(found: Repriced) -> str:
    """The codes that took nothing, for the rules do not know them."""
    codes = [
        f"{printable(code)} ({count:,} checkout{'' if count == 1 else 's'})"
        for code, count in islice(found.unknown_codes.items(), _MOST_CODES)
    ]
    count = len(found.unknown_codes)
    more = [f"and {count - _MOST_CODES:,} more"] if count > _MOST_CODES else []
    least = "more than " if found.more_unknown else ""
    plural = "" if count == 1 else "s"
    return f"{least}{count:,} code{plural} that the rules do not know: {', '.join(codes + more)}"


def _cells(sums: Sums, unit: Currency) -> list[str]:
    lines = f"{sums.lines:,}"
    if sums.old is None:
        amounts = (sums.list_price, sums.discount, sums.new)
        return [lines, *(format_minor_units(amount, unit) for amount in amounts)]
    change = sums.new - sums.old
    return [
        lines,
        format_minor_units(sums.old, unit),
        format_minor_units(sums.new, unit),
        f"{'+' if change > 0 else ''}{format_minor_units(change, unit)}",
        f"{rounded(Fraction(100 * change, sums.old), 2):+}" if sums.old else "",
    ]


def _key_label(key: Key) -> str:
    return key_label([_NOTHING if part is None else printable(part) or '""' for part in key])
