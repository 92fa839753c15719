"""The means of payment that a payment uses, as a checkout shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate_http.payment.detail_rows import as_of
from faregate_http.payment.details import view_of
from faregate_http.protocol.instants import from_millis
from faregate_http.store.records import PaymentDetailRow

if TYPE_CHECKING:
    from faregate_http.schemas.payments import PaymentMethodView
    from faregate_http.store.contract import Store
    from faregate_http.store.records import PaymentRow


async def detail_of(payment: PaymentRow, store: Store) -> PaymentDetailRow | None:
    """The payment detail that *payment* names; None: it names none, or it was erased since."""
    if payment.detail_id is None:
        return None
    found = await store.find(PaymentDetailRow, id=payment.detail_id)
    return found[0] if found else None


async def payment_method_of(payment: PaymentRow, store: Store) -> PaymentMethodView | None:
    """That payment detail as it was when the payment began."""
    detail = await detail_of(payment, store)
    return None if detail is None else view_of(as_of(detail, from_millis(payment.created_at)))
