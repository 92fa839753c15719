"""A shop's basket: pricing and the reason for every amount."""

from faregate import (
    AutomaticDiscount,
    BuyXGetY,
    CheckoutTotals,
    Line,
    PromoCode,
    RejectedCode,
    Scope,
    TotalsPolicy,
    VatRate,
    Voucher,
    checkout_totals,
    explain,
)
from faregate.basket.policy import CodeOrder
from faregate.discounts.kinds import Percentage

TICKETS, FOOD = VatRate.percent("8.1"), VatRate.percent("2.6")
THREE_FOR_TWO = AutomaticDiscount(id=1, kind=BuyXGetY(buy=2, get=1), scope=Scope(products=frozenset({7})))
MEMBERS = PromoCode(code="MEMBER", kind=Percentage.percent(10))
POLICY = TotalsPolicy(code_order=CodeOrder.BEST, cash_increment=5)


def price(guides: int, coffees: int, *, voucher: int = 0) -> CheckoutTotals:
    """Return the totals of audio guides at 6.00 and coffees at 4.50, for a member."""
    lines = [Line(1, 600, guides, TICKETS, product=7), Line(2, 450, coffees, FOOD, product=8)]
    vouchers = [Voucher(code="GIFT", balance=voucher)] if voucher else []
    return checkout_totals(
        lines, automatic=[THREE_FOR_TWO], promo_codes=[MEMBERS], vouchers=vouchers, policy=POLICY
    )


def vat_by_rate(totals: CheckoutTotals) -> dict[int, int]:
    """Return the tax of each rate, which is in parts per million."""
    return {amount.rate.parts_per_million: amount.vat for amount in totals.vat_breakdown}


def reasons(totals: CheckoutTotals) -> list[tuple[str, int]]:
    """Return the rules behind the total of the first line, and the reasons against codes."""
    steps = [(step.source, step.amount) for step in explain(totals).trace.of("total_gross", line=1)]
    refused = [(result.reason.value, 0) for result in totals.promo_codes if isinstance(result, RejectedCode)]
    return steps + refused
