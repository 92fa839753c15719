"""A histogram of prices, drawn as bars in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from faregate.insights.distribution import PriceDistribution
from faregate.money.amounts import MinorUnits, format_minor_units
from faregate.money.currency import Currency
from faregate.render.distribution_svg import PriceClass
from faregate.render.distributions import price_classes


class Signs(NamedTuple):
    """Characters for a histogram; ``parts`` are blocks of increasing width, up to a full column."""

    parts: str
    dash: str
    mark: str

    @classmethod
    def of(cls, *, is_ascii: bool) -> Signs:
        """Return the characters for a terminal: ASCII if *is_ascii*, otherwise Unicode."""
        return cls("#", "-", "<") if is_ascii else cls("▏▎▍▌▋▊▉█", "–", "◂")


def histogram(
    distribution: PriceDistribution, unit: Currency, *, signs: Signs, width: int, marked: MinorUnits | None
) -> Iterator[str]:
    """Yield a line for each price or range of prices, at most *width* wide if that leaves room for bars.

    An arrow points to the line of the *marked* price, if any.
    """
    classes = price_classes(distribution.prices, distribution.counts)
    labels = [_label(entry, unit, signs) for entry in classes]
    counts = [f"{entry.observations:,}" for entry in classes]
    is_marked = [marked is not None and entry.first <= marked <= entry.last for entry in classes]
    marks = [f" {signs.mark}" if each else "" for each in is_marked]
    label_width, count_width, mark_width = (max(map(len, texts)) for texts in (labels, counts, marks))
    space = max(width - label_width - count_width - mark_width - 2, 1)
    most = max(entry.observations for entry in classes)
    for entry, label, count, mark in zip(classes, labels, counts, marks, strict=True):
        drawn = bar(entry.observations, most, space=space, signs=signs)
        yield f"{label:>{label_width}} {drawn:<{space}} {count:>{count_width}}{mark}"


def bar(part: int, whole: int, *, space: int, signs: Signs) -> str:
    """Return a bar for *part*, scaled so that *whole* fills *space* columns; only 0 has no bar.

    >>> bar(5, 8, space=4, signs=Signs.of(is_ascii=False))
    '██▌'
    >>> bar(1, 800, space=4, signs=Signs.of(is_ascii=True))
    '#'
    """
    fine = len(signs.parts)
    length = max(part * space * fine // whole, 1 if part else 0)
    full, rest = divmod(length, fine)
    return signs.parts[-1] * full + (signs.parts[rest - 1] if rest else "")


def _label(entry: PriceClass, unit: Currency, signs: Signs) -> str:
    first, last = format_minor_units(entry.first, unit), format_minor_units(entry.last, unit)
    return first if first == last else f"{first} {signs.dash} {last}"
