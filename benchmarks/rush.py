"""The first morning of a season, more customers than can be served: ``python -m benchmarks.rush``.

Customers arrive at a fixed rate, whatever the server does (open loop). Each opens a checkout, sets its
conditions and pays, with a pause to think in between. Times count from the moment at which a request was to
be sent. A customer who is refused a checkout leaves; one who has a checkout tries again after
``retry-after``. A customer gives up after `PATIENCE_SECONDS` without a response and hangs up.

First, the capacity is measured: rates grow until fewer purchases finish. Meanwhile, the other customers of
the later rush ask a process that refuses everyone, so that both measurements share the machine with as many
customers. Then all arrive at the service, ``faregate serve`` on the loopback interface of this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple
from uuid import UUID

import uvloop

from benchmarks.http_processes import postgresql
from benchmarks.soak import serving
from benchmarks.soak_visitors import Answer, Pace, Tally, Unexpected, Visitor, ticket

PATIENCE_SECONDS = 10.0
MOST_ATTEMPTS = 8
STEP_SECONDS = 20.0
"""Time for which each rate lasts while the capacity is measured; its first four seconds do not count."""
GROWTH = 1.4
"""Factor from one rate to the next while the capacity is measured."""

HOT_DAY = "2027-01-16"


class Stream(NamedTuple):
    """Customers that arrive at ``rate`` a second for ``seconds``, for one day or for many."""

    rate: float
    seconds: float
    is_hot: bool
    items: int
    thinks: float
    seed: str


@dataclass
class Report:
    """Fates of customers, times of responses by step in seconds, and statuses."""

    started: float = field(default_factory=perf_counter)
    fates: Counter[str] = field(default_factory=Counter)
    finished_at: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    ready: Counter[int] = field(default_factory=Counter)

    def goodput(self, stream: Stream) -> float:
        """Return the purchases a second, without the time in which the first customers think."""
        first = min(4 * stream.thinks, stream.seconds / 2)
        return sum(first <= at < stream.seconds for at in self.finished_at) / (stream.seconds - first)

    def lines(self, stream: Stream) -> Iterator[str]:
        fates = self.fates
        finished = fates["finished"] / max(fates["finished"] + fates["abandoned"], 1)
        yield f"goodput: {self.goodput(stream):.1f} purchases a second"
        yield f"arrivals behind their time: p99 {part(self.late, 0.99) * 1e3:.0f} ms"
        yield f"customers: {dict(fates)}; finished of those with a checkout: {finished:.1%}"
        for step, times in self.times.items():
            p50, p99 = (part(times, share) * 1e3 for share in (0.5, 0.99))
            yield f"{step}: {len(times)} responses, p50 {p50:.0f} ms, p99 {p99:.0f} ms"
        yield f"statuses: {dict(sorted(self.statuses.items()))}"
        yield f"/health/ready: {dict(self.ready)}"


def part(times: list[float], share: float) -> float:
    return sorted(times)[int(len(times) * share)] if times else 0.0


class Refused(Exception):
    """The service has no room for a request."""


class Customer:
    """A customer who buys at *port* and tells *report*."""

    def __init__(self, port: int, stream: Stream, number: int, report: Report) -> None:
        self._chance = random.Random(f"{stream.seed} {number}")
        self._stream = stream
        self._number = number
        self._report = report
        self._visitor = Visitor(port, Pace(1e6), Tally(), self._chance)

    async def buy(self) -> None:
        planned, has_checkout = self._report.started + self._number / self._stream.rate, False
        self._report.late.append(perf_counter() - planned)
        fate = "abandoned"
        try:
            async with asyncio.timeout(PATIENCE_SECONDS), self._visitor.here():
                url, items = self._items()
                await self._ask("checkout", planned, "POST", f"{url}/items", items, attempts=1)
                has_checkout = True
            await self._finish(url)
            fate = "finished"
            self._report.finished_at.append(perf_counter() - self._report.started)
        except Refused:
            fate = "refused" if not has_checkout else fate
        except (OSError, TimeoutError, asyncio.IncompleteReadError, Unexpected) as error:
            fate = fate if has_checkout else f"never answered: {type(error).__name__}"
        self._report.fates[fate] += 1

    async def _finish(self, url: str) -> None:
        conditions: Any = {"formValues": {"acceptTerms": True}}
        answer = await self._later("conditions", "POST", f"{url}/checkout-conditions", conditions)
        payment = {"expectedTotal": answer.data["totalGross"], "provider": "ON_SITE"}
        await self._later("payment", "POST", f"{url}/payment", payment)

    def _items(self) -> tuple[str, Any]:
        items = [ticket(self._chance, number) for number in range(1, self._stream.items + 1)]
        if self._stream.is_hot:
            items = [{**item, "validity": {"from": HOT_DAY, "to": HOT_DAY}} for item in items]
        return f"/api/checkout/{UUID(int=self._chance.getrandbits(128), version=4)}", {"items": items}

    async def _later(self, step: str, *request: Any) -> Answer:
        """Think, then send *request* on a new connection, and again after each refusal."""
        await asyncio.sleep(self._chance.uniform(0, 2 * self._stream.thinks))
        async with asyncio.timeout(PATIENCE_SECONDS * MOST_ATTEMPTS), self._visitor.here():
            return await self._ask(step, perf_counter(), *request, attempts=MOST_ATTEMPTS)

    async def _ask(
        self, step: str, planned: float, method: str, path: str, body: Any, *, attempts: int
    ) -> Answer:
        for _ in range(attempts):
            async with asyncio.timeout(PATIENCE_SECONDS):
                answer = await self._visitor.ask(method, path, body, 200, 503)
            self._report.statuses[step, answer.status] += 1
            kind = step if answer.status == 200 else f"{step} refused"
            self._report.times.setdefault(kind, []).append(perf_counter() - planned)
            if answer.status == 200:
                return answer
            await asyncio.sleep(float(answer.headers.get("retry-after", 1)) if attempts > 1 else 0)
            planned = perf_counter()
        raise Refused


async def rush(port: int, stream: Stream, others: tuple[int, int] = (1, 0)) -> Report:
    """Let the customers of *stream* buy, and return the report when the last one has left.

    With ``(times, port)`` as *others*, ``times - 1`` further customers come with each one, to that port.
    """
    times, refusing = others
    stream = stream._replace(rate=stream.rate * times)
    report, of_others = Report(), Report()
    probe = asyncio.create_task(_probe(port, report))
    customers = set[asyncio.Task[None]]()
    for number in range(int(stream.rate * stream.seconds)):
        delay = report.started + number / stream.rate - perf_counter()
        if delay > 0:
            await asyncio.sleep(delay)
        goal = (refusing, of_others) if number % times else (port, report)
        customers.add(asyncio.create_task(Customer(goal[0], stream, number, goal[1]).buy()))
    probe.cancel()
    await asyncio.gather(*customers)
    return report


async def _probe(port: int, report: Report) -> None:
    """Ask every second whether the service is ready; 0 stands for no response within two seconds."""
    while True:
        status = 0
        try:
            async with asyncio.timeout(2):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(b"GET /health/ready HTTP/1.1\r\nhost: shop\r\nconnection: close\r\n\r\n")
                status = int((await reader.read()).split()[1])
                writer.close()
        except (OSError, TimeoutError, IndexError):
            pass
        report.ready[status] += 1
        await asyncio.sleep(1)


def capacity(port: int, stream: Stream, others: tuple[int, int]) -> float:
    """Return the highest rate of finished purchases while the rate of arrivals grows."""
    best = 0.0
    rate = stream.rate
    while True:
        step = stream._replace(rate=rate, seconds=STEP_SECONDS, seed=f"{stream.seed} {rate}")
        report = uvloop.run(rush(port, step, others))
        finished = report.goodput(step)
        print(f"  {rate:6.1f} a second arrive, {finished:6.1f} finish: {dict(report.fates)}", flush=True)
        if finished < 0.8 * rate:
            return max(best, finished)
        best, rate = max(best, finished), rate * GROWTH


@contextmanager
def refusing() -> Iterator[int]:
    """Run a process that answers each request on its port with 503 and closes the connection."""
    receiving, sending = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_refuse, args=(sending,), daemon=True)
    process.start()
    yield receiving.recv()
    process.terminate()


def _refuse(started: Connection) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length or 0))
        writer.write(b"HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
        writer.close()

    async def serve() -> None:
        server = await asyncio.start_server(refuse, "127.0.0.1", 0, backlog=4096)
        started.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    uvloop.run(serve())


@contextmanager
def database(folder: Path, *, is_postgresql: bool) -> Iterator[str]:
    if is_postgresql:
        with postgresql(folder) as url:
            yield url
    else:
        yield f"sqlite:///{folder}/rush.db"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rush", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument(
        "--times", type=int, default=5, help="multiple of the capacity at which customers arrive"
    )
    parser.add_argument("--capacity", type=float, help="purchases a second; measured if not given")
    parser.add_argument("--first-rate", type=float, default=20, help="of the measurement of the capacity")
    parser.add_argument("--thinks", type=float, default=1.0, help="mean pause between steps in seconds")
    parser.add_argument("--hot", action="store_true", help="everyone wants the same day")
    parser.add_argument("--items", type=int, default=4, help="tickets of a customer")
    parser.add_argument("--postgresql", action="store_true")
    parser.add_argument("--seed", default="2026")
    parser.add_argument("options", nargs="*", help="options of faregate serve, after --")
    given = parser.parse_args()
    stream = Stream(given.first_rate, given.seconds, given.hot, given.items, given.thinks, given.seed)
    with (
        TemporaryDirectory() as name,
        database(Path(name), is_postgresql=given.postgresql) as url,
        serving(Path(name), url, *given.options) as (_, port),
        refusing() as refusing_port,
    ):
        found = given.capacity or capacity(port, stream, (given.times, refusing_port))
        log = Path(name) / "log.jsonl"
        before = log.read_bytes().count(b"\n")
        print(
            f"capacity: {found:.1f} purchases a second; {found * given.times:.0f} customers a second arrive"
        )
        whole = stream._replace(rate=found * given.times)
        report = uvloop.run(rush(port, whole))
        print(*report.lines(whole), sep="\n")
        print(f"log lines: {log.read_bytes().count(bytes([10])) - before}", flush=True)


if __name__ == "__main__":
    main()
