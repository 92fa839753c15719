"""Baskets with a code for a number of units are priced by the scalar function."""

import pytest

from batch.discounts.test_codes import TEN, entered
from faregate.basket.policy import CodeOrder, TotalsPolicy
from faregate.batch.discounts.promo_codes import codes_need_scalar
from faregate.batch.totals.pipeline import checkout_totals
from faregate.discounts.kinds import Percentage, PromoCode
from support.columns.lines import assert_is_the_scalar, columns


@pytest.mark.parametrize("order", [CodeOrder.RANKED, CodeOrder.AS_ENTERED])
def test_baskets_with_a_code_that_selects_units_use_the_scalar(order: CodeOrder) -> None:
    lines, own = columns(5, 2, 3, 4), [(0,), (1,), (), (1, 0)]
    rules = [PromoCode(code="FREE", kind=Percentage.percent(100), max_units=1), TEN]
    policy = TotalsPolicy(code_order=order)

    totals = checkout_totals(lines, promo_codes=rules, entered=entered(*own), policy=policy)

    for index, places in enumerate(own):
        codes = [rules[place] for place in places]
        assert_is_the_scalar(totals, lines, index, promo_codes=codes, policy=policy)
    needed = codes_need_scalar(rules, entered(*own), policy)
    assert needed is not None
    assert needed.tolist() == [True, False, False, True]
