"""The picture of a price comparison."""

from __future__ import annotations

import pytest

from faregate import PriceDistribution
from faregate.errors import InvalidInput
from faregate.insights import compare
from faregate.plot import alt_text, quantile_shifts
from support.plot.drawn import points, texts

OLD, NEW = (PriceDistribution.from_prices(range(first, first + 20)) for first in (60, 75))


def test_rows_show_quantiles_with_their_intervals() -> None:
    found = compare(OLD, NEW, percents=[50])

    lines = [points(line) for line in quantile_shifts(found, currency="CHF").get_lines()]

    [median] = found.quantiles
    assert median.old_interval is not None
    assert median.new_interval is not None
    ends = [[x for x, _ in line] for line in lines]
    assert ends == [
        [median.old_interval.lower, median.old_interval.upper],
        [round(median.old)],
        [median.new_interval.lower, median.new_interval.upper],
        [round(median.new)],
    ]


def test_clear_shifts_are_bold_and_signed() -> None:
    ax = quantile_shifts(compare(OLD, NEW, percents=[2, 50, 98]), currency="CHF")

    assert texts(ax) == ["Shift", "+0.15", "+0.14", "+0.15"]  # 69.5 and 84.5 are displayed as 0.70 and 0.84
    assert [text.get_fontweight() for text in ax.texts[1:]] == ["normal", "bold", "normal"]


def test_quantiles_without_an_interval_have_a_mark_only() -> None:
    ax = quantile_shifts(compare(OLD, NEW, percents=[0]), currency="CHF")

    assert [len(points(line)) for line in ax.get_lines()] == [0, 1, 0, 1]


def test_alt_text_names_the_clear_shifts() -> None:
    said = alt_text(quantile_shifts(compare(OLD, NEW, percents=[50]), currency="CHF", title="Autumn"))

    assert said.startswith("Autumn. The median rose from 0.70 to 0.84 (+0.14); ")
    assert said.endswith("the shift of the median is clear at 95 % confidence.")


def test_other_values_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"insights\.compare, got PriceDistribution"):
        quantile_shifts(OLD, currency="CHF")  # type: ignore[arg-type]
