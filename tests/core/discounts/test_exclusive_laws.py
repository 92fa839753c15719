"""Laws of exclusive codes. Decisions §3.3."""

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import CodeOrder, TotalsPolicy
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import BuyXGetY, Percentage, PromoCode, Scope
from faregate.discounts.promo_codes import RejectedCode
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals


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
