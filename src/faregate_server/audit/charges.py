"""Comparison of a payment gateway's charges with the payments in a database."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from faregate.money.amounts import format_minor_units
from faregate.money.currency import currency
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.store.records import PaymentRow
from faregate_server.audit.findings import Finding, Rule

Charges: TypeAlias = Counter[tuple[str, str]]
"""The amount that the gateway took in minor units, by payment id and currency; less what it paid back."""

_NOT_TAKEN = frozenset({PaymentState.FAILED.value, PaymentState.CANCELLED.value})


def charge_findings(payments: Sequence[PaymentRow], charges: Charges) -> Iterator[Finding]:
    """Yield a finding for each of *payments* that differs from its charge; remove it from *charges*.

    A pending payment is not a finding: the service asks the gateway for the result.
    """
    for payment in payments:
        taken = charges.pop((payment.id, payment.currency), 0)
        if not taken:
            continue
        shown = _shown(taken, payment.currency)
        if payment.status in _NOT_TAKEN:
            yield _finding(payment.id, f"the gateway took {shown}, but the payment is {payment.status}")
        elif taken != payment.amount:
            expected = _shown(payment.amount, payment.currency)
            yield _finding(payment.id, f"expected {expected}, but the gateway took {shown}")


def unknown_charges(charges: Charges) -> Iterator[Finding]:
    """Yield a finding for each of *charges*, which have no payment."""
    for (payment_id, code), taken in sorted(charges.items()):
        if taken:
            shown = _shown(taken, code)
            yield _finding(payment_id, f"the gateway took {shown}, but the database has no such payment")


def _finding(payment_id: str, text: str) -> Finding:
    return Finding(Rule.CHARGES, f"payment {payment_id}", text)


def _shown(amount: int, code: str) -> str:
    return f"{format_minor_units(amount, currency(code))} {code}"
