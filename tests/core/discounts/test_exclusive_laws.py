"""Laws of exclusive discounts and codes. Decisions §3.2, §3.3."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import Line
from faregate.basket.policy import CodeOrder, TotalsPolicy
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import AutomaticDiscount, BuyXGetY, Percentage, PerUnit, PromoCode, Scope
from faregate.discounts.promo_codes import RejectedCode
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals
from faregate.totals.request import PricingRequest
from support.baskets.whole_checkouts import Sizes, checkouts


@pytest.mark.parametrize("order", CodeOrder)
def test_an_exclusive_code_never_applies_with_a_code_that_makes_it_valid(order: CodeOrder) -> None:
    # Alone it takes nothing: the cheaper unit is at its floor price. After HALF the other unit is cheaper.
    at_its_floor = Line(1, unit_price=10, quantity=1, rate=VatRate(parts_per_million=0), floor_price=10)
    dearer = Line(2, unit_price=11, quantity=1, rate=VatRate(parts_per_million=0), product=11)
    half = PromoCode(code="HALF", kind=Percentage.percent(50), scope=Scope(products=frozenset({11})), lane=-1)
    exclusive = PromoCode(code="ONE", kind=BuyXGetY(1, 1), exclusive=True)

    totals = checkout_totals(
        [at_its_floor, dearer], promo_codes=[half, exclusive], policy=TotalsPolicy(code_order=order)
    )

    assert totals.promo_codes[1] == RejectedCode(exclusive, RejectionReason.NOT_APPLICABLE)
    assert totals.promo_code_discount == totals.promo_codes[0].total_amount == 6


FIVE_OFF, THREE_FOR_TWO = (
    AutomaticDiscount(id=2, kind=PerUnit(5), exclusive=True),
    AutomaticDiscount(id=3, kind=BuyXGetY(2, 1)),
)


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        pytest.param([FIVE_OFF, THREE_FOR_TWO], 15, id="although another takes more"),
        pytest.param([FIVE_OFF, replace(THREE_FOR_TWO, priority=1)], 15, id="although another ranks first"),
        pytest.param(
            [THREE_FOR_TWO, replace(FIVE_OFF, scope=Scope(products=frozenset({9})))], 100, id="unused"
        ),
        pytest.param([FIVE_OFF, replace(FIVE_OFF, id=1, kind=PerUnit(6))], 18, id="the lower id"),
        pytest.param([FIVE_OFF, replace(FIVE_OFF, id=7, kind=PerUnit(6), priority=1)], 18, id="the priority"),
    ],
)
def test_an_exclusive_discount_is_the_only_one(rules: list[AutomaticDiscount], expected: int) -> None:
    basket = [Line(1, 100, 3, VatRate(parts_per_million=0))]
    code = PromoCode(code="HALF", kind=Percentage.percent(50))

    totals = checkout_totals(basket, automatic=rules, promo_codes=[code])

    assert totals.auto_discount_amount == expected
    assert totals.promo_code_discount == (300 - expected + 1) // 2


@given(checkouts(sizes=Sizes(codes=0, vouchers=0)), st.data())
def test_other_discounts_do_not_change_the_result_of_an_exclusive_one(
    request: PricingRequest, data: st.DataObject
) -> None:
    rules = [replace(rule, exclusive=data.draw(st.booleans())) for rule in request.automatic]

    def priced(chosen: list[AutomaticDiscount]) -> list[int]:
        totals = checkout_totals(
            request.lines, automatic=chosen, policy=request.policy, context=request.context
        )
        return [line.auto_discount_amount for line in totals.lines]

    ranked = sorted(rules, key=lambda rule: (-rule.priority, rule.id))
    alone = [priced([rule]) for rule in ranked if rule.exclusive]
    others = priced([rule for rule in rules if not rule.exclusive])
    assert priced(rules) == next((amounts for amounts in alone if any(amounts)), others)
