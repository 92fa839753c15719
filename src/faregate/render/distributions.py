"""Price distributions and insights as text and HTML: summaries, bar charts and gauges."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from itertools import count as count_up
from textwrap import wrap

from faregate.insights.distribution import PriceDistribution, PriceInsight
from faregate.insights.percentiles import PriceSummary
from faregate.money.amounts import MinorUnits, format_amount
from faregate.money.currency import Currency
from faregate.money.rounding import rdiv, round_half_even
from faregate.render.distribution_svg import Marks, PriceClass, Zones, gauge, histogram
from faregate.render.markup import Table, folded, tag

MAX_CLASSES = 12
"""Maximum number of bars in a chart."""

_EMPTY = "no prices"


def price_classes(prices: Sequence[MinorUnits], counts: Sequence[int]) -> tuple[PriceClass, ...]:
    """Return one class per price or, for many prices, at most ``MAX_CLASSES`` classes of equal width.

    *prices* must be in ascending order; *counts* has the number of observations of each. The width is 1, 2 or
    5 times a power of ten, and classes begin at multiples of it.

    >>> price_classes(range(0, 40, 2), [1] * 20)[:2]
    (PriceClass(first=0, last=4, observations=3), PriceClass(first=5, last=9, observations=2))
    """
    if len(prices) <= MAX_CLASSES:
        return tuple(PriceClass(price, price, own) for price, own in zip(prices, counts, strict=True))
    width = class_width(prices[0], prices[-1])
    totals = dict.fromkeys(range(prices[0] // width, prices[-1] // width + 1), 0)
    for price, own in zip(prices, counts, strict=True):
        totals[price // width] += own
    return tuple(PriceClass(at * width, (at + 1) * width - 1, own) for at, own in totals.items())


def class_width(least: MinorUnits, greatest: MinorUnits, most: int = MAX_CLASSES) -> int:
    """Return the least round width of at most *most* classes of the prices from *least* to *greatest*."""
    powers: Iterator[int] = (int(10**power) for power in count_up())
    widths = (digit * power for power in powers for digit in (1, 2, 5))
    return next(width for width in widths if greatest // width - least // width < most)


def distribution_text(found: PriceDistribution, *, width: int = 72, currency: Currency | None = None) -> str:
    """Return a summary and a bar chart as plain text, *width* columns wide if that leaves room for bars."""
    if not found.n:
        return _EMPTY
    rows, summary = price_classes(found.prices, found.counts), found.summary()
    labels = [_label(row, currency) for row in rows]
    numbers = [str(row.observations) for row in rows]
    label_width, number_width = max(map(len, labels)), max(map(len, numbers))
    space = max(width - label_width - number_width - 4, 1)
    longest = max(row.observations for row in rows)
    bars = ["#" * _length(row.observations, longest, space) for row in rows]
    lines = [
        f"{label:>{label_width}}  {bar:<{space}}  {number:>{number_width}}"
        for label, bar, number in zip(labels, bars, numbers, strict=True)
    ]
    return "\n".join([*wrap(_sentence(summary, currency), max(width, 1)), *lines])


def _length(part: int, whole: int, space: int) -> int:
    """Return the length of a bar for *part* if *whole* fills *space*; at least 1 unless *part* is 0."""
    return max(rdiv(part * space, whole), 1 if part else 0)


def _label(row: PriceClass, currency: Currency | None) -> str:
    first, last = format_amount(row.first, currency), format_amount(row.last, currency)
    return first if row.first == row.last else f"{first} – {last}"


def _sentence(summary: PriceSummary, currency: Currency | None) -> str:
    quartiles = (summary.lower_quartile, summary.median, summary.upper_quartile)
    parts = [
        f"{summary.n} price{'' if summary.n == 1 else 's'}",
        f"minimum {format_amount(summary.minimum, currency)}",
        f"quartiles {', '.join(_rounded(quartile, currency) for quartile in quartiles)}",
        f"maximum {format_amount(summary.maximum, currency)}",
        f"mean {_rounded(summary.mean, currency)}",
    ]
    return ", ".join(parts)


def _rounded(exact: Fraction, currency: Currency | None) -> str:
    return format_amount(round_half_even(exact), currency)


def distribution_html(
    found: PriceDistribution, *, price: MinorUnits | None = None, currency: Currency | None = None
) -> str:
    """Return HTML with a summary, a histogram that marks the quartiles and *price*, and a collapsed table."""
    if not found.n:
        return f"<p>{_EMPTY}</p>"
    rows, summary = price_classes(found.prices, found.counts), found.summary()
    sentence = _sentence(summary, currency)
    ends = format_amount(rows[0].first, currency), format_amount(rows[-1].last, currency)
    marks = Marks(_quartiles(summary), price, ends)
    said = sentence if price is None else f"{sentence}; marked in orange: {format_amount(price, currency)}"
    table = Table(
        (f"Price ({'minor units' if currency is None else currency.code})", "Count", "Share"),
        [(_label(row, currency), str(row.observations), _share(row, summary.n)) for row in rows],
    )
    picture = histogram(rows, marks, title=said)
    return f"{tag('p', escape(said))}{picture}{folded('As a table', table.html())}"


def _quartiles(summary: PriceSummary) -> tuple[MinorUnits, MinorUnits, MinorUnits]:
    lower, upper = summary.lower_quartile, summary.upper_quartile
    return round_half_even(lower), round_half_even(summary.median), round_half_even(upper)


def _share(row: PriceClass, n: int) -> str:
    return f"{_tenths(100 * row.observations, n)} %"


def _tenths(numerator: int, denominator: int) -> str:
    """Return *numerator* / *denominator*, a ratio of at least 0, as text with one decimal."""
    whole, tenths = divmod(round_half_even(Fraction(10 * numerator, denominator)), 10)
    return f"{whole}.{tenths}"


def insight_html(found: PriceInsight, *, currency: Currency | None = None) -> str:
    """Return HTML with the level and percentile of a price, and a gauge with the price and its thresholds."""
    low, lower = found.lower.percent, found.lower.price
    high, upper = found.upper.percent, found.upper.price
    price, percentile = found.benchmark.price, found.benchmark.percentile
    labels = [format_amount(amount, currency) for amount in (lower, upper, price)]
    unit = "minor units" if currency is None else currency.code
    rank = _tenths(*percentile.as_integer_ratio())
    said = (
        f"{labels[2]} {unit} is {found.level.value}, at percentile {rank}:"
        f" low is below {labels[0]} (percentile {low}), high is above {labels[1]} (percentile {high})"
    )
    picture = gauge(Zones((lower, labels[0]), (upper, labels[1]), (price, labels[2])), title=said)
    return f"{tag('p', escape(said))}{picture}"
