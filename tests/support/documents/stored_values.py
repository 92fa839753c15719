"""One value of each format, as the golden documents hold it."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import TotalsPolicy
from faregate.dates.instants import Interval
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
)
from faregate.discounts.pricing_rules import PricingRules
from faregate.explanations.explanation import explain
from faregate.insights.distribution import PriceDistribution
from faregate.money.currency import currency
from faregate.refunds.orders import PaidOrder, Payment, ReturnedUnits
from faregate.refunds.policy import FeeStep, Guarantee, PayoutOrder, RefundBasis, RefundPolicy
from faregate.refunds.quoting import refund_quote
from faregate.subscriptions.rules import MonthlyOn, YearlyOn
from faregate.subscriptions.terms import FirstPeriod, SubscriptionTerms, subscription_configuration
from faregate.tax.rates import VatCategory, VatLevel, VatRate
from faregate.totals.pipeline import checkout_totals
from faregate.translations import Text

ZURICH = ZoneInfo("Europe/Zurich")
DAY = Interval(datetime(2026, 10, 25, tzinfo=ZURICH), datetime(2026, 10, 26, tzinfo=ZURICH))
TICKET = Line(
    key=1,
    unit_price=7900,
    quantity=2,
    rate=VatRate.percent("8.1"),
    product=11,
    attributes=frozenset({("age", "adult"), ("zone", "valley")}),
    validity=DAY,
    zone=ZURICH,
)
GUIDE = Line(2, 1200, 3, VatRate(parts_per_million=0, category=VatCategory.E, reason="Museum"), product=12)
MEMBERS = AutomaticDiscount(id=1, kind=Percentage.percent(10), scope=Scope(products=frozenset({11})))
GUIDES = AutomaticDiscount(id=2, kind=BuyXGetY(buy=2, get=1), name=Text("Three for two", de="Drei für zwei"))
SPRING = PromoCode(
    code="SPRING",
    kind=PerUnit(100),
    conditions=Conditions(
        ends_at=datetime(2027, 3, 28, 2, 30, tzinfo=UTC),
        weekdays=frozenset({6, 7}),
        thresholds=(Threshold(spend=5000),),
    ),
    budget_left=50_000,
)
CODES = (
    SPRING,
    PromoCode(code="FIVE", kind=Absolute(500, DiscountLevel.LINE), exclusive=True),
    PromoCode(code="ANY3", kind=FixedPrice(9900, group_size=3)),
)
POLICY = TotalsPolicy(vat_level=VatLevel.LINE, cash_increment=5)
CONTEXT = Context(
    at=datetime(2026, 10, 24, 9, 30, tzinfo=ZURICH), channel="WEB", account=7, zone="Europe/Zurich"
)
VOUCHERS = (Voucher(code="GIFT", balance=5000, expires_at=datetime(2027, 1, 1, tzinfo=UTC)),)
TOTALS = checkout_totals(
    [TICKET, GUIDE],
    automatic=[MEMBERS, GUIDES],
    promo_codes=[SPRING, UnknownCode("SUMMER")],
    donation=200,
    vouchers=VOUCHERS,
    policy=POLICY,
    context=CONTEXT,
)
ORDER = PaidOrder(
    totals=TOTALS,
    payments=(Payment(name="cash", amount=5000), Payment(name="card", amount=TOTALS.amount_due - 5000)),
)
REFUND_POLICY = RefundPolicy(
    basis=RefundBasis.FLOOR,
    fees=(
        FeeStep(notice=timedelta(days=14)),
        FeeStep(notice=timedelta(hours=36), fee=PerUnit(500), rate=TICKET.rate),
        FeeStep(fee=Percentage.percent(50), rate=TICKET.rate),
    ),
    guarantee=Guarantee(payout=Percentage.percent(60), scope=Scope(products=frozenset({12}))),
    refunds_donation=True,
    payout_order=PayoutOrder.VOUCHERS_FIRST,
)
VALUES: dict[str, Any] = {
    "faregate.lines/1": (TICKET, GUIDE),
    "faregate.rules/1": PricingRules(automatic=(MEMBERS, GUIDES), promo_codes=CODES, policy=POLICY),
    "faregate.policy/1": POLICY,
    "faregate.context/1": CONTEXT,
    "faregate.vouchers/1": VOUCHERS,
    "faregate.pricing_request/1": TOTALS.request,
    "faregate.totals/1": TOTALS,
    "faregate.explanation/1": explain(TOTALS, currency=currency("CHF")),
    "faregate.subscription_terms/1": SubscriptionTerms(rule=MonthlyOn(1), first_period=FirstPeriod.PRORATE),
    "faregate.subscription/1": subscription_configuration(
        YearlyOn(11, 1), ordered_at=datetime(2026, 9, 15, 8, 30, tzinfo=UTC), zone=ZURICH
    ),
    "faregate.paid_order/1": ORDER,
    "faregate.refund_policy/1": REFUND_POLICY,
    "faregate.refund_quote/1": refund_quote(
        ORDER,
        [ReturnedUnits(line=1, units=(1,)), ReturnedUnits(line=2)],
        policy=REFUND_POLICY,
        at=datetime(2026, 10, 24, 12, tzinfo=ZURICH),
    ),
    "faregate.price_distribution/1": PriceDistribution((-500, 5900, 6900), (1, 12, 3)),
}
"""A value of each format, by format."""

GOLDEN = Path(__file__).parents[2] / "core" / "documents" / "golden"


def golden(name: str, kind: str = "json") -> Any:
    """Return the golden document of a format, or its schema."""
    file = name.removeprefix("faregate.").replace("/", "-")
    return json.loads((GOLDEN / f"{file}.{kind}").read_text(encoding="utf-8"))
