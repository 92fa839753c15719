"""Light and dark colours of plots; all can be told apart in greyscale and with any colour vision.

Single colours are based on Okabe and Ito's palette; the colour scale is matplotlib's ``cividis``. Text has a
contrast of at least 4.5 to 1 on its background, as WCAG 2.2 (1.4.3) requires.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from matplotlib.colors import to_rgb

from faregate.arguments.checks import option


class Style(Enum):
    """Style of a plot: its colours for text, backgrounds and marks."""

    LIGHT = "light"
    DARK = "dark"


class Palette(NamedTuple):
    """The colours of a style; ``faint`` and ``grid`` are for lines, ``scale`` ends in what stands out."""

    ink: str
    faint: str
    grid: str
    paper: str
    typical: str
    benchmark: str
    out_of_use: str
    scale: str
    curves: tuple[str, ...]
    bars: str = "#56b4e9"
    falls: str = "#e69f00"


_PALETTES = {
    Style.LIGHT: Palette(
        *("#262626", "#8c8c8c", "#e3e3e3", "#ffffff", "#f0f0f0", "#b34700", "#ededed", "cividis_r"),
        curves=("#0072b2", "#b34700", "#007a59", "#a3497b", "#262626", "#6b6b00"),
    ),
    Style.DARK: Palette(
        *("#e8e8e8", "#8c8c8c", "#3a3a3a", "#1c1c1c", "#2e2e2e", "#ff8a4c", "#333333", "cividis"),
        curves=("#56b4e9", "#e69f00", "#2fbf93", "#e08fbf", "#e8e8e8", "#f0e442"),
    ),
}
_LINEAR_UP_TO = 0.04045
_BLACK_ABOVE = 0.179
"""Luminance above which black has more contrast than white; either has at least 4.58 to 1."""


def palette_of(style: Style | str) -> Palette:
    """Return the palette of *style*."""
    return _PALETTES[option(Style, style, "style")]


def ink_on(background: str) -> str:
    """Return black or white, the one with more contrast on *background* as WCAG 2.2 defines it.

    >>> ink_on("#56b4e9"), ink_on("#00204d")
    ('#000000', '#ffffff')
    """
    parts = [
        part / 12.92 if part <= _LINEAR_UP_TO else ((part + 0.055) / 1.055) ** 2.4
        for part in to_rgb(background)
    ]
    luminance = sum(part * share for part, share in zip(parts, (0.2126, 0.7152, 0.0722), strict=True))
    return "#000000" if luminance > _BLACK_ABOVE else "#ffffff"
