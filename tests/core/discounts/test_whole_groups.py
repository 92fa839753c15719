"""Group discounts apply to whole groups that save money. Decisions §3.4, §3.6."""

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import Fairness, TotalsPolicy
from faregate.discounts.eligibility import Shortfall
from faregate.discounts.kinds import AutomaticDiscount, BuyXGetY, DiscountKind, FixedPrice, PromoCode
from faregate.discounts.promo_codes import RejectedCode
from faregate.totals.pipeline import checkout_totals
from support.baskets.stacked_discounts import of_lines
from support.shops.small_shop import UNTAXED

MEALS = of_lines(2, 3)
BASKET = [Line(1, 8000, 5, UNTAXED), Line(2, 1500, 1, UNTAXED), Line(3, 900, 3, UNTAXED)]
PAIR = FixedPrice(60, 2)
DEAR_AND_CHEAP = [Line(1, 50, 2, UNTAXED), Line(2, 20, 2, UNTAXED)]


@pytest.mark.parametrize(
    ("basket", "kind", "customer", "merchant"),
    [
        pytest.param(BASKET, BuyXGetY(1, 3, rewards=MEALS), [0, 1500, 1800], [0, 0, 2700], id="3 of 4 meals"),
        pytest.param(BASKET, BuyXGetY(1, 5, rewards=MEALS), [0, 0, 0], [0, 0, 0], id="too few meals"),
        # 20 and 20 are cheaper one by one; for the merchant it is all four for 120.
        pytest.param(DEAR_AND_CHEAP, PAIR, [40, 0], [14, 6], id="as far as it pays"),
    ],
)
def test_a_group_is_complete_and_worthwhile(
    basket: list[Line], kind: DiscountKind, customer: list[int], merchant: list[int]
) -> None:
    bundle = isinstance(kind, FixedPrice)
    rule = AutomaticDiscount(id=1, kind=kind, scope=of_lines() if bundle else of_lines(1))

    for fairness, shares in ((Fairness.CUSTOMER, customer), (Fairness.MERCHANT, merchant)):
        totals = checkout_totals(basket, automatic=[rule], policy=TotalsPolicy(fairness=fairness))
        assert [line.auto_discount_amount for line in totals.lines] == shares


@pytest.mark.parametrize(
    ("kind", "quantity"), [(BuyXGetY(5, 2, rewards=of_lines(2)), 1), (BuyXGetY(6, 3, rewards=of_lines(2)), 3)]
)
def test_a_code_reports_how_many_rewards_are_missing(kind: BuyXGetY, quantity: int) -> None:
    code = PromoCode(code="A", kind=kind, scope=of_lines(1))

    (result,) = checkout_totals(BASKET, promo_codes=[code]).promo_codes

    assert isinstance(result, RejectedCode)
    assert result.missing == Shortfall(quantity=quantity)
