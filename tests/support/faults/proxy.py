"""A TCP proxy to a database that can be disconnected or silenced, to simulate a network."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum


class Way(Enum):
    """The behaviour of the proxy."""

    OPEN = "open"
    CUT = "cut"
    """Existing and new connections are closed at once."""
    SILENT = "silent"
    """Nothing arrives, and no connection is closed."""


class Proxy:
    """A proxy from ``port`` to the Unix socket *target*, in its own thread."""

    def __init__(self, target: str) -> None:
        self.port = 0
        self._target = target
        self._way = Way.OPEN
        self._loop = asyncio.new_event_loop()
        self._changed = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()

    def become(self, way: Way) -> None:
        """Change the behaviour for existing and new connections."""
        asyncio.run_coroutine_threadsafe(self._become(way), self._loop).result()

    async def _become(self, way: Way) -> None:
        self._way = way
        self._changed.set()
        self._changed = asyncio.Event()
        if way is Way.CUT:
            for writer in self._writers:
                writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not await self._is_open():
            writer.transport.abort()
            return
        with suppress(OSError):
            there, beyond = await asyncio.open_unix_connection(self._target)
            await asyncio.gather(self._pass(reader, beyond), self._pass(there, writer))
        writer.transport.abort()

    async def _is_open(self) -> bool:
        while self._way is Way.SILENT:
            await self._changed.wait()
        return self._way is Way.OPEN

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        self._writers.add(sink)
        try:
            while data := await source.read(65_536):
                if not await self._is_open():
                    return
                sink.write(data)
                await sink.drain()
        except OSError:
            return
        finally:
            self._writers.discard(sink)
            sink.transport.abort()

    async def _listen(self, is_listening: threading.Event) -> None:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        is_listening.set()
        await server.serve_forever()

    def run(self, is_listening: threading.Event) -> None:
        """Serve until cancelled."""
        with suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._listen(is_listening))
        self._loop.close()

    def end(self) -> None:
        """Cancel all connections."""

        def cancel() -> None:
            for task in asyncio.all_tasks(self._loop):
                task.cancel()

        self._loop.call_soon_threadsafe(cancel)


@contextmanager
def proxy(target: str) -> Iterator[Proxy]:
    """Yield an open proxy, which is stopped after the block."""
    made, is_listening = Proxy(target), threading.Event()
    thread = threading.Thread(target=made.run, args=(is_listening,))
    thread.start()
    is_listening.wait()
    try:
        yield made
    finally:
        made.become(Way.CUT)
        made.end()
        thread.join()
