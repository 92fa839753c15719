"""The bars and axes of a histogram."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from itertools import pairwise

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullLocator

from faregate.errors import InvalidAmount
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate.plot import sizes
from faregate.plot.classes import Classed
from faregate.plot.drawing import (
    HATCH,
    MAX_TICKS,
    STEPS,
    Amounts,
    Bar,
    across,
    amount_text,
    draw_bars,
    percent_text,
    round_numbers,
    show_amounts,
    text_width,
    tick_room,
    tidy,
)
from faregate.plot.palettes import Palette


class LogAxis(Enum):
    """The axes of a histogram that are logarithmic."""

    COUNT = "count"
    PRICE = "price"
    BOTH = "both"


class Histogram:
    """A bar for each class and for the prices above a limit; *whole* is the number of prices for shares."""

    def __init__(self, found: Classed, whole: int | None, unit: Currency, log: LogAxis | None) -> None:
        self._found, self._whole, self.unit = found, whole, unit
        self._is_log_price = log in {LogAxis.PRICE, LogAxis.BOTH}
        self._is_log_count = log in {LogAxis.COUNT, LogAxis.BOTH}
        self._prices = [own.first for own in found.classes]
        self._gap = min((high - low for low, high in pairwise(self._prices)), default=1)
        self._span = self._prices[-1] - self._prices[0]
        self._bars = [*self._class_bars()]
        self._start, self._end = self._bars[0].edge, self._bars[-1].edge + self._bars[-1].width
        self._overflow = None if found.limit is None else self._overflow_bar()

    def draw(self, ax: Axes, palette: Palette) -> None:
        """Draw the bars, and label both axes."""
        overflow = [] if self._overflow is None else [self._overflow]
        bars = [bar._replace(color=palette.bars) for bar in self._bars + overflow]
        draw_bars(ax, bars, palette)
        tidy(ax, palette)
        self._scale_counts(ax, max(bar.end for bar in bars), min(bar.end for bar in bars if bar.end))
        self._scale_prices(ax)
        ax.set_xlabel(f"Price ({self.unit.code})")
        ax.set_ylabel("Number of prices" if self._whole is None else "Share of prices (%)")

    def place(self, price: MinorUnits) -> float:
        """Return the position of *price* on the axis; prices above the limit have one place."""
        bar, limit = self._overflow, self._found.limit
        if self._is_log_price and price < 1:
            raise InvalidAmount(f"a log axis needs prices above 0, got {price}: use log='count'")
        return price if bar is None or limit is None or price <= limit else bar.edge + bar.width / 2

    def _class_bars(self) -> Iterator[Bar]:
        """Yield the bars; classes that are too narrow to be seen are drawn wider, towards lower prices."""
        narrowest = self._span / sizes.NARROWEST_BAR
        width = max(self._gap * sizes.BAR_SHARE, narrowest)
        widest = max(own.last + 1 - own.first for own in self._found.classes)
        for first, last, count in self._found.classes:
            own = max(last + 1 - first, 0 if self._is_log_price else min(narrowest, widest))
            edge, own = (first - width / 2, width) if self._found.is_single else (last + 1 - own, own)
            yield Bar(edge, own, 0, self._height(count))

    def _height(self, count: int) -> float:
        return count if self._whole is None else 100 * count / self._whole

    def _overflow_bar(self) -> Bar:
        """Return the bar for prices above the limit, half its width beyond the last class."""
        height = self._height(self._found.above)
        if self._is_log_price:
            ratio = (self._end / self._start) ** (1 / min(len(self._bars), sizes.NARROWEST_OVERFLOW))
            edge = self._end * ratio**sizes.HALF
            return Bar(edge, edge * (ratio - 1), 0, height, hatch=HATCH)
        width = max(self._bars[-1].width, (self._end - self._start) / sizes.NARROWEST_OVERFLOW)
        return Bar(self._end + width / 2, width, 0, height, hatch=HATCH)

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
        room = tick_room(ax, (self._prices[0], self._prices[-1]), self.unit)
        has_own = self._found.is_single and self._gap * room >= self._span
        by_width = show_amounts(ax.xaxis, self.unit, most=min(room, MAX_TICKS))
        if not self._span and self._overflow is None:
            ax.set_xmargin(sizes.LONELY_MARGIN)
        if has_own and self._overflow is None:
            ax.set_xticks(self._prices)
        elif self._is_log_price or self._overflow is not None:
            locator = LogLocator(subs=STEPS[:-1]) if self._is_log_price else by_width
            rounds = [round(tick) for tick in locator.tick_values(self._start, self._end)]
            amounts = self._prices if has_own else rounds
            self._fix_ticks(ax, [amount for amount in amounts if self._start <= amount <= self._end])

    def _fix_ticks(self, ax: Axes, amounts: list[int]) -> None:
        """Set ticks at *amounts* and at the overflow, from right to left without those that would overlap."""
        kept: list[tuple[float, str]] = []
        free: float = 2
        if self._overflow is not None:
            kept.append((self._overflow.edge + self._overflow.width, self._overflow_label()))
            free = across(ax, kept[0][0]) - text_width(ax, kept[0][1])
        labels = Amounts(self.unit).format_ticks(amounts)
        for amount, label in reversed([*zip(amounts, labels, strict=True)]):
            middle, half = across(ax, amount), text_width(ax, f"{label}  ") / 2
            if middle + half < free:
                kept.append((amount, label))
                free = middle - half
        ax.set_xticks([place for place, _ in kept], [label for _, label in kept])
        ax.fmt_xdata = Amounts(self.unit)
        if self._overflow is not None:
            ax.get_xticklabels()[0].set_horizontalalignment("right")

    def _overflow_label(self) -> str:
        above, limit = self._found.above, amount_text(self._found.limit or 0, self.unit)
        share = (
            f"{above:,}" if self._whole is None else f"{percent_text(Fraction(100 * above, self._whole))} %"
        )
        return f"> {limit}: {share}"
