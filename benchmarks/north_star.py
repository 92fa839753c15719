"""All contenders that price the north-star basket A(n): faregate, the floor, and its peers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from benchmarks import peers
from benchmarks.floor import FloorLine, FloorTotals, floor
from benchmarks.workload import (
    DONATION,
    PERCENT_OFF,
    RATES_PER_MILLE,
    SIZES,
    UNITS_OFF,
    Contender,
    Figures,
    Priced,
    basket,
)
from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Conditions,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, LineTotals, checkout_totals

__all__ = ["CONTENDERS", "FLOOR", "SIZES", "evaluated", "faregate_lines", "floor", "floor_lines", "resolved"]

# ---------------------------------------------------------------- floor


def floor_lines(n: int) -> list[FloorLine]:
    return [(line.unit_price, line.quantity, line.per_mille) for line in basket(n)]


def read_floor(result: FloorTotals) -> Priced:
    rows, totals = result
    return Priced([Figures(*row) for row in rows], Figures(*totals))


# ---------------------------------------------------------------- faregate

VAT = {rate: VatRate(parts_per_million=rate * 1000) for rate in RATES_PER_MILLE}
PASS, SERVICE = 11, 12  # product ids of the first two lines and of the others


def faregate_lines(n: int) -> list[Line]:
    return [
        Line(
            key=line.number,
            unit_price=line.unit_price,
            quantity=line.quantity,
            rate=VAT[line.per_mille],
            product=PASS if line.number < 2 else SERVICE,
        )
        for line in basket(n)
    ]


RESOLVED_AUTOMATIC = [AutomaticDiscount(id=1, kind=Absolute(UNITS_OFF), scope=Scope(lines=frozenset({0, 1})))]
RESOLVED_CODES = [PromoCode(code="TEN", kind=Percentage.percent(PERCENT_OFF))]


def resolved(lines: list[Line]) -> CheckoutTotals:
    """Price with discounts already found to apply, so that no condition is left to check."""
    return checkout_totals(lines, automatic=RESOLVED_AUTOMATIC, promo_codes=RESOLVED_CODES, donation=DONATION)


PASSES = Scope(products=frozenset({PASS}))
EVALUATED_AUTOMATIC = [
    AutomaticDiscount(
        id=1,
        kind=Absolute(UNITS_OFF),
        scope=PASSES,
        conditions=Conditions(thresholds=(Threshold(quantity=1, counting=PASSES),)),
    )
]
EVALUATED_CODES = [
    PromoCode(
        code="TEN",
        kind=Percentage.percent(PERCENT_OFF),
        conditions=Conditions(
            starts_at=datetime(2026, 11, 1, tzinfo=UTC),
            ends_at=datetime(2026, 12, 1, tzinfo=UTC),
            channels=frozenset({"WEB", "POS"}),
            thresholds=(Threshold(spend=500),),
        ),
    )
]
VOUCHERS = [Voucher(code="GIFT", balance=500, expires_at=datetime(2027, 1, 1, tzinfo=UTC))]
CONTEXT = Context(at=datetime(2026, 11, 15, 9, 30, tzinfo=UTC), channel="WEB")


def evaluated(lines: list[Line]) -> CheckoutTotals:
    """Price one automatic rule, one code and one voucher from their definitions; all apply."""
    return checkout_totals(
        lines,
        automatic=EVALUATED_AUTOMATIC,
        promo_codes=EVALUATED_CODES,
        donation=DONATION,
        vouchers=VOUCHERS,
        context=CONTEXT,
    )


def read_resolved(totals: CheckoutTotals) -> Priced:
    return Priced([_figures(line) for line in totals.lines], _figures(totals))


def read_evaluated(totals: CheckoutTotals) -> Priced:
    """Read the result like ``read_resolved``, after checking the payment of the voucher."""
    paid = totals.total_gross - totals.amount_due
    if paid != VOUCHERS[0].balance:
        raise ValueError(f"expected the voucher to pay {VOUCHERS[0].balance}, it paid {paid}")
    return read_resolved(totals)


def _figures(of: LineTotals | CheckoutTotals) -> Figures:
    return Figures(
        list_gross=of.list_price_gross,
        list_net=of.list_price_net,
        automatic=of.auto_discount_amount,
        promo=of.promo_code_discount,
        discount_gross=of.total_discount_gross,
        discount_net=of.total_discount_net,
        total_gross=of.total_gross,
        total_net=of.total_net,
    )


# ---------------------------------------------------------------- all of them

FLOOR = Contender("floor: int loop", floor_lines, floor, read_floor)

CONTENDERS: tuple[Contender[Any, Any], ...] = (
    FLOOR,
    Contender("faregate, resolved", faregate_lines, resolved, read_resolved),
    Contender("faregate, evaluated", faregate_lines, evaluated, read_evaluated),
    Contender("decimal", peers.decimal_lines, peers.with_decimal, peers.read_decimal),
    Contender("prices", peers.prices_lines, peers.with_prices, peers.read_money, is_exact=False),
    Contender("py-moneyed", peers.moneyed_lines, peers.with_moneyed, peers.read_money, is_exact=False),
)
