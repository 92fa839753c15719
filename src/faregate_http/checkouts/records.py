"""Conversion between stored checkout rows and the core's checkouts with their state."""

from datetime import datetime, timedelta
from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.changes import units_of
from faregate.checkout.expiry import CheckoutStatus
from faregate.checkout.model import Checkout
from faregate_http.checkouts.stored_inputs import read_inputs, write_inputs
from faregate_http.protocol.instants import from_millis, millis
from faregate_http.store.contract import CheckoutHead, CheckoutRow

ANSWERED_FOR = timedelta(hours=24)
"""Time for which an expired checkout can still be read."""


class CheckoutRecord(NamedTuple):
    """A checkout and its state, at the ``revision`` that was loaded or is to be saved.

    ``is_paying`` is True while a payment is pending. ``holder`` is the hash under which the holds of a
    checkout without an account are counted.
    """

    uuid: str
    checkout: Checkout
    status: CheckoutStatus
    started_at: datetime
    changed_at: datetime
    expires_at: datetime
    is_paying: bool = False
    holder: int | None = None
    revision: int = 0


def status_of(row: CheckoutHead | CheckoutRow, at: datetime) -> CheckoutStatus:
    """Return the status of the checkout as of *at*; expiry is computed, because it is not stored."""
    if row.is_closed:
        return CheckoutStatus.CLOSED
    return CheckoutStatus.EXPIRED if millis(at) >= row.expires_at else CheckoutStatus.OPEN


def has_ended(row: CheckoutHead | CheckoutRow, at: datetime) -> bool:
    """Return True if the checkout expired so long before *at* that it is no longer shown."""
    return not row.is_closed and millis(at - ANSWERED_FOR) >= row.expires_at


def record_of(row: CheckoutRow, at: datetime, *, catalogue: Catalogue) -> CheckoutRecord:
    """Return the checkout in *row* as a record with its state at *at*."""
    return CheckoutRecord(
        row.id,
        read_inputs(row.inputs, channel=row.channel, account=row.account, catalogue=catalogue),
        status_of(row, at),
        from_millis(row.started_at),
        from_millis(row.changed_at),
        from_millis(row.expires_at),
        row.is_paying,
        row.holder,
        row.revision,
    )


def row_of(record: CheckoutRecord) -> CheckoutRow:
    """Return *record* as a row for the store."""
    is_closed = record.status is CheckoutStatus.CLOSED
    holder = None if is_closed or record.checkout.account is not None else record.holder
    return CheckoutRow(
        id=record.uuid,
        channel=record.checkout.channel,
        account=record.checkout.account,
        is_closed=is_closed,
        revision=record.revision,
        started_at=millis(record.started_at),
        changed_at=millis(record.changed_at),
        expires_at=millis(record.expires_at),
        inputs=write_inputs(record.checkout),
        is_paying=record.is_paying,
        holder=holder,
        held_units=0 if holder is None else units_of(record.checkout),
    )
