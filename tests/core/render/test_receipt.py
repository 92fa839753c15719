"""Receipts as rows: lines, discounts, totals, tax, payment and refused codes."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountLevel,
    Percentage,
    PromoCode,
    Threshold,
    UnknownCode,
)
from faregate.render.receipts import ReceiptRow, RowKind
from faregate.totals.pipeline import checkout_totals
from faregate.translations import Text
from support.render.printed_receipts import BASKET, LABELS, NET, TEN, everything, printed, rows
from support.shops.small_shop import NOW, lines


def test_a_receipt_shows_lines_discounts_totals_tax_and_payment() -> None:
    shown = printed(everything(), LABELS)

    # 10 % off 158.00 and 12.00; 142.20 includes 10.66 VAT at 8.1 %, 10.80 includes 0.27 at 2.6 %.
    # 153.00 plus a donation of 2.02 is 155.02; a voucher pays 50.00.
    assert [(row.kind, row.label, row.amount) for row in shown.rows] == [
        (RowKind.LINE, "Day ticket", 15_800),
        (RowKind.DISCOUNT, "TEN", -1580),
        (RowKind.LINE, "Lunch", 1200),
        (RowKind.DISCOUNT, "TEN", -120),
        (RowKind.FIGURE, "Donation", 202),
        (RowKind.TOTAL, "Total", 15_502),
        (RowKind.VAT, "VAT 2.6 %", 27),
        (RowKind.VAT, "VAT 8.1 %", 1066),
        (RowKind.FIGURE, "Voucher GIFT", -5000),
        (RowKind.TOTAL, "To pay", 10_502),
        (RowKind.FIGURE, "In cash", 10_500),
        (RowKind.REFUSED, "NOBODY not applied", None),
    ]


def test_a_receipt_of_net_prices_adds_the_tax_to_its_total() -> None:
    shown = printed(checkout_totals(BASKET, promo_codes=[TEN], donation=200, policy=NET), LABELS)

    # 11.52 on 142.20, 0.28 on 10.80
    assert [(row.kind, row.label, row.amount) for row in shown.rows] == [
        (RowKind.LINE, "Day ticket", 15_800),
        (RowKind.DISCOUNT, "TEN", -1580),
        (RowKind.LINE, "Lunch", 1200),
        (RowKind.DISCOUNT, "TEN", -120),
        (RowKind.FIGURE, "Donation", 200),
        (RowKind.TOTAL, "Total without VAT", 15_500),
        (RowKind.VAT, "VAT 2.6 %", 28),
        (RowKind.VAT, "VAT 8.1 %", 1152),
        (RowKind.TOTAL, "Total with VAT", 16_680),
    ]


def test_a_line_without_a_label_is_named_by_its_key() -> None:
    shown = printed(checkout_totals(BASKET), {2: "Lunch"})

    assert rows(shown, RowKind.LINE) == [("Line 1", 15_800), ("Lunch", 1200)]


def test_a_line_is_explained_by_the_steps_of_both_its_totals() -> None:
    shown = printed(checkout_totals(BASKET[:1], promo_codes=[TEN]))

    steps = shown.rows[0].steps
    assert {step.figure for step in steps} == {"total_gross", "total_net"}
    # 15800 less 1580, less 1066 of tax
    assert sum(step.amount for step in steps) == 13_154


def test_discounts_of_the_same_name_have_their_own_notes() -> None:
    tenth = AutomaticDiscount(id=1, kind=Percentage.percent(10, level=DiscountLevel.LINE), name=Text("Sale"))
    fixed = AutomaticDiscount(id=2, kind=Absolute(300, DiscountLevel.LINE), name=Text("Sale"))

    shown = printed(checkout_totals(lines(10_000, 1000), automatic=[tenth, fixed]))

    # 10 % of 100.00 is more than 3.00; 10 % of 10.00 is less.
    tenth_row, fixed_row = (row for row in shown.rows if row.kind is RowKind.DISCOUNT)
    assert [(row.label, row.amount) for row in (tenth_row, fixed_row)] == [("Sale", -1000), ("Sale", -300)]
    assert "10 %" in tenth_row.note
    assert "3.00" in fixed_row.note


@pytest.mark.parametrize(("step", "shown"), [(1, []), (2, [("In cash", 10_502)]), (5, [("In cash", 10_500)])])
def test_cash_is_shown_if_it_is_rounded_to_steps(step: int, shown: list[tuple[str, int]]) -> None:
    receipt_shown = printed(everything(TotalsPolicy(cash_increment=step)))

    assert [row for row in rows(receipt_shown, RowKind.FIGURE) if row[0] == "In cash"] == shown


@pytest.mark.parametrize(("balance", "paid", "note"), [(500, 500, "used up"), (2500, 1000, "15.00")])
def test_a_voucher_shows_its_remaining_balance(balance: int, paid: int, note: str) -> None:
    shown = printed(checkout_totals(lines(1000), vouchers=[Voucher(code="A", balance=balance)]))

    (row,) = (row for row in shown.rows if row.label == "Voucher A")
    assert row.amount == -paid
    assert note in row.note


def test_an_empty_checkout_has_a_receipt() -> None:
    assert printed(checkout_totals([])).rows == (ReceiptRow(RowKind.TOTAL, "Total", 0),)


def why(code: PromoCode | UnknownCode, *others: PromoCode) -> str:
    totals = checkout_totals(
        lines(1000), promo_codes=[code, *others], context=Context(at=NOW, channel="web", zone="Europe/Zurich")
    )
    (row,) = (row for row in printed(totals).rows if row.kind is RowKind.REFUSED)
    assert row.label == f"{code.code} not applied"
    assert row.amount is None
    return row.note


PLAIN = PromoCode(code="A", kind=Absolute(1000))
TOMORROW = NOW + timedelta(days=1)


def when(**conditions: Any) -> PromoCode:
    return replace(PLAIN, conditions=Conditions(**conditions))


@pytest.mark.parametrize(
    ("code", "note"),
    [
        (UnknownCode("A"), "unknown code"),
        (when(channels=frozenset({"desk"})), "not valid on this channel"),
        (when(accounts=frozenset({7})), "not valid for this account"),
        (when(starts_at=TOMORROW), "not valid yet, from 2026-12-22T09:00:00+01:00"),
        (when(ends_at=NOW), "expired"),
        (when(weekdays=frozenset({7})), "not valid on this weekday"),
        (replace(PLAIN, uses_left=0), "used up"),
        (replace(PLAIN, kind=Percentage(parts_per_million=101)), "applies to nothing in this order"),
        (when(thresholds=(Threshold(spend=3000),)), "minimum not reached, 20.00 CHF missing"),
        (replace(PLAIN, kind=BuyXGetY(1, 1)), "minimum not reached, 1 more unit missing"),
        (replace(PLAIN, kind=BuyXGetY(2, 1)), "minimum not reached, 2 more units missing"),
        (
            when(thresholds=(Threshold(spend=1050, quantity=3),)),
            "minimum not reached, 0.50 CHF and 2 more units missing",
        ),
    ],
)
def test_a_refused_code_says_why_and_what_is_missing(code: PromoCode | UnknownCode, note: str) -> None:
    assert why(code) == note


def test_a_code_beside_an_exclusive_one_says_why_it_was_refused() -> None:
    alone = PromoCode(code="ALONE", kind=Absolute(1), exclusive=True)

    assert why(PLAIN, alone) == "cannot be combined with the other code"
