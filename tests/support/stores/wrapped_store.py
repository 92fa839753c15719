"""A store around another store, for tests to modify."""

from collections.abc import Sequence

from faregate_http.store.contract import (
    CheckoutHead,
    CheckoutRow,
    Hold,
    HoldLimits,
    SlotCount,
    Store,
    StoredAnswer,
)
from faregate_http.store.records import Record, RecordType


class WrappedStore:
    """A store that delegates every call."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner

    async def head(self, checkout_id: str) -> CheckoutHead | None:
        return await self.inner.head(checkout_id)

    async def checkout(self, checkout_id: str) -> CheckoutRow | None:
        return await self.inner.checkout(checkout_id)

    async def checkouts_of(self, account: int, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        return await self.inner.checkouts_of(account, after=after, limit=limit)

    async def walk(self, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        return await self.inner.walk(after=after, limit=limit)

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        return await self.inner.answer(scope, key)

    async def find(
        self,
        kind: type[RecordType],
        *,
        limit: int = 1000,
        after: RecordType | None = None,
        **values: str | int,
    ) -> list[RecordType]:
        return await self.inner.find(kind, limit=limit, after=after, **values)

    async def due(self, kind: type[RecordType], at: int, *, limit: int = 100) -> list[RecordType]:
        return await self.inner.due(kind, at, limit=limit)

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        return await self.inner.taken(pools, first, last, at=at, without=without)

    async def save(
        self,
        row: CheckoutRow | None,
        answer: StoredAnswer | None = None,
        holds: Sequence[Hold] | None = None,
        *,
        records: Sequence[Record] = (),
        erased: Sequence[Record] = (),
        limits: HoldLimits | None = None,
    ) -> None:
        await self.inner.save(row, answer, holds, records=records, erased=erased, limits=limits)

    async def version(self) -> int | None:
        return await self.inner.version()

    async def purge_answers(self, before: int) -> int:
        return await self.inner.purge_answers(before)

    async def purge_checkouts(self, after: str, last: str, *, before: int) -> int:
        return await self.inner.purge_checkouts(after, last, before=before)

    async def forget_answers(self, owner: str) -> int:
        return await self.inner.forget_answers(owner)

    async def release_expired(self, at: int) -> int:
        return await self.inner.release_expired(at)

    async def truncate_log(self) -> bool:
        return await self.inner.truncate_log()

    async def check(self) -> None:
        await self.inner.check()

    async def close(self) -> None:
        await self.inner.close()
