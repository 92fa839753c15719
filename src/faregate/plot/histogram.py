"""The bars and axes of a histogram."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.ticker import FixedFormatter, FixedLocator, LogLocator, MaxNLocator, NullLocator

from faregate.money.currency import Currency
from faregate.plot import sizes
from faregate.plot.bars import HATCH, Bar, draw_bars
from faregate.plot.classes import Classed
from faregate.plot.drawing import (
    MAX_TICKS,
    STEPS,
    Amounts,
    across,
    amount_text,
    percent_text,
    round_numbers,
    show_amounts,
    text_width,
    tick_room,
    tidy,
)
from faregate.plot.marks import Overflow
from faregate.plot.palettes import Palette


class LogAxis(Enum):
    """The axes of a histogram that are logarithmic."""

    COUNT = "count"
    PRICE = "price"
    BOTH = "both"


class Histogram:
    """A bar for each class and for the prices above a limit; *whole* is the number of prices for shares."""

    def __init__(self, found: Classed, whole: int | None, unit: Currency, log: LogAxis | None) -> None:
        self._found, self._whole, self._unit = found, whole, unit
        self._is_log_price = log in {LogAxis.PRICE, LogAxis.BOTH}
        self._is_log_count = log in {LogAxis.COUNT, LogAxis.BOTH}
        self._prices = [own.first for own in found.classes]
        self._gap = min((high - low for low, high in pairwise(self._prices)), default=1)
        self._span = self._prices[-1] - self._prices[0]
        self._bars = [*self._class_bars()]
        self.overflow = None if found.limit is None else self._overflow(found.limit)

    def draw(self, ax: Axes, palette: Palette) -> None:
        """Draw the bars, and label both axes."""
        bars = [bar._replace(color=palette.bars) for bar in self._bars]
        if self.overflow is not None:
            _, left, right = self.overflow
            height = self._height(self._found.above)
            bars.append(Bar(left, right - left, 0, height, palette.bars, HATCH))
        draw_bars(ax, bars, palette)
        tidy(ax, palette)
        self._scale_counts(ax, max(bar.end for bar in bars), min(bar.end for bar in bars if bar.end))
        self._scale_prices(ax)
        ax.set_xlabel(f"Price ({self._unit.code})")
        ax.set_ylabel("Number of prices" if self._whole is None else "Share of prices (%)")

    # ------------------------------------------------------------ bars

    def _class_bars(self) -> Iterator[Bar]:
        width = max(self._gap * sizes.BAR_SHARE, self._span / sizes.NARROWEST_BAR)
        for first, last, count in self._found.classes:
            if self._found.is_single:
                yield Bar(first - width / 2, width, 0, self._height(count), "")
            else:
                yield Bar(first, last + 1 - first, 0, self._height(count), "")

    def _height(self, count: int) -> float:
        return count if self._whole is None else 100 * count / self._whole

    def _overflow(self, limit: int) -> Overflow:
        """Return the place of the bar for prices above *limit*: half its width beyond the last class."""
        start, (edge, width, *_) = self._bars[0].edge, self._bars[-1]
        end = edge + width
        if self._is_log_price:
            ratio = (end / start) ** (1 / min(len(self._bars), sizes.NARROWEST_OVERFLOW))
            return Overflow(limit, end * ratio**sizes.HALF, end * ratio ** (1 + sizes.HALF))
        width = max(width, (end - start) / sizes.NARROWEST_OVERFLOW)
        return Overflow(limit, end + width / 2, end + 3 * width / 2)

    # ------------------------------------------------------------ axes

    def _scale_counts(self, ax: Axes, most: float, least: float) -> None:
        if self._is_log_count:
            ax.set_yscale("log")
            ax.set_ylim(least / 2, most * 2)
            ax.yaxis.set_major_locator(LogLocator())
            ax.yaxis.set_minor_locator(NullLocator())
            ax.yaxis.set_major_formatter(lambda height, _: f"{height:,.10g}")
            return
        ax.set_ylim(0, most * sizes.HEADROOM)
        if self._whole is None:
            ax.set_yticks(*round_numbers(round(most)))

    def _scale_prices(self, ax: Axes) -> None:
        """Set ticks at the prices themselves if there is room, or else at round amounts."""
        if self._is_log_price:
            ax.set_xscale("log")
            ax.xaxis.set_minor_locator(NullLocator())
        room = tick_room(ax, (self._prices[0], self._prices[-1]), self._unit)
        most = min(room, MAX_TICKS)
        show_amounts(ax.xaxis, self._unit, most=most)
        has_own = self._found.is_single and self._gap * room >= self._span
        if not self._span and self.overflow is None:
            ax.set_xmargin(sizes.LONELY_MARGIN)
        if has_own and self.overflow is None:
            ax.set_xticks(self._prices)
        elif self._is_log_price or self.overflow is not None:
            self._fix_ticks(ax, self._prices if has_own else self._round_amounts(most))

    def _round_amounts(self, most: int) -> list[int]:
        """Return round amounts from the first class to the last."""
        first, last = self._bars[0], self._bars[-1]
        start, end = first.edge, last.edge + last.width
        by_width = MaxNLocator(most, integer=True, steps=STEPS)
        locator = LogLocator(subs=STEPS[:-1]) if self._is_log_price else by_width
        return [round(tick) for tick in locator.tick_values(start, end) if start <= tick <= end]

    def _fix_ticks(self, ax: Axes, amounts: list[int]) -> None:
        """Set ticks at *amounts* and at the overflow, from right to left without those that would overlap."""
        labels = Amounts(self._unit).format_ticks(amounts)
        kept: list[tuple[float, str]] = []
        free: float = 1 + text_width(ax, labels[-1] if labels else "")
        if self.overflow is not None:
            label = self._overflow_label(self.overflow)
            kept.append((self.overflow.right, label))
            free = across(ax, self.overflow.right) - text_width(ax, label)
        for amount, label in zip(reversed(amounts), reversed(labels), strict=True):
            middle, half = across(ax, amount), text_width(ax, f"{label}  ") / 2
            if middle + half < free:
                kept.append((amount, label))
                free = middle - half
        ax.xaxis.set_major_locator(FixedLocator([place for place, _ in kept]))
        ax.xaxis.set_major_formatter(FixedFormatter([label for _, label in kept]))
        ax.fmt_xdata = Amounts(self._unit)
        if self.overflow is not None:
            ax.get_xticklabels()[0].set_ha("right")

    def _overflow_label(self, overflow: Overflow) -> str:
        above = self._found.above
        share = (
            f"{above:,}" if self._whole is None else f"{percent_text(Fraction(100 * above, self._whole))} %"
        )
        return f"> {amount_text(overflow.limit, self._unit)}: {share}"
