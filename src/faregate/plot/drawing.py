"""Helpers for axes with amounts as tick labels.

Axes are in minor units, so that every tick is a possible price; only the labels are in major units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import Formatter, MaxNLocator

from faregate.money.amounts import MinorUnits, format_minor_units
from faregate.money.currency import Currency
from faregate.money.rounding import RoundingMode, divide_rounded
from faregate.plot.style import DIGIT_WIDTH, FAINT, GRID, INK, POINTS, SMALL, THIN, TITLE_PAD

_STEPS = (1, 2, 5, 10)
MAX_TICKS = 8
_MAX_ROUND_TICKS = 6
_BLANK = 2
"""Minimum space between two tick labels, in characters."""


def new_axes(size: tuple[float, float]) -> Axes:
    """Return the axes of a new figure of *size* in inches, which is not registered with pyplot."""
    return Figure(figsize=size, layout="constrained").add_subplot()


def entitle(ax: Axes, title: str) -> None:
    """Set the title, aligned left."""
    ax.set_title(title, x=0, ha="left", pad=TITLE_PAD, color=INK, fontweight="bold")


def tidy(ax: Axes) -> None:
    """Remove the frame except for its bottom edge, and draw light horizontal grid lines in the background."""
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.tick_params(length=0, colors=INK, labelsize=SMALL)
    ax.grid(axis="y", color=GRID, linewidth=THIN)
    ax.set_axisbelow(True)


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
    ticks = MaxNLocator(_MAX_ROUND_TICKS, integer=True, steps=_STEPS).tick_values(0, most)
    numbers = [round(tick) for tick in ticks if tick <= most]
    return numbers, [f"{number:,}" for number in numbers]


def show_amounts(axis: Axis, unit: Currency, *, most: int = MAX_TICKS) -> None:
    """Set at most *most* ticks at round amounts, with labels in major units."""
    axis.set_major_locator(MaxNLocator(most, integer=True, steps=_STEPS))
    axis.set_major_formatter(Amounts(unit))


def tick_room(ax: Axes, amounts: Iterable[MinorUnits], unit: Currency) -> int:
    """Return how many tick labels as wide as the widest of *amounts* fit below *ax*, at least 1."""
    widest = max((amount_text(amount, unit) for amount in amounts), key=len)
    return max(int(1 / text_width(ax, widest + " " * _BLANK)), 1)


def text_width(ax: Axes, text: str) -> float:
    """Return the approximate width of *text* in small type, as a fraction of the width of *ax*."""
    width = ax.get_window_extent().width / ax.figure.dpi * POINTS
    return len(text) * DIGIT_WIDTH * SMALL / width
