"""Traces: steps by figure and line, in the order taken, and their sums."""

from dataclasses import replace

import pytest

from faregate import render
from faregate.money.currency import Currency, currency
from faregate.trace import Step, StepKind, Trace
from support.render.shown_html import texts, tree_of

FRANCS = currency("CHF")
LISTED = Step("total_gross", 1, StepKind.LIST_PRICE, "", 500, "1 x 5.00")
CODE = Step("total_gross", 1, StepKind.PROMO_CODE, "TEN", -50)
OTHER_LINE = Step("total_gross", 2, StepKind.LIST_PRICE, "", 700)
CHECKOUT = Step("total_gross", None, StepKind.CARRIED, "list_price_gross", 1200)
TRACE = Trace([LISTED, OTHER_LINE, CODE, CHECKOUT])


def test_a_step_needs_no_note() -> None:
    assert CODE.note == ""


@pytest.mark.parametrize(
    ("line", "steps", "amount"),
    [(1, (LISTED, CODE), 450), (2, (OTHER_LINE,), 700), (None, (CHECKOUT,), 1200)],
)
def test_steps_are_found_by_figure_and_line_in_the_order_taken(
    line: int | None, steps: tuple[Step, ...], amount: int
) -> None:
    assert TRACE.of("total_gross", line=line) == steps
    assert TRACE.amount("total_gross", line=line) == amount


@pytest.mark.parametrize(("figure", "line"), [("total_net", 1), ("total_gross", 3), ("", None)])
def test_a_figure_without_steps_is_0(figure: str, line: int | None) -> None:
    assert TRACE.of(figure, line=line) == ()
    assert TRACE.amount(figure, line=line) == 0


def test_figures_are_named_once_in_the_order_of_their_first_step() -> None:
    assert TRACE.figures() == (("total_gross", 1), ("total_gross", 2), ("total_gross", None))


def test_iterating_gives_every_step_in_the_order_taken() -> None:
    assert list(TRACE) == [LISTED, OTHER_LINE, CODE, CHECKOUT]
    assert len(TRACE) == 4
    assert TRACE.steps == (LISTED, OTHER_LINE, CODE, CHECKOUT)


def test_a_trace_can_be_built_from_any_iterable() -> None:
    assert len(Trace(step for step in (LISTED, CODE))) == 2
    assert len(Trace([])) == 0
    assert Trace([]).figures() == ()


def test_columns_are_named_and_all_but_the_amount_are_texts() -> None:
    table = tree_of(render.html(TRACE))

    assert [head.text for head in table.iterfind(".//thead/tr/th")] == [
        "Figure",
        "Rule",
        "Source",
        "Note",
        "Amount",
    ]
    assert [cell.get("class") for cell in table.findall(".//tbody/tr[1]/*")] == ["text"] * 4 + [None]


def test_figures_are_ruled_off_from_their_steps() -> None:
    rows = tree_of(render.html(TRACE)).findall(".//tbody/tr")

    assert [row.get("class") for row in rows] == ["total", None, None, "total", None, "total", None]


def test_a_notebook_shows_the_unit_of_the_amounts() -> None:
    assert tree_of(render.html(TRACE, caption="in CHF")).findtext(".//caption") == "in CHF"
    assert tree_of(render.html(TRACE)).findtext(".//caption") == "amounts in minor units"


def test_amounts_are_in_the_currency_of_the_trace() -> None:
    in_francs = Trace([LISTED, CODE], currency=FRANCS)

    assert [row[4] for row in texts(render.html(in_francs))] == ["4.50", "5.00", "-0.50"]
    assert tree_of(render.html(in_francs)).findtext("table/caption") == "amounts in CHF"
    assert [row[4] for row in texts(render.html(TRACE))][:3] == ["450", "500", "-50"]


def test_no_currency_becomes_markup() -> None:
    hostile = Trace([LISTED], currency=replace(FRANCS, code="<script>"))

    assert "<script" not in render.html(hostile)


def test_a_long_trace_is_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def noting(amount: int, _: Currency | None) -> str:
        written.append(amount)
        return str(amount)

    monkeypatch.setattr("faregate.render.tables.format_amount", noting)
    html = render.html(Trace(LISTED._replace(line=n) for n in range(1000)))

    assert len(texts(html)) == 50
    assert len(written) <= 51
    assert tree_of(html).findtext(".//tfoot/tr/td") == "… and 1950 more"
