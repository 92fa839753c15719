"""The limits of codes, and what remains after others have spent a part."""

from dataclasses import replace

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.checkout.changes import add_code, enter_code, remove_code
from faregate.checkout.code_limits import CodeLimit, LimitKind, code_limits, remaining_balances
from faregate.checkout.model import Checkout, CheckoutItem
from faregate.checkout.priced import price_checkout
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import Absolute, Conditions, Percentage, PromoCode
from faregate.discounts.promo_codes import AppliedCode, RejectedCode
from faregate.errors import InvalidCheckout
from support.shops.small_shop import LUNCH, NOW, SHOP

USES, BUDGET, BALANCE = LimitKind.USES, LimitKind.BUDGET, LimitKind.BALANCE

ONCE = PromoCode(code="ONCE", kind=Percentage.percent(10), uses_left=1)
PURSE = PromoCode(code="PURSE", kind=Absolute(400), budget_left=1000, uses_left=50)
TEN = SHOP.promo_codes[0]
GIFT = Voucher(code="GIFT", balance=2000)
CODES = replace(SHOP, promo_codes=(TEN, ONCE, PURSE), vouchers=(GIFT,))

THREE_LUNCHES = tuple(CheckoutItem(number, LUNCH) for number in (1, 2, 3))  # 45.00


def test_only_limited_codes_have_a_limit() -> None:
    assert code_limits(["TEN", "nothing such", "once", "PURSE", "gift"], CODES) == {
        CodeLimit(USES, "ONCE"): 1,
        CodeLimit(USES, "PURSE"): 50,
        CodeLimit(BUDGET, "PURSE"): 1000,
        CodeLimit(BALANCE, "GIFT"): 2000,
    }


def test_a_code_in_two_spellings_has_one_limit() -> None:
    assert code_limits(["GIFT", " gift "], CODES) == {CodeLimit(BALANCE, "GIFT"): 2000}


def test_a_code_overdrawn_in_the_catalogue_has_a_limit_of_0() -> None:
    overdrawn = replace(CODES, promo_codes=(replace(PURSE, uses_left=-1, budget_left=-5),))

    assert code_limits(["PURSE"], overdrawn) == {CodeLimit(USES, "PURSE"): 0, CodeLimit(BUDGET, "PURSE"): 0}


@pytest.mark.parametrize(
    ("spent", "uses", "budget"),
    [
        ({CodeLimit(USES, "PURSE"): 3, CodeLimit(BUDGET, "PURSE"): 1200}, 47, -200),
        ({CodeLimit(USES, "ONCE"): 1, CodeLimit(BALANCE, "PURSE"): 7}, 50, 1000),
    ],
)
def test_amounts_that_others_have_used_are_deducted(
    spent: dict[CodeLimit, int], uses: int, budget: int
) -> None:
    promo_codes, _ = remaining_balances(["PURSE"], CODES, spent)

    assert (promo_codes["PURSE"].uses_left, promo_codes["PURSE"].budget_left) == (uses, budget)


def test_a_code_without_limits_stays_unlimited_whatever_was_spent() -> None:
    promo_codes, _ = remaining_balances(
        ["TEN"], CODES, {CodeLimit(USES, "TEN"): 9, CodeLimit(BUDGET, "TEN"): 9}
    )

    assert promo_codes == {"TEN": TEN}


@pytest.mark.parametrize(("spent", "balance"), [(1, 1999), (2001, 0)])
def test_a_balance_never_falls_below_0(spent: int, balance: int) -> None:
    _, vouchers = remaining_balances(["GIFT"], CODES, {CodeLimit(BALANCE, "GIFT"): spent})

    assert vouchers["GIFT"].balance == balance


def test_amounts_spent_on_other_codes_are_not_deducted() -> None:
    other = {CodeLimit(USES, "X-1"): 1}

    promo_codes, vouchers = remaining_balances(["GIFT", "NOBODY"], CODES, other, [FOUND])

    assert (promo_codes, vouchers) == ({}, {"GIFT": CODES.voucher("GIFT")})


def test_a_checkout_is_priced_with_the_balances_at_its_last_change() -> None:
    spent = (
        (CodeLimit(USES, "ONCE"), 1),
        (CodeLimit(BUDGET, "PURSE"), 700),
        (CodeLimit(BALANCE, "GIFT"), 1500),
    )
    checkout = Checkout("web", THREE_LUNCHES, codes=("ONCE", "PURSE", "GIFT"), spent=spent)

    totals = price_checkout(checkout, catalogue=CODES, at=NOW).totals

    used_up, purse = totals.promo_codes
    assert not isinstance(used_up, AppliedCode)
    assert used_up.reason.value == "USED_UP"
    assert isinstance(purse, AppliedCode)
    assert purse.total_amount == 300
    assert [redemption.amount for redemption in totals.vouchers] == [500]
    assert (totals.total_gross, totals.amount_due) == (4200, 3700)


FOUND = PromoCode(code="X-1", kind=Absolute(500), uses_left=1)
OTHER_GIFT = PromoCode(code="GIFT", kind=Absolute(1))
OTHER_TEN = replace(TEN, kind=Absolute(1), uses_left=3)


def test_a_code_from_outside_is_entered_priced_and_removed() -> None:
    before = Checkout("web", THREE_LUNCHES)

    entered = add_code(before, " x-1 ", catalogue=CODES, outside=[OTHER_TEN, FOUND])

    assert (entered.codes, entered.promo_codes) == (("X-1",), (FOUND,))
    assert enter_code(before, "x-1", catalogue=CODES, outside=[FOUND]) == entered
    [result] = price_checkout(entered, catalogue=CODES, at=NOW).totals.promo_codes
    assert isinstance(result, AppliedCode)
    assert (result.promo_code, result.total_amount) == (FOUND, 500)
    assert code_limits(entered.codes, CODES, entered.promo_codes) == {CodeLimit(USES, "X-1"): 1}
    assert remove_code(entered, "x-1") == before


def test_a_code_from_outside_that_others_used_up_is_used_up() -> None:
    spent = ((CodeLimit(USES, "X-1"), 1),)
    checkout = Checkout("web", THREE_LUNCHES, codes=("X-1",), promo_codes=(FOUND,), spent=spent)

    [result] = price_checkout(checkout, catalogue=CODES, at=NOW).totals.promo_codes

    assert isinstance(result, RejectedCode)
    assert result.reason is RejectionReason.USED_UP


@pytest.mark.parametrize("code", ["TEN", "GIFT"])
def test_catalogue_codes_take_precedence_over_outside_codes(code: str) -> None:
    outside = OTHER_TEN, OTHER_GIFT

    entered = add_code(Checkout("web", THREE_LUNCHES), code, catalogue=CODES, outside=outside)

    assert entered == add_code(Checkout("web", THREE_LUNCHES), code, catalogue=CODES)
    assert code_limits([code], CODES, outside) == code_limits([code], CODES)
    assert remaining_balances([code], CODES, {}, outside) == remaining_balances([code], CODES, {})


def test_an_outside_code_of_another_channel_is_unknown() -> None:
    elsewhere = replace(FOUND, conditions=Conditions(channels=frozenset({"shop"})))

    with pytest.raises(InvalidCheckout, match="unknown code"):
        enter_code(Checkout("web"), "x-1", catalogue=CODES, outside=[elsewhere])
