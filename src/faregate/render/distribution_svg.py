"""Charts of prices as SVG: a histogram with quartiles, and a gauge for one price."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from faregate.money.amounts import MinorUnits
from faregate.money.rounding import rdiv
from faregate.render.markup import tag

_WIDTH, _MARGIN = 520, 24
"""Width and margins in pixels; amounts are drawn between the margins, but outer bars extend into them."""
_BARS, _BOX, _TEXT = 110, 24, 22
"""Heights in pixels, from top to bottom: the bars, the box of quartiles, a line of text."""
_MIN_BAR, _MAX_BAR = 3, 40
"""The minimum and maximum width of a bar, in pixels."""
_INK = 'fill="currentColor"'
_PRICE = "#d55e00"
"""Colour of the marked price: an orange that stands out on white and black."""


class PriceClass(NamedTuple):
    """A price range from ``first`` to ``last``, both inclusive, with its number of observations."""

    first: MinorUnits
    last: MinorUnits
    observations: int


class _Scale:
    """A linear scale from amounts to horizontal positions between the margins."""

    def __init__(self, least: MinorUnits, greatest: MinorUnits) -> None:
        self.least, self.span = least, max(greatest - least, 1)

    def at(self, amount: MinorUnits) -> int:
        """Return the horizontal position of *amount*, or the nearer end if it is outside the scale."""
        within = min(max(amount - self.least, 0), self.span)
        return _MARGIN + rdiv(within * (_WIDTH - 2 * _MARGIN), self.span)


class Marks(NamedTuple):
    """The marks of a histogram: quartiles, an optional price, and the labels for both ends."""

    quartiles: tuple[MinorUnits, MinorUnits, MinorUnits]
    price: MinorUnits | None
    ends: tuple[str, str]


def histogram(classes: Sequence[PriceClass], marks: Marks, *, title: str) -> str:
    """Return an SVG histogram with the quartiles as a box below the bars and, if given, a marked price."""
    scale = _Scale(classes[0].first, classes[-1].last)
    height = _BARS + _BOX + _TEXT
    parts = [
        *_bars(classes, scale),
        *_box(scale, marks.quartiles),
        *([] if marks.price is None else [_marker(scale.at(marks.price), _BARS + _BOX)]),
        _text(_MARGIN, height - 6, marks.ends[0]),
        *([_text(_WIDTH - _MARGIN, height - 6, marks.ends[1])] if len(classes) > 1 else []),
        _text(_WIDTH // 2, height - 6, f"tallest bar: {max(row.observations for row in classes)}"),
    ]
    return _svg("".join(parts), height=height, title=title)


def _bars(classes: Sequence[PriceClass], scale: _Scale) -> Iterator[str]:
    most = max(row.observations for row in classes)
    columns = [(scale.at(row.first) + scale.at(row.last)) // 2 for row in classes]
    nearest = min((right - left for left, right in pairwise(columns)), default=_MAX_BAR)
    width = min(max(nearest - 2, _MIN_BAR), _MAX_BAR)
    for row, column in zip(classes, columns, strict=True):
        height = max(rdiv(row.observations * (_BARS - 8), most), 1 if row.observations else 0)
        yield (
            f'<rect x="{column - width // 2}" y="{_BARS - height}" width="{width}" height="{height}"'
            f' {_INK} opacity=".55"/>'
        )


def _box(scale: _Scale, quartiles: tuple[int, int, int]) -> Iterator[str]:
    lower, median, upper = map(scale.at, quartiles)
    beyond = _MARGIN - _MAX_BAR // 2
    yield _line(beyond, _BARS, _WIDTH - beyond, _BARS)
    yield (
        f'<rect x="{lower}" y="{_BARS + 6}" width="{max(upper - lower, 1)}" height="12" fill="none"'
        ' stroke="currentColor"/>'
    )
    yield _line(median, _BARS + 6, median, _BARS + 18, width=3)


class Zones(NamedTuple):
    """A price and the two thresholds of typical prices, each with its label."""

    lower: tuple[MinorUnits, str]
    upper: tuple[MinorUnits, str]
    price: tuple[MinorUnits, str]


def gauge(zones: Zones, *, title: str) -> str:
    """Return an SVG bar in three parts, the middle one for typical prices, with a mark at the price.

    The outer parts are as wide as the middle one; a price beyond them is marked at the end of the bar.
    """
    (lower, low), (upper, high), (price, shown) = zones
    gap = max(upper - lower, 1)
    scale = _Scale(lower - gap, upper + gap)
    left, right = scale.at(lower), scale.at(upper)
    at = scale.at(price)
    top = _TEXT + 4
    parts = [
        f'<rect x="{_MARGIN}" y="{top}" width="{_WIDTH - 2 * _MARGIN}" height="14" {_INK} opacity=".15"/>',
        f'<rect x="{left}" y="{top}" width="{max(right - left, 1)}" height="14" {_INK} opacity=".35"/>',
        _marker(at, top + 18, top=top - 4),
        _text(at, _TEXT - 4, shown),
        _text(left, top + 32, low),
        *([_text(right, top + 32, high)] if high != low else []),
    ]
    return _svg("".join(parts), height=top + 38, title=title)


def _line(x1: int, y1: int, x2: int, y2: int, *, width: int = 1) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="currentColor" stroke-width="{width}"/>'


def _marker(at: int, bottom: int, *, top: int = 0) -> str:
    return f'<line x1="{at}" y1="{top}" x2="{at}" y2="{bottom}" stroke="{_PRICE}" stroke-width="3"/>'


def _text(at: int, y: int, text: str) -> str:
    """Return an SVG text near the position *at*, *y*, anchored so that it stays inside the picture."""
    anchor = "start" if at < _WIDTH // 4 else "end" if at > 3 * _WIDTH // 4 else "middle"
    return f'<text x="{at}" y="{y}" text-anchor="{anchor}" font-size="13" {_INK}>{escape(text)}</text>'


def _svg(content: str, *, height: int, title: str) -> str:
    return tag(
        "svg",
        tag("title", escape(title)),
        content,
        viewBox=f"0 0 {_WIDTH} {height}",
        width=str(_WIDTH),
        height=str(height),
        role="img",
        style="max-width:100%;height:auto;display:block;font-family:inherit",
    )
