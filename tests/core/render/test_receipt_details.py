"""The exact notes and collapsed explanations of receipts."""

from xml.etree import ElementTree as ET

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.kinds import Absolute, DiscountLevel, Percentage, PromoCode, Scope
from faregate.render.receipts import Receipt, ReceiptRow, RowKind
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.trace import Step, StepKind
from support.render.printed_receipts import FRANCS, NET, printed
from support.shops.small_shop import VAT, lines

TEN = PromoCode(code="TEN", kind=Percentage.percent(10, level=DiscountLevel.LINE))
LISTED = [("td", "list price (2 x 79.00)", "158.00"), ("td", "promo code TEN (10 % off)", "-15.80")]


def folded(totals: CheckoutTotals) -> list[tuple[str, str | None, str | None]]:
    """Return the collapsed rows of the first line: type of the label's cell, label and amount."""
    table = ET.fromstring(f"<div>{printed(totals).html()}</div>").find(".//details/table")
    assert table is not None
    return [(label.tag, label.text, amount.text) for label, amount in table.iterfind("tr")]


@pytest.mark.parametrize(
    ("policy", "rows"),
    [
        # 142.20 includes 10.66 VAT at 8.1 %; 11.52 is added to 142.20
        (
            TotalsPolicy(),
            [
                ("th", "Total with VAT", "142.20"),
                ("td", "vat 8.1 % (8.1/108.1 of 142.20, net rounded down)", "-10.66"),
                ("th", "Total without VAT", "131.54"),
            ],
        ),
        (
            NET,
            [
                ("th", "Total without VAT", "142.20"),
                ("td", "vat 8.1 % (8.1 % of 142.20, gross rounded down)", "11.51"),
                ("td", "give back 8.1 % (odd unit of the gross at that rate)", "0.01"),
                ("th", "Total with VAT", "153.72"),
            ],
        ),
    ],
)
def test_the_steps_of_a_line_run_from_its_list_price_to_both_its_totals(
    policy: TotalsPolicy, rows: list[tuple[str, str, str]]
) -> None:
    totals = checkout_totals([Line(1, 7900, 2, VAT)], promo_codes=[TEN], policy=policy)

    assert folded(totals) == LISTED + rows


def test_a_step_without_a_source_and_a_note_shows_only_its_rule() -> None:
    step = Step("total_gross", 1, StepKind.LIST_PRICE, "", 100)
    html = Receipt((ReceiptRow(RowKind.LINE, "Ticket", 100, steps=(step,)),), FRANCS).html()

    assert "<td>list price</td><td>1.00</td>" in html


def test_there_is_no_text_between_the_cells() -> None:
    table = ET.fromstring(
        f"<div>{printed(checkout_totals([Line(1, 100, 1, VAT), Line(2, 100, 1, VAT)])).html()}</div>"
    ).find("table")

    assert table is not None
    assert {element.tail for element in table.iter()} == {None}


def test_the_note_of_a_discount_on_a_single_line_omits_each() -> None:
    five = PromoCode(code="FIVE", kind=Absolute(500, DiscountLevel.LINE))
    shown = printed(checkout_totals(lines(1000), promo_codes=[five]))

    assert [row.note for row in shown.rows if row.kind is RowKind.DISCOUNT] == ["5.00 off"]


def test_the_note_of_the_cash_amount_names_its_step() -> None:
    shown = printed(checkout_totals(lines(1002), policy=TotalsPolicy(cash_increment=5)))

    assert [(row.label, row.note) for row in shown.rows if row.kind is RowKind.FIGURE] == [
        ("In cash", "to the nearest 0.05")
    ]


def test_a_long_note_continues_on_an_indented_line() -> None:
    other = PromoCode(code="OTHERS", kind=Absolute(500), scope=Scope(products=frozenset({9})))
    shown = printed(checkout_totals(lines(1000), promo_codes=[other]))

    assert shown.text(width=24).splitlines()[-3:] == [
        "OTHERS not applied",
        "    applies to nothing",
        "    in this order",
    ]


@pytest.mark.parametrize("width", [1, 7])
def test_a_label_without_room_is_cut_to_one_letter(width: int) -> None:
    shown = printed(checkout_totals(lines(1000)))

    # 10.00 takes five columns, with one column before it.
    assert shown.text(width=width).splitlines()[0] == f"{'Line 1'[: max(width - 6, 1)]} 10.00"
