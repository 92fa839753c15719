"""Erasure of deleted accounts: personal data is removed, sales data is kept. Decisions §13.

The account itself is erased first, so that nobody can act in its name; its other data follows. The account
stays due for erasure until everything is gone. Data that a pending payment needs, or that is left when a
process stops halfway, is erased in a later round.
"""

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from faregate_http.idempotency import owner_of
from faregate_http.protocol.instants import millis
from faregate_http.protocol.stored_responses import pack, unpack
from faregate_http.store.contract import CheckoutRow, Stale, Store
from faregate_http.store.records import (
    AccountRow,
    OrderRow,
    PaymentDetailRow,
    PaymentRow,
    PersonRow,
    TicketRow,
)

DELETION_TERM = timedelta(days=30)
"""Time between the request to delete an account and its erasure."""

_AT_ONCE = 100

_EVER = 2**62
_MOST_PAYMENTS = 1000
"""If this many payments are due, they are assumed to be stuck, and no data that they may need is erased."""


class _Needed(NamedTuple):
    """Ids of the checkouts and payment details that pending payments need."""

    checkouts: frozenset[str]
    details: frozenset[int | None]


async def erase_due(store: Store, at: datetime) -> int:
    """Erase the accounts due by *at*, longest overdue first, and return how many were fully erased."""
    return sum([await _is_erased(store, account, at) for account in await store.due(AccountRow, millis(at))])


async def _is_erased(store: Store, account: AccountRow, at: datetime) -> bool:
    try:
        return await erase(store, account, at)
    except Stale:  # the account has been changed: the next round loads it again
        return False


async def erase(store: Store, account: AccountRow, at: datetime) -> bool:
    """Erase *account*, its persons, its means of payment, and its data in checkouts and orders.

    Return False if a payment still needs some of the data; the account then stays due.

    Raises:
        Stale: the account has since been changed.
    """
    emptied = await _emptied(store, account, at)
    needed = await _needed(store)
    if needed is None or not await _is_nothing_left(store, account.id, needed):
        return False
    await store.save(None, records=[emptied._replace(revision=emptied.revision + 1, due_at=None)])
    return True


async def _emptied(store: Store, account: AccountRow, at: datetime) -> AccountRow:
    """Erase the persons and identity of *account*; return its row, now due after all other due accounts."""
    persons = await store.find(PersonRow, account=account.id)
    emptied = account._replace(
        revision=account.revision + 1,
        issuer=None,
        subject=None,
        email="",
        profile="{}",
        deleted_at=account.deleted_at or millis(at),
        due_at=millis(at),
    )
    await store.save(None, records=[emptied], erased=persons)
    return emptied


async def _needed(store: Store) -> _Needed | None:
    """Return the ids of data that due payments need, or None if there are too many payments to check."""
    due = await store.due(PaymentRow, _EVER, limit=_MOST_PAYMENTS)
    if len(due) == _MOST_PAYMENTS:
        return None
    return _Needed(frozenset(row.checkout_id for row in due), frozenset(row.detail_id for row in due))


async def _is_nothing_left(store: Store, account: int, needed: _Needed) -> bool:
    are_blank = [await _is_blanked(store, row, needed) async for row in _open_checkouts(store, account)]
    # After the checkouts, because payments settled in the meantime have become orders.
    are_blank += [await _is_order_blanked(store, order) async for order in _orders(store, account)]
    await store.forget_answers(owner_of(account))
    return await _are_details_gone(store, account, needed) and all(are_blank)


async def _open_checkouts(store: Store, account: int) -> AsyncIterator[CheckoutRow]:
    last = ""
    while rows := await store.checkouts_of(account, after=last, limit=_AT_ONCE):
        for row in rows:
            yield row
        last = rows[-1].id


async def _is_blanked(store: Store, row: CheckoutRow, needed: _Needed) -> bool:
    inputs = blanked_inputs(row.inputs)
    if inputs == row.inputs:
        return True
    if row.id in needed.checkouts:
        return False
    with suppress(Stale):  # a payment has ended or holds were released
        await store.save(row._replace(revision=row.revision + 1, inputs=inputs))
        return True
    return False


async def _orders(store: Store, account: int) -> AsyncIterator[OrderRow]:
    last = None
    while rows := await store.find(OrderRow, limit=_AT_ONCE, after=last, account=account):
        for row in rows:
            yield row
        last = rows[-1]


async def _is_order_blanked(store: Store, order: OrderRow) -> bool:
    """Remove personal data from *order* and its checkout, and return True if none is left.

    Tickets keep their personal data until they are issued or have failed: every attempt uses the same data.
    """
    if any(ticket.content is not None for ticket in await store.find(TicketRow, order_id=order.id)):
        return False
    row = await store.checkout(order.id)
    if row is None:
        return True
    blank, inputs = blanked_order(order), blanked_inputs(row.inputs)
    if blank == order and inputs == row.inputs:
        return True
    with suppress(Stale):  # another process is blanking the same order
        closed = row._replace(revision=row.revision + 1, inputs=inputs)
        await store.save(closed, records=[blank._replace(revision=order.revision + 1)])
        return True
    return False


async def _are_details_gone(store: Store, account: int, needed: _Needed) -> bool:
    kept: list[PaymentDetailRow] = []
    while len(details := await store.find(PaymentDetailRow, account=account)) > len(kept):
        kept = [row for row in details if row.id in needed.details]
        await store.save(None, erased=[row for row in details if row.id not in needed.details])
    return not kept


_PERSONAL_INPUTS = frozenset({"billingAddress", "shippingAddress", "answers"})

_IMPERSONAL_VALUES = frozenset({"donation", "weatherGuarantee", "acceptTerms", "media"})
"""Names of form values about the purchase; all other values are addresses or answers to questions."""


def blanked_inputs(inputs: bytes) -> bytes:
    """Return the stored *inputs* of a checkout (JSON) without addresses, answers and persons."""
    found: dict[str, Any] = msgspec.json.decode(inputs)
    blank = _without(found, _PERSONAL_INPUTS)
    if "items" in blank:
        blank["items"] = [_without(item, {"person"}) for item in blank["items"]]
    return inputs if blank == found else msgspec.json.encode(blank)


def blanked_order(order: OrderRow) -> OrderRow:
    """Return *order* without addresses, answers and suggested values, or *order* itself if it has none."""
    figures = order.figures.encode()
    blank = _blanked_body(figures)
    if blank == figures:
        return order
    bodies = {language: _blanked_body(body) for language, body in unpack(order.views).items()}
    return order._replace(figures=blank.decode(), views=pack(bodies))


def _blanked_body(body: bytes) -> bytes:
    envelope: dict[str, Any] = msgspec.json.decode(body)
    shown = envelope["data"]
    conditions = shown["checkoutConditions"]
    values = conditions["values"]
    conditions |= {"defaultValues": {}, "values": _without(values, values.keys() - _IMPERSONAL_VALUES)}
    shown |= {"billingAddress": None, "shippingAddress": None}
    return msgspec.json.encode(envelope)


def _without(values: dict[str, Any], names: frozenset[str] | set[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}
