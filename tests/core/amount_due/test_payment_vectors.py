"""Donations, and vouchers as a means of payment. SOURCES.md describes the sources."""

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.discounts.kinds import Percentage, PromoCode
from faregate.discounts.promo_codes import AppliedCode
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.baskets.as_written import all_cents, basket, cents, vat

TEN_PERCENT = PromoCode(code="TEN", kind=Percentage.percent(10))
SMALL, LARGE = Voucher(code="SMALL", balance=cents("30.00")), Voucher(code="LARGE", balance=cents("90.00"))


def with_donation(*vouchers: Voucher) -> CheckoutTotals:
    """Return the basket of PAY-D1 and PAY-D2."""
    return checkout_totals(
        basket("50.00 @8.1", "20.00 @2.6"),
        promo_codes=[TEN_PERCENT],
        donation=cents("10.00"),
        vouchers=vouchers,
    )


def tax(totals: CheckoutTotals) -> list[int]:
    return [row.vat for row in totals.vat_breakdown]


def test_donation_is_neither_discounted_nor_taxed() -> None:
    """PAY-D1, computed."""
    totals = with_donation()

    (applied,) = totals.promo_codes
    assert isinstance(applied, AppliedCode)
    assert applied.shares == all_cents("5.00", "2.00")
    assert totals.list_price_gross == cents("70.00")
    assert (totals.total_gross, totals.total_net) == all_cents("73.00", "69.17")
    assert tax(totals) == [cents("0.46"), cents("3.37")]


def test_donation_is_not_paid_with_vouchers() -> None:
    """PAY-D2, computed: 10.00 stays due although 57.00 is left on the larger voucher."""
    totals = with_donation(SMALL, LARGE)

    assert tuple(redemption.amount for redemption in totals.vouchers) == all_cents("30.00", "33.00")
    assert totals.vouchers[1].balance_left == cents("57.00")
    assert totals.amount_due == cents("10.00")


@pytest.mark.parametrize(
    ("single_purpose", "tax_still_owed"),
    [
        # Sylius#10709; its tax of 10.00 in 100.00 is a ninth of the net
        pytest.param(None, "10.00", id="PAY-D4-multi-purpose"),
        pytest.param(vat("11.1111"), "5.00", id="PAY-D4-single-purpose"),
    ],
)
def test_tax_on_a_single_purpose_voucher_was_paid_when_it_was_sold(
    single_purpose: VatRate | None, tax_still_owed: str
) -> None:
    voucher = Voucher(
        code="V",
        balance=cents("50.00"),
        single_purpose=single_purpose,
        face_value=None if single_purpose is None else cents("50.00"),
    )

    totals = checkout_totals(basket("100.00 @11.1111"), vouchers=[voucher])

    assert sum(tax(totals)) == cents("10.00")
    assert sum(tax(totals)) + sum(row.vat for row in totals.prepaid) == cents(tax_still_owed)
    assert totals.amount_due == cents("50.00")


def test_goods_paid_with_an_untaxed_voucher_still_show_their_tax() -> None:
    """PAY-D5: PrestaShop#24898, goods at 7 % and 19 % for 50.00 (here half and half)."""
    goods = basket("25.00 @7", "25.00 @19")
    voucher = Voucher(code="V", balance=cents("50.00"))

    totals = checkout_totals(goods, vouchers=[voucher])

    assert totals.amount_due == 0
    assert totals.total_gross == cents("50.00")
    assert tax(totals) == tax(checkout_totals(goods))
    assert all(amount > 0 for amount in tax(totals))
    assert sum(row.vat for row in totals.prepaid) == 0
