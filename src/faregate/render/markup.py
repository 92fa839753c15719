"""HTML fragments for notebooks: escaped, self-contained, small, and readable in dark and light themes."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

MAX_ROWS = 50
"""Maximum number of table rows in a notebook cell; further rows are only counted."""

_MAX_TEXT = 200

# Notebooks style tables themselves, so these rules restore the usual defaults.
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
    """Return an HTML element; *content* must be HTML, while attribute values are escaped.

    >>> tag("td", escape("a < b"), colspan="2")
    '<td colspan="2">a &lt; b</td>'
    """
    given = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return f"<{name}{given}>{''.join(content)}</{name}>"


def folded(summary: str, content: str) -> str:
    """Return an HTML element in which a click on *summary* opens *content*, which must be HTML."""
    return tag("details", tag("summary", escape(summary), style="cursor:pointer"), content)


def one_line(text: object) -> str:
    r"""Return *text* for a table cell: escaped, on one line, and shortened if it is very long.

    >>> one_line("Adult\nDay ticket")
    'Adult Day ticket'
    """
    shown = " ".join(str(text).splitlines())
    return escape(shown if len(shown) <= _MAX_TEXT else f"{shown[:_MAX_TEXT]}…")


class Table(NamedTuple):
    """A table of strings; only the first ``MAX_ROWS`` rows are displayed, and further rows are counted.

    The first column contains the row headings. Columns whose index is in ``texts`` are aligned left, all
    others right, like numbers. Rows whose index is in ``totals`` have a line above them.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: frozenset[int] = frozenset({0})
    totals: frozenset[int] = frozenset()
    caption: str = ""
    size: int | None = None
    """The total number of rows, if ``rows`` holds only the first of them."""

    def html(self) -> str:
        """Return the table as HTML.

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
