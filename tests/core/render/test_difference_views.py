"""Differences of prices as text and HTML."""

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import Percentage, PromoCode
from faregate.explanations.differences import Difference, difference
from faregate.explanations.explanation import explain
from faregate.money.currency import currency
from faregate.render import html, text
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.trace import Step, StepKind, Trace

FRANCS = currency("CHF")
TICKET = Line(1, 7900, 2, VatRate.percent("8.1"))
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
TUESDAY = checkout_totals([TICKET], promo_codes=[TEN])
SUNDAY = checkout_totals(
    [TICKET._replace(unit_price=8900)],
    promo_codes=[TEN],
    donation=103,
    vouchers=[Voucher(code="GIFT", balance=5000)],
    policy=TotalsPolicy(cash_increment=5),
)
NET = checkout_totals([TICKET], promo_codes=[TEN], policy=TotalsPolicy(price_basis=PriceBasis.NET))


def compared(old: CheckoutTotals, new: CheckoutTotals) -> Difference:
    return difference(explain(old, currency=FRANCS), explain(new, currency=FRANCS))


def test_text_has_the_steps_that_changed_and_the_figures() -> None:
    # 142.20 and 160.20 at 8.1 %: 10.66 and 12.00.
    assert text(compared(TUESDAY, SUNDAY), width=56).splitlines() == [
        "CHF                              Old     New  Difference",
        "Line 1  list price            158.00  178.00      +20.00",
        "Line 1  TEN                   -15.80  -17.80       -2.00",
        "Donation                        0.00    1.03       +1.03",
        "-" * 56,
        "Total with VAT                142.20  161.23      +19.03",
        "Voucher GIFT                    0.00  -50.00      -50.00",
        "-" * 56,
        "To pay                        142.20  111.23      -30.97",
        "Cash rounding                   0.00    0.02       +0.02",
        "-" * 56,
        "In cash                       142.20  111.25      -30.95",
        "VAT 8.1 %                      10.66   12.00       +1.34",
        "-" * 56,
        "VAT                            10.66   12.00       +1.34",
        "Total without VAT             131.54  149.23      +17.69",
    ]


def test_tax_that_is_added_is_a_step() -> None:
    # 142.20 plus 8.1 % are 153.72.
    assert text(compared(TUESDAY, NET), width=56).splitlines() == [
        "CHF                              Old     New  Difference",
        "Line 1  VAT 8.1 %               0.00   11.52      +11.52",
        "-" * 56,
        "Total with VAT                142.20  153.72      +11.52",
        "VAT 8.1 %                      10.66   11.52       +0.86",
        "-" * 56,
        "VAT                            10.66   11.52       +0.86",
        "Total without VAT             131.54  142.20      +10.66",
    ]


def test_nothing_to_compare() -> None:
    found = compared(checkout_totals([]), checkout_totals([]))

    assert text(found) == "no difference"
    assert "<caption>no difference</caption>" in html(found)


def test_traces_have_all_their_figures() -> None:
    price = Step("unit_price", None, StepKind.LIST_PRICE, "", 500)
    half = Step("unit_price", None, StepKind.CARD_REDUCTION, "Half fare", -250)

    found = difference(Trace([price]), Trace([price, half, price._replace(figure="fee", amount=1)]))

    assert text(found, width=50).splitlines() == [
        "minor units                  Old   New  Difference",
        "List price                     0     1          +1",
        "-" * 50,
        "Fee                            0     1          +1",
        "Card reduction Half fare       0  -250        -250",
        "-" * 50,
        "Unit price                   500   250        -250",
    ]
    assert text(found) == text(found, width=72)


def test_a_figure_may_stay_the_same_while_its_tax_changes() -> None:
    reduced = checkout_totals([TICKET._replace(rate=VatRate.percent("2.6"))])

    assert text(compared(checkout_totals([TICKET]), reduced), width=50).splitlines()[1] == (
        "Total with VAT          158.00  158.00        0.00"
    )


@pytest.mark.parametrize("width", [40, 72, 100])
def test_amounts_end_in_the_last_column(width: int) -> None:
    assert {len(line) for line in text(compared(TUESDAY, SUNDAY), width=width).splitlines()} == {width}


def test_html_has_the_rows_of_the_text() -> None:
    shown = html(compared(TUESDAY, SUNDAY), caption="Tuesday <Sunday>")

    assert "<caption>Tuesday &lt;Sunday&gt;</caption>" in shown
    assert "<caption>" not in html(compared(TUESDAY, SUNDAY))
    assert '<th scope="col" class="text">CHF</th><th scope="col">Old</th>' in shown
    assert (
        '<tr><th scope="row" class="text">Line 1  list price</th>'
        "<td>158.00</td><td>178.00</td><td>+20.00</td></tr>"
    ) in shown
    assert '<tr class="total"><th scope="row" class="text">To pay</th><td>142.20</td>' in shown


def test_names_are_escaped_and_printable() -> None:
    code = PromoCode(code="A", kind=Percentage.percent(10))
    old, new = checkout_totals([TICKET]), checkout_totals([TICKET], promo_codes=[code])
    sides = [explain(totals, name=lambda _: "<b>\x1b[1m") for totals in (old, new)]

    assert "&lt;b&gt;" in html(difference(*sides))
    assert "\x1b" not in text(difference(*sides))


def test_a_long_table_is_cut() -> None:
    many = [Line(key, 100, 1, VatRate.percent(0)) for key in range(1, 61)]

    shown = html(compared(checkout_totals([]), checkout_totals(many)))

    assert shown.count("<tr") == 1 + 50 + 1
    assert "… and 11 more" in shown
