"""Comparison of servers and stores, printed as tables: ``python -m benchmarks.http_compare``.

Each contender and the load generator, wrk, is a separate process; all use the loopback interface. Every round
measures the contenders in turn (A, B, C, A, B, C …). A ratio is the median of the ratios within the rounds;
every other figure is the median over the rounds.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from importlib.metadata import version
from itertools import count
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.compare import Table, environment
from benchmarks.http_contenders import (
    ANSWER_FILE,
    CONTENDERS,
    OURS,
    POSTGRESQL,
    RAW,
    SQLALCHEMY,
    URL_FILE,
    Commits,
    database_file,
    of_kind,
)
from benchmarks.http_load import Job, run, write_blocks
from benchmarks.http_processes import Server, Worker, postgresql, serving, started
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
    one_more_item_body,
    random_id,
    request_bytes,
)

PACKAGES = ("uvicorn", "uvloop", "httptools", "starlette", "msgspec", "orjson", "sqlalchemy", "aiosqlite")
TASKS = 64
FRESH_ID, NUMBER = "\0", "\1" * 10
"""Placeholders that the load generator replaces."""

CHECKOUTS = 1_000
"""Number of checkouts that receive items: enough that none becomes long."""

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
        """Return the median ratio of a figure, round by round."""
        pairs = zip(self.samples, to.samples, strict=True)
        return median(figure(own) / figure(other) for own, other in pairs)


def rate(sample: Sample) -> float:
    return sample.rate


def cpu(sample: Sample) -> float:
    return sample.cpu


class Timed(NamedTuple):
    """A contender, and its work for a number of seconds."""

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


SEEDS = count(1)
"""Seeds of ids, a different one for each job."""


def asked(name: str, server: Server, job: Job) -> Timed:
    """Return the contender behind *server* with the requests of *job*."""

    def take(seconds: float) -> Sample:
        before = server.cpu_seconds()
        result = run(job, seconds=seconds, seed=next(SEEDS))
        used = server.cpu_seconds() - before
        rate = result.answers / result.seconds
        return Sample(rate, used / result.answers, result.p50, result.p99, result.answers)

    return Timed(name, take)


# ---------------------------------------------------------------- reads


def read_table(size: int, rounds: int, seconds: float) -> Table:
    """Measure reads of the same checkout from each contender's own storage."""
    with TemporaryDirectory() as name, ExitStack() as processes:
        folder = Path(name)
        ours = processes.enter_context(serving(OURS, "read", folder))
        ours.answer("POST", items_path(READ_ID), add_items_body(size))
        etag, answer = ours.answer("GET", checkout_path(READ_ID))
        check_totals(answer, size)
        (folder / ANSWER_FILE).write_bytes(answer)
        shown = write_blocks(folder / "shown", [request_bytes("GET", checkout_path(READ_ID))])
        contenders = []
        for key in of_kind("read"):
            server = ours if key == OURS else processes.enter_context(serving(key, "read", folder))
            job = Job(port=server.port, requests=shown, length=_same_length(server, answer))
            contenders.append(asked(CONTENDERS[key].name, server, job))
        conditional = request_bytes("GET", checkout_path(READ_ID), etag=etag)
        unchanged = Job(
            port=ours.port, requests=write_blocks(folder / "conditional", [conditional]), status=304
        )
        contenders.append(asked("faregate, not modified (304)", ours, unchanged))
        measured = rounds_of(contenders, rounds, seconds)
    title = f"Reading a checkout of {_items(size)} ({len(answer) / 1000:.1f} kB)"
    return _http_table(title, measured, CONTENDERS[RAW].name)


def _same_length(server: Server, answer: bytes) -> int:
    _, own = server.answer("GET", checkout_path(READ_ID))
    if json.loads(own) != json.loads(answer):
        raise RuntimeError(f"expected the answer of faregate, got {own[:200]!r}")
    return len(own)


# ---------------------------------------------------------------- calendars


def calendar_table(name: str, path: str, rounds: int, seconds: float) -> Table:
    """Measure reads of the demo season, without purchases and as if one happened before each read."""
    with TemporaryDirectory() as folder_name, ExitStack() as processes:
        folder = Path(folder_name)
        ours = processes.enter_context(serving(OURS, "calendar", folder))
        _, answer = ours.answer("GET", path)
        (folder / ANSWER_FILE).write_bytes(answer)
        shown = write_blocks(folder / "shown", [request_bytes("GET", path)])
        contenders = []
        for key in of_kind("calendar"):
            server = ours if key == OURS else processes.enter_context(serving(key, "calendar", folder))
            _, own = server.answer("GET", path)
            if own != answer:
                raise RuntimeError(f"expected the answer of faregate, got {own[:200]!r}")
            job = Job(port=server.port, requests=shown, length=len(own))
            contenders.append(asked(CONTENDERS[key].name, server, job))
        measured = rounds_of(contenders, rounds, seconds)
    title = f"Reading {name} ({len(answer) / 1000:.1f} kB)"
    return _http_table(title, measured, CONTENDERS[RAW].name)


# ---------------------------------------------------------------- the gate


def gate_table(rounds: int, seconds: float) -> Table:
    """Measure prices for gates: every request differs; constant responses are those to the first."""
    exchanges = gate_exchanges()
    (first, answer), *_ = exchanges
    requests = [request_bytes("POST", GATE_PATH, body=body) for body, _ in exchanges]
    with TemporaryDirectory() as name, ExitStack() as processes:
        folder = Path(name)
        (folder / ANSWER_FILE).write_bytes(answer)
        sent = write_blocks(folder / "requests", requests)
        answers = [own for _, own in exchanges]
        known = write_blocks(folder / "answers", sorted(set(answers)))
        contenders = []
        for key in of_kind("gate"):
            server = processes.enter_context(serving(key, "gate", folder))
            server.answer("POST", GATE_PATH, first)
            contenders.append(
                asked(CONTENDERS[key].name, server, Job(port=server.port, requests=sent, answers=known))
            )
        measured = rounds_of(contenders, rounds, seconds)
    sizes = f"{mean(map(len, requests)):.0f} bytes in, {mean(map(len, answers)):.0f} bytes out"
    return _http_table(f"Prices at the gate ({sizes})", measured, CONTENDERS[RAW].name)


