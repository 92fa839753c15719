"""Colours and sizes. The colours are told apart with any colour vision, and in shades of grey.

Single colours are of Okabe and Ito's palette, the scale is matplotlib's ``cividis``.
"""

from __future__ import annotations

from typing import TypeAlias

INK = "#262626"
FAINT = "#8c8c8c"
GRID = "#e3e3e3"
PAPER = "#ffffff"

BARS = "#56b4e9"
TYPICAL = "#f0f0f0"
BENCHMARK = "#b34700"
"""Vermilion, a shade darker than the palette's, so that text in it can be read."""

SCALE = "cividis_r"
"""Light is cheap, dark is dear."""
OUT_OF_USE = "#ededed"

CURVES = ("#0072b2", "#b34700", "#007a59", "#a3497b", "#262626", "#3a8fbf")

Dashes: TypeAlias = "str | tuple[int, tuple[int, ...]]"
"""As matplotlib takes them: by name, or where to begin and the lengths of strokes and gaps."""

DASHES: tuple[Dashes, ...] = ("solid", (0, (5, 2)), (0, (1, 1)), (0, (6, 2, 1, 2)))
"""Both go round; together they repeat after twelve curves."""

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
"""Inches; beside the weeks there are the weekdays and the scale of prices."""

BAR_SHARE = 0.6
"""Of the gap between two prices."""
NARROWEST_BAR = 60
"""So many find room between the least and the greatest price."""
LONELY_MARGIN = 2
"""So many times its width is beside a single bar."""

BARS_UP_TO = 0.72
"""Of the height of the axes, where labels need room above the bars."""
HEADROOM = 1.06
LABEL_HEIGHTS = (0.93, 0.85, 0.77)
"""Where the labels of benchmark, lower and upper threshold are: one above the other, they never meet."""

TITLE_PAD = 10
LABEL_GAP = 0.075
LABEL_X = 1.03
"""Beside the axes; in shares of their height and width."""

DIGIT_WIDTH = 0.62
"""Of the size of the font."""
POINTS = 72
"""Per inch."""
DARK_BELOW = 0.46
"""Of the luminance from 0 to 1: what is written on it is white."""
LUMINANCE = (0.299, 0.587, 0.114)
"""Of red, green and blue, by ITU-R BT.601."""
HALF = 0.5
GAP = 0.04
"""Around each cell of a calendar, in cells."""
LEGEND_AT = (0, -0.1)
SCALE_PAD = 0.015
SCALE_WIDTH = 25
"""So many times as high as wide."""
