"""Repriced orders for the terminal: a table with a row for each group, and one for all orders."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

from rich.console import Console
from rich.text import Text

from faregate.money.amounts import format_minor_units
from faregate.money.currency import Currency
from faregate.render.what_ifs import what_if_notes
from faregate.render.wording import printable
from faregate_cli.reprice.groups import OrderSums, RepricedOrders
from faregate_cli.terminal.amounts import counted, rounded
from faregate_cli.terminal.console import REFUSED, STRONG, Trimmed, print_facts, sheet
from faregate_cli.terminal.groups import group_label

_MAX_CODES = 10
"""Maximum number of unknown codes that are named, the most frequent first."""

_EVERYTHING = "all orders"


def show(console: Console, orders: RepricedOrders) -> None:
    """Print the old and the new prices of each group and of all orders."""
    unit = orders.query.rules.currency
    title = [
        counted(orders.checkouts, "checkout"),
        counted(orders.total.lines, "line"),
        f"{unit.code}, gross",
    ]
    print_facts(console, title, style=STRONG)
    console.print()
    heads = (
        ["List price", "Discounts", "New"]
        if orders.total.old_total is None
        else ["Old", "New", "Difference", "%"]
    )
    label = ", ".join(map(printable, orders.query.groups))
    table = sheet(console, label, "Lines", *heads, is_full_width=False)
    for key, sums in orders.groups.items():
        table.add_row(group_label(key), *_cells(sums, unit))
    if orders.groups:
        table.add_section()
    table.add_row(Text(_EVERYTHING, STRONG), *_cells(orders.total, unit))
    console.print(Trimmed(table))
    if orders.what_if is not None:
        console.print()
        for note in what_if_notes(orders.what_if, unit):
            console.print(Text(note))
    if orders.unknown_codes:
        console.print()
        console.print(Text(_unknown_label(orders), REFUSED))


def _unknown_label(orders: RepricedOrders) -> str:
    """Return a line about codes that had no effect because the rules do not define them."""
    codes = [
        f"{printable(code)} ({counted(count, 'checkout')})"
        for code, count in islice(orders.unknown_codes.items(), _MAX_CODES)
    ]
    count = len(orders.unknown_codes)
    more = [f"and {count - _MAX_CODES:,} more"] if count > _MAX_CODES else []
    least = "more than " if orders.more_unknown else ""
    return f"{least}{counted(count, 'code')} that the rules do not define: {', '.join(codes + more)}"


def _cells(sums: OrderSums, unit: Currency) -> list[str]:
    lines = f"{sums.lines:,}"
    if sums.old_total is None or sums.difference is None:
        amounts = (sums.list_price, sums.discount, sums.new_total)
        return [lines, *(format_minor_units(amount, unit) for amount in amounts)]
    return [
        lines,
        format_minor_units(sums.old_total, unit),
        format_minor_units(sums.new_total, unit),
        f"{'+' if sums.difference > 0 else ''}{format_minor_units(sums.difference, unit)}",
        f"{rounded(Fraction(100 * sums.difference, sums.old_total), 2):+}" if sums.old_total else "",
    ]
