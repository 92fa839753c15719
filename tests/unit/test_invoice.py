"""The strict view of EN 16931, worked out by hand. Decisions §4."""

import pytest

from faregate.discounts import Percentage, PromoCode
from faregate.invoice import InvoiceTotals, InvoiceVat, en16931_totals
from faregate.lines import Line
from faregate.policy import PriceBasis, TotalsPolicy
from faregate.tax import VatRate
from faregate.totals import checkout_totals
from faregate.vouchers import Voucher
from unit.small_shop import REDUCED, UNTAXED, VAT, lines

TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
NET = TotalsPolicy(price_basis=PriceBasis.NET)


def test_every_business_term_of_a_checkout_with_everything() -> None:
    # 14220 gross hold 1066, so 13154 net; 1080 hold 27, so 1053 net; and 200 are given.
    totals = checkout_totals(
        [Line(1, 7900, 2, VAT), Line(2, 1200, 1, REDUCED)],
        promo_codes=[TEN],
        donation=200,
        vouchers=[Voucher(code="A", balance=5000)],
    )

    # On 13154 there are 1065.47 at 8.1 %, on 1053 27.38 at 2.6 %: one cent less than is in the prices.
    assert en16931_totals(totals) == InvoiceTotals(
        line_net=14_207,
        allowances=0,
        charges=200,
        net=14_407,
        vat=1092,
        gross=15_499,
        prepaid=5000,
        rounding=1,
        due=10_500,
        breakdown=(InvoiceVat(UNTAXED, 200, 0), InvoiceVat(REDUCED, 1053, 27), InvoiceVat(VAT, 13_154, 1065)),
    )


def test_a_donation_joins_what_bears_no_tax() -> None:
    totals = checkout_totals([Line(1, 500, 1, UNTAXED), Line(2, 1081, 1, VAT)], donation=200)

    invoice = en16931_totals(totals)

    assert invoice.breakdown == (InvoiceVat(UNTAXED, 700, 0), InvoiceVat(VAT, 1000, 81))
    assert (invoice.line_net, invoice.charges, invoice.net) == (1500, 200, 1700)


def test_a_donation_alone_is_a_charge_without_tax() -> None:
    invoice = en16931_totals(checkout_totals([], donation=200))

    assert invoice == InvoiceTotals(0, 0, 200, 200, 0, 200, 0, 0, 200, (InvoiceVat(UNTAXED, 200, 0),))


def test_without_a_donation_there_is_no_charge() -> None:
    invoice = en16931_totals(checkout_totals([Line(1, 1081, 1, VAT)]))

    assert invoice.charges == 0
    assert invoice.breakdown == (InvoiceVat(VAT, 1000, 81),)


def test_an_empty_checkout_is_an_invoice_of_nothing() -> None:
    assert en16931_totals(checkout_totals([])) == InvoiceTotals(0, 0, 0, 0, 0, 0, 0, 0, 0, ())


@pytest.mark.parametrize(
    ("policy", "net", "vat", "gross", "rounding"),
    [
        # 100.00 at 8.1 %: 7.49 in it, so 92.51 net, on which there are 7.49.
        pytest.param(TotalsPolicy(), 9251, 749, 10_000, 0, id="gross"),
        # 8.10 on it
        pytest.param(NET, 10_000, 810, 10_810, 0, id="net"),
    ],
)
def test_both_price_bases_have_the_view(
    policy: TotalsPolicy, net: int, vat: int, gross: int, rounding: int
) -> None:
    invoice = en16931_totals(checkout_totals([Line(1, 10_000, 1, VAT)], policy=policy))

    assert (invoice.net, invoice.vat, invoice.gross, invoice.rounding) == (net, vat, gross, rounding)


def test_discounts_are_in_the_lines_and_never_allowances() -> None:
    invoice = en16931_totals(checkout_totals(lines(1000, 2000), promo_codes=[TEN]))

    assert (invoice.line_net, invoice.allowances, invoice.net) == (2700, 0, 2700)


def test_the_rounding_of_cash_is_in_the_rounding_amount() -> None:
    totals = checkout_totals(lines(1002), policy=TotalsPolicy(cash_increment=5))

    assert en16931_totals(totals).rounding == 0
    invoice = en16931_totals(totals, due=totals.cash_due)

    assert (invoice.gross, invoice.rounding, invoice.due) == (1002, -2, 1000)


def test_nothing_due_is_an_amount_too() -> None:
    # A due of 0 is given, not left out: two cents are rounded away.
    totals = checkout_totals(lines(2), policy=TotalsPolicy(cash_increment=5))

    assert en16931_totals(totals, due=0).rounding == -2


def test_two_rates_may_each_need_a_cent() -> None:
    # 99.99 at 19 %: 15.96 in it, 15.97 on the 84.03 that are left.
    # 0.99 at 7 %: 0.0648, so 0.06 in it; 0.0651, so 0.07 on the 0.93 that are left.
    totals = checkout_totals([Line(1, 9999, 1, VatRate.percent(19)), Line(2, 99, 1, VatRate.percent(7))])

    invoice = en16931_totals(totals)

    assert [row.vat for row in invoice.breakdown] == [7, 1597]
    assert (invoice.gross, invoice.rounding, invoice.due) == (10_100, -2, 10_098)
