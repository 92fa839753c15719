"""Receipts as text, with the requested width."""

from datetime import UTC, datetime

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import UnknownCode
from faregate.explanations.explanation import explain
from faregate.render import receipt
from faregate.render.receipts import Receipt, ReceiptRow, RowKind
from faregate.totals.pipeline import checkout_totals
from support.render.printed_receipts import BASKET, FRANCS, LABELS, TEN, YEN, everything, printed
from support.shops.small_shop import UNTAXED, lines

NOW = datetime(2026, 11, 23, tzinfo=UTC)


def test_text_at_forty_columns() -> None:
    gift = Voucher(code="GIFT", balance=5000)
    shown = printed(checkout_totals(BASKET, promo_codes=[TEN], donation=200, vouchers=[gift]), LABELS)

    assert shown.text(width=40).splitlines() == [
        "Day ticket  2 x 79.00             158.00",
        "    TEN  10 % off                 -15.80",
        "Lunch  1 x 12.00                   12.00",
        "    TEN  10 % off                  -1.20",
        "Donation                            2.00",
        "----------------------------------------",
        "Total CHF                         155.00",
        "    VAT 2.6 %  on 10.53             0.27",
        "    VAT 8.1 %  on 131.54           10.66",
        "Voucher GIFT  used up             -50.00",
        "----------------------------------------",
        "To pay CHF                        105.00",
    ]


@pytest.mark.parametrize("width", [40, 72, 100])
def test_amounts_end_in_the_last_column(width: int) -> None:
    shown = printed(everything(), LABELS)

    texts = [line for line in shown.text(width=width).splitlines() if not line.startswith("-")]

    priced_rows = [row for row in shown.rows if row.amount is not None]
    assert len(texts) >= len(shown.rows) > len(priced_rows)
    for row, text in zip(priced_rows, texts, strict=False):
        assert len(text) == width
        assert text.endswith(f" {shown.amount(row)}")


@pytest.mark.parametrize("width", [20, 40, 72])
def test_why_a_code_was_refused_is_never_cut_off(width: int) -> None:
    unknown = UnknownCode("FAMILYSUMMER2026")
    shown = printed(checkout_totals(lines(1000), promo_codes=[unknown]))

    text = shown.text(width=width)

    assert "FAMILYSUMMER2026 not applied unknown code" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= width


def test_a_voucher_that_pays_nothing_says_why() -> None:
    vouchers = [Voucher(code="EMPTY", balance=0), Voucher(code="OLD", balance=9, expires_at=NOW)]
    vouchers += [Voucher(code="FIRST", balance=1000), Voucher(code="SECOND", balance=2000)]

    shown = printed(checkout_totals(lines(1000), vouchers=vouchers, context=Context(at=NOW)))

    assert {row.label: row.note for row in shown.rows if "Voucher" in row.label} == {
        "Voucher EMPTY": "pays nothing: used up",
        "Voucher OLD": "pays nothing: expired",
        "Voucher FIRST": "used up",
        "Voucher SECOND": "pays nothing",
    }


@pytest.mark.parametrize("width", [40, 72])
def test_a_label_that_is_too_long_is_cut_and_its_amount_is_not(width: int) -> None:
    label = "Day ticket for the whole valley, all lifts and the mountain railway included"

    first = printed(checkout_totals(BASKET), {1: label}).text(width=width).splitlines()[0]

    assert first == f"{label[: width - 7]} 158.00"
    assert len(first) == width


def test_yen_are_printed_without_decimals() -> None:
    totals = checkout_totals([Line(1, 7900, 2, UNTAXED)], donation=200)

    shown = receipt(explain(totals, currency=YEN), currency=YEN, labels=LABELS)

    assert shown.text(width=30).splitlines() == [
        "Day ticket  2 x 7900     15800",
        "Donation                   200",
        "------------------------------",
        "Total JPY                16000",
        "    VAT 0 %  on 15800        0",
    ]


@pytest.mark.parametrize(("amount", "text"), [(None, ""), (0, "0.00"), (-5, "-0.05"), (123_456, "1234.56")])
def test_an_amount_is_in_major_units_or_empty(amount: int | None, text: str) -> None:
    assert Receipt((), FRANCS).amount(ReceiptRow(RowKind.FIGURE, "Donation", amount)) == text
