"""The visible content of axes, and options to draw."""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from io import BytesIO
from itertools import combinations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text

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


def words(ax: Axes) -> list[Text]:
    """Return all visible texts of the figure: title, axes with their ticks, labels and legend."""
    found: list[Text] = []
    for each in ax.figure.axes:
        legend = each.get_legend()
        found += [each.title, *each.texts, *(legend.get_texts() if legend else [])]
        for axis in (each.xaxis, each.yaxis):
            low, high = sorted(axis.get_view_interval())
            marks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            labels = [tick.label1 if tick.label1.get_visible() else tick.label2 for tick in marks]
            found += [axis.label, *labels]
    return [text for text in found if text.get_text().strip()]


def overlaps(ax: Axes) -> list[tuple[str, str]]:
    """Return the pairs of visible texts that overlap."""
    boxes = [(text.get_text(), Text.get_window_extent(text)) for text in words(ax)]
    return [(one, two) for (one, a), (two, b) in combinations(boxes, 2) if a.overlaps(b)]


def contrasts(ax: Axes) -> dict[str, float]:
    """Return the contrast (WCAG 2.2) of each text with the most frequent colour of the pixels around it."""
    canvas = FigureCanvasAgg(ax.figure)  # type: ignore[arg-type]
    canvas.draw()  # type: ignore[no-untyped-call]
    pixels = np.asarray(canvas.buffer_rgba())[::-1, :, :3]  # type: ignore[no-untyped-call]
    found = {}
    for text in words(ax):
        box = Text.get_window_extent(text)
        part = pixels[max(round(box.y0), 0) : round(box.y1), max(round(box.x0), 0) : round(box.x1)]
        background = Counter(map(tuple, part.reshape(-1, 3).tolist())).most_common(1)[0][0]
        found[text.get_text()] = _contrast(to_rgb(text.get_color()), [each / 255 for each in background])
    return found


def _contrast(one: Iterable[float], other: Iterable[float]) -> float:
    low, high = sorted([_luminance(one), _luminance(other)])
    return (high + 0.05) / (low + 0.05)


def _luminance(rgb: Iterable[float]) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def points(line: Line2D) -> list[tuple[float, float]]:
    return [(x, y) for x, y in np.asarray(line.get_xydata()).tolist()]


def bars(ax: Axes) -> list[Rectangle]:
    """Return the bars, without the shaded background."""
    return [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_zorder() > 0]


def are_on_axes(ax: Axes) -> bool:
    """Return True if all texts are between the left and the right end of *ax*."""
    frame = ax.get_window_extent()
    return all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in map(Text.get_window_extent, ax.texts))


def option(
    day: date, *prices: int, obstacle: Obstacle | None = None, left: int | None = None
) -> ValidityOption:
    """Return one validity of a day, with a variant for each of *prices*."""
    begin = datetime.combine(day, time(), UTC)
    units = tuple(UnitOffer(variant, price, left, None) for variant, price in enumerate(prices))
    return ValidityOption(Interval(begin, begin + timedelta(days=1)), Duration(days=1), units, obstacle)
