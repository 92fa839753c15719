"""Pieces of HTML for notebooks: escaped, self-contained, small, readable on dark and on light ground."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_ROWS = 50
"""Rows of a table that a cell of a notebook shows; of more it says how many there are."""

_MAX_TEXT = 200

# Notebooks have rules of their own for tables, so that these say what would be the default elsewhere.
_STYLE = (
    "<style>.faregate{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".faregate caption{caption-side:top;text-align:left;padding:0 0 .4em;color:inherit}"
    ".faregate th,.faregate td{text-align:right;font-weight:400;padding:.15em 0 .15em 1.5em;"
    "vertical-align:top;white-space:nowrap;background:none}"
    ".faregate .text{text-align:left;white-space:normal}"
    ".faregate tr>:first-child{padding-left:0}"
    ".faregate thead th{font-weight:700;border-bottom:1px solid}"
    ".faregate .total>*{border-top:1px solid;font-weight:700}"
    ".faregate tfoot td{opacity:.75}</style>"
)


def tag(name: str, *content: str, **attributes: str) -> str:
    """An element; its *content* is HTML already, its attributes are not.

    >>> tag("td", escape("a < b"), colspan="2")
    '<td colspan="2">a &lt; b</td>'
    """
    given = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(content)}</{name}>"


def folded(summary: str, content: str) -> str:
    """*content*, which is HTML, to be opened by a click on the *summary*."""
    return tag("details", tag("summary", escape(summary), style="cursor:pointer"), content)


def one_line(text: object) -> str:
    r"""*text* to be shown in a cell: escaped, on one line, and cut off where it is very long.

    >>> one_line("Adult\nDay ticket")
    'Adult Day ticket'
    """
    shown = " ".join(str(text).splitlines())
    return escape(shown if len(shown) <= _MAX_TEXT else f"{shown[:_MAX_TEXT]}…")


class Table(NamedTuple):
    """A table of texts; of many rows it shows the first, and says how many more there are.

    The first column names the rows; those at ``texts`` read from the left, all others are aligned as numbers
    are. The rows at ``totals`` are ruled off.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: frozenset[int] = frozenset({0})
    totals: frozenset[int] = frozenset()
    caption: str = ""
    size: int | None = None
    """How many rows there are, if ``rows`` are only the first."""

    def html(self) -> str:
        """As HTML.

        >>> Table(["Code", "CHF"], [["TEN", "12.50"]]).html().partition("<tbody>")[2]
        '<tr><th scope="row" class="text">TEN</th><td>12.50</td></tr></tbody></table>'
        """
        caption = tag("caption", one_line(self.caption)) if self.caption else ""
        head = tag("thead", tag("tr", *self._cells("col", self.head)))
        shown = self.rows[:MAX_ROWS]
        body = tag("tbody", *[self._row(index, row) for index, row in enumerate(shown)])
        foot = self._foot((len(self.rows) if self.size is None else self.size) - len(shown))
        return f'{_STYLE}<table class="faregate">{caption}{head}{body}{foot}</table>'

    def _row(self, index: int, row: Sequence[str]) -> str:
        named = {"class": "total"} if index in self.totals else {}
        return tag("tr", *self._cells("row", row), **named)

    def _cells(self, scope: str, row: Sequence[str]) -> list[str]:
        return [self._cell(scope, column, text) for column, text in enumerate(row)]

    def _cell(self, scope: str, column: int, text: str) -> str:
        named = {"class": "text"} if column in self.texts else {}
        if text and (scope == "col" or not column):
            return tag("th", one_line(text), scope=scope, **named)
        return tag("td", one_line(text), **named)

    def _foot(self, more: int) -> str:
        if not more:
            return ""
        cell = f'<td class="text" colspan="{len(self.head)}">… and {more} more</td>'
        return tag("tfoot", tag("tr", cell))
