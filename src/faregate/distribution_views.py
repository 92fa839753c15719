"""A distribution of prices to look at: a summary and a bar per price, as text and as HTML."""

from __future__ import annotations

from html import escape
from itertools import count as count_up
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

from faregate.money import format_minor_units
from faregate.rounding import RoundingMode, divide, rdiv

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    from faregate.currency import Currency
    from faregate.money import MinorUnits
    from faregate.quantiles import PriceSummary

__all__ = ["MOST_CLASSES", "PriceClass", "distribution_html", "distribution_text", "price_classes"]

MOST_CLASSES = 12
"""Bars that still can be taken in at a glance."""

_EMPTY = "no prices"


class PriceClass(NamedTuple):
    """How many prices lie between two, both included."""

    first: MinorUnits
    last: MinorUnits
    observations: int


def price_classes(prices: Sequence[MinorUnits], counts: Sequence[int]) -> tuple[PriceClass, ...]:
    """Ascending *prices* one by one if they are few, else in at most ``MOST_CLASSES`` of equal width.

    The width is 1, 2 or 5 times a power of ten, and the classes begin at its multiples.

    >>> price_classes(range(0, 40, 2), [1] * 20)[:2]
    (PriceClass(first=0, last=4, observations=3), PriceClass(first=5, last=9, observations=2))
    """
    if len(prices) <= MOST_CLASSES:
        return tuple(PriceClass(price, price, own) for price, own in zip(prices, counts, strict=True))
    width = _class_width(prices[0], prices[-1])
    totals = dict.fromkeys(range(prices[0] // width, prices[-1] // width + 1), 0)
    for price, own in zip(prices, counts, strict=True):
        totals[price // width] += own
    return tuple(PriceClass(at * width, (at + 1) * width - 1, own) for at, own in totals.items())


def _class_width(least: MinorUnits, greatest: MinorUnits) -> int:
    powers: Iterator[int] = (int(10**power) for power in count_up())
    widths = (digit * power for power in powers for digit in (1, 2, 5))
    return next(width for width in widths if greatest // width - least // width < MOST_CLASSES)


# ---------------------------------------------------------------- text


def distribution_text(
    prices: Sequence[MinorUnits],
    counts: Sequence[int],
    summary: PriceSummary | None,
    *,
    width: int,
    currency: Currency | None,
) -> str:
    """As plain text, *width* columns wide as far as there is room for bars."""
    if summary is None:
        return _EMPTY
    rows = price_classes(prices, counts)
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
    """Of a bar; what is there at all can be seen."""
    return max(rdiv(part * space, whole), 1 if part else 0)


def _label(row: PriceClass, currency: Currency | None) -> str:
    first, last = _amount(row.first, currency), _amount(row.last, currency)
    return first if row.first == row.last else f"{first} – {last}"


def _sentence(summary: PriceSummary, currency: Currency | None) -> str:
    quartiles = (summary.lower_quartile, summary.median, summary.upper_quartile)
    parts = [
        f"{summary.n} price{'' if summary.n == 1 else 's'}",
        f"minimum {_amount(summary.minimum, currency)}",
        f"quartiles {', '.join(_rounded(quartile, currency) for quartile in quartiles)}",
        f"maximum {_amount(summary.maximum, currency)}",
        f"mean {_rounded(summary.mean, currency)}",
    ]
    return ", ".join(parts)


def _rounded(exact: Fraction, currency: Currency | None) -> str:
    return _amount(divide(*exact.as_integer_ratio(), mode=RoundingMode.HALF_EVEN), currency)


def _amount(amount: MinorUnits, currency: Currency | None) -> str:
    return str(amount) if currency is None else format_minor_units(amount, currency)


# ---------------------------------------------------------------- HTML

_STYLE = (
    "<style>.faregate-distribution{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".faregate-distribution caption{text-align:left;padding-bottom:.5em}"
    ".faregate-distribution th,.faregate-distribution td"
    "{text-align:right;font-weight:400;padding:.15em 0 .15em 1.5em;white-space:nowrap}"
    ".faregate-distribution th:first-child{padding-left:0}"
    ".faregate-distribution thead th{font-weight:700;border-bottom:1px solid}"
    ".faregate-distribution .bar{width:16em;text-align:left}"
    ".faregate-distribution .bar div{height:.8em;background:currentColor;opacity:.6}</style>"
)


def distribution_html(
    prices: Sequence[MinorUnits],
    counts: Sequence[int],
    summary: PriceSummary | None,
    *,
    currency: Currency | None,
) -> str:
    """As an HTML table that can be read without its bars."""
    if summary is None:
        return f"<p>{_EMPTY}</p>"
    rows = price_classes(prices, counts)
    longest = max(row.observations for row in rows)
    body = "".join(_html_row(row, summary.n, longest, currency) for row in rows)
    unit = "minor units" if currency is None else currency.code
    heads = "".join(f'<th scope="col">{head}</th>' for head in (f"Price ({unit})", "Count", "Share"))
    head = f'<thead><tr>{heads}<td class="bar"></td></tr></thead>'
    caption = f"<caption>{escape(_sentence(summary, currency))}</caption>"
    return f'{_STYLE}<table class="faregate-distribution">{caption}{head}<tbody>{body}</tbody></table>'


def _html_row(row: PriceClass, n: int, longest: int, currency: Currency | None) -> str:
    tenths = divide(1000 * row.observations, n, mode=RoundingMode.HALF_EVEN)
    share = f"{tenths // 10}.{tenths % 10} %"
    bar = f'<div style="width:{_length(row.observations, longest, 100)}%"></div>'
    cells = f'<td>{row.observations}</td><td>{share}</td><td class="bar" aria-hidden="true">{bar}</td>'
    return f'<tr><th scope="row">{escape(_label(row, currency))}</th>{cells}</tr>'
