"""Price distributions: classes of prices, and the same figures as text and as HTML."""

from collections.abc import Iterable
from xml.etree import ElementTree as ET

import pytest

from faregate import render
from faregate.insights.distribution import PriceDistribution, price_insight
from faregate.money.currency import currency
from faregate.render.distributions import MAX_CLASSES, price_classes
from support.render.shown_html import tree_of

FRANCS, YEN = currency("CHF"), currency("JPY")
from_prices = PriceDistribution.from_prices
FEW = from_prices([5900, 6900, 6900, 7400])
MANY = from_prices([*range(4900, 8000, 50), *[6900] * 30])


@pytest.mark.parametrize(
    ("prices", "first", "last", "width"),
    [
        (range(24), 0, 23, 2),
        ([0, *range(100, 113)], 0, 119, 10),
        (range(0, 130, 10), 0, 139, 20),
        ([*range(12), 10**12], 0, 10**12 + 10**11 - 1, 10**11),
    ],
)
def test_many_prices_are_grouped_in_classes_of_round_width(
    prices: range | list[int], first: int, last: int, width: int
) -> None:
    rows = price_classes(prices, [1] * len(prices))

    assert (rows[0].first, rows[-1].last) == (first, last)
    assert {row.last - row.first + 1 for row in rows} == {width}
    assert [row.first for row in rows] == list(range(first, last, width))
    assert len(rows) <= MAX_CLASSES
    assert [row.observations for row in rows] == [
        sum(row.first <= price <= row.last for price in prices) for row in rows
    ]


def test_few_prices_are_not_grouped() -> None:
    prices = [10**power for power in range(MAX_CLASSES)]

    rows = price_classes(prices, range(1, MAX_CLASSES + 1))

    assert [row.first for row in rows] == [row.last for row in rows] == prices
    assert [row.observations for row in rows] == list(range(1, MAX_CLASSES + 1))


def test_text_has_a_bar_per_price() -> None:
    assert render.text(FEW, width=40, currency=FRANCS).splitlines() == [
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
        ([2, 3], "2 prices, minimum 2, quartiles 2, 2, 3, maximum 3, mean 2"),
    ],
)
def test_summary_is_rounded_half_even_to_be_printed(prices: list[int], sentence: str) -> None:
    assert render.text(from_prices(prices)).splitlines()[0] == sentence


def test_rare_prices_and_gaps_are_visible() -> None:
    distribution = PriceDistribution.from_counts([*range(12), 100], [*[0] * 11, 9999, 1])
    rows = render.text(PriceDistribution.from_counts([*range(13), 100], [9999] * 13 + [1])).splitlines()[1:]

    assert render.text(distribution).splitlines()[-1].split() == ["100", "#", "1"]
    assert rows[1].split() == ["10", "–", "19", "#" * rows[1].count("#"), "29997"]
    assert rows[2].split() == ["20", "–", "29", "0"]
    assert rows[-1].split() == ["100", "–", "109", "#", "1"]


@pytest.mark.parametrize("width", [0, 1, 20, 72, 200])
def test_text_keeps_its_width_where_it_can(width: int) -> None:
    lines = render.text(MANY, width=width, currency=YEN).splitlines()

    assert max(map(len, lines)) <= max(width, len("4500 – 4999  #  10"))
    assert max(map(len, lines[:-7])) <= max(width, 1)
    assert sum(int(line.split()[-1]) for line in lines[-7:]) == MANY.n


def test_an_empty_distribution_shows_no_prices() -> None:
    empty = PriceDistribution()

    assert render.text(empty) == "no prices"
    assert render.html(empty) == "<p>no prices</p>"


def table_of(html: str) -> ET.Element:
    """Return the collapsed table below the picture."""
    table = tree_of(html).find("details/table")
    assert table is not None
    return table


def numbers(elements: Iterable[ET.Element], name: str) -> list[int]:
    """Return an integer attribute of each element."""
    return [int(element.get(name) or "") for element in elements]


def bars(html: str) -> list[ET.Element]:
    """Return the bars of the picture, from the left."""
    return [bar for bar in tree_of(html).iterfind("svg/rect") if bar.get("opacity")]


