"""Laws of payments: they never exceed the remaining limits of codes, and only codes depend on others."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from faregate.amount_due.vouchers import Voucher
from faregate.checkout.code_limits import CodeLimit, code_limits
from faregate.checkout.model import Checkout
from faregate.checkout.priced import price_checkout
from faregate.checkout.requirements import claimed_code_limits
from faregate.discounts.kinds import Absolute, Percentage, PromoCode
from support.checkouts.strategies import VILLAGE, filled
from support.shops.small_shop import NOW

LIMITED = replace(
    VILLAGE,
    promo_codes=(
        PromoCode(code="TEN", kind=Percentage.percent(10), uses_left=5),
        PromoCode(code="ODD", kind=Absolute(1001), budget_left=2500),
        PromoCode(code="BIG", kind=Absolute(5000), uses_left=3, budget_left=4000),
    ),
    vouchers=(Voucher(code="GIFT", balance=3000), Voucher(code="OTHER", balance=700)),
)
CODES = ("TEN", "ODD", "BIG", "GIFT", "OTHER")
SIZES = code_limits(CODES, LIMITED)

spent = st.fixed_dictionaries({}, optional={each: st.integers(1, size + 2) for each, size in SIZES.items()})


def paying(checkout: Checkout, codes: tuple[str, ...], before: dict[CodeLimit, int]) -> Checkout:
    return replace(checkout, codes=codes, spent=tuple(before.items()))


@given(filled(), st.permutations(CODES), spent)
def test_no_more_is_claimed_than_others_have_left(
    checkout: Checkout, codes: list[str], before: dict[CodeLimit, int]
) -> None:
    priced = price_checkout(paying(checkout, tuple(codes), before), catalogue=LIMITED, at=NOW)

    claimed = claimed_code_limits(priced.totals)

    assert all(units > 0 for units in claimed.values())
    assert all(units + before.get(each, 0) <= SIZES[each] for each, units in claimed.items())


@given(filled(), st.permutations(CODES), spent)
def test_the_claimed_amounts_are_those_shown_in_the_totals(
    checkout: Checkout, codes: list[str], before: dict[CodeLimit, int]
) -> None:
    totals = price_checkout(paying(checkout, tuple(codes), before), catalogue=LIMITED, at=NOW).totals

    claimed = claimed_code_limits(totals)

    balances = sum(units for each, units in claimed.items() if each.kind.value == "balance")
    assert balances == totals.total_gross - totals.amount_due
    budgets = {each.code: units for each, units in claimed.items() if each.kind.value == "budget"}
    assert sum(budgets.values()) <= totals.promo_code_discount


@given(filled(), spent)
def test_usage_by_others_changes_nothing_without_the_same_codes(
    checkout: Checkout, before: dict[CodeLimit, int]
) -> None:
    plain = price_checkout(paying(checkout, (), {}), catalogue=LIMITED, at=NOW)
    after = price_checkout(paying(checkout, (), before), catalogue=LIMITED, at=NOW)

    assert after.totals == plain.totals
