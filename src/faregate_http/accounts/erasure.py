"""Erasing accounts whose time is over: what tells who somebody is goes, orders stay. Decisions §13."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate_http.store.contract import Stale
from faregate_http.store.records import AccountRow, PaymentDetailRow, PersonRow
from faregate_http.wire.instants import millis

if TYPE_CHECKING:
    from datetime import datetime

    from faregate_http.store.contract import Store

__all__ = ["erase", "erase_due"]


async def erase_due(store: Store, at: datetime) -> int:
    """Erase accounts whose time is over *at* that instant, the longest over first; how many were."""
    return sum([await _is_erased(store, account, at) for account in await store.due(AccountRow, millis(at))])


async def _is_erased(store: Store, account: AccountRow, at: datetime) -> bool:
    try:
        await erase(store, account, at)
    except Stale:  # changed meanwhile: who asks next what is due sees it as it is then
        return False
    return True


async def erase(store: Store, account: AccountRow, at: datetime) -> None:
    """Erase *account*, its persons and means of payment; nobody can be told by it any more.

    Raises:
        Stale: it was changed meanwhile.
    """
    while details := await store.find(PaymentDetailRow, account=account.id):
        await store.save(None, erased=details)
    persons = await store.find(PersonRow, account=account.id)
    emptied = account._replace(
        revision=account.revision + 1,
        issuer=None,
        subject=None,
        email="",
        profile="{}",
        deleted_at=millis(at),
        due_at=None,
    )
    await store.save(None, records=[emptied], erased=persons)
