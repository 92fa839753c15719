"""Calendar cells: a colour for each price, and a pattern for each reason why a day cannot be booked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from enum import Enum
from typing import Any, Literal, NamedTuple

from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_hex
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from faregate.insights.distribution import PriceDistribution
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate.plot import sizes
from faregate.plot.classes import outlier_limit
from faregate.plot.drawing import Amounts, amount_text, show_amounts
from faregate.plot.palettes import Palette, ink_on

_CROSS = "×"


class DayState(Enum):
    """The state of a day, which determines its appearance; the value is its name in the legend."""

    BOOKABLE = "bookable"
    SOLD_OUT = "sold out"
    CLOSED = "closed"
    RESTRICTED = "not bookable"
    """Not bookable for another reason: for example, it is too early, or the length is not allowed."""


class Cell(NamedTuple):
    """A day of the calendar, with the column of its week, its state and its price."""

    day: date
    column: int
    state: DayState
    price: MinorUnits


def fill(ax: Axes, cells: Sequence[Cell], palette: Palette, *, columns: int, currency: Currency) -> None:
    """Draw *cells*, a colour scale of the bookable prices, and a legend.

    Outliers have the last colour of the scale, so that the others can be told apart.
    """
    found = PriceDistribution.from_prices(cell.price for cell in cells if cell.state is DayState.BOOKABLE)
    limit = outlier_limit(found)
    ends = (found.prices[0], found.prices[-1] if limit is None else limit) if found.n else (0, 0)
    if len(found.prices) > 1:
        scale = ScalarMappable(Normalize(*ends), palette.scale)
        _draw_scale(ax, scale, palette, currency, extend="neither" if limit is None else "max")
    texts = _texts(ax, found.prices, ends[1], columns=columns, currency=currency)
    for cell in cells:
        if cell.state is DayState.BOOKABLE:
            color = _color(cell.price, ends, palette)
            _draw_square(ax, cell, {"facecolor": color, "linewidth": 0})
            _write(ax, cell, texts.get(cell.price, ""), fontsize=sizes.TINY, color=ink_on(color))
        else:
            _draw_pattern(ax, cell, palette)
    handles = [
        _handle(state, palette) for state in [*DayState][1:] if any(state is cell.state for cell in cells)
    ]
    if len(found.prices) == 1:
        label = f"{currency.code} {amount_text(ends[0], currency)}"
        handles.insert(0, Rectangle((0, 0), 1, 1, label=label, facecolor=_color(ends[0], ends, palette)))
    _draw_legend(ax, handles, palette)


def _color(price: MinorUnits, ends: tuple[MinorUnits, MinorUnits], palette: Palette) -> str:
    low, high = ends
    return to_hex(colormaps[palette.scale]((price - low) / max(high - low, 1)))


def _look(state: DayState, palette: Palette) -> dict[str, Any]:
    look = {"facecolor": palette.out_of_use, "edgecolor": palette.faint, "linewidth": 0}
    if state is DayState.SOLD_OUT:
        return {**look, "facecolor": palette.paper, "linewidth": sizes.THIN}
    return {**look, "hatch": "//////" if state is DayState.CLOSED else "...."}


def _draw_scale(
    ax: Axes,
    scale: ScalarMappable,
    palette: Palette,
    currency: Currency,
    *,
    extend: Literal["neither", "max"],
) -> None:
    bar = ax.figure.colorbar(scale, ax=ax, pad=sizes.SCALE_PAD, aspect=sizes.SCALE_WIDTH, extend=extend)
    show_amounts(bar.ax.yaxis, currency)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, colors=palette.ink, labelsize=sizes.SMALL)
    bar.set_label(f"Price ({currency.code})", fontsize=sizes.SMALL, color=palette.ink)


def _texts(
    ax: Axes, prices: Sequence[MinorUnits], limit: MinorUnits, *, columns: int, currency: Currency
) -> Mapping[MinorUnits, str]:
    """Return the cell text of each price that has room, or nothing if one up to *limit* has no room."""
    width = ax.get_window_extent().width / ax.figure.dpi * sizes.POINTS / columns
    texts = dict(zip(prices, Amounts(currency).format_ticks(prices), strict=True))
    wide = {price for price, text in texts.items() if len(text) * sizes.DIGIT_WIDTH * sizes.TINY >= width}
    return {} if min(wide, default=limit + 1) <= limit else {p: texts[p] for p in prices if p not in wide}


def _draw_pattern(ax: Axes, cell: Cell, palette: Palette) -> None:
    _draw_square(ax, cell, _look(cell.state, palette))
    if cell.state is DayState.SOLD_OUT:
        _write(ax, cell, _CROSS, fontsize=sizes.LARGE, color=palette.ink)


def _draw_square(ax: Axes, cell: Cell, look: Mapping[str, Any]) -> None:
    corner = cell.column + sizes.GAP, cell.day.weekday() + sizes.GAP
    side = 1 - 2 * sizes.GAP
    ax.add_patch(Rectangle(corner, side, side, gid=cell.day.isoformat(), **look))


def _write(ax: Axes, cell: Cell, text: str, *, fontsize: int, color: str) -> None:
    x, y = cell.column + sizes.HALF, cell.day.weekday() + sizes.HALF
    ax.text(x, y, text, fontsize=fontsize, color=color, ha="center", va="center_baseline")


# ---------------------------------------------------------------- legend


def _draw_legend(ax: Axes, handles: Sequence[Artist], palette: Palette) -> None:
    if handles:
        ax.legend(
            handles=handles,
            loc="upper left",
            bbox_to_anchor=sizes.LEGEND_AT,
            ncols=len(handles),
            frameon=False,
            fontsize=sizes.SMALL,
            labelcolor=palette.ink,
            borderaxespad=0,
            borderpad=0,
        )


def _handle(state: DayState, palette: Palette) -> Artist:
    if state is DayState.SOLD_OUT:
        return Line2D([], [], label=state.value, marker="x", color=palette.ink, linestyle="none")
    return Rectangle((0, 0), 1, 1, label=state.value, **_look(state, palette))
