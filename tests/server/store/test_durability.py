"""Everything acknowledged is on disk, even if the process is killed at that instant."""

import random
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

pytestmark = pytest.mark.slow

ROUNDS = 6

# Saves forever from 16 tasks; a line is written only after the save has returned.
SAVER = """
import asyncio, os, sys
from support.stores.rows import a_row, an_answer
from faregate_server.store.opening import open_store

async def save_for_ever(store, task, round_number):
    revision, number = 0, 0
    while True:
        if revision == 5:
            revision, number = 0, number + 1
        revision += 1
        checkout_id = f"{round_number}-{task}-{number}"
        key = f"{checkout_id}-{revision}"
        inputs = b'"' + b"x" * 4000 + b'"'
        await store.save(a_row(checkout_id, revision=revision, inputs=inputs), an_answer(key))
        os.write(1, f"{checkout_id} {revision}\\n".encode())

async def main():
    store = open_store(sys.argv[1])
    await asyncio.gather(*(save_for_ever(store, task, sys.argv[2]) for task in range(16)))

asyncio.run(main())
"""


def acknowledged_before_the_kill(url: str, round_number: int, delay: float) -> list[tuple[str, int]]:
    """Kill a saver *delay* seconds after its first acknowledgement; return the acknowledged saves."""
    tests = Path(__file__).parents[2]
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tests)!r})\n{SAVER}"]
    with subprocess.Popen([*command, url, str(round_number)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        killer = Timer(delay, process.kill)
        killer.start()
        lines = [first, *process.stdout.read().splitlines(keepends=True)]
        killer.join()
    assert process.returncode == -9
    complete = [line.decode().split() for line in lines if line.endswith(b"\n")]
    return [(checkout_id, int(revision)) for checkout_id, revision in complete]


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(tmp_path: Path) -> None:
    seed = time.time_ns()
    print(f"seed {seed}")  # noqa: T201  shown when the test fails
    delays = random.Random(seed)
    path = tmp_path / "checkouts.db"
    for round_number in range(ROUNDS):
        acknowledged = acknowledged_before_the_kill(
            f"sqlite:///{path}", round_number, delays.uniform(0.001, 0.15)
        )

        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            stored = dict(connection.execute("SELECT id, revision FROM checkouts"))
            keys = {key for (key,) in connection.execute("SELECT key FROM answers")}
        assert acknowledged
        for checkout_id, revision in acknowledged:
            assert stored[checkout_id] >= revision
            assert f"{checkout_id}-{revision}" in keys
        for checkout_id, revision in stored.items():  # and no save is incomplete
            assert f"{checkout_id}-{revision}" in keys
            assert f"{checkout_id}-{revision + 1}" not in keys
