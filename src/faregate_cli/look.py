"""How printed things look: the console, its colours and its tables."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple

from rich.box import Box
from rich.console import Console
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from faregate.render.wording import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import ConsoleOptions, RenderableType, RenderResult

__all__ = [
    "GIVEN",
    "QUIET",
    "REFUSED",
    "STRONG",
    "Trimmed",
    "grid",
    "indented",
    "key_label",
    "output",
    "packed",
    "sheet",
    "two_tone",
]

STRONG, QUIET, GIVEN, REFUSED = "bold", "dim", "green", "yellow"

_WIDEST, _NARROWEST_LABEL, _GAP = 100, 10, 2
_LONGEST_KEY = 40
_RULES = "    \n    \n {0}{0} \n    \n {0}{0} \n    \n    \n    \n"


def output(*, amount_width: int = 0) -> Console:
    """Standard output: no wider than is easy to read, nor too narrow for three amounts side by side.

    There are no colours where it is no terminal.
    """
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    console.width = max(min(console.width, _WIDEST), _NARROWEST_LABEL + 3 * (amount_width + _GAP))
    return console


def sheet(console: Console, *columns: str | Text, is_full_width: bool = True, amount_width: int = 0) -> Table:
    """An empty table: text in the first column, amounts in the others, rules only between sections."""
    table = _ruled(console, gap=_GAP)
    table.expand = is_full_width
    first, *others = (Text(column, QUIET) if isinstance(column, str) else column for column in columns)
    table.add_column(first, overflow="fold", ratio=1 if is_full_width else None)
    for column in others:
        table.add_column(column, justify="right", no_wrap=True, min_width=amount_width)
    return table


def grid(console: Console, *columns: str, cell_width: int, gap: int) -> Table:
    """An empty table of equal cells: text to the right, blank lines between rows, a *gap* of at least 1."""
    table = _ruled(console, gap=gap)
    table.leading = 1
    for column in columns:
        table.add_column(Text(column, QUIET), justify="right", width=cell_width)
    return table


def _ruled(console: Console, *, gap: int) -> Table:
    rule = "-" if console.options.ascii_only else "─"
    return Table(
        box=Box(_RULES.format(rule), ascii=True),
        show_edge=False,
        pad_edge=False,
        padding=(0, gap - 1, 0, 0),  # the box has one more
        header_style="",
        border_style=QUIET,
    )


def two_tone(label: str, note: str, *, style: str = "") -> Text:
    """A label and, more quietly, what there is to say about it."""
    return Text.assemble((printable(label), style), (f"  {printable(note)}" if note else "", QUIET))


def packed(parts: Iterable[str], separator: str, *, width: int, style: str = "") -> Text:
    """*parts* in as few lines as they fit, none of them broken in two unless it is wider than a line."""
    lines: list[str] = []
    for part in map(printable, parts):
        if lines and len(lines[-1]) + len(separator) + len(part) <= width:
            lines[-1] += f"{separator}{part}"
        else:
            lines.append(part)
    return Text("\n".join(lines), style)


def key_label(parts: Sequence[str], *, most: int = _LONGEST_KEY) -> str:
    """*parts* with commas; where there are too many signs the longest parts are cut off, and no others.

    >>> key_label(["a name that is far too long", "Mon"], most=20)
    'a name that ..., Mon'
    """
    left = most - 2 * (len(parts) - 1)
    for place, length in enumerate(sorted(map(len, parts))):
        limit = left // (len(parts) - place)
        if length > limit:
            return ", ".join(_cut(part, max(limit, 4)) for part in parts)
        left -= length
    return ", ".join(parts)


def _cut(part: str, limit: int) -> str:
    return part if len(part) <= limit else f"{part[: limit - 3]}..."


def indented(text: Text) -> Padding:
    """*text* two columns further in, also where it wraps."""
    return Padding(text, (0, 0, 0, 2))


class Trimmed(NamedTuple):
    """Prints *content* without blanks at the ends of its lines."""

    content: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Line by line, as rich asks."""
        for line in console.render_lines(self.content, options, pad=False):
            yield from _trimmed(line)
            yield Segment.line()


def _trimmed(line: Sequence[Segment]) -> list[Segment]:
    kept = list(line)
    while kept and not kept[-1].text.rstrip():
        kept.pop()
    return [*kept[:-1], *(Segment(last.text.rstrip(), last.style) for last in kept[-1:])]
