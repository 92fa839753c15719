"""Decisions §3.3: an exclusive code stands alone, or not at all."""

from dataclasses import replace

import pytest
from hypothesis import assume, given

from faregate.basket.lines import Line
from faregate.basket.policy import CodeOrder, TotalsPolicy
from faregate.discounts.eligibility import Reason
from faregate.discounts.kinds import BuyXGetY, Percentage, PromoCode, Scope
from faregate.discounts.promo_codes import RejectedCode
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import PricingRequest, checkout_totals
from laws.reading import applied, known
from laws.stacking_oracle import rank
from strategies import every_policy
from whole_checkouts import Sizes, checkouts, priced

some = Sizes(lines=10, automatic=2, codes=4, vouchers=0)
several_codes = checkouts(sizes=some, min_lines=1, min_codes=2)
not_best = every_policy.filter(lambda policy: policy.code_order is not CodeOrder.BEST)
several_codes_not_best = checkouts(sizes=some, min_lines=1, min_codes=2, policy=not_best)


def with_an_exclusive_one(request: PricingRequest) -> PricingRequest:
    codes = known(request)
    assume(len(codes) >= 2)
    return request._replace(promo_codes=(replace(codes[0], exclusive=True), *codes[1:]))


@given(several_codes)
def test_a_valid_exclusive_code_is_the_only_valid_one(request: PricingRequest) -> None:
    totals = priced(with_an_exclusive_one(request))

    valid = applied(totals)
    assert len(valid) == 1 or not any(result.promo_code.exclusive for result in valid)


@pytest.mark.parametrize("order", CodeOrder)
def test_an_exclusive_code_that_another_makes_valid_does_not_stand_beside_it(order: CodeOrder) -> None:
    # Alone it takes nothing: the cheaper unit is at its floor price. After HALF the other one is cheaper.
    at_its_floor = Line(1, unit_price=10, quantity=1, rate=VatRate(parts_per_million=0), floor_price=10)
    dearer = Line(2, unit_price=11, quantity=1, rate=VatRate(parts_per_million=0), product=11)
    half = PromoCode(code="HALF", kind=Percentage.percent(50), scope=Scope(products=frozenset({11})), lane=-1)
    exclusive = PromoCode(code="ONE", kind=BuyXGetY(1, 1), exclusive=True)

    totals = checkout_totals(
        [at_its_floor, dearer], promo_codes=[half, exclusive], policy=TotalsPolicy(code_order=order)
    )

    assert totals.promo_codes[1] == RejectedCode(exclusive, Reason.NOT_APPLICABLE)
    assert totals.promo_code_discount == totals.promo_codes[0].total_amount == 6


@given(several_codes_not_best)
def test_an_exclusive_code_that_is_valid_alone_beats_priority(request: PricingRequest) -> None:
    request = with_an_exclusive_one(request)
    exclusive = known(request)[0]
    assume(not any(code.exclusive for code in known(request)[1:]))

    alone, totals = priced(request._replace(promo_codes=(exclusive,))), priced(request)

    if alone.promo_codes[0].valid:
        assert totals.promo_codes[0] == alone.promo_codes[0]
        assert totals.lines == alone.lines


@given(several_codes)
def test_beside_an_exclusive_code_others_keep_a_reason_of_their_own_or_are_not_combinable(
    request: PricingRequest,
) -> None:
    request = with_an_exclusive_one(request)
    totals = priced(request)

    alone = {
        code.code: priced(request._replace(promo_codes=(code,))).promo_codes[0] for code in known(request)
    }
    if any(result.promo_code.exclusive for result in applied(totals)):
        for result in totals.promo_codes:
            if isinstance(result, RejectedCode):
                own = alone[result.code]
                expected = RejectedCode(result.promo_code, Reason.NOT_COMBINABLE) if own.valid else own
                assert result == expected


@given(several_codes_not_best)
def test_no_code_is_not_combinable_without_a_valid_exclusive_one(request: PricingRequest) -> None:
    totals = priced(request)

    if not any(result.promo_code.exclusive for result in applied(totals)):
        reasons = [result.reason for result in totals.promo_codes if isinstance(result, RejectedCode)]
        assert Reason.NOT_COMBINABLE not in reasons


@given(several_codes_not_best)
def test_of_several_exclusive_codes_the_first_valid_one_stands(request: PricingRequest) -> None:
    codes = tuple(replace(code, exclusive=True) for code in known(request))
    request = request._replace(promo_codes=codes)
    in_order = request.policy.code_order is CodeOrder.AS_ENTERED
    totals = priced(request)

    alone = [
        priced(request._replace(promo_codes=(code,)))
        for code in (codes if in_order else sorted(codes, key=rank))
    ]
    standing = [other.promo_codes[0] for other in alone if other.promo_codes[0].valid]
    assert applied(totals) == standing[:1]
