"""The visible content of axes, and options to draw."""

from datetime import UTC, date, datetime, time, timedelta
from io import BytesIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from faregate import Duration, Interval, Obstacle, ValidityOption
from faregate.validity.offers import UnitOffer


def new_axes() -> Axes:
    return Figure().add_subplot()


def rendered(ax: Axes) -> Axes:
    """Draw *ax*, so that ticks are rendered and warnings fail the test."""
    figure = ax.figure
    assert isinstance(figure, Figure)
    figure.savefig(BytesIO(), format="png")
    return ax


def ticks(axis: Axis) -> list[str]:
    """Return the labels of the visible ticks."""
    low, high = sorted(axis.get_view_interval())
    return [tick.label1.get_text() for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]


def texts(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts if text.get_text()]


def points(line: Line2D) -> list[tuple[float, float]]:
    return [(x, y) for x, y in np.asarray(line.get_xydata()).tolist()]


def option(
    day: date, *prices: int, obstacle: Obstacle | None = None, left: int | None = None
) -> ValidityOption:
    """Return one validity of a day, with a variant for each of *prices*."""
    begin = datetime.combine(day, time(), UTC)
    units = tuple(UnitOffer(variant, price, left, None) for variant, price in enumerate(prices))
    return ValidityOption(Interval(begin, begin + timedelta(days=1)), Duration(days=1), units, obstacle)
