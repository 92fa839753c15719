"""Percentiles of prices by lead time, as bands around the median."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from matplotlib.axes import Axes

from faregate.arguments.checks import rows, whole
from faregate.errors import InvalidInput, InvalidPercent
from faregate.insights.comparison import COMPARED_PERCENTS
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import Percent
from faregate.money.currency import Currency, as_currency
from faregate.money.rounding import round_half_even
from faregate.plot import sizes
from faregate.plot.drawing import canvas, entitle, money_text, percent_text
from faregate.plot.ecdf import checked_distributions
from faregate.plot.lead_times import End, finish, label_ends
from faregate.plot.palettes import Style


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
        InvalidOption: *style* is not a valid option.
        UnknownCurrency: *currency* is a code that ISO 4217 does not list.
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
    finish(ax, unit, palette, longest=days[-1])
    labels = [f"{percent_text(each)} %" for each in wanted]
    pairs = zip(curves, labels, strict=True)
    label_ends(ax, [End(curve[0], days[0], label, palette.ink) for curve, label in pairs])
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
