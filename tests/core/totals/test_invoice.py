"""The strict view of EN 16931, worked out by hand. Decisions §4."""

from dataclasses import replace

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.kinds import Percentage, PromoCode
from faregate.errors import InvalidInvoice
from faregate.tax.rates import Tie, VatAmount, VatCategory, VatLevel, VatRate
from faregate.totals.document_level import DocumentAmount
from faregate.totals.invoice import InvoiceTotals, InvoiceVat, en16931_totals
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import REDUCED, UNTAXED, VAT, lines

TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
MUSEUM = VatRate(parts_per_million=0, category=VatCategory.E, reason="Museum")
NOTHING = InvoiceTotals(
    line_net=0,
    allowances=0,
    charges=0,
    net=0,
    vat=0,
    gross=0,
    prepaid=0,
    rounding=0,
    due=0,
    breakdown=(),
    prepaid_goods=(),
    outside_scope=0,
)


def test_a_full_checkout_has_every_business_term() -> None:
    # 14220 gross include 1066 of tax, 1080 include 27: 13154 and 1053 net. The donation is 200.
    totals = checkout_totals(
        [Line(1, 7900, 2, VAT), Line(2, 1200, 1, REDUCED)],
        promo_codes=[TEN],
        donation=200,
        vouchers=[Voucher(code="A", balance=5000)],
    )

    # Tax on 13154 is 1065.47 at 8.1 %, on 1053 it is 27.38 at 2.6 %: one cent less than in the prices.
    assert en16931_totals(totals) == InvoiceTotals(
        line_net=14_207,
        allowances=0,
        charges=0,
        net=14_207,
        vat=1092,
        gross=15_299,
        prepaid=5000,
        rounding=1,
        due=10_300,
        breakdown=(InvoiceVat(rate=REDUCED, base=1053, vat=27), InvoiceVat(rate=VAT, base=13_154, vat=1065)),
        prepaid_goods=(),
        outside_scope=200,
        lines=((1, 13_154), (2, 1053)),
    )


def test_a_donation_is_left_out_of_the_document() -> None:
    invoice = en16931_totals(checkout_totals([Line(1, 500, 1, UNTAXED), Line(2, 1081, 1, VAT)], donation=200))

    assert invoice.breakdown == (
        InvoiceVat(rate=UNTAXED, base=500, vat=0),
        InvoiceVat(rate=VAT, base=1000, vat=81),
    )
    assert (invoice.line_net, invoice.charges, invoice.net) == (1500, 0, 1500)
    assert (invoice.due, invoice.outside_scope) == (1581, 200)


def test_a_donation_with_a_category_is_a_charge_in_it() -> None:
    totals = checkout_totals([Line(1, 500, 1, MUSEUM), Line(2, 1081, 1, VAT)], donation=200)

    invoice = en16931_totals(totals, donation=MUSEUM)

    assert invoice.breakdown == (
        InvoiceVat(rate=MUSEUM, base=700, vat=0),
        InvoiceVat(rate=VAT, base=1000, vat=81),
    )
    assert (invoice.line_net, invoice.charges, invoice.net) == (1500, 200, 1700)
    assert (invoice.due, invoice.outside_scope) == (1781, 0)


def test_a_donation_alone_is_outside_the_document_or_its_only_charge() -> None:
    totals = checkout_totals([], donation=200)

    assert en16931_totals(totals) == replace(NOTHING, outside_scope=200)
    assert en16931_totals(totals, donation=UNTAXED) == replace(
        NOTHING,
        charges=200,
        net=200,
        gross=200,
        due=200,
        breakdown=(InvoiceVat(rate=UNTAXED, base=200, vat=0),),
        document_charges=(DocumentAmount(source=None, rate=UNTAXED, amount=200),),
    )


