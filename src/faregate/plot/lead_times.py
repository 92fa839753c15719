"""Prices and their percentiles by lead time, the number of days between order and visit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import cycle
from operator import attrgetter
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.ticker import MultipleLocator

from faregate.arguments.checks import rows, whole
from faregate.errors import InvalidAmount, InvalidInput, InvalidPercent, NoObservations
from faregate.insights.comparison import COMPARED_PERCENTS
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import Percent
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.money.rounding import round_half_even
from faregate.plot import sizes
from faregate.plot.drawing import canvas, entitle, money_text, percent_text, show_amounts, tidy
from faregate.plot.ecdf import checked_distributions
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
    """
    _check(curves)
    unit = as_currency(currency)
    ax, palette = canvas(ax, sizes.SIZE, style)
    looks = zip(cycle(palette.curves), cycle(sizes.DASHES), strict=False)
    named = zip(curves.items(), looks, strict=False)
    ends = [_draw(ax, label, prices, look=look) for (label, prices), look in named]
    _finish(ax, unit, palette, longest=max(max(prices) for prices in curves.values()))
    _label(ax, ends)
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


class _End(NamedTuple):
    """The end of a curve, on the day of the visit or on the closest day before it that has a price."""

    price: MinorUnits
    day: int
    label: str
    color: str


def _draw(ax: Axes, label: str, prices: Mapping[int, MinorUnits], *, look: tuple[str, Dashes]) -> _End:
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
    return _End(prices[days[0]], days[0], label, color)


def _finish(ax: Axes, currency: Currency, palette: Palette, *, longest: int) -> None:
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


# ---------------------------------------------------------------- percentiles


def lead_time_fan(
    distributions: Mapping[int, PriceDistribution],
    *,
    currency: Currency | str,
    percents: Iterable[Percent] = COMPARED_PERCENTS,
    ax: Axes | None = None,
    title: str = "Prices by lead time",
    style: Style | str = "light",
) -> Axes:
    """Draw the percentiles of prices by days booked ahead, as bands from the outer ones to the inner ones.

    *distributions* maps lead days to prices, as ``faregate.frames.distributions`` returns them for a column
    of lead days. Percentiles are those of ``PriceDistribution.quantile``, rounded half even to minor units,
    and joined by straight lines from one observed day to the next. The visit is on the right.

    >>> from faregate import PriceDistribution
    >>> from faregate.plot import alt_text
    >>> days = {day: PriceDistribution.from_prices([5500, 6000 - day, 8900 - day]) for day in (0, 7, 30)}
    >>> alt_text(lead_time_fan(days, currency="CHF")).partition(". ")[2]
    'Percentiles 10 to 90 of 9 prices by days booked ahead, from 30 to 0: median from CHF 59.70 to CHF 60.00.'

    Raises:
        NoObservations: *distributions* is empty, or one of the distributions is.
        InvalidInput: *distributions* is not a mapping to price distributions, or lead days are not ints of at
            least 0.
        InvalidPercent: a percentage is not exact or not from 0 to 100, or *percents* are not ascending.
    """
    checked_distributions(distributions)
    by_day = dict(sorted((_lead_days(key), own) for key, own in distributions.items()))
    wanted = rows("percents", percents, InvalidPercent)
    curves = [[round_half_even(own.quantile(each)) for own in by_day.values()] for each in wanted]
    if not wanted or [*wanted] != sorted({*wanted}):
        raise InvalidPercent(f"percents: expected ascending percentages, got {wanted!r}")
    unit, days = as_currency(currency), [*by_day]
    ax, palette = canvas(ax, sizes.SIZE, style)
    for low, high in zip(curves[: len(curves) // 2], reversed(curves), strict=False):
        ax.fill_between(days, low, high, color=palette.bars, alpha=sizes.BAND, linewidth=0)
    for number, curve in enumerate(curves):
        is_middle = 2 * number + 1 == len(curves)
        ax.plot(days, curve, color=palette.ink, linewidth=sizes.THICK if is_middle else sizes.THIN)
    _finish(ax, unit, palette, longest=days[-1])
    labels = [f"{percent_text(each)} %" for each in wanted]
    pairs = zip(curves, labels, strict=True)
    _label(ax, [_End(curve[0], days[0], label, palette.ink) for curve, label in pairs])
    entitle(ax, title, palette, alt=_alt(by_day, wanted, unit))
    return ax


def _lead_days(key: object) -> int:
    day = key[0] if isinstance(key, tuple) and len(key) == 1 else key
    return whole(day, "lead days", InvalidInput, 0)


def _alt(by_day: Mapping[int, PriceDistribution], percents: tuple[Percent, ...], unit: Currency) -> str:
    last, first = min(by_day), max(by_day)
    medians = [money_text(by_day[day].quantile(50), unit) for day in (first, last)]
    return (
        f"Percentiles {percent_text(percents[0])} to {percent_text(percents[-1])} of"
        f" {sum(own.n for own in by_day.values()):,} prices by days booked ahead, from {first} to {last}:"
        f" median from {medians[0]} to {medians[1]}."
    )


# ---------------------------------------------------------------- labels


def _label(ax: Axes, ends: Iterable[_End]) -> None:
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
            arrowprops={
                "arrowstyle": "-",
                "color": end.color,
                "linewidth": sizes.THIN,
                "relpos": (0, sizes.HALF),
            },
        )


def _spread(heights: Iterable[float]) -> list[float]:
    """Return *heights*, in descending order, lowered or raised so that they are apart and at least 0."""
    spread: list[float] = []
    for height in heights:
        spread.append(min(height, spread[-1] - sizes.LABEL_GAP) if spread else height)
    least = [sizes.LABEL_GAP * (len(spread) - 1 - rank) for rank in range(len(spread))]
    return list(map(max, spread, least))
