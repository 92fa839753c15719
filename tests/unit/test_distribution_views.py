"""A distribution to look at: classes of prices, and the same figures as text and as HTML."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from faregate.currency import currency
from faregate.distribution_views import MOST_CLASSES, price_classes
from faregate.insights import PriceDistribution

FRANCS, YEN = currency("CHF"), currency("JPY")
from_prices = PriceDistribution.from_prices
FEW = from_prices([5900, 6900, 6900, 7400])
MANY = from_prices([*range(4900, 8000, 50), *[6900] * 30])


# ---------------------------------------------------------------- classes


@pytest.mark.parametrize(
    ("prices", "first", "last", "width"),
    [
        (range(13), 0, 13, 2),
        (range(24), 0, 23, 2),
        (range(25), 0, 24, 5),
        (range(1, 25), 0, 24, 5),
        ([0, *range(100, 113)], 0, 119, 10),
        (range(-13, 13), -15, 14, 5),
        (range(0, 130, 10), 0, 139, 20),
        (range(4900, 8000, 50), 4500, 7999, 500),
        ([*range(12), 10**12], 0, 10**12 + 10**11 - 1, 10**11),
    ],
)
def test_many_prices_are_in_classes_of_a_round_width(
    prices: range | list[int], first: int, last: int, width: int
) -> None:
    rows = price_classes(prices, [1] * len(prices))

    assert (rows[0].first, rows[-1].last) == (first, last)
    assert {row.last - row.first + 1 for row in rows} == {width}
    assert [row.first for row in rows] == list(range(first, last, width))
    assert len(rows) <= MOST_CLASSES
    assert [row.observations for row in rows] == [
        sum(row.first <= price <= row.last for price in prices) for row in rows
    ]


def test_few_prices_stand_for_themselves() -> None:
    prices = [10**power for power in range(MOST_CLASSES)]

    rows = price_classes(prices, range(1, MOST_CLASSES + 1))

    assert [row.first for row in rows] == [row.last for row in rows] == prices
    assert [row.observations for row in rows] == list(range(1, MOST_CLASSES + 1))


@pytest.mark.parametrize("prices", [range(2), range(13)], ids=["few", "many"])
def test_every_price_has_its_count(prices: range) -> None:
    for counts in ([1] * (len(prices) - 1), [1] * (len(prices) + 1)):
        with pytest.raises(ValueError, match=r"^zip"):
            price_classes(prices, counts)


# ---------------------------------------------------------------- text


def test_text_has_a_bar_per_price() -> None:
    assert FEW.text(width=40, currency=FRANCS).splitlines() == [
        "4 prices, minimum 59.00, quartiles",
        "66.50, 69.00, 70.25, maximum 74.00, mean",
        "67.75",
        "59.00  ###############                 1",
        "69.00  ##############################  2",
        "74.00  ###############                 1",
    ]


@pytest.mark.parametrize(
    ("prices", "sentence"),
    [
        ([69], "1 price, minimum 69, quartiles 69, 69, 69, maximum 69, mean 69"),
        ([1, 2], "2 prices, minimum 1, quartiles 1, 2, 2, maximum 2, mean 2"),
        ([2, 3], "2 prices, minimum 2, quartiles 2, 2, 3, maximum 3, mean 2"),
        ([-2, -1], "2 prices, minimum -2, quartiles -2, -2, -1, maximum -1, mean -2"),
    ],
)
def test_summary_is_rounded_half_even_to_be_printed(prices: list[int], sentence: str) -> None:
    assert from_prices(prices).text().splitlines()[0] == sentence


def test_a_class_has_both_its_ends_in_the_currency() -> None:
    assert MANY.text(currency=FRANCS).splitlines()[-1].startswith("75.00 – 79.99  ")


def test_rare_price_can_be_seen_and_a_gap_too() -> None:
    distribution = PriceDistribution.from_counts([*range(12), 100], [*[0] * 11, 9999, 1])
    rows = PriceDistribution.from_counts([*range(13), 100], [9999] * 13 + [1]).text().splitlines()[1:]

    assert distribution.text().splitlines()[-1].split() == ["100", "#", "1"]
    assert rows[1].split() == ["10", "–", "19", "#" * rows[1].count("#"), "29997"]
    assert rows[2].split() == ["20", "–", "29", "0"]
    assert rows[-1].split() == ["100", "–", "109", "#", "1"]


@pytest.mark.parametrize("width", [0, 1, 20, 72, 200])
def test_text_keeps_its_width_where_it_can(width: int) -> None:
    lines = MANY.text(width=width, currency=YEN).splitlines()

    assert max(map(len, lines)) <= max(width, len("4500 – 4999  #  10"))
    assert max(map(len, lines[:-7])) <= max(width, 1)
    assert sum(int(line.split()[-1]) for line in lines[-7:]) == MANY.n


def test_text_is_72_columns_wide_by_default() -> None:
    assert MANY.text() == MANY.text(width=72) != MANY.text(width=73)


def test_of_no_prices_there_is_nothing_to_see() -> None:
    empty = PriceDistribution()

    assert empty.text() == "no prices"
    assert empty._repr_html_() == "<p>no prices</p>"


# ---------------------------------------------------------------- HTML


def table_of(html: str) -> ET.Element:
    """The table, which must be well-formed."""
    return ET.fromstring(html[html.index("<table") :])


def test_html_says_in_cells_what_its_bars_show() -> None:
    table = table_of(FEW.html(currency=FRANCS))

    assert [cell.text for cell in table.iterfind("thead/tr/th")] == ["Price (CHF)", "Count", "Share"]
    assert [[cell.text for cell in row][:3] for row in table.iterfind("tbody/tr")] == [
        ["59.00", "1", "25.0 %"],
        ["69.00", "2", "50.0 %"],
        ["74.00", "1", "25.0 %"],
    ]
    assert [bar.get("style") for bar in table.iter("div")] == ["width:50%", "width:100%", "width:50%"]
    assert {bar.get("aria-hidden") for bar in table.iterfind("tbody/tr/td[@class='bar']")} == {"true"}


def test_html_has_nothing_between_its_cells() -> None:
    assert {element.tail for element in table_of(MANY.html()).iter()} == {None}


def test_html_rounds_a_share_half_even() -> None:
    shares = table_of(PriceDistribution.from_counts([1, 2], [1, 15]).html()).iterfind("tbody/tr/td[2]")

    # 6.25 % and 93.75 %
    assert [cell.text for cell in shares] == ["6.2 %", "93.8 %"]


def test_html_has_its_summary_as_caption_and_heads_with_a_scope() -> None:
    table = table_of(MANY._repr_html_())

    assert (table_of(FEW.html(currency=FRANCS)).findtext("caption") or "").startswith(
        "4 prices, minimum 59.00"
    )
    caption = table.findtext("caption")
    assert caption is not None
    assert caption.startswith("92 prices, minimum 4900, quartiles ")
    assert table.findtext("thead/tr/th") == "Price (minor units)"
    assert {head.get("scope") for head in table.iterfind("thead/tr/th")} == {"col"}
    assert {head.get("scope") for head in table.iterfind("tbody/tr/th")} == {"row"}


def test_html_asks_for_no_script() -> None:
    assert "<script" not in MANY.html()
    assert "http" not in MANY.html()
