"""HTML fragments: escaped, well-formed, and limited in length."""

from typing import Any

import pytest

from faregate.render.markup import MAX_ROWS, Table, folded, one_line, tag
from support.render.shown_html import tree_of

NASTY = "<script>alert('&\"')</script>"


def table(**changes: Any) -> Table:
    return Table(("Name", "Words", "Amount"), [("a", "b", "1"), ("c", "d", "2")])._replace(**changes)


def test_texts_and_attributes_are_escaped() -> None:
    tree = tree_of(table(rows=[(NASTY, NASTY, NASTY)], caption=NASTY, head=(NASTY,) * 3).html())
    (element,) = tree_of(tag("i", one_line(NASTY), title=NASTY))

    assert {cell.text for cell in tree.iter() if cell.tag in {"td", "th", "caption"}} == {NASTY}
    assert (element.text, element.get("title")) == (NASTY, NASTY)


def test_cells_are_row_headers_texts_or_numbers() -> None:
    tree = tree_of(table(texts=frozenset({0, 1})).html())

    assert [head.get("scope") for head in tree.iterfind(".//thead/tr/th")] == ["col"] * 3
    assert [head.get("scope") for head in tree.iterfind(".//tbody/tr/th")] == ["row"] * 2
    assert [cell.get("class") for cell in tree.findall(".//tbody/tr[1]/*")] == ["text", "text", None]


def test_totals_are_ruled_off() -> None:
    rows = tree_of(table(totals=frozenset({1})).html()).findall(".//tbody/tr")

    assert [row.get("class") for row in rows] == [None, "total"]


def test_a_table_without_a_caption_has_no_caption_element() -> None:
    assert tree_of(table().html()).find(".//caption") is None
    assert tree_of(table(caption="Prices").html()).findtext("table/caption") == "Prices"


def test_there_is_no_text_between_rows() -> None:
    shown = tree_of(table().html()).find("table")

    assert shown is not None
    assert "".join(shown.itertext()) == "".join([*table().head, *map("".join, table().rows)])


@pytest.mark.parametrize(
    ("rows", "size", "foot"),
    [
        (MAX_ROWS, None, None),
        (MAX_ROWS + 1, None, "… and 1 more"),
        (3, 1_000_000, "… and 999997 more"),
        (3, 3, None),
    ],
)
def test_only_the_first_of_many_rows_are_shown(rows: int, size: int | None, foot: str | None) -> None:
    tree = tree_of(table(rows=[(str(n), "", "") for n in range(rows)], size=size).html())

    assert len(tree.findall(".//tbody/tr")) == min(rows, MAX_ROWS)
    assert tree.findtext(".//tfoot/tr/td") == foot


@pytest.mark.parametrize(("length", "shown"), [(200, 200), (201, 201), (10_000, 201)])
def test_long_text_is_cut_off(length: int, shown: int) -> None:
    assert len(one_line("x" * length)) == shown
    assert one_line("x" * length).endswith("…") == (length > 200)


def test_folded_content_opens_with_its_summary() -> None:
    (details,) = tree_of(folded(NASTY, "<p>in it</p>"))

    assert details.tag == "details"
    assert (details.findtext("summary"), details.findtext("p")) == (NASTY, "in it")
    assert [part.get("style") for part in details] == ["cursor:pointer", None]


@pytest.mark.parametrize("text", ["Day\nticket", "Day\r\nticket", "Day\u2028ticket", "Day ticket\n"])
def test_a_line_break_in_a_text_is_a_space(text: str) -> None:
    assert one_line(text) == "Day ticket"


def test_a_non_breaking_space_is_kept() -> None:
    assert one_line("Fr.\u00a079.00") == "Fr.\u00a079.00"
