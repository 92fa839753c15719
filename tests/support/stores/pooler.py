"""A pooler that, like PgBouncer, gives its clients process numbers of its own."""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from support.stores.stalling_proxy import StallingProxy

_SOCKET = ".s.PGSQL.5432"
_KEY = b"K\x00\x00\x00\x0c"
"""Start of the message with the process number and the key for cancelling: 4 bytes each."""


class Pooler(StallingProxy):
    """A proxy that replaces the process number in the server's greeting."""

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(65_536):
                start, key, rest = data.partition(_KEY)
                if key:
                    (number,) = struct.unpack("!i", rest[:4])
                    rest = struct.pack("!i", number + 1) + rest[4:]
                sink.write(start + key + rest)
        finally:
            sink.close()


@asynccontextmanager
async def pooler(folder: Path, target: str) -> AsyncIterator[None]:
    """Run a pooler with a socket in *folder*, to the server with a socket in *target*."""
    proxy = Pooler(target)
    listening = await asyncio.start_unix_server(proxy.accept, folder / _SOCKET)
    try:
        yield
    finally:
        listening.close()
        await proxy.end()
