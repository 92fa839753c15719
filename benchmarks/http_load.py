"""A load generator: 64 connections that are kept open, each sending its next request once it is answered.

It runs as a process of its own, takes one job per line on its standard input and writes one result per
line; it ends with its input. Every answer is checked: its status and the length of its body, or all of it.
"""

from __future__ import annotations

import asyncio
import faulthandler
import gc
import json
import random
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, cast

import uvloop

from benchmarks.http_workload import random_id

LONGEST_LIFE_SECONDS = 1800
"""Whatever happens, none of the processes of a comparison lives longer."""

_LONGEST_ANSWER = 1 << 17
_END_OF_HEAD = b"\r\n\r\n"
_LENGTH = b"content-length: "


class UnexpectedAnswer(Exception):
    """An answer has another status, length or body than it must have."""


class Exchange(NamedTuple):
    """A whole request, and the body of the answer to it."""

    request: bytes
    answer: bytes


@cache
def exchanges_in(file: str) -> tuple[Exchange, ...]:
    """What `write_exchanges` has written."""
    pairs: list[tuple[str, str]] = json.loads(Path(file).read_bytes())
    return tuple(Exchange(request.encode(), answer.encode()) for request, answer in pairs)


def write_exchanges(file: Path, exchanges: Iterable[Exchange]) -> None:
    """Write them for the load generator, which is another process."""
    pairs = [(exchange.request.decode(), exchange.answer.decode()) for exchange in exchanges]
    file.write_text(json.dumps(pairs), encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to send to ``port`` for so many seconds, and the answer that is expected to each request.

    With a ``seed`` a fresh checkout id stands between ``before_id`` and ``after_id`` in every request. The
    requests of a file of ``exchanges`` are sent in turn instead, and their answers compared byte for byte.
    """

    port: int
    seconds: float
    before_id: str = ""
    after_id: str = ""
    seed: int | None = None
    exchanges: str = ""
    status: int = 200
    length: int = 0
    connections: int = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Answers received, and those that came while the clock ran, for how many seconds.

    Percentiles are of the time to an answer, in milliseconds.
    """

    answers: int
    timed: int
    seconds: float
    p50: float
    p99: float


class _Load:
    """What the connections of a job share."""

    def __init__(self, job: Job, done: asyncio.Future[None]) -> None:
        self.job = job
        self.done = done
        self.latencies: list[float] = []
        self.open = job.connections
        self.started = self.deadline = 0.0
        self._ready: list[_Connection] = []
        self.status_line = f"HTTP/1.1 {job.status} ".encode()
        self._before, self._after = job.before_id.encode(), job.after_id.encode()
        self._bits = None if job.seed is None else random.Random(job.seed).getrandbits
        self._exchanges = cycle(exchanges_in(job.exchanges)) if job.exchanges else None

    def exchange(self) -> Exchange:
        """What is asked next; of an answer that is empty only the length is known."""
        if self._exchanges is not None:
            return next(self._exchanges)
        if self._bits is None:
            return Exchange(self._before, b"")
        request = b"%b%b%b" % (self._before, random_id(self._bits(128)).encode(), self._after)
        return Exchange(request, b"")

    def ready(self, connection: _Connection) -> None:
        """Every connection has had one answer before the clock starts: accepting it is not measured."""
        self._ready.append(connection)
        if len(self._ready) == self.job.connections:
            self.started = perf_counter()
            self.deadline = self.started + self.job.seconds
            for each in self._ready:
                each.send()

    def closed(self, error: Exception | None) -> None:
        self.open -= 1
        if self.done.done():
            return
        if error is not None:
            self.done.set_exception(error)
        elif not self.open:
            self.done.set_result(None)


class _Connection(asyncio.BufferedProtocol):
    """One request at a time, until the time is over."""

    def __init__(self, load: _Load) -> None:
        self._load = load
        self._buffer = bytearray(_LONGEST_ANSWER)
        self._view = memoryview(self._buffer)
        self._filled = 0
        self._expected = 0  # bytes of this answer, once its head is here
        self._answer = b""
        self._sent = 0.0
        self._error: Exception | None = None
        self._is_idle = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.send()

    def send(self) -> None:
        self._filled = self._expected = 0
        request, self._answer = self._load.exchange()
        self._sent = perf_counter()
        self._transport.write(request)

    def get_buffer(self, _sizehint: int) -> memoryview:
        return self._view[self._filled :]

    def buffer_updated(self, nbytes: int) -> None:
        self._filled += nbytes
        if not self._expected and not self._read_head():
            return
        if self._filled < self._expected:
            return
        if self._filled > self._expected:
            self._fail(f"{self._filled - self._expected} bytes too many")
            return
        if not self._buffer.endswith(self._answer, 0, self._filled):
            self._fail(f"expected {self._answer!r}, got {bytes(self._buffer[: self._filled])!r}")
            return
        self._answered(perf_counter())

    def _answered(self, now: float) -> None:
        if not self._load.deadline:
            self._load.ready(self)
            return
        self._load.latencies.append(now - self._sent)
        if now < self._load.deadline:
            self.send()
        else:
            self._is_idle = True
            self._transport.close()

    def _read_head(self) -> bool:
        """Whether the head is complete, and as expected."""
        end = self._buffer.find(_END_OF_HEAD, 0, self._filled)
        if end < 0:
            return False
        if not self._buffer.startswith(self._load.status_line):
            self._fail(self._buffer[: self._filled].decode("latin-1"))
            return False
        length = len(self._answer) or self._load.job.length
        if length:
            at = self._buffer.find(_LENGTH, 0, end) + len(_LENGTH)
            stated = self._buffer[at : self._buffer.find(b"\r", at)]
            if int(stated) != length:
                self._fail(f"expected {length} bytes, got {stated.decode()}")
                return False
        self._expected = end + len(_END_OF_HEAD) + length
        return True

    def _fail(self, what: str) -> None:
        self._error = UnexpectedAnswer(what[:500])
        self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._is_idle and self._error is None:
            self._error = exc or UnexpectedAnswer("the connection was closed before the answer")
        self._load.closed(self._error)


async def run(job: Job) -> Result:
    """Send until the time of the job is over, then wait for what is still unanswered.

    Raises:
        UnexpectedAnswer: an answer is not the expected one.
    """
    loop = asyncio.get_running_loop()
    load = _Load(job, loop.create_future())
    for _ in range(job.connections):
        await loop.create_connection(lambda: _Connection(load), "127.0.0.1", job.port)
    await load.done
    seconds = perf_counter() - load.started
    latencies = sorted(load.latencies)
    p50, p99 = (latencies[int(len(latencies) * part)] * 1e3 for part in (0.5, 0.99))
    timed = len(latencies)
    return Result(answers=timed + job.connections, timed=timed, seconds=seconds, p50=p50, p99=p99)


def main() -> None:
    faulthandler.dump_traceback_later(LONGEST_LIFE_SECONDS, exit=True)
    gc.disable()
    for line in sys.stdin:
        result = uvloop.run(run(Job(**json.loads(line))))
        print(json.dumps(asdict(result)), flush=True)
        gc.collect()


if __name__ == "__main__":
    main()
