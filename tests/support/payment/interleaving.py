"""Points around all calls to the store and the gateway, at which a test can interfere."""

from collections.abc import Awaitable, Callable
from typing import Any

from faregate_http.payment.gateway import Charge
from faregate_http.store.contract import CheckoutRow, Store
from faregate_http.store.records import RecordType
from support.stores.wrapped_store import Save, WrappedStore

Happening = Callable[[str], Awaitable[None]]


class Points:
    """A counter of passed points that triggers an event at one of them, once."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self._at: int | None = None
        self._happening: Happening | None = None

    def arm(self, at: int, happening: Happening) -> None:
        """Trigger the event at point number *at* from now on."""
        self.passed.clear()
        self._at, self._happening = at, happening

    @property
    def has_happened(self) -> bool:
        return self._at is not None and len(self.passed) > self._at

    def disarm(self) -> None:
        self._happening = None

    async def come_to(self, point: str) -> None:
        """Pass a point."""
        self.passed.append(point)
        if self._happening is not None and len(self.passed) - 1 == self._at:
            happening, self._happening = self._happening, None
            await happening(point)

    async def before(self, call: str, _charge: Charge) -> None:
        """Pass the point before a gateway call."""
        await self.come_to(f"before {call}")

    async def after(self, call: str, _charge: Charge) -> None:
        """Pass the point after a gateway call."""
        await self.come_to(f"after {call}")


class PointedStore(WrappedStore):
    """A store with points around each save, and before reading a checkout or records."""

    def __init__(self, inner: Store, points: Points) -> None:
        super().__init__(inner)
        self._points = points

    async def checkout(self, checkout_id: str) -> CheckoutRow | None:
        await self._points.come_to("before checkout")
        return await self.inner.checkout(checkout_id)

    async def find(self, kind: type[RecordType], **asked: Any) -> list[RecordType]:
        await self._points.come_to(f"before find {kind.__name__}")
        return await self.inner.find(kind, **asked)

    async def keep(self, save: Save) -> None:
        await self._points.come_to("before save")
        await super().keep(save)
        await self._points.come_to("after save")