def test_without_a_donation_there_is_no_charge() -> None:
    invoice = en16931_totals(checkout_totals([Line(1, 1081, 1, VAT)]), donation=UNTAXED)

    assert invoice.charges == 0
    assert invoice.breakdown == (InvoiceVat(rate=VAT, base=1000, vat=81),)


def test_vouchers_pay_goods_of_the_document_before_a_donation_outside_it() -> None:
    policy = TotalsPolicy(vouchers_pay_donation=True)
    totals = checkout_totals(
        [Line(1, 1081, 1, VAT)], donation=200, vouchers=[Voucher(code="A", balance=1181)], policy=policy
    )

    invoice = en16931_totals(totals)

    assert (invoice.prepaid, invoice.rounding, invoice.due) == (1081, 0, 0)
    assert totals.amount_due == 100


@pytest.mark.parametrize(
    ("rate", "message"),
    [
        (VAT, "expected an untaxed donation, got a rate of 8.1 %"),
        ("Z", "donation is 'Z', expected a VatRate"),
    ],
)
def test_a_donation_bears_no_tax(rate: VatRate, message: str) -> None:
    with pytest.raises(InvalidInvoice, match=f"^{message}"):
        en16931_totals(checkout_totals([], donation=200), donation=rate)


@pytest.mark.parametrize("category", [VatCategory.E, VatCategory.AE, VatCategory.O])
def test_a_category_without_tax_needs_a_reason_in_words_or_as_a_code(category: VatCategory) -> None:
    bare = VatRate(parts_per_million=0, category=category)

    with pytest.raises(InvalidInvoice, match=f"category {category} has no reason"):
        en16931_totals(checkout_totals(lines(500, rate=bare)))
    for said in (replace(bare, reason="Why"), replace(bare, reason_code="VATEX")):
        invoice = en16931_totals(checkout_totals(lines(500, rate=said)))
        assert invoice.breakdown == (InvoiceVat(rate=said, base=500, vat=0),)


def test_a_category_other_than_standard_has_one_group() -> None:
    totals = checkout_totals([Line(1, 5000, 1, MUSEUM), Line(2, 700, 1, replace(MUSEUM, reason="Training"))])

    with pytest.raises(InvalidInvoice, match="category E has 2 groups, expected one"):
        en16931_totals(totals)


def test_goods_outside_the_scope_of_tax_exclude_other_categories() -> None:
    deposit = VatRate(parts_per_million=0, category=VatCategory.O, reason="Deposit")
    exempt = VatRate(parts_per_million=0, category=VatCategory.E)
    totals = checkout_totals([Line(1, 500, 1, deposit), Line(2, 700, 1, exempt), Line(3, 1081, 1, VAT)])

    with pytest.raises(InvalidInvoice) as raised:
        en16931_totals(totals)

    assert raised.value.messages == (
        "category E has no reason: give its rate a reason or reason_code",
        "category O cannot be combined with E and S: use a separate invoice (BR-O-11)",
    )
    with pytest.raises(InvalidInvoice, match="category O cannot be combined with Z"):
        en16931_totals(checkout_totals(lines(500, rate=deposit), donation=200), donation=UNTAXED)


def sold_before(amount: int, rate: VatRate, code: str = "MEAL") -> Voucher:
    """Return a single-purpose voucher that has not been redeemed yet."""
    return Voucher(code=code, balance=amount, face_value=amount, single_purpose=rate)


def test_goods_prepaid_by_a_single_purpose_voucher_are_left_out() -> None:
    totals = checkout_totals([Line(1, 5000, 1, VAT)], vouchers=[sold_before(5000, VAT)])

    # 5000 include 375 (374.65) of tax, declared when the voucher was sold.
    assert en16931_totals(totals) == replace(NOTHING, prepaid_goods=(VatAmount(VAT, 4625, 375, 5000),))


