"""Single-purpose vouchers of one basket, and of many baskets in columns."""

from dataclasses import replace
from typing import Any

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import SinglePurposeRest, TotalsPolicy
from faregate.batch.totals.pipeline import checkout_totals
from faregate.discounts.kinds import EVERYTHING, Scope
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals as price_one

SCOPED = Voucher(
    code="T",
    balance=90,
    face_value=90,
    single_purpose=VatRate(parts_per_million=81_000),
    scope=Scope(products=frozenset({12})),
)
PLAIN = replace(SCOPED, code="S", scope=EVERYTHING)
GOODS = (
    Line(3, 70, 1, VatRate(parts_per_million=81_000), product=12),
    Line(1, 20, 1, VatRate(parts_per_million=81_000)),
    Line(2, 50, 1, VatRate(parts_per_million=0)),
)


@pytest.mark.parametrize("rest", SinglePurposeRest)
@pytest.mark.parametrize("lines", [GOODS, GOODS[:2], sorted(GOODS[:2])])
def test_single_purpose_vouchers_of_one_basket_match_the_scalar(
    lines: list[Line], rest: SinglePurposeRest
) -> None:
    given: dict[str, Any] = {
        "vouchers": [PLAIN, SCOPED],
        "policy": TotalsPolicy(single_purpose_rest=rest),
    }

    totals, expected = checkout_totals(lines, **given), price_one(lines, **given)

    assert totals.vouchers.tolist() == [paid.amount for paid in expected.vouchers]
    assert totals.amount_due == expected.amount_due