# ---------------------------------------------------------------- writes


def write_table(size: int, rounds: int, seconds: float) -> Table:
    """Measure adding items to a new checkout, priced and on disk before the response if the contender can."""
    body, keys = add_items_body(size), of_kind("write")
    request = request_bytes("POST", items_path(FRESH_ID), body=body, client=NUMBER)
    with TemporaryDirectory() as name:
        folder = Path(name)
        sent = write_blocks(folder / "requests", [request])
        with ExitStack() as processes:
            (folder / URL_FILE).write_text(processes.enter_context(postgresql(folder)))
            ours = processes.enter_context(serving(OURS, "write", folder))
            _, answer = ours.answer("POST", items_path(READ_ID), body)
            check_totals(answer, size)
            (folder / ANSWER_FILE).write_bytes(answer)
            contenders = []
            for key in keys:
                server = ours if key == OURS else processes.enter_context(serving(key, "write", folder))
                length = _checked_write(server, key, body, answer)
                contenders.append(
                    asked(CONTENDERS[key].name, server, Job(port=server.port, requests=sent, length=length))
                )
            measured = rounds_of(contenders, rounds, seconds)
        for key, own in zip(keys, measured, strict=True):
            if CONTENDERS[key].rows is not None:
                _check_rows(database_file(key, folder), sum(sample.acknowledged for sample in own.samples))
    sizes = f"{len(body) / 1000:.1f} kB in, {len(answer) / 1000:.1f} kB out"
    title = f"Adding {_items(size)} to a new checkout ({sizes})"
    return _http_table(title, measured, CONTENDERS[RAW].name, CONTENDERS[SQLALCHEMY].name)


def add_table(rounds: int, seconds: float) -> Table:
    """Measure adding one item to each of many existing checkouts."""
    ids = [random_id(number) for number in range(CHECKOUTS)]
    body, more = add_items_body(1), one_more_item_body(NUMBER)
    with TemporaryDirectory() as name, ExitStack() as processes:
        folder = Path(name)
        (folder / URL_FILE).write_text(processes.enter_context(postgresql(folder)))
        requests = [request_bytes("POST", items_path(each), body=more, client=NUMBER) for each in ids]
        sent = write_blocks(folder / "requests", requests)
        contenders = []
        for key in (RAW, OURS, POSTGRESQL):
            if key == RAW:
                (folder / ANSWER_FILE).write_bytes(b"x" * 6_200)
            server = processes.enter_context(serving(key, "write", folder))
            for each in ids if key != RAW else ():
                server.answer("POST", items_path(each), body)
            contenders.append(asked(CONTENDERS[key].name, server, Job(port=server.port, requests=sent)))
        measured = rounds_of(contenders, rounds, seconds)
    return _http_table("Adding 1 item to an existing checkout", measured, CONTENDERS[RAW].name)


def _items(size: int) -> str:
    return "1 item" if size == 1 else f"{size} items"


def _checked_write(server: Server, key: str, body: bytes, answer: bytes) -> int:
    """Return the response's length; compare it with ours: by value, or by bytes if it is priced."""
    _, own = server.answer("POST", items_path(READ_ID), body)
    is_same = own == answer if CONTENDERS[key].rows else json.loads(own) == json.loads(answer)
    if not is_same:
        raise RuntimeError(f"expected the answer of faregate, got {own[:200]!r} from {key}")
    return len(own)


def _check_rows(database: Path, acknowledged: int) -> None:
    """Check that all acknowledged rows exist, besides those of the warm-up."""
    with closing(sqlite3.connect(database)) as connection:
        (stored,) = connection.execute("SELECT count(*) FROM checkouts").fetchone()
    if stored < acknowledged:
        raise RuntimeError(f"{database.name}: {acknowledged} acknowledged, {stored} stored")


# ---------------------------------------------------------------- stores


def store_table(rounds: int, seconds: float) -> Table:
    """Measure durable rows of 4 kB, one transaction each, from 64 tasks."""
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
    """Return the table, with a ratio of CPU time to each of the *bases*."""
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
    "validities": tuple(partial(calendar_table, name, path) for name, path in CALENDARS.items()),
    "insights": tuple(partial(calendar_table, name, path) for name, path in INSIGHTS.items()),
    "read": tuple(partial(read_table, size) for size in SIZES),
    "write": tuple(partial(write_table, size) for size in SIZES),
    "add": (add_table,),
    "store": (store_table,),
}


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.http_compare", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="rounds of every comparison")
    parser.add_argument("--seconds", type=int, default=2, help="of each contender in each round")
    parser.add_argument("--markdown", action="store_true", help="print what README.md shows")
    parser.add_argument("--only", nargs="+", choices=TABLES, default=[*TABLES], help="some of the tables")
    options = parser.parse_args(None if arguments is None else list(arguments))
    makers = [make for name, makers in TABLES.items() if name in options.only for make in makers]
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    print(f"{environment(collect=True)}\n{packages}", flush=True)
    for make in makers:
        table = make(options.rounds, options.seconds)
        print(f"\n{table.markdown() if options.markdown else table.plain()}", flush=True)


if __name__ == "__main__":
    main()
