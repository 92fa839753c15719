"""The cheapest order of promo codes under pytest-benchmark: six codes over up to 480 lines."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.north_star import faregate_lines
from faregate.basket.policy import CodeOrder, TotalsPolicy
from faregate.discounts.kinds import (
    Absolute,
    Conditions,
    DiscountKind,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.totals.pipeline import CheckoutTotals, checkout_totals

KINDS: tuple[DiscountKind, ...] = (
    Percentage.percent(10),
    Absolute(700),
    PerUnit(30),
    Percentage.percent(5),
    Absolute(300),
    Percentage.percent(15),
)


def codes() -> list[PromoCode]:
    """Return six codes whose order matters: two have a minimum, two apply to some products only."""
    return [
        PromoCode(
            code=f"CODE{number}",
            kind=kind,
            scope=Scope(products=frozenset({12})) if number % 3 == 0 else Scope(),
            conditions=Conditions(thresholds=(Threshold(20_000),)) if number % 3 == 1 else Conditions(),
        )
        for number, kind in enumerate(KINDS)
    ]


@pytest.mark.parametrize("order", [CodeOrder.RANKED, CodeOrder.BEST], ids=lambda order: order.value)
@pytest.mark.parametrize("lines", [10, 100, 480])
def test_six_codes(benchmark: BenchmarkFixture, lines: int, order: CodeOrder) -> None:
    basket, entered, policy = faregate_lines(lines), codes(), TotalsPolicy(code_order=order)

    def priced() -> CheckoutTotals:
        return checkout_totals(basket, promo_codes=entered, policy=policy)

    benchmark.group = f"six codes, {lines} lines"
    benchmark.extra_info["is_exact"] = priced().codes_are_exact

    assert benchmark(priced).total_gross <= checkout_totals(basket, promo_codes=entered).total_gross
