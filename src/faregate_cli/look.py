"""How printed things look: the console, its colours and its tables."""

from __future__ import annotations

import sys

from rich.box import Box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from faregate_cli.labels import printable

__all__ = ["GIVEN", "QUIET", "REFUSED", "STRONG", "output", "sheet", "two_tone"]

STRONG, QUIET, GIVEN, REFUSED = "bold", "dim", "green", "yellow"

_WIDEST = 100
_RULES = "    \n    \n {0}{0} \n    \n {0}{0} \n    \n    \n    \n"


def output() -> Console:
    """Standard output: without colours where it is no terminal, and no wider than is easy to read."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    console.width = min(console.width, _WIDEST)
    return console


def sheet(console: Console, *columns: str | Text, is_full_width: bool = True, amount_width: int = 0) -> Table:
    """An empty table: text in the first column, amounts in the others, rules only between sections."""
    rule = "-" if console.options.ascii_only else "─"
    table = Table(
        box=Box(_RULES.format(rule), ascii=True),
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style=QUIET,
        expand=is_full_width,
    )
    first, *others = columns
    table.add_column(first, overflow="fold", ratio=1 if is_full_width else None)
    for column in others:
        table.add_column(column, justify="right", no_wrap=True, min_width=amount_width)
    return table


def two_tone(label: str, note: str, *, style: str = "") -> Text:
    """A label and, more quietly, what there is to say about it."""
    return Text.assemble((printable(label), style), (f"  {printable(note)}" if note else "", QUIET))
