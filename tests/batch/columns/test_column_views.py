"""Notebook views of columns: type, shape and first values of each."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from faregate.batch.basket.lines import LineColumns
from faregate.batch.insights.prices import PriceHistogram
from faregate.batch.totals.pipeline import checkout_totals, vat_breakdown
from faregate.batch.validity.options import SeasonCalendar
from faregate.batch.validity.windows import Extremes
from faregate.render import html

NASTY = "<script>"
LINES = LineColumns(
    offsets=np.array([0, 2, 3]),
    unit_price=np.array([7900, 1200, 4900]),
    quantity=np.array([2, 1, 1]),
    rate=np.array([81_000, 26_000, 81_000]),
)


def rows(html: str) -> list[list[str | None]]:
    table = ET.fromstring(f"<div>{html}</div>").find("table")
    assert table is not None
    return [[cell.text for cell in row] for row in table.iterfind("tbody/tr")]


def test_totals_show_the_columns_of_checkouts_lines_and_codes() -> None:
    totals = checkout_totals(LINES)

    shown = {row[0]: row[1:] for row in rows(totals._repr_html_())}

    assert shown["total_gross"] == ["int64", "2", ", ".join(map(str, totals.total_gross))]
    assert shown["lines.total_net"] == ["int64", "3", ", ".join(map(str, totals.lines.total_net))]
    assert shown["promo_codes.amounts"] == ["int64", "0", None]
    assert rows(totals.lines._repr_html_()) == [
        [str(name).removeprefix("lines."), *column] for name, column in shown.items() if "lines." in str(name)
    ]


def test_first_five_of_many_values_are_shown() -> None:
    column = np.arange(1_000_000)
    found = Extremes(column, column[:5])

    assert rows(found._repr_html_()) == [
        ["minimum", "int64", "1000000", "0, 1, 2, 3, 4, …"],
        ["maximum", "int64", "5", "0, 1, 2, 3, 4"],
    ]


def test_columns_of_two_dimensions_show_their_shape() -> None:
    shown = rows(vat_breakdown(LINES, checkout_totals(LINES).lines)._repr_html_())

    assert [row[0] for row in shown] == ["rates", "net", "vat", "gross"]
    assert {row[2] for row in shown[1:]} == {"2 × 2"}


@pytest.mark.parametrize("record", [SeasonCalendar, Extremes])
def test_every_column_of_a_result_has_a_row(record: type) -> None:
    names: tuple[str, ...] = record._fields  # type: ignore[attr-defined]  # of a NamedTuple

    html = record(*[np.array([NASTY])] * len(names))._repr_html_()

    assert [row[0] for row in rows(html)] == list(names)
    assert {row[3] for row in rows(html)} == {NASTY}


def test_results_of_codes_show_their_columns() -> None:
    shown = rows(checkout_totals(LINES).promo_codes._repr_html_())

    assert [row[0] for row in shown] == ["amounts", "unapplied", "reasons"]


def test_a_histogram_looks_like_its_distribution() -> None:
    kept = PriceHistogram.from_columns(np.array([6900, 7400, 6900]))

    assert kept._repr_html_() == html(kept.distribution())
