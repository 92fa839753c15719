"""Light and dark colours of plots; all can be told apart in greyscale and with any colour vision.

Single colours are based on Okabe and Ito's palette; the colour scale is matplotlib's ``cividis``. Text has a
contrast of at least 4.5 to 1 on its background, as WCAG 2.2 (1.4.3) requires.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple, TypeAlias

from matplotlib.colors import to_rgb

from faregate.arguments.checks import option

Color: TypeAlias = str | tuple[float, float, float, float]


class Style(Enum):
    """Style of a plot: its colours for text, backgrounds and marks."""

    LIGHT = "light"
    DARK = "dark"


class Palette(NamedTuple):
    """The colours of a style; ``faint`` and ``grid`` are for lines, not for text."""

    ink: str
    faint: str
    grid: str
    paper: str
    typical: str
    benchmark: str
    out_of_use: str
    scale: str
    """Colour map, from prices close to the background to prices that stand out."""
    curves: tuple[str, ...]
    bars: str = "#56b4e9"
    falls: str = "#e69f00"


_LIGHT = Palette(
    ink="#262626",
    faint="#8c8c8c",
    grid="#e3e3e3",
    paper="#ffffff",
    typical="#f0f0f0",
    benchmark="#b34700",
    out_of_use="#ededed",
    scale="cividis_r",
    curves=("#0072b2", "#b34700", "#007a59", "#a3497b", "#262626", "#6b6b00"),
)
_DARK = Palette(
    ink="#e8e8e8",
    faint="#8c8c8c",
    grid="#3a3a3a",
    paper="#1c1c1c",
    typical="#2e2e2e",
    benchmark="#ff8a4c",
    out_of_use="#333333",
    scale="cividis",
    curves=("#56b4e9", "#e69f00", "#2fbf93", "#e08fbf", "#e8e8e8", "#f0e442"),
)


_LINEAR = 0.04045
"""Up to this value, sRGB is linear."""


def palette_of(style: Style | str) -> Palette:
    """Return the palette of *style*."""
    return _LIGHT if option(Style, style, "style") is Style.LIGHT else _DARK


def ink_on(background: Color) -> str:
    """Return black or white, the one with more contrast on *background*, which is at least 4.58 to 1.

    >>> ink_on("#56b4e9"), ink_on("#00204d")
    ('#000000', '#ffffff')
    """
    return max(("#000000", "#ffffff"), key=lambda ink: contrast(ink, background))


def contrast(one: Color, other: Color) -> float:
    """Return the contrast ratio of two colours, from 1 to 21, as defined by WCAG 2.2.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    low, high = sorted([_luminance(one), _luminance(other)])
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Color) -> float:
    parts = (part / 12.92 if part <= _LINEAR else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color))
    return sum(part * share for part, share in zip(parts, (0.2126, 0.7152, 0.0722), strict=True))
