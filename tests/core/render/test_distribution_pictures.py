"""Charts of prices: positions computed by hand from the size of the picture.

A picture is 520 wide; its scale goes from 24 to 496, a span of 472. In a histogram, the bars stand on 110,
the box of the quartiles extends from 116 to 128, and the labels stand on 150.
"""

from operator import add
from xml.etree import ElementTree as ET

import pytest

from faregate.render.distribution_svg import Marks, PriceClass, Zones, gauge, histogram
from support.render.shown_html import tree_of

ORANGE, INK = "#d55e00", "currentColor"


def svg_of(html: str) -> ET.Element:
    """Return the picture, after checking that its only texts are the title and the labels."""
    (svg,) = tree_of(html)
    assert "".join(svg.itertext()) == "".join(part.text or "" for part in svg)
    return svg


def drawn(html: str, name: str, *attributes: str) -> list[tuple[object, ...]]:
    """Return some attributes of all elements of one kind, in drawing order, with numbers converted."""
    values = [[part.get(attribute, "") for attribute in attributes] for part in svg_of(html).iterfind(name)]
    return [tuple(int(value) if value.isdecimal() else value for value in row) for row in values]


def bars(*classes: PriceClass) -> list[tuple[object, ...]]:
    """Return the position, top, width and height of each bar."""
    html = histogram(classes, Marks((0, 0, 0), None, ("", "")), title="")
    return [row[:4] for row in drawn(html, "rect", "x", "y", "width", "height", "opacity") if row[4]]


def priced(price: int, observations: int = 1) -> PriceClass:
    return PriceClass(price, price, observations)


def two_prices() -> str:
    classes = [priced(0, 1), priced(100, 2)]
    return histogram(classes, Marks((25, 50, 75), 60, ("0.00", "1.00")), title="two prices")


def test_bars_rest_on_their_axis() -> None:
    assert bars(priced(0, 1), priced(100, 2)) == [(24 - 20, 59, 40, 51), (496 - 20, 8, 40, 102)]
    assert drawn(two_prices(), "line", "x1", "y1", "x2", "y2", "stroke", "stroke-width")[0] == (
        (4, 110, 516, 110, INK, 1)
    )


def test_quartiles_are_a_box_with_a_thick_line_below_the_bars() -> None:
    assert drawn(two_prices(), "rect", "x", "y", "width", "height", "fill", "stroke")[2:] == [
        (142, 116, 378 - 142, 12, "none", INK)
    ]
    assert drawn(two_prices(), "line", "x1", "y1", "x2", "y2", "stroke", "stroke-width")[1] == (
        (260, 116, 260, 128, INK, 3)
    )


def test_a_price_is_an_orange_line_over_bars_and_box() -> None:
    assert drawn(two_prices(), "line", "x1", "y1", "x2", "y2", "stroke", "stroke-width")[2:] == [
        # 24 + 472 * 0.6 is 307.2.
        (307, 0, 307, 134, ORANGE, 3)
    ]


def test_the_ends_of_the_scale_have_their_labels_below_it() -> None:
    labels = [label.text for label in svg_of(two_prices()).iterfind("text")]

    assert labels == ["0.00", "1.00", "tallest bar: 2"]
    assert drawn(two_prices(), "text", "x", "y", "text-anchor") == [
        (24, 150, "start"),
        (496, 150, "end"),
        (260, 150, "middle"),
    ]


@pytest.mark.parametrize("classes", [[priced(0)], [priced(0), priced(5000)], [priced(n) for n in range(60)]])
def test_no_bar_extends_beyond_its_axis(classes: list[PriceClass]) -> None:
    html = histogram(classes, Marks((0, 0, 0), None, ("", "")), title="")
    line = next(svg_of(html).iterfind("line"))
    found = [bar for bar in svg_of(html).iterfind("rect") if bar.get("opacity")]

    lefts, widths = [[int(bar.get(name, "")) for bar in found] for name in ("x", "width")]
    assert int(line.get("x1", "")) <= min(lefts)
    assert max(map(add, lefts, widths)) <= int(line.get("x2", ""))


def test_between_close_bars_there_are_two_columns() -> None:
    (first, _, width, _), (second, *_), _ = bars(priced(0), priced(8), priced(100))

    # They are 8 * 4.72 = 38 apart.
    assert (first, second, width) == (24 - 18, 62 - 18, 36)


def test_rare_prices_are_visible_and_missing_ones_are_not() -> None:
    assert [row[3] for row in bars(priced(0, 1), priced(50, 0), priced(100, 1_000_000))] == [1, 0, 102]


def thirds() -> str:
    return gauge(Zones((100, "1.00"), (200, "2.00"), (150, "1.50")), title="typical")


def test_the_middle_third_of_a_gauge_is_the_typical_range() -> None:
    # 24 + 472 / 3 is 181.3, and 24 + 472 * 2 / 3 is 338.7.
    assert drawn(thirds(), "rect", "x", "y", "width", "height", "opacity") == [
        (24, 26, 472, 14, ".15"),
        (181, 26, 339 - 181, 14, ".35"),
    ]


def test_a_price_crosses_the_gauge_with_its_label_above_and_the_thresholds_below() -> None:
    assert drawn(thirds(), "line", "x1", "y1", "x2", "y2", "stroke") == [(260, 22, 260, 44, ORANGE)]
    assert drawn(thirds(), "text", "x", "y", "text-anchor") == [
        (260, 18, "middle"),
        (181, 58, "middle"),
        (339, 58, "middle"),
    ]
    assert [label.text for label in svg_of(thirds()).iterfind("text")] == ["1.50", "1.00", "2.00"]


@pytest.mark.parametrize(("price", "at"), [(98, 24), (100, 260), (102, 496)])
def test_with_equal_thresholds_the_gauge_spans_one_unit_on_each_side(price: int, at: int) -> None:
    html = gauge(Zones((100, "1.00"), (100, "1.00"), (price, "")), title="")

    assert drawn(html, "line", "x1") == [(at,)]
    assert drawn(html, "rect", "x", "width")[1] == (260, 1)


@pytest.mark.parametrize(
    ("price", "at", "anchor"),
    [
        (315, 129, "start"),
        (318, 130, "middle"),
        (1098, 390, "middle"),
    ],
)
def test_a_label_in_an_outer_quarter_extends_inwards(price: int, at: int, anchor: str) -> None:
    # Three units correspond to one column: the scale goes from 0 to 3 * 472.
    html = gauge(Zones((472, ""), (2 * 472, ""), (price, "")), title="")

    assert drawn(html, "text", "x", "text-anchor")[0] == (at, anchor)
