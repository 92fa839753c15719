"""``faregate serve`` as a process of its own."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from serving.service import HEADERS

_START_SECONDS = 60
_STOP_SECONDS = 40


class Program(NamedTuple):
    """A process that serves on a port of this machine; ``log`` is where it writes."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path

    def get(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body."""
        return get(self.port, path)

    def logged(self, event: str, *, times: int = 1) -> None:
        """Wait until the log has a line with *event* in it, so many times."""
        deadline = time.monotonic() + _START_SECONDS
        while self.log.read_text(encoding="utf-8").count(event) < times:
            assert self.process.poll() is None, self.log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, self.log.read_text(encoding="utf-8")
            time.sleep(0.01)

    def ended(self, seconds: float = _STOP_SECONDS) -> int:
        """Wait until it has; its status."""
        return self.process.wait(seconds)


def get(port: int, path: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer on this machine."""
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
    folder: Path, *options: str, before: Sequence[str] = (), port: int = 0, **others: Any
) -> Iterator[Program]:
    """The program, which keeps its checkouts in *folder*, when it is ready; it has ended after the block.

    *before* comes before the command; at port 0 it finds one by itself; *others* are for the process.
    """
    log = folder / "log.jsonl"
    command = [*before, sys.executable, "-m", "faregate_cli", "serve", "--port", str(port), *options]
    environment = {**os.environ, "FAREGATE_DATABASE": f"sqlite:///{folder}/faregate.db"}
    with (
        log.open("ab") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, env=environment, cwd=folder, **others
        ) as process,
    ):
        try:
            assert process.stdout is not None
            line = next((line for line in process.stdout if b"curl" in line), b"")
            assert line, log.read_text(encoding="utf-8")
            found = Program(int(line.split(b"127.0.0.1:")[1].partition(b"/")[0]), process, log)
            found.logged("Application startup complete")
            yield found
        finally:
            process.kill()
