"""The service as a process on a free port; run as a script, this module is that process.

Untrustworthy stores can replace the real one: one reports a save before it is done, one saves a change and
its response in two transactions, one a change and its holds.
"""

import asyncio
import sys
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2

import faregate_server.app
from faregate_http.store.contract import (
    CheckoutHead,
    CheckoutRow,
    Stale,
    Store,
    StoredAnswer,
)
from faregate_server.settings import Settings
from faregate_server.store.opening import open_store
from support.processes.forked import Forked, serve_app
from support.service.unlimited import FREE_HOLDS
from support.stores.sqlite import new_database
from support.stores.wrapped_store import Save, WrappedStore

_START_SECONDS = 30
_STOP_SECONDS = 10


class RealServer(NamedTuple):
    """A serving process; ``address`` begins with http."""

    address: str
    process: Forked

    def kill(self) -> None:
        """Kill the process at once, without exceptions or clean-up."""
        self.process.kill()
        self.process.wait()


@contextmanager
def serving(database: Path, *, store: str = "real", catalogue: Path | None = None) -> Iterator[RealServer]:
    """Yield a ready server of the file *database*; stop it after the block."""
    new_database(database)
    asked = (database, store, *((catalogue,) if catalogue else ()))
    with Forked("support.processes.real_server", *asked, cwd=database.parent, is_strict=True) as process:
        try:
            port = process.stdout.readline().decode().strip()
            server = RealServer(f"http://127.0.0.1:{port}", process)
            wait_until_ready(server)
            yield server
        finally:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except TimeoutError:
                server.kill()
                raise


def wait_until_ready(server: RealServer) -> None:
    """Wait until the server is ready."""
    deadline = time.monotonic() + _START_SECONDS
    while True:
        assert server.process.poll() is None, "the server ended while it started"
        assert time.monotonic() < deadline, "the server does not become ready"
        try:
            if httpx2.get(f"{server.address}/health/ready", timeout=5, trust_env=False).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.01)


async def _soon(saving: Coroutine[object, object, None]) -> None:
    await asyncio.sleep(0.05)
    await saving


class EagerStore(WrappedStore):
    """A store that reports a save at once and saves a moment later; until then it remembers the rows."""

    def __init__(self, inner: Store) -> None:
        super().__init__(inner)
        self.rows: dict[str, CheckoutRow] = {}
        self.answers: dict[tuple[str, str], StoredAnswer] = {}
        self.saving: set[asyncio.Task[None]] = set()

    async def head(self, checkout_id: str) -> CheckoutHead | None:
        row = await self.checkout(checkout_id)
        return row and CheckoutHead(
            row.channel, row.account, row.is_closed, row.revision, row.changed_at, row.expires_at
        )

    async def checkout(self, checkout_id: str) -> CheckoutRow | None:
        return self.rows.get(checkout_id) or await self.inner.checkout(checkout_id)

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        return self.answers.get((scope, key)) or await self.inner.answer(scope, key)

    async def keep(self, save: Save) -> None:
        row, answer = save.row, save.answer
        if row is not None:
            before = await self.checkout(row.id)
            if row.revision != (before.revision if before else 0) + 1:
                raise Stale(row.id, row.revision)
            self.rows[row.id] = row
        if answer is not None:
            self.answers[answer.scope, answer.key] = answer
        task = asyncio.create_task(_soon(super().keep(save)))
        self.saving.add(task)
        task.add_done_callback(self.saving.discard)


class HalvingStore(WrappedStore):
    """A store that saves a change first and its response afterwards."""

    async def keep(self, save: Save) -> None:
        await super().keep(save._replace(answer=None))
        if save.answer is not None:
            await asyncio.sleep(0.02)
            await self.inner.save(None, save.answer)


class SplittingStore(WrappedStore):
    """A store that saves a change first and its holds afterwards."""

    async def keep(self, save: Save) -> None:
        await super().keep(save._replace(holds=None))
        if save.row is not None and save.holds is not None:
            await asyncio.sleep(0.02)
            later = save.row._replace(revision=save.row.revision + 1)
            await self.inner.save(later, None, save.holds)


STORES = {
    "real": lambda inner: inner,
    "eager": EagerStore,
    "halving": HalvingStore,
    "splitting": SplittingStore,
}


def _serve(database: str, store: str, catalogue: Path | None) -> None:
    faregate_server.app.open_store = lambda url: STORES[store](open_store(url))  # type: ignore[attr-defined]
    settings = Settings(database=f"sqlite:///{database}", catalogue=catalogue, **FREE_HOLDS)
    app = faregate_server.app.create_app(settings)
    serve_app(app)


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2], Path(sys.argv[3]) if sys.argv[3:] else None)
