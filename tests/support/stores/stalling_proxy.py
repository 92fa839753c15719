"""A proxy to a PostgreSQL server that can stall like a network: nothing is refused, nothing arrives."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

_SOCKET = ".s.PGSQL.5432"


class StallingProxy:
    """A proxy that passes data on while ``is_open`` is set."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.is_open = asyncio.Event()
        self.is_open.set()
        self._passing: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass data in both directions."""
        await self.is_open.wait()
        there = await asyncio.open_unix_connection(f"{self.target}/{_SOCKET}")
        for source, sink in ((reader, there[1]), (there[0], writer)):
            task = asyncio.create_task(self._pass(source, sink))
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                await self.is_open.wait()
                sink.write(data)
        except ConnectionError:
            pass
        finally:
            sink.close()

    async def end(self) -> None:
        """Close all connections."""
        self.is_open.set()
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)


@asynccontextmanager
async def stalling_proxy(folder: Path, target: str) -> AsyncIterator[StallingProxy]:
    """Yield a proxy with a socket in *folder*, to the server with a socket in *target*."""
    proxy = StallingProxy(target)
    listening = await asyncio.start_unix_server(proxy.accept, folder / _SOCKET)
    try:
        yield proxy
    finally:
        listening.close()
        await proxy.end()
