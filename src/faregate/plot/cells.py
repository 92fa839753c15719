"""Calendar cells: a colour for each price, and a pattern for each reason why a day cannot be booked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from enum import Enum
from typing import Any, NamedTuple, TypeAlias

from matplotlib import colormaps
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate.plot import style
from faregate.plot.drawing import Amounts, amount_text, show_amounts

_Color: TypeAlias = tuple[float, float, float, float]
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


_LOOKS: dict[DayState, dict[str, Any]] = {
    DayState.SOLD_OUT: {"facecolor": style.PAPER, "edgecolor": style.FAINT, "linewidth": style.THIN},
    DayState.CLOSED: {
        "facecolor": style.OUT_OF_USE,
        "edgecolor": style.FAINT,
        "linewidth": 0,
        "hatch": "//////",
    },
    DayState.RESTRICTED: {
        "facecolor": style.OUT_OF_USE,
        "edgecolor": style.FAINT,
        "linewidth": 0,
        "hatch": "....",
    },
}


def fill(ax: Axes, cells: Sequence[Cell], *, columns: int, currency: Currency) -> None:
    """Draw *cells*, a colour scale of the bookable prices, and a legend."""
    prices = sorted({cell.price for cell in cells if cell.state is DayState.BOOKABLE})
    if len(prices) > 1:
        _draw_scale(ax, prices, currency)
    texts = _texts(ax, prices, columns=columns, currency=currency)
    for cell in cells:
        if cell.state is DayState.BOOKABLE:
            _draw_price(ax, cell, color=_color(cell.price, prices), text=texts.get(cell.price, ""))
        else:
            _draw_pattern(ax, cell)
    only = _price_handle(prices[0], currency) if len(prices) == 1 else None
    _draw_legend(ax, {cell.state for cell in cells}, only)


def _draw_scale(ax: Axes, prices: Sequence[MinorUnits], currency: Currency) -> None:
    scale = ScalarMappable(Normalize(prices[0], prices[-1]), style.SCALE)
    bar = ax.figure.colorbar(scale, ax=ax, pad=style.SCALE_PAD, aspect=style.SCALE_WIDTH)
    show_amounts(bar.ax.yaxis, currency)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, colors=style.INK, labelsize=style.SMALL)
    bar.set_label(f"Price ({currency.code})", fontsize=style.SMALL, color=style.INK)


def _texts(
    ax: Axes, prices: Sequence[MinorUnits], *, columns: int, currency: Currency
) -> Mapping[MinorUnits, str]:
    """Return the cell text of each price, or an empty mapping if one of the texts is too wide for a cell."""
    texts = Amounts(currency).format_ticks(prices)
    needed = max(map(len, texts), default=0) * style.DIGIT_WIDTH * style.TINY
    width = ax.get_window_extent().width / ax.figure.dpi * style.POINTS / columns
    return dict(zip(prices, texts, strict=True)) if needed < width else {}


def _draw_price(ax: Axes, cell: Cell, *, color: _Color, text: str) -> None:
    _draw_square(ax, cell, {"facecolor": color, "linewidth": 0})
    _write(ax, cell, text, fontsize=style.TINY, color=_ink_on(color))


def _draw_pattern(ax: Axes, cell: Cell) -> None:
    _draw_square(ax, cell, _LOOKS[cell.state])
    if cell.state is DayState.SOLD_OUT:
        _write(ax, cell, _CROSS, fontsize=style.LARGE, color=style.INK)


def _draw_square(ax: Axes, cell: Cell, look: Mapping[str, Any]) -> None:
    corner = cell.column + style.GAP, cell.day.weekday() + style.GAP
    side = 1 - 2 * style.GAP
    ax.add_patch(Rectangle(corner, side, side, gid=cell.day.isoformat(), **look))


def _write(ax: Axes, cell: Cell, text: str, *, fontsize: int, color: str) -> None:
    x, y = cell.column + style.HALF, cell.day.weekday() + style.HALF
    ax.text(x, y, text, fontsize=fontsize, color=color, ha="center", va="center_baseline")


def _color(price: MinorUnits, prices: Sequence[MinorUnits]) -> _Color:
    span = max(prices[-1] - prices[0], 1)
    return colormaps[style.SCALE]((price - prices[0]) / span)


def _ink_on(color: _Color) -> str:
    luminance = sum(part * share for part, share in zip(color, style.LUMINANCE, strict=False))
    return style.PAPER if luminance < style.DARK_BELOW else style.INK


# ---------------------------------------------------------------- legend


def _draw_legend(ax: Axes, states: Collection[DayState], only_price: Artist | None) -> None:
    """Draw a legend below *ax* for *states* and, if there is only one price, for *only_price*."""
    named = [state for state in DayState if state in states and state is not DayState.BOOKABLE]
    handles = [only_price, *map(_handle, named)] if only_price else [*map(_handle, named)]
    if handles:
        ax.legend(
            handles=handles,
            loc="upper left",
            bbox_to_anchor=style.LEGEND_AT,
            ncols=len(handles),
            frameon=False,
            fontsize=style.SMALL,
            borderaxespad=0,
            borderpad=0,
        )


def _price_handle(price: MinorUnits, currency: Currency) -> Artist:
    label = f"{currency.code} {amount_text(price, currency)}"
    return Rectangle((0, 0), 1, 1, label=label, facecolor=_color(price, [price]))


def _handle(state: DayState) -> Artist:
    if state is DayState.SOLD_OUT:
        return Line2D([], [], label=state.value, marker="x", color=style.INK, linestyle="none")
    return Rectangle((0, 0), 1, 1, label=state.value, **_LOOKS[state])
