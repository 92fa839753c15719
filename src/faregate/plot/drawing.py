"""Helpers for axes with amounts as tick labels, and the alt text of plots.

Axes are in minor units, so that every tick is a possible price; only the labels are in major units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import Formatter, Locator, MaxNLocator

from faregate.errors import InvalidInput
from faregate.insights.percentiles import OrderedPrices
from faregate.money.amounts import MinorUnits, format_minor_units
from faregate.money.currency import Currency
from faregate.money.rounding import RoundingMode, divide_rounded, round_half_even
from faregate.plot.palettes import Palette, Style, palette_of
from faregate.plot.sizes import DIGIT_WIDTH, MOST_EDGES, POINTS, SMALL, THIN, TITLE_PAD

STEPS = (1, 2, 5, 10)
MAX_TICKS = 8
_MAX_ROUND_TICKS = 6
_BLANK = 2
"""Minimum space between two tick labels, in characters."""


def canvas(ax: Axes | None, size: tuple[float, float], style: Style | str) -> tuple[Axes, Palette]:
    """Return *ax*, or the axes of a new figure of *size* in inches, with the background of *style*.

    A new figure is not registered with pyplot.
    """
    palette = palette_of(style)
    ax = Figure(figsize=size, layout="constrained").add_subplot() if ax is None else ax
    ax.set_facecolor(palette.paper)
    ax.figure.set_facecolor(palette.paper)
    return ax, palette


def entitle(ax: Axes, title: str, palette: Palette, *, alt: str, pad: int = TITLE_PAD) -> None:
    """Set the title, aligned left, and the alt text, which begins with the title."""
    ax.set_title(title, x=0, ha="left", pad=pad, color=palette.ink, fontweight="bold", parse_math=False)
    ax.set_label(f"{title}. {alt}")


def alt_text(ax: Axes) -> str:
    """Return the alt text of a plot: its title, and a sentence with its most important figures.

    >>> from faregate.plot import alt_text, lead_time_curves
    >>> alt_text(lead_time_curves({"Tuesday": {0: 7900, 7: 6700, 30: 5500}}, currency="CHF"))
    'Price by lead time. Curves by days booked ahead: Tuesday from CHF 55.00 to CHF 79.00.'

    Raises:
        InvalidInput: *ax* was not drawn by ``faregate.plot``.
    """
    found = ax.get_label()
    if not found:
        raise InvalidInput("expected axes that a function of faregate.plot has drawn on")
    return str(found)


def tidy(ax: Axes, palette: Palette, *, grid: Literal["x", "y"] = "y") -> None:
    """Remove the frame except for its bottom edge, and draw light grid lines in the background."""
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(palette.faint)
    ax.tick_params(which="both", length=0, colors=palette.ink, labelsize=SMALL)
    ax.grid(axis=grid, color=palette.grid, linewidth=THIN)
    ax.set_axisbelow(True)
    for axis in (ax.xaxis, ax.yaxis):
        axis.label.set_color(palette.ink)


HATCH = "////"


class Bar(NamedTuple):
    """A bar from ``start`` to ``end`` on one axis, and from ``edge`` to ``edge + width`` on the other."""

    edge: float
    width: float
    start: float
    end: float
    color: str = ""
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
        linewidth=THIN if len(bars) <= MOST_EDGES else 0,
    )


class Amounts(Formatter):
    """Formats ticks in minor units as amounts in the currency *unit*, without decimals if all are whole.

    >>> from faregate.money.currency import currency
    >>> Amounts(currency("CHF")).format_ticks([90000, 100000]), Amounts(currency("CHF")).format_ticks([50])
    (['900', '1,000'], ['0.50'])
    """

    def __init__(self, unit: Currency) -> None:
        self._unit = unit

    def __call__(self, value: float, pos: int | None = None) -> str:
        """Return the text of one amount, with all decimals."""
        return amount_text(round(value), self._unit)

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """Return the texts of all amounts, without decimals if all amounts are whole."""
        amounts = [round(value) for value in values]
        whole = 10**self._unit.exponent
        texts = [amount_text(amount, self._unit) for amount in amounts]
        return texts if any(amount % whole for amount in amounts) else [text.split(".")[0] for text in texts]


def amount_text(amount: MinorUnits, unit: Currency) -> str:
    """Return *amount* as text in major units, with thousands separators.

    >>> from faregate.money.currency import currency
    >>> amount_text(-123456, currency("CHF")), amount_text(1500, currency("JPY"))
    ('−1,234.56', '1,500')
    """
    whole, point, decimals = format_minor_units(abs(amount), unit).partition(".")
    return f"{'−' if amount < 0 else ''}{int(whole):,}{point}{decimals}"


def money_text(amount: MinorUnits | Fraction, unit: Currency) -> str:
    """Return *amount*, rounded half even to minor units, with its currency."""
    return f"{unit.code} {amount_text(round_half_even(Fraction(amount)), unit)}"


def prices_text(found: OrderedPrices, unit: Currency) -> str:
    """Return the number, range and median of the prices as text."""
    least, greatest = (money_text(found.price_at(rank), unit) for rank in (1, found.n))
    return (
        f"{found.n:,} price{'' if found.n == 1 else 's'} from {least} to {greatest},"
        f" median {money_text(found.quantile(50), unit)}"
    )


def name_text(key: object) -> str:
    """Return the name of a group; the key of a group in a frame is a tuple."""
    return " · ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def signed_text(change: MinorUnits, unit: Currency) -> str:
    """Return *change* as text with its sign."""
    return f"{'+' if change > 0 else ''}{amount_text(change, unit)}"


def percent_text(percent: int | Fraction) -> str:
    """Return *percent* as text with at most one decimal, rounded half even.

    >>> from fractions import Fraction
    >>> percent_text(25), percent_text(Fraction(130, 3))
    ('25', '43.3')
    """
    tenths = divide_rounded(10 * percent.numerator, percent.denominator, mode=RoundingMode.HALF_EVEN)
    return f"{tenths // 10}.{tenths % 10}".removesuffix(".0")


def round_numbers(most: int) -> tuple[list[int], list[str]]:
    """Return a few round numbers from 0 to *most*, and their labels.

    >>> round_numbers(2600)
    ([0, 500, 1000, 1500, 2000, 2500], ['0', '500', '1,000', '1,500', '2,000', '2,500'])
    """
    ticks = MaxNLocator(_MAX_ROUND_TICKS, integer=True, steps=STEPS).tick_values(0, most)
    numbers = [round(tick) for tick in ticks if tick <= most]
    return numbers, [f"{number:,}" for number in numbers]


def show_amounts(axis: Axis, unit: Currency, *, most: int = MAX_TICKS) -> Locator:
    """Set at most *most* ticks at round amounts, with labels in major units."""
    locator = MaxNLocator(most, integer=True, steps=STEPS)
    axis.set_major_locator(locator)
    axis.set_major_formatter(Amounts(unit))
    return locator


def write_beside(
    ax: Axes, text: str, place: tuple[float, float], palette: Palette, *, weight: str = "normal"
) -> None:
    """Write *text* to the right of *place* in data coordinates, even outside the axes."""
    ax.annotate(
        text,
        place,
        xytext=(SMALL // 2, 0),
        textcoords="offset points",
        va="center",
        fontsize=SMALL,
        color=palette.ink,
        weight=weight,
        annotation_clip=False,
        bbox={"facecolor": palette.paper, "linewidth": 0, "pad": 1},
    )


def tick_room(ax: Axes, amounts: Iterable[MinorUnits], unit: Currency) -> int:
    """Return how many tick labels as wide as the widest of *amounts* fit below *ax*, at least 1."""
    widest = max((amount_text(amount, unit) for amount in amounts), key=len)
    return max(int(1 / text_width(ax, widest + " " * _BLANK)), 1)


def across(ax: Axes, x: float) -> float:
    """Return the position of *x* as a fraction of the width of *ax*, on any scale."""
    left, right, place = (ax.transScale.transform((each, 1))[0] for each in (*ax.get_xlim(), x))
    share: float = (place - left) / (right - left)
    return share


def text_width(ax: Axes, text: str) -> float:
    """Return the approximate width of *text* in small type, as a fraction of the width of *ax*."""
    width = ax.get_window_extent().width / ax.figure.dpi * POINTS
    return len(text) * DIGIT_WIDTH * SMALL / width
