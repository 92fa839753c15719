"""The north-star workload A(n) and everything that prices it. See README.md of this folder."""

from __future__ import annotations

from datetime import UTC, datetime

from benchmarks.floor import FloorLine, floor
from faregate.discounts import Absolute, AutomaticDiscount, Conditions, Percentage, PromoCode, Scope, Threshold
from faregate.eligibility import Context
from faregate.lines import Line
from faregate.tax import VatRate
from faregate.totals import CheckoutTotals, checkout_totals
from faregate.vouchers import Voucher

SIZES = (1, 10, 100, 1000)
DONATION = 200
RATES = (81, 26)  # per mille, of even and of odd lines


def unit_price(i: int) -> int:
    return 1250 + 375 * (i % 7) + i


def quantity(i: int) -> int:
    return 1 + i % 4


# ---------------------------------------------------------------- floor


def floor_lines(n: int) -> list[FloorLine]:
    return [(unit_price(i), quantity(i), RATES[i % 2]) for i in range(n)]


# ---------------------------------------------------------------- faregate

VAT = tuple(VatRate.percent(f"{rate / 10}") for rate in RATES)
PASS, SERVICE = 11, 12


def faregate_lines(n: int) -> list[Line]:
    return [
        Line(
            key=i,
            unit_price=unit_price(i),
            quantity=quantity(i),
            rate=VAT[i % 2],
            product=PASS if i < 2 else SERVICE,
        )
        for i in range(n)
    ]


RESOLVED_AUTOMATIC = (AutomaticDiscount(id=1, kind=Absolute(500), scope=Scope(lines=frozenset({0, 1}))),)
RESOLVED_CODES = (PromoCode(code="TEN", kind=Percentage.percent(10)),)


def resolved(lines: list[Line]) -> CheckoutTotals:
    return checkout_totals(
        lines, automatic=RESOLVED_AUTOMATIC, promo_codes=RESOLVED_CODES, donation=DONATION
    )


PASSES = Scope(products=frozenset({PASS}))
EVALUATED_AUTOMATIC = (
    AutomaticDiscount(
        id=1,
        kind=Absolute(500),
        scope=PASSES,
        conditions=Conditions(thresholds=(Threshold(quantity=1, counting=PASSES),)),
    ),
)
EVALUATED_CODES = (
    PromoCode(
        code="TEN",
        kind=Percentage.percent(10),
        conditions=Conditions(
            starts_at=datetime(2026, 11, 1, tzinfo=UTC),
            ends_at=datetime(2026, 12, 1, tzinfo=UTC),
            channels=frozenset({"web", "app"}),
            thresholds=(Threshold(spend=500),),
        ),
    ),
)
VOUCHERS = (Voucher(code="GIFT", balance=500, expires_at=datetime(2027, 1, 1, tzinfo=UTC)),)
CONTEXT = Context(at=datetime(2026, 11, 15, 9, 30, tzinfo=UTC), channel="web")


def evaluated(lines: list[Line]) -> CheckoutTotals:
    return checkout_totals(
        lines,
        automatic=EVALUATED_AUTOMATIC,
        promo_codes=EVALUATED_CODES,
        donation=DONATION,
        vouchers=VOUCHERS,
        context=CONTEXT,
    )
