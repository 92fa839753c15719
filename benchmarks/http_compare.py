"""Measure servers and stores side by side and print the tables: ``python -m benchmarks.http_compare``.

Each contender is a process of its own, and so is the load generator; all of them are on the loopback
interface. Every round asks one contender after the other (A, B, C, A, B, C …). A ratio is the median over
the rounds of the ratios within a round; every other figure is the median over the rounds.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from functools import partial
from importlib.metadata import version
from itertools import count, repeat
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.compare import Table, environment
from benchmarks.http_contenders import (
    ANSWER_FILE,
    CONTENDERS,
    OURS,
    RAW,
    SQLALCHEMY,
    Commits,
    database_file,
    of_kind,
)
from benchmarks.http_load import Exchange, Job, Result, write_exchanges
from benchmarks.http_processes import Server, Worker, serving, started
from benchmarks.http_workload import (
    CALENDARS,
    GATE_PATH,
    INSIGHTS,
    READ_ID,
    SIZES,
    add_items_body,
    check_totals,
    checkout_path,
    gate_exchanges,
    items_path,
    request_bytes,
)

PACKAGES = ("uvicorn", "uvloop", "httptools", "starlette", "msgspec", "orjson", "sqlalchemy", "aiosqlite")
TASKS = 64
WARM_UP_ROUNDS = 1

# ---------------------------------------------------------------- rounds


class Sample(NamedTuple):
    """One contender in one round."""

    rate: float
    cpu: float
    p50: float
    p99: float
    acknowledged: int


class Measured(NamedTuple):
    """All rounds of one contender."""

    name: str
    samples: list[Sample]

    def middle(self, figure: Callable[[Sample], float]) -> float:
        return median(figure(sample) for sample in self.samples)

    def ratio(self, to: Measured, figure: Callable[[Sample], float]) -> float:
        """How much more of a figure, round by round."""
        pairs = zip(self.samples, to.samples, strict=True)
        return median(figure(own) / figure(other) for own, other in pairs)


def rate(sample: Sample) -> float:
    return sample.rate


def cpu(sample: Sample) -> float:
    return sample.cpu


class Timed(NamedTuple):
    """What one contender does for a number of seconds."""

    name: str
    take: Callable[[float], Sample]


def rounds_of(contenders: Sequence[Timed], rounds: int, seconds: float) -> list[Measured]:
    measured = [Measured(contender.name, []) for contender in contenders]
    for number in range(-WARM_UP_ROUNDS, rounds):
        for contender, own in zip(contenders, measured, strict=True):
            sample = contender.take(seconds)
            if number >= 0:
                own.samples.append(sample)
    return measured


def asked(name: str, server: Server, load: Worker, job: Job, seeds: Iterator[int]) -> Timed:
    """The contender behind *server*, asked what *job* asks; each job gets ids that no other has."""

    def take(seconds: float) -> Sample:
        seed = None if job.seed is None else next(seeds)
        before = server.cpu_seconds()
        line = load.ask(json.dumps(asdict(replace(job, seconds=seconds, seed=seed))))
        used = server.cpu_seconds() - before
        result = Result(**json.loads(line))
        timed = result.timed / result.seconds
        return Sample(timed, used / result.answers, result.p50, result.p99, result.answers)

    return Timed(name, take)


# ---------------------------------------------------------------- reads


def read_table(size: int, rounds: int, seconds: float) -> Table:
    """The same checkout over and over, from whatever each of them has it in."""
    with TemporaryDirectory() as name, ExitStack() as processes:
        folder = Path(name)
        ours = processes.enter_context(serving(OURS, "read", folder))
        ours.answer("POST", items_path(READ_ID), add_items_body(size))
        etag, answer = ours.answer("GET", checkout_path(READ_ID))
        check_totals(answer, size)
        (folder / ANSWER_FILE).write_bytes(answer)
        load = processes.enter_context(started("benchmarks.http_load"))
        contenders = []
        for key in of_kind("read"):
            server = ours if key == OURS else processes.enter_context(serving(key, "read", folder))
            length = _same_length(server, answer)
            job = _read_job(server, length=length)
            contenders.append(asked(CONTENDERS[key].name, server, load, job, count()))
        unchanged = replace(_read_job(ours, etag=etag), status=304)
        contenders.append(asked("faregate, not modified (304)", ours, load, unchanged, count()))
        measured = rounds_of(contenders, rounds, seconds)
    title = f"Reading a checkout of {_items(size)} ({len(answer) / 1000:.1f} kB)"
    return _http_table(title, measured, CONTENDERS[RAW].name)


def _same_length(server: Server, answer: bytes) -> int:
    _, own = server.answer("GET", checkout_path(READ_ID))
    if json.loads(own) != json.loads(answer):
        raise RuntimeError(f"expected the answer of faregate, got {own[:200]!r}")
    return len(own)


def _read_job(server: Server, *, length: int = 0, etag: str = "") -> Job:
    request = request_bytes("GET", checkout_path(READ_ID), etag=etag)
    return Job(port=server.port, seconds=0, before_id=request.decode(), length=length, connections=TASKS)


# ---------------------------------------------------------------- calendars


def calendar_table(name: str, path: str, rounds: int, seconds: float) -> Table:
    """What is shown of the demo season over and over, while nobody buys; and as if somebody always did."""
    with TemporaryDirectory() as folder_name, ExitStack() as processes:
        folder = Path(folder_name)
        ours = processes.enter_context(serving(OURS, "calendar", folder))
        _, answer = ours.answer("GET", path)
        (folder / ANSWER_FILE).write_bytes(answer)
        load = processes.enter_context(started("benchmarks.http_load"))
        contenders = []
        for key in of_kind("calendar"):
            server = ours if key == OURS else processes.enter_context(serving(key, "calendar", folder))
            _, own = server.answer("GET", path)
            if own != answer:
                raise RuntimeError(f"expected the answer of faregate, got {own[:200]!r}")
            request = request_bytes("GET", path).decode()
            job = Job(port=server.port, seconds=0, before_id=request, length=len(own), connections=TASKS)
            contenders.append(asked(CONTENDERS[key].name, server, load, job, count()))
        measured = rounds_of(contenders, rounds, seconds)
    title = f"Reading {name} ({len(answer) / 1000:.1f} kB)"
    return _http_table(title, measured, CONTENDERS[RAW].name)


# ---------------------------------------------------------------- the gate


def gate_table(rounds: int, seconds: float) -> Table:
    """Prices for turnstiles: each request is another; constant answers are those to the first."""
    exchanges = gate_exchanges()
    (first, answer), *_ = exchanges
    requests = [request_bytes("POST", GATE_PATH, body=body) for body, _ in exchanges]
    with TemporaryDirectory() as name, ExitStack() as processes:
        folder = Path(name)
        (folder / ANSWER_FILE).write_bytes(answer)
        priced, constant = folder / "priced.json", folder / "constant.json"
        answers = [own for _, own in exchanges]
        write_exchanges(priced, map(Exchange, requests, answers))
        write_exchanges(constant, map(Exchange, requests, repeat(answer)))
        load = processes.enter_context(started("benchmarks.http_load"))
        contenders = []
        for key in of_kind("gate"):
            server = processes.enter_context(serving(key, "gate", folder))
            server.answer("POST", GATE_PATH, first)
            file = priced if key == OURS else constant
            job = Job(port=server.port, seconds=0, exchanges=str(file), connections=TASKS)
            contenders.append(asked(CONTENDERS[key].name, server, load, job, count()))
        measured = rounds_of(contenders, rounds, seconds)
    sizes = f"{mean(map(len, requests)):.0f} bytes in, {mean(map(len, answers)):.0f} bytes out"
    return _http_table(f"Prices at the gate ({sizes})", measured, CONTENDERS[RAW].name)


# ---------------------------------------------------------------- writes


def write_table(size: int, rounds: int, seconds: float) -> Table:
    """Items into a fresh checkout, priced and on disk before the answer, as far as one does that."""
    body, keys = add_items_body(size), of_kind("write")
    with TemporaryDirectory() as name:
        folder = Path(name)
        with ExitStack() as processes:
            ours = processes.enter_context(serving(OURS, "write", folder))
            _, answer = ours.answer("POST", items_path(READ_ID), body)
            check_totals(answer, size)
            (folder / ANSWER_FILE).write_bytes(answer)
            load = processes.enter_context(started("benchmarks.http_load"))
            seeds = count(1)
            contenders = []
            for key in keys:
                server = ours if key == OURS else processes.enter_context(serving(key, "write", folder))
                job = _write_job(server, body, _checked_write(server, key, body, answer))
                contenders.append(asked(CONTENDERS[key].name, server, load, job, seeds))
            measured = rounds_of(contenders, rounds, seconds)
        for key, own in zip(keys, measured, strict=True):
            if CONTENDERS[key].rows is not None:
                _check_rows(database_file(key, folder), sum(sample.acknowledged for sample in own.samples))
    sizes = f"{len(body) / 1000:.1f} kB in, {len(answer) / 1000:.1f} kB out"
    title = f"Adding {_items(size)} to a new checkout ({sizes})"
    return _http_table(title, measured, CONTENDERS[RAW].name, CONTENDERS[SQLALCHEMY].name)


def _items(size: int) -> str:
    return "1 item" if size == 1 else f"{size} items"


def _checked_write(server: Server, key: str, body: bytes, answer: bytes) -> int:
    """The length of its answer, which is that of ours: in value, and if it is priced, in every byte."""
    _, own = server.answer("POST", items_path(READ_ID), body)
    is_same = own == answer if CONTENDERS[key].rows else json.loads(own) == json.loads(answer)
    if not is_same:
        raise RuntimeError(f"expected the answer of faregate, got {own[:200]!r} from {key}")
    return len(own)


def _write_job(server: Server, body: bytes, length: int) -> Job:
    mark = "\0"
    request = request_bytes("POST", items_path(mark), body=body).decode()
    before, after = request.split(mark)
    return Job(
        port=server.port,
        seconds=0,
        before_id=before,
        after_id=after,
        seed=0,
        length=length,
        connections=TASKS,
    )


def _check_rows(database: Path, acknowledged: int) -> None:
    """What was answered is there (and what the warm-up left)."""
    with closing(sqlite3.connect(database)) as connection:
        (stored,) = connection.execute("SELECT count(*) FROM checkouts").fetchone()
    if stored < acknowledged:
        raise RuntimeError(f"{database.name}: {acknowledged} acknowledged, {stored} stored")


# ---------------------------------------------------------------- stores


def store_table(rounds: int, seconds: float) -> Table:
    """Rows of 4 kB, each durable by itself, from 64 tasks."""
    with TemporaryDirectory() as name, ExitStack() as processes:
        contenders = []
        for key in of_kind("store"):
            worker = processes.enter_context(started("benchmarks.http_contenders", "store", key, name))
            contenders.append(Timed(CONTENDERS[key].name.removeprefix("same core, "), _committing(worker)))
        measured = rounds_of(contenders, rounds, seconds)
    base = measured[0]
    rows = [
        [
            own.name,
            f"{own.middle(rate):,.0f}",
            f"{own.ratio(base, rate):.1f}x",
            f"{own.middle(cpu) * 1e6:,.0f}",
            f"{own.ratio(base, cpu):.2f}x",
        ]
        for own in measured
    ]
    head = ["", "commits/s", "ratio", "CPU, µs per commit", "ratio"]
    return Table(f"Durable rows of 4 kB, {TASKS} tasks", head, rows)


def _committing(worker: Worker) -> Callable[[float], Sample]:
    def take(seconds: float) -> Sample:
        done = Commits(*json.loads(worker.ask(json.dumps([seconds, TASKS]))))
        return Sample(done.rows / done.seconds, done.cpu / done.rows, 0, 0, done.rows)

    return take


# ---------------------------------------------------------------- printing


def _http_table(title: str, measured: Sequence[Measured], *bases: str) -> Table:
    """A ratio of CPU time to each of the *bases*."""
    by_name = {own.name: own for own in measured}
    rows = []
    for own in measured:
        ratios = [f"{own.ratio(by_name[base], cpu):.2f}x" for base in bases]
        requests, cost = f"{own.middle(rate):,.0f}", f"{own.middle(cpu) * 1e6:,.0f}"
        p50, p99 = (own.middle(figure) for figure in (lambda s: s.p50, lambda s: s.p99))
        rows.append([own.name, cost, *ratios, requests, f"{p50:.1f}", f"{p99:.1f}"])
    names = {CONTENDERS[RAW].name: "to raw ASGI", CONTENDERS[SQLALCHEMY].name: "to SQLAlchemy"}
    head = ["", "CPU, µs", *(names[base] for base in bases), "requests/s", "p50, ms", "p99, ms"]
    return Table(f"{title}, {TASKS} connections", head, rows)


TABLES: dict[str, tuple[Callable[[int, float], Table], ...]] = {
    "gate": (gate_table,),
    "calendar": tuple(partial(calendar_table, name, path) for name, path in CALENDARS.items()),
    "insights": tuple(partial(calendar_table, name, path) for name, path in INSIGHTS.items()),
    "read": tuple(partial(read_table, size) for size in SIZES),
    "write": tuple(partial(write_table, size) for size in SIZES),
    "store": (store_table,),
}


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.http_compare", description=__doc__)
    parser.add_argument("--rounds", type=int, default=11, help="rounds of every comparison")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each contender in each round")
    parser.add_argument("--markdown", action="store_true", help="print what README.md shows")
    parser.add_argument("--only", choices=TABLES, help="one of the tables")
    options = parser.parse_args(None if arguments is None else list(arguments))
    makers = [make for name, makers in TABLES.items() if options.only in {None, name} for make in makers]
    tables = [make(options.rounds, options.seconds) for make in makers]
    shown = [table.markdown() if options.markdown else table.plain() for table in tables]
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    print("\n\n".join([f"{environment(collect=True)}\n{packages}", *shown]))


if __name__ == "__main__":
    main()
