"""Bars of histograms and bridges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes

from faregate.plot import sizes
from faregate.plot.palettes import Palette

HATCH = "////"


class Bar(NamedTuple):
    """A bar from ``start`` to ``end`` on one axis, and from ``edge`` to ``edge + width`` on the other."""

    edge: float
    width: float
    start: float
    end: float
    color: str
    hatch: str = ""


def draw_bars(ax: Axes, bars: Sequence[Bar], palette: Palette, *, in_rows: bool = False) -> None:
    """Draw *bars* upright or, with *in_rows*, from left to right; hatches tell them apart in greyscale."""
    draw = ax.barh if in_rows else ax.bar
    draw(
        [bar.edge for bar in bars],
        [bar.end - bar.start for bar in bars],
        [bar.width for bar in bars],
        [bar.start for bar in bars],
        align="edge",
        color=[bar.color for bar in bars],
        hatch=[bar.hatch for bar in bars],
        edgecolor=palette.paper,
        linewidth=sizes.THIN if len(bars) <= sizes.MOST_EDGES else 0,
    )