def test_the_table_has_the_figures_of_the_bars() -> None:
    table = table_of(render.html(FEW, currency=FRANCS))

    assert [cell.text for cell in table.iterfind("thead/tr/th")] == ["Price (CHF)", "Count", "Share"]
    assert [[cell.text for cell in row] for row in table.iterfind("tbody/tr")] == [
        ["59.00", "1", "25.0 %"],
        ["69.00", "2", "50.0 %"],
        ["74.00", "1", "25.0 %"],
    ]


def test_html_shows_everything_in_the_currency() -> None:
    tree = tree_of(render.html(MANY, price=6900, currency=FRANCS))

    sentence = render.text(MANY, width=200, currency=FRANCS).splitlines()[0]
    assert tree.findtext("p") == f"{sentence}; marked in orange: 69.00"
    assert [label.text for label in tree.iterfind("svg/text")] == ["45.00", "79.99", "tallest bar: 40"]
    assert tree.findtext("details/summary") == "As a table"


def test_bars_and_quartiles_share_one_scale() -> None:
    html = render.html(PriceDistribution.from_prices([0, 25, 50, 75, 100]))
    box = [bar for bar in tree_of(html).iterfind("svg/rect") if not bar.get("opacity")]
    places = zip(numbers(bars(html), "x"), numbers(bars(html), "width"), strict=True)
    middles = [x + width // 2 for x, width in places]

    (left,), (width,) = numbers(box, "x"), numbers(box, "width")

    assert middles == [24, 142, 260, 378, 496]
    assert (left, left + width) == (middles[1], middles[3])
    lines = tree_of(html).findall("svg/line")
    assert numbers([line for line in lines if line.get("stroke-width") == "3"], "x1") == [middles[2]]


@pytest.mark.parametrize(("price", "at"), [(50, 260), (-7, 24), (107, 496)])
def test_a_price_is_marked_on_the_scale_or_at_its_end(price: int, at: int) -> None:
    tree = tree_of(render.html(from_prices([0, 50, 100]), price=price))

    marks = [line for line in tree.iterfind("svg/line") if line.get("stroke") != "currentColor"]

    assert numbers(marks, "x1") == [at]
    assert (tree.findtext("p") or "").endswith(f"; marked in orange: {price}")


def test_html_rounds_a_share_half_even() -> None:
    shares = table_of(render.html(PriceDistribution.from_counts([1, 2], [1, 15]))).iterfind("tbody/tr/td[2]")

    # 6.25 % and 93.75 %
    assert [cell.text for cell in shares] == ["6.2 %", "93.8 %"]


def test_html_has_its_summary_as_title_and_scoped_headers() -> None:
    tree, table = tree_of(render.html(MANY)), table_of(render.html(MANY))
    svg = tree.find("svg")

    assert svg is not None
    assert svg.get("role") == "img"
    assert tree.findtext("p") == svg.findtext("title") == render.text(MANY, width=200).splitlines()[0]
    assert table.findtext("thead/tr/th") == "Price (minor units)"
    assert {head.get("scope") for head in table.iterfind("thead/tr/th")} == {"col"}
    assert {head.get("scope") for head in table.iterfind("tbody/tr/th")} == {"row"}


@pytest.mark.parametrize(
    ("price", "said", "at"),
    [
        (6400, "64.00 CHF is low, at percentile 25.0: low is below 66.50", 103),
        (6900, "69.00 CHF is typical, at percentile 50.0", 260),
        (99_000, "990.00 CHF is high, at percentile 100.0", 496),
    ],
)
def test_an_insight_shows_where_the_price_is(price: int, said: str, at: int) -> None:
    found = price_insight(from_prices([5900, 6900, 6900, 7900]), price)

    tree = tree_of(render.html(found, currency=FRANCS))
    mark = tree.iterfind("svg/line")

    assert said in (tree.findtext("p") or "")
    assert (tree.findtext("p") or "").endswith(
        ": low is below 66.50 (percentile 25), high is above 71.50 (percentile 75)"
    )
    assert tree.findtext("svg/title") == tree.findtext("p")
    assert numbers(mark, "x1") == [at]
    shown = [label.text for label in tree.iterfind("svg/text")]
    assert shown == [f"{price // 100}.{price % 100:02}", "66.50", "71.50"]


def test_an_insight_without_a_range_has_one_threshold() -> None:
    found = price_insight(from_prices([6900]), 6900)

    labels = [label.text for label in tree_of(render.html(found)).iterfind("svg/text")]

    assert labels == ["6900", "6900"]
    assert "minor units is typical" in render.html(found)
