"""Sizes, distances and line styles of plots."""

from __future__ import annotations

from typing import TypeAlias

Dashes: TypeAlias = str | tuple[int, tuple[int, ...]]
"""A matplotlib line style: a name, or an offset and the lengths of strokes and gaps."""

DASHES: tuple[Dashes, ...] = ("solid", (0, (5, 2)), (0, (1, 1)), (0, (6, 2, 1, 2)))
"""Line styles; the combinations with the colours of curves repeat after twelve curves."""

SMALL = 9
TINY = 7
LARGE = 12
THIN = 0.8
MEDIUM = 1.2
THICK = 2

SIZE = (7.2, 3.8)
CALENDAR_HEIGHT = 3.4
WEEK_WIDTH = 0.34
CALENDAR_MARGIN = 1.6
NARROWEST_CALENDAR = 4.5
WIDEST_CALENDAR = 13
"""Maximum width of a calendar, in inches; its margin holds the weekdays and the colour scale."""

ROW_HEIGHT = 0.42
"""Height of a row of a bridge or comparison, in inches; the margin holds the title and the axis."""
ROWS_MARGIN = 1.3

BAR_SHARE = 0.6
"""Width of a bar, as a fraction of the gap between two prices."""
NARROWEST_BAR = 60
"""The minimum width of a bar is the span of the prices divided by this number."""
NARROWEST_OVERFLOW = 30
"""The same number for the bar of the prices above a limit."""
MOST_EDGES = 60
"""Maximum number of bars with an edge; more would consist of their edges."""
LONELY_MARGIN = 2
"""Margin beside a single bar, as a multiple of its width."""

BARS_UP_TO = 0.72
"""Maximum height of the bars, as a fraction of the axes, if labels need room above them."""
HEADROOM = 1.06
LABEL_HEIGHTS = (0.93, 0.85, 0.77)
"""Heights of the labels of the benchmark, lower threshold and upper threshold; the labels never overlap."""

TITLE_PAD = 10
TITLE_PAD_LEGEND = 22
LABEL_GAP = 0.075
LABEL_X = 1.03
"""Horizontal position of the labels beside the axes, as a fraction of the width of the axes."""

DIGIT_WIDTH = 0.62
"""Width of a digit, as a fraction of the font size."""
POINTS = 72
"""Points per inch."""
HALF = 0.5
BAND = 0.3
"""Opacity of the bands of a fan, which lie on top of each other."""
ROW_SHIFT = 0.16
"""Distance of old and new prices from the middle of their row."""
MARKER = 6
GAP = 0.04
"""Space around each cell of a calendar, as a fraction of a cell."""
LEGEND_AT = (0, -0.1)
SCALE_PAD = 0.015
SCALE_WIDTH = 25
"""Height of the colour scale, as a multiple of its width."""


def in_rows(count: int) -> tuple[float, float]:
    """Return the size of a plot with *count* rows."""
    return SIZE[0], count * ROW_HEIGHT + ROWS_MARGIN
