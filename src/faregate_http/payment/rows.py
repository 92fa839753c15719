"""Payments as the store keeps them: how one begins, ends, and stands at an instant. Decisions §12."""

from __future__ import annotations

from datetime import timedelta
from secrets import token_hex
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from faregate.checkout.paying import PaymentProvider, Tender
from faregate.money.rounding import round_to_increment
from faregate_http.payment.gateway import Charge, Outcome
from faregate_http.protocol.instants import millis
from faregate_http.protocol.problems import Problem
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.store.records import PaymentRow

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from faregate.basket.policy import TotalsPolicy
    from faregate.checkout.paying import PaymentWay
    from faregate.checkout.priced import PricedCheckout
    from faregate.money.amounts import MinorUnits
    from faregate.totals.pipeline import CheckoutTotals
    from faregate_http.payment.gateway import ChargeResult
    from faregate_http.store.records import PaymentDetailRow

PAYING_FOR = timedelta(minutes=15)
"""So long a payment may stay PENDING; then it is CANCELLED, and what comes later is given back."""

ASK_AFTER = timedelta(seconds=20)
"""After that the gateway is asked what became of a charge whose answer did not come."""


MOST_PAYMENTS = 50
"""So often one checkout may be tried to be paid: whoever tries out cards has to look for places each time."""

_UNDER_WAY = frozenset({PaymentState.PENDING, PaymentState.AUTHORIZED, PaymentState.SETTLED})


class Instructions(NamedTuple):
    """How the amount due is to be paid, and with what."""

    way: PaymentWay
    detail: PaymentDetailRow | None = None
    key: str | None = None


def begun(
    earlier: Sequence[PaymentRow],
    checkout_id: str,
    priced: PricedCheckout,
    *,
    instructions: Instructions,
    at: datetime,
) -> PaymentRow:
    """A payment of a checkout after *earlier* ones: PENDING at the gateway, SETTLED where nobody is asked.

    Raises:
        Problem: 409, there were very many.
    """
    if len(earlier) >= MOST_PAYMENTS:
        raise Problem(
            409,
            "too-many-payments",
        )
    way, detail, key = instructions
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
        due_at=millis(at + ASK_AFTER) if is_asked else None,
    )


def is_open(row: PaymentRow, at: datetime) -> bool:
    """Whether it may still succeed."""
    return row.status == PaymentState.PENDING.value and millis(at) < row.deadline


def as_of(row: PaymentRow, at: datetime) -> PaymentState:
    """Where it stands at an instant; nobody has to write down that its time is over."""
    status = PaymentState(row.status)
    is_over = status is PaymentState.PENDING and not is_open(row, at)
    return PaymentState.CANCELLED if is_over else status


def ended(
    row: PaymentRow, status: PaymentState, *, errors: Sequence[str] = (), due_at: datetime | None = None
) -> PaymentRow:
    """The next revision of *row*, which stands so; at *due_at* there is something left to be done."""
    return row._replace(
        revision=row.revision + 1,
        status=status.value,
        errors=_text([*errors]) if errors else row.errors,
        due_at=None if due_at is None else millis(due_at),
    )


def failed(row: PaymentRow, result: ChargeResult, at: datetime, *, is_final: bool) -> PaymentRow:
    """*row* without success. Unless it *is_final*, the gateway is to give back what still comes."""
    is_over = result.outcome is Outcome.PENDING or not is_open(row, at)
    if is_over:
        return ended(row, PaymentState.CANCELLED, due_at=at)
    return ended(row, PaymentState.FAILED, errors=result.errors, due_at=None if is_final else at)


def is_repeated(earlier: Sequence[PaymentRow], key: str | None, at: datetime) -> bool:
    """Whether the last payment was begun by a request of that *key*, whose answer was not kept."""
    if key is None or not earlier or earlier[-1].key != key:
        return False
    return as_of(earlier[-1], at) in _UNDER_WAY


def covers(row: PaymentRow, totals: CheckoutTotals) -> bool:
    """Whether what is paid, by vouchers and beside them, is what is due now."""
    return (row.amount, row.vouchers) == (totals.amount_due, _vouchers(totals))


def charge_of(row: PaymentRow, detail: PaymentDetailRow | None) -> Charge:
    """What the gateway is asked about; a *detail* that was erased meanwhile has no alias any more."""
    alias = detail.alias if detail is not None else None
    return Charge(row.id, row.amount, row.currency, row.method or "", alias or "")


def cash_due_of(row: PaymentRow, policy: TotalsPolicy) -> MinorUnits | None:
    """Return the cash due on site, in the steps of the channel; None: it is not paid in cash."""
    is_cash = (row.provider, row.method) == (PaymentProvider.ON_SITE.value, Tender.CASH.value)
    return round_to_increment(row.amount, policy.cash_increment) if is_cash else None


def vouchers_of(row: PaymentRow) -> list[tuple[str, MinorUnits]]:
    """What each voucher pays."""
    return msgspec.json.decode(row.vouchers, type=list[tuple[str, int]])


def errors_of(row: PaymentRow) -> list[str]:
    """Why it failed."""
    return msgspec.json.decode(row.errors, type=list[str])


def _vouchers(totals: CheckoutTotals) -> str:
    return _text([(paid.voucher.code, paid.amount) for paid in totals.vouchers if paid.amount])


def _text(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()
