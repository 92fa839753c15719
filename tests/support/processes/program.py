"""``faregate serve`` as a separate process."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

from support.processes.forked import Forked
from support.service.service import HEADERS
from support.stores.sqlite import new_database

_START_SECONDS = 60
_STOP_SECONDS = 40


class Program(NamedTuple):
    """A process that serves on a local port; ``log`` is its log file.

    ``printed`` is its standard output until it is ready.
    """

    port: int
    process: Forked | subprocess.Popen[bytes]
    log: Path
    printed: str

    @property
    def address(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body."""
        return get(self.port, path)

    def logged(self, event: str, *, times: int = 1) -> None:
        """Wait until the log has *times* lines with *event*."""
        deadline = time.monotonic() + _START_SECONDS
        while self.log.read_text(encoding="utf-8").count(event) < times:
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, self.log.read_text(encoding="utf-8")
            time.sleep(0.01)

    def ended(self, seconds: float = _STOP_SECONDS) -> int:
        """Wait until the process ends; return its status."""
        return self.process.wait(seconds)


def get(port: int, path: str) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of a local response."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path, headers=HEADERS)
        response = connection.getresponse()
        return (
            response.status,
            {name.lower(): value for name, value in response.getheaders()},
            response.read(),
        )
    finally:
        connection.close()


@contextmanager
def program(
    folder: Path,
    *options: str | Path,
    before: Sequence[str] = (),
    port: int = 0,
    pass_fds: Sequence[int] = (),
    variables: Mapping[str, str] | None = None,
) -> Iterator[Program]:
    """Yield the program once it is ready, with its checkouts in *folder*; stop it after the block.

    *before* precedes the command, which then starts a new Python with the descriptors *pass_fds*; otherwise
    it is a fork. Port 0 selects a free port; *variables* are added to its environment.
    """
    log = folder / "log.jsonl"
    asked = ("serve", "--port", str(port), *map(str, options))
    environment = {
        **os.environ,
        "FAREGATE_DATABASE": new_database(folder / "faregate.db"),
        **(variables or {}),
    }
    with (
        _begun([*before, sys.executable, "-m", "faregate_cli", *asked], folder, log, environment, pass_fds)
        if before
        else Forked("faregate_cli", *asked, cwd=folder, log=log, environment=environment)
    ) as process:
        try:
            assert process.stdout is not None
            printed = []
            for line in process.stdout:
                printed.append(line.decode())
                if b"curl" in line:
                    break
            else:
                raise AssertionError(log.read_text(encoding="utf-8"))
            served_at = int(printed[-1].split("127.0.0.1:")[1].partition("/")[0])
            found = Program(served_at, process, log, "".join(printed))
            found.logged("startup complete")
            yield found
        finally:
            process.kill()


def _begun(
    command: Sequence[str], folder: Path, log: Path, environment: dict[str, str], pass_fds: Sequence[int]
) -> subprocess.Popen[bytes]:
    with log.open("ab") as errors:
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            cwd=folder,
            pass_fds=pass_fds,
        )
