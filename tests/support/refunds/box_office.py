"""Orders of a box office, and quotes for their returns."""

from datetime import UTC, datetime
from typing import Any

from faregate.basket.lines import Line
from faregate.refunds.orders import PaidOrder, Payment, ReturnedUnits
from faregate.refunds.quote import RefundQuote
from faregate.refunds.quoting import refund_quote
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)
VAT, REDUCED = VatRate.percent("8.1"), VatRate.percent("2.6")
TICKETS, LUNCH = Line(1, 7900, 2, VAT), Line(2, 2052, 1, REDUCED)


def order_of(*lines: Line, **rules: Any) -> PaidOrder:
    totals = checkout_totals(lines, **rules)
    return PaidOrder(totals=totals, payments=(Payment(name="card", amount=totals.amount_due),))


def quote(order: PaidOrder, *returned: ReturnedUnits, **options: Any) -> RefundQuote:
    return refund_quote(order, returned, at=AT, **options)


def line(key: int, *units: int) -> ReturnedUnits:
    return ReturnedUnits(line=key, units=units or None)


def paid_out(of: RefundQuote) -> dict[str, int]:
    return {pay.name: pay.amount for pay in (*of.payments, *of.vouchers)}
