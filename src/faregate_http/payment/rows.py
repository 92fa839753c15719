"""Stored payments, one for each attempt, and their states. Decisions §12."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Literal, NamedTuple

import msgspec

from faregate.basket.policy import TotalsPolicy
from faregate.checkout.paying import PaymentProvider, PaymentWay, Tender
from faregate.checkout.priced import PricedCheckout
from faregate.money.amounts import MinorUnits
from faregate.money.rounding import round_to_increment
from faregate.totals.pipeline import CheckoutTotals
from faregate_http.payment.detail_rows import request_of, with_transaction
from faregate_http.payment.gateway import Charge, ChargeResult, Outcome
from faregate_http.protocol.instants import millis
from faregate_http.protocol.languages import DEFAULT_LANGUAGE
from faregate_http.protocol.problems import Problem
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.schemas.payments import PaymentDetailStatus, VoucherPaymentMethodView
from faregate_http.store.records import PaymentDetailRow, PaymentRow

PAYING_FOR = timedelta(minutes=15)
"""Maximum time for a payment to be PENDING; then it is CANCELLED, and money arriving later is refunded."""

ASK_AFTER = timedelta(seconds=20)
"""Time after which the gateway is asked for the result of a charge to which it has not responded."""


MOST_PAYMENTS = 50
"""Maximum number of payment attempts for one checkout, which slows down card testing."""

_UNDER_WAY = frozenset({PaymentState.PENDING, PaymentState.AUTHORIZED, PaymentState.SETTLED})


class Instructions(NamedTuple):
    """Way to pay the amount due, any payment detail, and the Idempotency-Key and language of the request."""

    way: PaymentWay
    detail: PaymentDetailRow | None = None
    key: str | None = None
    language: str = DEFAULT_LANGUAGE


def begun(
    earlier: Sequence[PaymentRow],
    checkout_id: str,
    priced: PricedCheckout,
    *,
    instructions: Instructions,
    at: datetime,
) -> PaymentRow:
    """Return a new payment for a checkout, after *earlier* ones: PENDING if by gateway, otherwise SETTLED.

    Raises:
        Problem: 409, the maximum number of payments is reached.
    """
    if len(earlier) >= MOST_PAYMENTS:
        raise Problem(409, "too-many-payments")
    way, detail, key, language = instructions
    is_asked = way.provider is PaymentProvider.GATEWAY
    return PaymentRow(
        id=token_hex(16),
        revision=1,
        created_at=max([millis(at), *[payment.created_at + 1 for payment in earlier]]),
        checkout_id=checkout_id,
        status=(PaymentState.PENDING if is_asked else PaymentState.SETTLED).value,
        provider=way.provider and way.provider.value,
        detail_id=detail and detail.id,
        method=detail.method if detail else way.tender and way.tender.value,
        amount=priced.totals.amount_due,
        currency=priced.channel.currency,
        vouchers=_vouchers(priced.totals),
        errors="[]",
        deadline=millis(at + PAYING_FOR),
        key=key,
        language=language,
        due_at=millis(at + ASK_AFTER) if is_asked else None,
    )


def is_open(row: PaymentRow, at: datetime) -> bool:
    """Return True if the payment may still succeed at the instant *at*."""
    return row.status == PaymentState.PENDING.value and millis(at) < row.deadline


def as_of(row: PaymentRow, at: datetime) -> PaymentState:
    """Return the state of a payment at *at*: cancelled if past its deadline, even before that is stored."""
    status = PaymentState(row.status)
    is_over = status is PaymentState.PENDING and not is_open(row, at)
    return PaymentState.CANCELLED if is_over else status


def ended(
    row: PaymentRow, status: PaymentState, *, errors: Sequence[str] = (), due_at: datetime | None = None
) -> PaymentRow:
    """Return the next revision of *row* with *status*; *due_at* is when more work is due, if any."""
    return row._replace(
        revision=row.revision + 1,
        status=status.value,
        errors=_text([*errors]) if errors else row.errors,
        due_at=None if due_at is None else millis(due_at),
    )


def failed(row: PaymentRow, result: ChargeResult, at: datetime, *, is_final: bool) -> PaymentRow:
    """Return *row* as FAILED or CANCELLED, to be cancelled at the gateway unless FAILED and *is_final*."""
    is_over = result.outcome is Outcome.PENDING or not is_open(row, at)
    if is_over:
        return ended(row, PaymentState.CANCELLED, due_at=at)
    return ended(row, PaymentState.FAILED, errors=result.errors, due_at=None if is_final else at)


def is_repeated(earlier: Sequence[PaymentRow], key: str | None, at: datetime) -> bool:
    """Return True if the last of the *earlier* payments was begun with *key* and has not failed by *at*."""
    if key is None or not earlier or earlier[-1].key != key:
        return False
    return as_of(earlier[-1], at) in _UNDER_WAY


def covers(row: PaymentRow, totals: CheckoutTotals) -> bool:
    """Return True if the payment's amount and vouchers are exactly those of *totals*."""
    return (row.amount, row.vouchers) == (totals.amount_due, _vouchers(totals))


