"""The trace of a refund quote: steps that add up to its amounts. Decisions §20."""

from __future__ import annotations

from collections.abc import Iterator

from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate.refunds.quote import LineRefund, RefundQuote
from faregate.trace import Step, StepKind, Trace


def refund_trace(quote: RefundQuote, *, currency: Currency | None = None) -> Trace:
    """Explain *quote* step by step.

    ``trace.amount("refund", line=key)`` is the refund of a line, and ``trace.amount("refund")`` the amount of
    the quote; so is ``trace.amount("paid_out")``, with a step for each means of payment. *currency* affects
    only how the steps are shown.

    >>> from datetime import UTC, datetime
    >>> from faregate import Line, VatRate, checkout_totals
    >>> from faregate.refunds import FeeStep, PaidOrder, Payment, RefundPolicy, ReturnedUnits, refund_quote
    >>> from faregate.discounts.kinds import PerUnit
    >>> vat = VatRate.percent("8.1")
    >>> totals = checkout_totals([Line(1, unit_price=7900, quantity=2, rate=vat)])
    >>> quote = refund_quote(
    ...     PaidOrder(totals=totals, payments=(Payment(name="card", amount=15800),)),
    ...     [ReturnedUnits(line=1, units=(0,))],
    ...     policy=RefundPolicy(fees=(FeeStep(fee=PerUnit(500), rate=vat),)),
    ...     at=datetime(2026, 11, 2, tzinfo=UTC),
    ... )
    >>> for step in refund_trace(quote).of("refund", line=1):
    ...     print(step.rule.value, step.amount, step.note)
    carried 7900 paid for 1 unit
    refund_fee -500 fee
    """
    return Trace(_steps(quote), currency=currency)


def _steps(quote: RefundQuote) -> Iterator[Step]:
    for row in quote.lines:
        yield from _of_line(row)
    for row in quote.lines:
        yield Step("refund", None, StepKind.CARRIED, f"line {row.line}", row.refund)
    if quote.donation:
        yield Step("refund", None, StepKind.DONATION, "", quote.donation)
    for payment in quote.payments:
        yield Step("paid_out", None, StepKind.CARRIED, payment.name, payment.amount)
    for voucher in quote.vouchers:
        yield Step("paid_out", None, StepKind.VOUCHER, voucher.name, voucher.amount)


def _of_line(row: LineRefund) -> Iterator[Step]:
    count = len(row.units)
    yield _step(row, StepKind.CARRIED, row.paid, f"paid for {count} unit{'' if count == 1 else 's'}")
    if row.gross != row.paid:
        yield _step(row, StepKind.REPRICED, row.gross - row.paid, "the rest has another price")
    if row.kept_gross:
        yield _step(row, StepKind.KEPT, -row.kept_gross, "not refundable")
    if row.fee:
        yield _step(row, StepKind.REFUND_FEE, -row.fee, "fee")


def _step(row: LineRefund, kind: StepKind, amount: MinorUnits, note: str) -> Step:
    return Step("refund", row.line, kind, "", amount, note)
