"""Every figure of a checkout, worked out by hand. Decisions §3.1, §4 to §6."""

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import Absolute, AutomaticDiscount, DiscountLevel, PromoCode, Scope
from faregate.discounts.promo_codes import AppliedCode
from faregate.errors import (
    InvalidAmount,
    InvalidInput,
)
from faregate.tax.rates import VatAmount
from faregate.totals.pipeline import checkout_totals
from support.baskets.totals_by_hand import LUNCH, NET, TEN, TICKETS, both_sides
from support.shops.small_shop import NOW, REDUCED, VAT, lines


def test_a_checkout_with_gross_prices() -> None:
    totals = checkout_totals([TICKETS, LUNCH], promo_codes=[TEN])

    # 10 % of 170.00, shared as 15.80 and 1.20.
    # 142.20 includes 10.66 at 8.1 %, 10.80 includes 0.27 at 2.6 %; the discounts include 1.18 and 0.03.
    tickets, lunch = totals.lines
    assert both_sides(tickets) == (15_800, 14_616, 1580, 1462, 14_220, 13_154)
    assert both_sides(lunch) == (1200, 1170, 120, 117, 1080, 1053)
    assert both_sides(totals) == (17_000, 15_786, 1700, 1579, 15_300, 14_207)
    assert totals.vat_breakdown == (VatAmount(REDUCED, 1053, 27, 1080), VatAmount(VAT, 13_154, 1066, 14_220))
    assert (totals.promo_code_discount, totals.auto_discount_amount) == (1700, 0)
    assert (tickets.key, tickets.quantity, tickets.rate) == (1, 2, VAT)
    assert (tickets.auto_discount, tickets.auto_discount_amount, tickets.promo_code_discount) == (
        None,
        0,
        1580,
    )


def test_a_checkout_with_net_prices() -> None:
    totals = checkout_totals([TICKETS, LUNCH], promo_codes=[TEN], policy=NET)

    # The same amounts are net now: 11.52 on 142.20, 0.28 on 10.80; 1.28 and 0.03 on the discounts.
    tickets, lunch = totals.lines
    assert both_sides(tickets) == (17_080, 15_800, 1708, 1580, 15_372, 14_220)
    assert both_sides(lunch) == (1231, 1200, 123, 120, 1108, 1080)
    assert both_sides(totals) == (18_311, 17_000, 1831, 1700, 16_480, 15_300)
    assert totals.vat_breakdown == (VatAmount(REDUCED, 1080, 28, 1108), VatAmount(VAT, 14_220, 1152, 15_372))
    assert totals.promo_code_discount == 1700


def test_an_empty_checkout_costs_nothing() -> None:
    totals = checkout_totals([])

    assert both_sides(totals) == (0, 0, 0, 0, 0, 0)
    assert (totals.lines, totals.vat_breakdown, totals.promo_codes, totals.vouchers) == ((), (), (), ())
    assert (totals.amount_due, totals.cash_due, totals.cash_rounding) == (0, 0, 0)


def test_lines_are_returned_in_the_order_of_the_request() -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(1000, DiscountLevel.LINE), scope=Scope(lines=frozenset({1})))

    totals = checkout_totals([LUNCH, TICKETS], automatic=[rule], promo_codes=[TEN])

    # 10 % of 12.00 and 148.00
    assert [line.key for line in totals.lines] == [2, 1]
    assert totals.auto_discounts[0].shares == (0, 1000)
    (ten,) = totals.promo_codes
    assert isinstance(ten, AppliedCode)
    assert ten.shares == (120, 1480)


def test_a_refused_code_is_unchanged_when_lines_are_put_back_in_order() -> None:
    used_up = PromoCode(code="A", kind=Absolute(1), uses_left=0)

    (result,) = checkout_totals([LUNCH, TICKETS], promo_codes=[used_up]).promo_codes

    assert not result.valid


@pytest.mark.parametrize("donation", [-1, 2.0, True, None, "2"])
def test_a_donation_is_at_least_0(donation: int) -> None:
    with pytest.raises(InvalidAmount) as raised:
        checkout_totals([TICKETS], donation=donation)

    assert str(raised.value) == f"donation is {donation!r}, expected an int of at least 0"


@pytest.mark.parametrize(
    ("pays_donation", "paid", "due"),
    [(False, 15_800, 200), (True, 16_000, 0)],
)
def test_vouchers_pay_the_donation_only_if_the_policy_allows(
    paid: int, due: int, *, pays_donation: bool
) -> None:
    totals = checkout_totals(
        [TICKETS],
        donation=200,
        vouchers=[Voucher(code="A", balance=20_000)],
        policy=TotalsPolicy(vouchers_pay_donation=pays_donation),
    )

    (redemption,) = totals.vouchers
    assert (redemption.amount, redemption.balance_left) == (paid, 20_000 - paid)
    assert (totals.total_gross, totals.amount_due) == (16_000, due)


def test_a_single_purpose_voucher_is_not_part_of_the_breakdown() -> None:
    lunch = Voucher(code="LUNCH", balance=1026, face_value=1026, single_purpose=REDUCED)

    totals = checkout_totals([TICKETS, LUNCH], vouchers=[lunch])

    assert totals.prepaid == (VatAmount(REDUCED, -1000, -26, -1026),)
    assert totals.vat_breakdown == checkout_totals([TICKETS, LUNCH]).vat_breakdown
    assert totals.amount_due == 17_000 - 1026


@pytest.mark.parametrize(("price", "cash_due", "rounding"), [(1002, 1000, -2), (1003, 1005, 2)])
def test_cash_is_due_in_steps(price: int, cash_due: int, rounding: int) -> None:
    totals = checkout_totals(lines(price), policy=TotalsPolicy(cash_increment=5))

    assert (totals.amount_due, totals.cash_due, totals.cash_rounding) == (price, cash_due, rounding)


@pytest.mark.parametrize("step", [0, -5])
def test_a_cash_step_is_at_least_one(step: int) -> None:
    with pytest.raises(InvalidInput, match=f"^cash_increment is {step}, expected an int of at least 1$"):
        checkout_totals(lines(1002), policy=TotalsPolicy(cash_increment=step))


def test_the_context_reaches_the_vouchers() -> None:
    voucher = Voucher(code="A", balance=100, expires_at=NOW)

    totals = checkout_totals([TICKETS], vouchers=[voucher], context=Context(at=NOW))

    assert totals.vouchers[0].amount == 0