def charge_of(row: PaymentRow, detail: PaymentDetailRow | None, service_url: str = "") -> Charge:
    """Return the charge for a payment; without *detail*, which may have been erased, it has no alias.

    An empty *service_url* means that no customer is present to be redirected.
    """
    alias = detail.alias if detail is not None else None
    charge = Charge(row.id, row.amount, row.currency, row.method or "", alias or "")
    if detail is None or not service_url:
        return charge
    request = request_of(detail)
    return charge._replace(
        language=request.language,
        service_url=service_url,
        success_url=with_transaction(request.success_url, detail),
        error_url=with_transaction(request.error_url, detail),
    )


def waits_for_customer(row: PaymentRow, result: ChargeResult) -> PaymentRow | None:
    """Return the next revision of *row* if *result* has a new URL where the customer confirms, else None."""
    if result.redirect_url in {None, row.redirect_url}:
        return None
    return row._replace(revision=row.revision + 1, redirect_url=result.redirect_url)


def cash_due_of(row: PaymentRow, policy: TotalsPolicy) -> MinorUnits | None:
    """Return the cash due on site, rounded to the cash step in *policy*, or None if not paid in cash."""
    is_cash = (row.provider, row.method) == (PaymentProvider.ON_SITE.value, Tender.CASH.value)
    return round_to_increment(row.amount, policy.cash_increment) if is_cash else None


def voucher_method(row: PaymentRow) -> VoucherPaymentMethodView | None:
    """Return a view of the method of a payment on site or only by voucher, otherwise None.

    Payments on site are shown as VOUCHER_A with the tender as code, vouchers as VOUCHER_B with the code of
    the first voucher.
    """
    if row.provider == PaymentProvider.ON_SITE.value:
        return _voucher("VOUCHER_A", row.method or "")
    codes = [code for code, _ in vouchers_of(row)]
    return _voucher("VOUCHER_B", codes[0]) if codes and row.provider is None else None


def _voucher(provider: Literal["VOUCHER_A", "VOUCHER_B"], code: str) -> VoucherPaymentMethodView:
    # No account keeps the voucher, so it has no id.
    return VoucherPaymentMethodView(provider, "voucher", 0, False, PaymentDetailStatus.ACTIVE, code)


def vouchers_of(row: PaymentRow) -> list[tuple[str, MinorUnits]]:
    """Return pairs of a voucher code and the amount, in minor units, that the voucher pays."""
    return msgspec.json.decode(row.vouchers, type=list[tuple[str, int]])


def errors_of(row: PaymentRow) -> list[str]:
    """Return the errors of a failed payment: error codes, or the gateway's own texts."""
    return msgspec.json.decode(row.errors, type=list[str])


def _vouchers(totals: CheckoutTotals) -> str:
    return _text([(paid.voucher.code, paid.amount) for paid in totals.vouchers if paid.amount])


def _text(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
