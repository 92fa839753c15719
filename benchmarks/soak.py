"""A mixed load for half an hour that checks that nothing grows: ``python -m benchmarks.soak``.

Simulated visitors shop, pay or leave, log in, pass gates, read calendars, make mistakes and hang up at a
server of their own, ``faregate serve``, at a steady rate (`soak_visitors`). A line is printed every thirty
seconds: memory, open files, threads, CPU, delay of ``/health/live``, response times.

First enough checkouts are opened to fill the cache of responses. Memory is then judged by the last two thirds
of the time: the least-squares line through all samples may grow by at most `MOST_MEGABYTES_PER_HOUR`, and the
last tenth may exceed the first by at most `MOST_GROWTH`. At 250 requests a second, 10 MB an hour are 12 bytes
a request.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter
from typing import NamedTuple

import uvloop

from benchmarks.http_workload import roomy_catalogue
from benchmarks.soak_visitors import KEY_SHA256, Pace, Tally, come_and_go, fill

MOST_MEGABYTES_PER_HOUR = 10.0
MOST_GROWTH = 0.03
MOST_NEW_FILES = 8
"""Maximum growth of open files since the first third: connections of the pool and of visitors."""

VISITORS = 24
FILLED = 12_000
"""Number of checkouts opened first: their responses take at least 64 MB, the size of the cache."""

SAMPLE_SECONDS = 30.0
PROBE_SECONDS = 0.25

_HEAD = "   min  requests  RSS MB  files  threads  CPU %   live ms (worst)   p50 ms  p99 ms"

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICK = os.sysconf("SC_CLK_TCK")
_MEGABYTE = 1 << 20


class Sample(NamedTuple):
    """State of the server at the end of half a minute, and its responses in that time."""

    minutes: float
    megabytes: float
    files: int
    threads: int
    cpu: float
    requests: int
    late: float
    latest: float
    p50: float
    p99: float

    def line(self) -> str:
        return (
            f"{self.minutes:6.1f}  {self.requests:8,}  {self.megabytes:6.1f}  {self.files:5}"
            f"  {self.threads:7}  {self.cpu:5.0f}   {self.late:7.1f} ({self.latest:5.0f})"
            f"   {self.p50:6.1f}  {self.p99:6.1f}"
        )


class Process:
    """System data of a process."""

    def __init__(self, pid: int) -> None:
        self._folder = Path(f"/proc/{pid}")

    def megabytes(self) -> float:
        return int((self._folder / "statm").read_text().split()[1]) * _PAGE / _MEGABYTE

    def files(self) -> int:
        return len(os.listdir(self._folder / "fd"))

    def threads(self) -> int:
        return len(os.listdir(self._folder / "task"))

    def cpu_seconds(self) -> float:
        """Return user and system time of all threads."""
        fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICK


# ---------------------------------------------------------------- a server


def paid_on_site(catalogue: Path) -> Path:
    """Let the web shop of *catalogue* take payments on site, and give each channel the visitors' key."""
    text = catalogue.read_text("utf-8").replace(
        "    type: WEB\n", "    type: WEB\n    canPayOnSite: true\n", 1
    )
    key = f"    keys: [{{name: soak, sha256: '{KEY_SHA256}'}}]\n"
    catalogue.write_text(re.sub("(    type: (?:WEB|POS|CONSUMPTION)\n)", rf"\1{key}", text), "utf-8")
    return catalogue


