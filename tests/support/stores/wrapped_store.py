"""A store around another store, for tests to modify."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from faregate_http.store.contract import CheckoutRow, Hold, HoldLimits, Store, StoredAnswer
from faregate_http.store.records import Record


class Save(NamedTuple):
    """The arguments of `Store.save`."""

    row: CheckoutRow | None
    answer: StoredAnswer | None = None
    holds: Sequence[Hold] | None = None
    records: Sequence[Record] = ()
    erased: Sequence[Record] = ()
    limits: HoldLimits | None = None


_AnyStore: Any = object


class WrappedStore(_AnyStore):  # type: ignore[misc]  # so that it counts as a store
    """A store that delegates every call; subclasses replace calls, or `keep` for saves."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def save(self, *arguments: Any, **named: Any) -> None:
        await self.keep(Save(*arguments, **named))

    async def keep(self, save: Save) -> None:
        """Save all arguments of *save* in the inner store."""
        row, answer, holds, *_ = save
        named = {"records": save.records, "erased": save.erased, "limits": save.limits}
        await self.inner.save(row, answer, holds, **named)  # type: ignore[arg-type]  # by their names
