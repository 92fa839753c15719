"""Curves of prices by lead time, the number of days between order and visit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from operator import attrgetter
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import MultipleLocator

from faregate.errors import InvalidAmount, InvalidInput, NoObservations
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.plot import sizes
from faregate.plot.drawing import canvas, entitle, money_text, show_amounts, tidy
from faregate.plot.palettes import Palette, Style
from faregate.plot.sizes import Dashes

_WEEK = 7
_MAX_TICKS = 10


def lead_time_curves(
    curves: Mapping[str, Mapping[int, MinorUnits]],
    *,
    currency: Currency | str,
    ax: Axes | None = None,
    title: str = "Price by lead time",
    style: Style | str = "light",
) -> Axes:
    """Draw each curve of prices against the number of days booked ahead; the visit is on the right.

    A price applies from its number of lead days up to the next number in the curve. The last price is drawn
    for as many days as the one before it. Each curve is labelled at its end.

    >>> weekday, saturday = {0: 7900, 7: 6700, 30: 5500}, {0: 8900, 7: 7500, 30: 6200}
    >>> ax = lead_time_curves({"Tuesday": weekday, "Saturday": saturday}, currency="CHF")
    >>> ax.get_ylabel(), [line.get_label() for line in ax.get_lines()]
    ('Price (CHF)', ['Tuesday', 'Saturday'])

    Raises:
        NoObservations: *curves* is empty, or one of the curves has no prices.
        InvalidInput: a curve has negative lead days.
        InvalidAmount: a price is not an int of minor units.
        InvalidOption: *style* is not a valid option.
        UnknownCurrency: *currency* is a code that ISO 4217 does not list.
    """
    _check(curves)
    unit = as_currency(currency)
    ax, palette = canvas(ax, sizes.SIZE, style)
    looks = zip(cycle(palette.curves), cycle(sizes.DASHES), strict=False)
    named = zip(curves.items(), looks, strict=False)
    ends = [_draw(ax, label, prices, look=look) for (label, prices), look in named]
    finish(ax, unit, palette, longest=max(max(prices) for prices in curves.values()))
    label_ends(ax, ends)
    entitle(ax, title, palette, alt=f"Curves by days booked ahead: {_ranges(curves, unit)}.")
    return ax


def _ranges(curves: Mapping[str, Mapping[int, MinorUnits]], unit: Currency) -> str:
    return "; ".join(
        f"{label} from {money_text(min(prices.values()), unit)} to {money_text(max(prices.values()), unit)}"
        for label, prices in curves.items()
    )


def _check(curves: Mapping[str, Mapping[int, MinorUnits]]) -> None:
    if not curves:
        raise NoObservations("expected at least one curve, got none")
    for label, prices in curves.items():
        if not prices:
            raise NoObservations(f"curve {label!r} has no prices")
        if min(prices) < 0:
            raise InvalidInput(f"curve {label!r}: expected lead days of at least 0, got {min(prices)}")
        odd = [price for price in prices.values() if type(price) is not int]
        if odd:
            raise InvalidAmount(f"curve {label!r}: expected prices as ints of minor units, got {odd[0]!r}")


class End(NamedTuple):
    """The end of a curve, on the day of the visit or on the closest day before it that has a price."""

    price: MinorUnits
    day: int
    label: str
    color: str


def _draw(ax: Axes, label: str, prices: Mapping[int, MinorUnits], *, look: tuple[str, Dashes]) -> End:
    days = sorted(prices)
    color, dashes = look
    last = days[-1]
    ax.step(
        [*days, last + (last - days[-2] if len(days) > 1 else 1)],
        [prices[day] for day in [*days, last]],
        where="post",
        label=label,
        color=color,
        linestyle=dashes,
        linewidth=sizes.THICK,
    )
    return End(prices[days[0]], days[0], label, color)


def finish(ax: Axes, currency: Currency, palette: Palette, *, longest: int) -> None:
    """Set up the axes for lead times up to *longest*, with the visit on the right."""
    tidy(ax, palette)
    ax.set_xmargin(0)
    ax.xaxis.set_inverted(True)
    ax.set_xlim(right=0)
    ax.xaxis.set_major_locator(MultipleLocator(_days_per_tick(longest)))
    show_amounts(ax.yaxis, currency)
    ax.set_xlabel("Days booked ahead of the visit")
    ax.set_ylabel(f"Price ({currency.code})")


def _days_per_tick(longest: int) -> int:
    """Return the number of days from tick to tick: 1 for curves up to a week, or else whole weeks."""
    return 1 if longest <= _WEEK else -(-longest // (_WEEK * _MAX_TICKS)) * _WEEK


# ---------------------------------------------------------------- labels


def label_ends(ax: Axes, ends: Iterable[End]) -> None:
    """Label each curve beside its end, with the labels at least one line of text apart."""
    low, high = ax.get_ylim()
    ax.set_ylim(low, high)
    from_top = sorted(ends, key=attrgetter("price"), reverse=True)
    heights = _spread((end.price - low) / (high - low) for end in from_top)
    for end, height in zip(from_top, heights, strict=True):
        ax.annotate(
            end.label,
            (end.day, end.price),
            xytext=(sizes.LABEL_X, height),
            textcoords="axes fraction",
            va="center",
            fontsize=sizes.SMALL,
            color=end.color,
            parse_math=False,
            arrowprops={"arrowstyle": "-", "color": end.color, "linewidth": sizes.THIN},
        )


def _spread(heights: Iterable[float]) -> list[float]:
    """Return *heights*, in descending order, lowered or raised so that they are apart and at least 0."""
    spread: list[float] = []
    for height in heights:
        spread.append(min(height, spread[-1] - sizes.LABEL_GAP) if spread else height)
    least = [sizes.LABEL_GAP * (len(spread) - 1 - rank) for rank in range(len(spread))]
    return list(map(max, spread, least))
