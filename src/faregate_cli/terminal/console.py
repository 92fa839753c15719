"""The console: its width, its colours and its tables."""

import sys
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.box import Box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from faregate.render.wording import printable

STRONG, QUIET, GIVEN, REFUSED = "bold", "dim", "green", "yellow"

_MAX_WIDTH, _MIN_LABEL_WIDTH, _GAP = 100, 10, 2
_RULES = "    \n    \n {0}{0} \n    \n {0}{0} \n    \n    \n    \n"


def output(*, amount_width: int = 0) -> Console:
    """Return a console on standard output, at most 100 columns wide unless three amounts need more.

    *amount_width* is the width of the longest amount. Colours are used only in a terminal.
    """
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    console.width = max(min(console.width, _MAX_WIDTH), _MIN_LABEL_WIDTH + 3 * (amount_width + _GAP))
    return console


def sheet(console: Console, *columns: str | Text, is_full_width: bool = True, amount_width: int = 0) -> Table:
    """Return an empty table with a column for text, further columns for amounts, and ruled sections."""
    table = _ruled(console, gap=_GAP)
    table.expand = is_full_width
    first, *others = (Text(column, QUIET) if isinstance(column, str) else column for column in columns)
    table.add_column(first, overflow="fold", ratio=1 if is_full_width else None)
    for column in others:
        table.add_column(column, justify="right", no_wrap=True, min_width=amount_width)
    return table


def grid(console: Console, *columns: str, cell_width: int, gap: int) -> Table:
    """Return an empty table of right-aligned cells of equal width, *gap* (at least 1) columns apart."""
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
        padding=(0, gap - 1, 0, 0),  # the box adds one column
        header_style="",
        border_style=QUIET,
    )


def separator(console: Console) -> str:
    """Return the separator between short strings on a line, in ASCII if *console* needs it."""
    return " - " if console.options.ascii_only else " · "


def print_facts(console: Console, facts: Iterable[str], *, style: str = "") -> None:
    """Print the short strings *facts*, with separators between them, on as few lines as possible."""
    console.print(Trimmed(packed(facts, separator(console), width=console.width, style=style)))


def two_tone(label: str, note: str, *, style: str = "") -> Text:
    """Return *label*, followed by *note* in a dimmed style."""
    return Text.assemble((printable(label), style), (f"  {printable(note)}" if note else "", QUIET))


def packed(parts: Iterable[str], separator: str, *, width: int, style: str = "") -> Text:
    """Return *parts* on lines of at most *width* characters; a longer part has a line to itself."""
    lines: list[str] = []
    for part in map(printable, parts):
        if lines and len(lines[-1]) + len(separator) + len(part) <= width:
            lines[-1] += f"{separator}{part}"
        else:
            lines.append(part)
    return Text("\n".join(lines), style)


def indented(text: Text) -> Padding:
    """Return *text* with all of its lines, even wrapped ones, indented by two columns."""
    return Padding(text, (0, 0, 0, 2))


class Trimmed(NamedTuple):
    """A renderable that prints *content* without trailing spaces."""

    content: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render *content* line by line."""
        for line in console.render_lines(self.content, options, pad=False):
            yield from _trimmed(line)
            yield Segment.line()


def _trimmed(line: Sequence[Segment]) -> list[Segment]:
    segments = list(line)
    while segments and not segments[-1].text.rstrip():
        segments.pop()
    return [*segments[:-1], *(Segment(last.text.rstrip(), last.style) for last in segments[-1:])]