def test_partly_prepaid_goods_leave_the_remainder_in_the_document() -> None:
    totals = checkout_totals(
        [Line(1, 5000, 1, VAT), Line(2, 2052, 1, REDUCED)],
        donation=200,
        vouchers=[sold_before(3000, VAT), Voucher(code="GIFT", balance=500)],
    )

    invoice = en16931_totals(totals)

    # The tax in the 2000 left is 149.86; 8.1 % of 1850 is 149.85. Of the 4625 net, all but 1850 were prepaid.
    assert invoice.breakdown == (
        InvoiceVat(rate=REDUCED, base=2000, vat=52),
        InvoiceVat(rate=VAT, base=1850, vat=150),
    )
    assert invoice.prepaid_goods == (VatAmount(VAT, 2775, 225, 3000),)
    assert (invoice.line_net, invoice.gross, invoice.prepaid) == (3850, 4052, 500)
    assert (invoice.rounding, invoice.due) == (0, 3552)
    assert totals.amount_due == invoice.due + invoice.outside_scope


def test_a_voucher_at_rate_0_prepays_its_own_category_first() -> None:
    goods = [Line(1, 700, 1, UNTAXED), Line(2, 500, 1, MUSEUM), Line(3, 1081, 1, VAT)]

    def left(*vouchers: Voucher) -> list[InvoiceVat]:
        totals = checkout_totals(goods, vouchers=vouchers)
        return [row for row in en16931_totals(totals).breakdown if row.rate != VAT]

    assert left(sold_before(600, UNTAXED)) == [
        InvoiceVat(rate=MUSEUM, base=500, vat=0),
        InvoiceVat(rate=UNTAXED, base=100, vat=0),
    ]
    assert left(sold_before(600, MUSEUM)) == [InvoiceVat(rate=UNTAXED, base=600, vat=0)]
    both = [sold_before(600, MUSEUM, "A"), sold_before(400, UNTAXED, "B")]
    assert left(*both) == left(*both[::-1]) == [InvoiceVat(rate=UNTAXED, base=200, vat=0)]
    two = [sold_before(100, MUSEUM, "A"), sold_before(200, MUSEUM, "B")]
    assert left(*two) == [
        InvoiceVat(rate=MUSEUM, base=200, vat=0),
        InvoiceVat(rate=UNTAXED, base=700, vat=0),
    ]
    deposit = VatRate(parts_per_million=0, category=VatCategory.O, reason="Deposit")
    # Of the first voucher, 100 are left for goods of another category, and all 300 of the second.
    others = [sold_before(600, MUSEUM, "A"), sold_before(300, deposit, "B")]
    assert left(*others) == [InvoiceVat(rate=UNTAXED, base=300, vat=0)]
    assert left(sold_before(600, deposit)) == [InvoiceVat(rate=UNTAXED, base=600, vat=0)]


@pytest.mark.parametrize(("tie", "base"), [(Tie.TAX, 1), (Tie.NET, 2)])
def test_half_a_unit_of_tax_on_the_remainder_is_rounded_as_the_policy_says(tie: Tie, base: int) -> None:
    double = VatRate.percent(100)
    totals = checkout_totals(
        [Line(1, 4, 1, double)], vouchers=[sold_before(1, double)], policy=TotalsPolicy(tie=tie)
    )

    assert en16931_totals(totals).breakdown == (InvoiceVat(rate=double, base=base, vat=base),)


def test_tax_rounded_per_unit_may_differ_by_the_number_of_units() -> None:
    # 100.00 at 19 % includes 15.966: 84.03 net; the tax on a thousand is 15965.70, less than 15970.00.
    totals = checkout_totals(
        [Line(1, 10_000, 1000, VatRate.percent(19))], policy=TotalsPolicy(vat_level=VatLevel.UNIT)
    )

    assert en16931_totals(totals).rounding == 430


def test_an_amount_due_of_0_counts_as_given() -> None:
    # A due of 0 is given, not left out: two cents are rounded away.
    totals = checkout_totals(lines(2), policy=TotalsPolicy(cash_increment=5))

    assert en16931_totals(totals, due=0).rounding == -2
