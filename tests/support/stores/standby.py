"""A primary server and a standby that follows it, for failovers."""

import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from support.stores.postgresql import Server, ask, tools
from support.stores.postgresql_session import folder_of

_SETTINGS = """
fsync = off
max_wal_senders = 4
wal_level = replica
shared_buffers = 16MB
"""


class Pair:
    """A primary and its standby; ``url`` leads to whichever can be written."""

    def __init__(self, primary: Server, standby: Path, database: str) -> None:
        self.primary = primary
        self._is_over = False
        self._standby = standby
        self._socket = standby.parent / "socket"
        self._primary_socket = folder_of(primary.url(database))
        folders = [self._primary_socket, str(self._socket)]
        self.url = f"postgresql://postgres@/{database}?host={quote(','.join(reversed(folders)))}"
        self.standby_url = f"postgresql://postgres@/{database}?host={quote(str(self._socket))}"

    def start_standby(self) -> None:
        """Start the standby, which listens on a socket in its own folder."""
        options = f"-k {self._socket} -c listen_addresses=''"
        self._control("start", "-l", str(self._standby / "log"), "-o", options)

    def wait(self) -> None:
        """Wait until the standby has everything that the primary has."""
        (end,) = ask(self.primary.url("postgres"), "SELECT pg_current_wal_lsn()::text")
        for _ in range(500):
            if ask(self.standby_url, "SELECT pg_last_wal_replay_lsn() >= ?::text::pg_lsn", *end) == [(True,)]:
                return
            time.sleep(0.02)
        raise AssertionError("the standby does not follow")

    def synchronize(self) -> None:
        """Let commits of the primary wait for the standby."""
        url = self.primary.url("postgres")
        ask(url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
        ask(url, "SELECT pg_reload_conf()")

    def cut_off(self) -> None:
        """Let the standby receive nothing more."""
        ask(self.standby_url, "ALTER SYSTEM SET primary_conninfo = ''")
        ask(self.standby_url, "SELECT pg_reload_conf()")

    def fail_over(self) -> None:
        """Kill the primary for good, and promote the standby."""
        self._is_over = True
        self.primary.crash()
        self._control("promote")
        self.primary.end()

    def end(self) -> None:
        """Stop both servers."""
        with suppress(subprocess.CalledProcessError):  # it may not have started
            self._control("stop", "-m", "immediate")
        if not self._is_over:
            self.primary.end()

    def copy(self) -> None:
        """Copy the primary to the folder of the standby, which will follow it."""
        source = ["-h", self._primary_socket, "-U", "postgres", "-R", "-X", "stream", "-c", "fast"]
        self._run("pg_basebackup", *source, "-D", str(self._standby))

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", *arguments, "-D", str(self._standby), "-w", "-s")

    def _run(self, program: str, *arguments: str) -> None:
        user = self.primary._server.system_user  # another one if the tests run as root
        subprocess.run([tools() / program, *arguments], check=True, user=user)


@contextmanager
def primary_and_standby(database: str) -> Iterator[Pair]:
    """Yield a primary with an empty *database*, and a standby."""
    with tempfile.TemporaryDirectory(prefix="faregate-ha-") as name:
        folder = Path(name)
        primary = Server(folder, _SETTINGS)
        standby = folder / "standby"
        ask(primary.url("postgres"), f"CREATE DATABASE {database} TEMPLATE template0")
        (folder / "socket").mkdir()
        for shared in (folder, folder / "socket"):
            shared.chmod(0o777)
        pair = Pair(primary, standby, database)
        try:
            pair.copy()
            pair.start_standby()
            yield pair
        finally:
            pair.end()
