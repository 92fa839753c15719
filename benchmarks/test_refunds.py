"""A refund quote of a ten-line order, beside pricing the order; the aim is at most three times as long."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.north_star import faregate_lines
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Percentage, PromoCode, Scope
from faregate.refunds.orders import PaidOrder, Payment, ReturnedUnits
from faregate.refunds.policy import RefundBasis, RefundPolicy
from faregate.refunds.quote import RefundQuote
from faregate.refunds.quoting import refund_quote
from faregate.totals.pipeline import CheckoutTotals, checkout_totals

AT = datetime(2026, 11, 2, tzinfo=UTC)
LINES = faregate_lines(10)
DISCOUNT = AutomaticDiscount(id=1, kind=Absolute(500), scope=Scope(lines=frozenset({0, 1})))
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))


def priced() -> CheckoutTotals:
    return checkout_totals(LINES, automatic=[DISCOUNT], promo_codes=[TEN], donation=200)


def test_pricing_the_order(benchmark: BenchmarkFixture) -> None:
    benchmark.group = "refund of a ten-line order"

    assert benchmark(priced).donation == 200


@pytest.mark.parametrize("returned", ["one unit of four", "five lines"])
@pytest.mark.parametrize("basis", RefundBasis, ids=lambda basis: basis.value)
def test_refund_quote(benchmark: BenchmarkFixture, basis: RefundBasis, returned: str) -> None:
    totals, policy = priced(), RefundPolicy(basis=basis)
    order = PaidOrder(totals=totals, payments=(Payment(name="card", amount=totals.amount_due),))
    units = (
        [ReturnedUnits(line=totals.lines[3].key, units=(0,))]
        if returned == "one unit of four"
        else [ReturnedUnits(line=line.key) for line in totals.lines[:5]]
    )

    def quoted() -> RefundQuote:
        return refund_quote(order, units, policy=policy, at=AT)

    benchmark.group = "refund of a ten-line order"

    assert benchmark(quoted).amount > 0
