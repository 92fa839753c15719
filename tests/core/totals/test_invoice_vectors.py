"""The strict view of EN 16931 (BT-106 to BT-115). SOURCES.md describes the sources."""

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.tax.rates import VatCategory, VatRate
from faregate.totals.invoice import InvoiceVat, en16931_totals
from faregate.totals.pipeline import checkout_totals
from support.baskets.as_written import all_cents, basket, cents

WHOLE_CROWNS = TotalsPolicy(price_basis=PriceBasis.NET, cash_increment=cents("1.00"))
NET = TotalsPolicy(price_basis=PriceBasis.NET)

ELHANDEL = basket("593.99 @25", "50.00")
TAXI = basket("707.30 @6")
HALF_PREPAID = basket("1500.00 @25", "2500.00 @12")


def test_gross_price_that_no_net_produces_needs_a_rounding_amount() -> None:
    """VAT-T2: pretix documentation, tax rounding; computed."""
    invoice = en16931_totals(checkout_totals(basket("99.99 @19")))

    assert (invoice.net, invoice.vat) == all_cents("84.03", "15.97")
    assert (invoice.rounding, invoice.due) == all_cents("-0.01", "99.99")


def test_net_given_back_to_the_lines_needs_no_rounding_amount() -> None:
    """VAT-T16: GOBL, TestRemoveIncludedTaxDeep, whose unit prices made net need -0.02."""
    invoice = en16931_totals(checkout_totals(basket("364 x 51.78 @6", "52.08 @6")))

    assert (invoice.net, invoice.vat, invoice.due) == all_cents("17830.19", "1069.81", "18900.00")
    assert invoice.rounding == 0 != cents("-0.02")


def test_net_prices_need_no_rounding_amount() -> None:
    """VAT-T26: EN 16931, ubl-tc434-example1."""
    invoice = en16931_totals(checkout_totals(basket("183.23 @6", "46.37 @21"), policy=NET))

    assert [row.vat for row in invoice.breakdown] == [cents("10.99"), cents("9.74")]
    assert (invoice.vat, invoice.gross, invoice.due) == all_cents("20.73", "250.33", "250.33")


def test_goods_not_subject_to_tax_are_one_group_with_its_reason() -> None:
    """VAT-T27: EN 16931, ubl-tc434-example7."""
    outside = VatRate(parts_per_million=0, category=VatCategory.O, reason="Tax")
    lines = [line._replace(rate=outside) for line in basket("2500.00", "700.00")]

    invoice = en16931_totals(checkout_totals(lines, policy=NET))

    assert invoice.breakdown == (InvoiceVat(rate=outside, base=cents("3200.00"), vat=0),)
    assert (invoice.line_net, invoice.gross, invoice.due) == all_cents("3200.00", "3200.00", "3200.00")


@pytest.mark.parametrize(
    ("lines", "tax", "gross", "rounding", "due"),
    [
        # EN 16931, BIS Elhandel
        pytest.param(ELHANDEL, "148.50", "792.49", "-0.49", "792.00", id="CASH-C4"),
        # EN 16931, BIS Taxi
        pytest.param(TAXI, "42.44", "749.74", "0.26", "750.00", id="CASH-C5"),
    ],
)
def test_rounding_to_whole_crowns_changes_the_amount_due_but_no_tax(
    lines: list[Line], tax: str, gross: str, rounding: str, due: str
) -> None:
    totals = checkout_totals(lines, policy=WHOLE_CROWNS)

    invoice = en16931_totals(totals, due=totals.cash_due)

    assert (invoice.vat, invoice.gross) == all_cents(tax, gross)
    assert (invoice.rounding, invoice.due) == all_cents(rounding, due)
    assert (totals.total_gross, totals.cash_rounding, totals.cash_due) == all_cents(gross, rounding, due)


def test_a_prepayment_changes_the_amount_due_but_no_tax() -> None:
    """CASH-C7: EN 16931, ubl-tc434-example5."""
    voucher = Voucher(code="HALF", balance=cents("2337.50"))

    totals = checkout_totals(HALF_PREPAID, vouchers=[voucher], policy=NET)
    invoice = en16931_totals(totals)

    assert (invoice.gross, invoice.prepaid) == all_cents("4675.00", "2337.50")
    assert (invoice.due, invoice.vat) == all_cents("2337.50", "675.00")
    assert totals.amount_due == cents("2337.50")
