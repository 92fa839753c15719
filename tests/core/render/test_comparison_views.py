"""Comparisons of price distributions: a sentence and a table, as text and as HTML."""

from fractions import Fraction

import pytest

from faregate import render
from faregate.insights.comparison import compare
from faregate.insights.distribution import PriceDistribution
from faregate.money.currency import currency
from faregate.render.comparisons import comparison_sentence
from support.render.shown_html import texts, tree_of

FRANCS = currency("CHF")
from_prices = PriceDistribution.from_prices
OLD, NEW = from_prices(range(6000, 8000, 100)), from_prices(range(7500, 9500, 100))
ENDING = "With 20 old and 20 new prices, the shift of the median is clear at 95 % confidence."


def test_text_has_a_sentence_and_a_row_per_figure() -> None:
    """Of 20 prices, ranks 6 and 15 are the interval of the median; percentile 90 has none."""
    found = compare(OLD, NEW, percents=[50, 90])

    assert render.text(found, width=66, currency=FRANCS).splitlines() == [
        "The median rose from 69.50 to 84.50 (+15.00); percentile 90 rose",
        "from 77.10 to 92.10 (+15.00); the mean rose from 69.50 to 84.50",
        "(+15.00). With 20 old and 20 new prices, the shift of the median",
        "is clear at 95 % confidence.",
        "CHF              Old    New   Shift      Old, 95 %      New, 95 %",
        "median         69.50  84.50  +15.00  65.00 – 74.00  80.00 – 89.00  clear",
        "percentile 90  77.10  92.10  +15.00              –              –",
        "mean           69.50  84.50  +15.00              –              –",
    ]
    assert render.text(found) == render.text(found, width=72)
    same = render.text(compare(OLD, OLD, percents=[50]))
    assert same.endswith("\nmean         6950  6950      0            –            –")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ([69] * 6, [69] * 6, "The median stayed at 69; the mean stayed at 69. With 6"),
        ([69], [60, 61], "The median fell from 69 to 60 (-9); the mean fell from 69 to 60 (-9). With 1"),
        ([1], [2], "The median rose from 1 to 2 (+1); the mean rose from 1 to 2 (+1). With 1"),
        ([2, 3], [3, 4], "The median rose from 2 to 4 (+2); the mean rose from 2 to 4 (+2). With 2"),
        ([1, 2], [2], "The median stayed at 2; the mean stayed at 2. With 2"),
    ],
)
def test_the_sentence_agrees_with_the_amounts_it_shows(old: list[int], new: list[int], sentence: str) -> None:
    """Amounts are rounded half to even; the shift is the difference of the rounded amounts."""
    shown = render.text(compare(from_prices(old), from_prices(new), percents=[50]), width=200)

    assert shown.startswith(
        f"{sentence} old and {len(new)} new prices, no shift is clear at 95 % confidence."
    )


def test_all_clear_shifts_are_listed() -> None:
    many = [from_prices([price] * 100) for price in (60, 90)]
    found = compare(*many, percents=[Fraction("12.5"), 50, Fraction(200, 3)], confidence=Fraction("99.9"))

    assert (
        "the shifts of percentile 12.5, the median and percentile 200/3 are clear at 99.9 % confidence."
        in render.text(found, width=300)
    )
    assert "the shifts of the median and percentile 90 are clear at" in render.text(
        compare(*many, percents=[50, 90]), width=300
    )


def test_html_shows_the_same() -> None:
    found = compare(OLD, NEW, percents=[50])
    html = render.html(found, currency=FRANCS)

    assert tree_of(html).findtext("p") == (
        f"The median rose from 69.50 to 84.50 (+15.00); the mean rose from 69.50 to 84.50 (+15.00). {ENDING}"
    )
    assert texts(html) == [
        ["median", "69.50", "84.50", "+15.00", "65.00 – 74.00", "80.00 – 89.00", "clear"],
        ["mean", "69.50", "84.50", "+15.00", "–", "–", ""],
    ]
    assert comparison_sentence(found, currency=FRANCS) == tree_of(html).findtext("p")
    assert ">CHF</th>" in html
    assert ">minor units</th>" in render.html(found)