@contextmanager
def serving(folder: Path, database: str, *more: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Yield the program, with *more* options, and its port; the program is ended with the block.

    Without ``--workers``, it gives anyone a token.
    """
    catalogue = paid_on_site(roomy_catalogue(folder))
    tokens = [] if "--workers" in more else ["--dev"]
    options = [*tokens, "--port", "0", "--database", database, "--catalogue", str(catalogue), *more]
    command = [sys.executable, "-m", "faregate_cli", "serve", *options]
    settings = os.environ | ({} if tokens else {"FAREGATE_TOKEN_SECRET": secrets.token_hex()})
    with (
        (folder / "log.jsonl").open("wb") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=settings) as server,
    ):
        assert server.stdout is not None
        line = next((line for line in server.stdout if b"curl" in line), b"")
        if not line:
            raise RuntimeError((folder / "log.jsonl").read_text())
        port = int(line.split(b"127.0.0.1:")[1].partition(b"/")[0])
        _wait_until_ready(port)
        try:
            yield server, port
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(60)


def _wait_until_ready(port: int) -> None:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/health/ready")
    if connection.getresponse().status != 200:
        raise RuntimeError("the server is not ready")
    connection.close()


# ---------------------------------------------------------------- half an hour


async def soak(
    port: int, server: Process, minutes: float, rate: float, seed: int
) -> tuple[list[Sample], Tally]:
    """Return the samples of the whole time, and a tally of all responses."""
    await fill(port, FILLED, seed)
    tally, pace, late = Tally(), Pace(rate), list[float]()
    visitors = [
        asyncio.create_task(come_and_go(port, pace, tally, random.Random(f"{seed} {number}")))
        for number in range(VISITORS)
    ]
    probe = asyncio.create_task(_probe(port, late))
    samples = [sample async for sample in _samples(server, minutes, tally, late)]
    for task in (*visitors, probe):
        task.cancel()
    await asyncio.gather(*visitors, probe, return_exceptions=True)
    return samples, tally


async def _probe(port: int, late: list[float]) -> None:
    """Call the liveness check on one connection, and record its delay in milliseconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while True:
        started = perf_counter()
        writer.write(b"GET /health/live HTTP/1.1\r\nhost: shop\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]))
        late.append((perf_counter() - started) * 1e3)
        await asyncio.sleep(PROBE_SECONDS)


async def _samples(server: Process, minutes: float, tally: Tally, late: list[float]) -> AsyncIterator[Sample]:
    started = before = monotonic()
    used = server.cpu_seconds()
    print(_HEAD, flush=True)
    while monotonic() < started + minutes * 60:
        await asyncio.sleep(SAMPLE_SECONDS)
        now, cpu = monotonic(), server.cpu_seconds()
        seconds, probes = sorted(tally.seconds), sorted(late)
        tally.seconds.clear()
        late.clear()
        sample = Sample(
            (now - started) / 60,
            server.megabytes(),
            server.files(),
            server.threads(),
            (cpu - used) / (now - before) * 100,
            len(seconds),
            median(probes),
            probes[-1],
            _part(seconds, 0.5) * 1e3,
            _part(seconds, 0.99) * 1e3,
        )
        before, used = now, cpu
        print(sample.line(), flush=True)
        yield sample


def _part(ordered: Sequence[float], part: float) -> float:
    return ordered[int(len(ordered) * part)] if ordered else 0.0


# ---------------------------------------------------------------- judging


def slope(samples: Sequence[Sample]) -> float:
    """Return megabytes per hour, by least squares."""
    times = [sample.minutes / 60 for sample in samples]
    middle, size = fmean(times), fmean(sample.megabytes for sample in samples)
    spread = sum((time - middle) ** 2 for time in times)
    covered = sum((time - middle) * (own.megabytes - size) for time, own in zip(times, samples, strict=True))
    return covered / spread


def growth(samples: Sequence[Sample]) -> float:
    """Return the share by which memory grew from the first tenth to the last."""
    tenth = max(len(samples) // 10, 1)
    first, last = (
        median(sample.megabytes for sample in part) for part in (samples[:tenth], samples[-tenth:])
    )
    return last / first - 1


def verdicts(samples: Sequence[Sample], tally: Tally) -> Iterator[str]:
    """Yield the failures."""
    third = max(len(samples) // 3, 1)
    first, rest = samples[:third], samples[third:]
    per_hour, part = slope(rest), growth(rest)
    print(
        f"memory, last two thirds: {per_hour:+.1f} MB an hour, {part:+.1%} from its first tenth to its last"
    )
    if per_hour > MOST_MEGABYTES_PER_HOUR:
        yield f"memory grows by {per_hour:.1f} MB an hour: expected at most {MOST_MEGABYTES_PER_HOUR:g}"
    if part > MOST_GROWTH:
        yield f"memory grew by {part:.1%}: expected at most {MOST_GROWTH:.0%}"
    for what in ("files", "threads"):
        before, after = (max(getattr(sample, what) for sample in own) for own in (first, rest))
        if after > before + MOST_NEW_FILES:
            yield f"{after} {what} are open, {before} were in the first third"
    for fault, number in tally.faults.most_common(20):
        yield f"{number} times {fault}"


def checked(database: str, folder: Path) -> int:
    """Print the result of ``faregate check`` for the database, and return its status."""
    catalogue = str(folder / "resort.yaml")
    command = [sys.executable, "-m", "faregate_cli", "check", database, "--catalogue", catalogue]
    return subprocess.run(command, check=False).returncode


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("FAREGATE_MINUTES", "30")))
    parser.add_argument("--rate", type=float, default=250.0, help="requests a second")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("FAREGATE_SEED", "2026")))
    parser.add_argument("--database", help="a URL; a new SQLite file if none is given")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        database = options.database or f"sqlite:///{folder}/soak.db"
        print(
            f"FAREGATE_SEED={options.seed}: {options.minutes:g} minutes, {options.rate:g} requests a second"
        )
        with serving(folder, database) as (server, port):
            process = Process(server.pid)
            samples, tally = uvloop.run(soak(port, process, options.minutes, options.rate, options.seed))
        wrong = list(verdicts(samples, tally))
        answered = ", ".join(f"{count:,} {status}" for status, count in sorted(tally.statuses.items()))
        print(f"answers: {answered}; the server ended with status {server.returncode}")
        status = checked(database, folder)
    print("\n".join(wrong) or "nothing grows, nothing failed")
    sys.exit(1 if wrong or status or server.returncode else 0)


if __name__ == "__main__":
    main()
