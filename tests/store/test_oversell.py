"""Thirty-two processes want the last thousand places: exactly a thousand are sold, round after round.

``FAREGATE_OVERSELL_ROUNDS`` says how many rounds.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.buyers import ATTEMPTS, PLACES, PROCESSES, Buyers, a_sale, faults, started_buyers
from store.capacity import drop_size_check

ROUNDS = int(os.environ.get("FAREGATE_OVERSELL_ROUNDS", "1"))


@pytest.fixture(scope="module")
def buyers() -> Iterator[Buyers]:
    with started_buyers() as processes:
        yield processes


def test_the_last_places_are_sold_exactly_once(buyers: Buyers, tmp_path: Path) -> None:
    for number in range(ROUNDS):
        seed = time.time_ns()
        print(f"round {number}, seed {seed}")  # noqa: T201  shown when the test fails
        path = tmp_path / f"{number}.db"
        a_sale(path)
        accounts = buyers.race(path, seed)

        assert faults(path, accounts) == []
        given = [sum(account.accepted.values()) for account in accounts]
        assert sum(account.refused for account in accounts) > PROCESSES * ATTEMPTS // 4
        assert min(given) > 0, "some process was never let in: it was no race"


def drop_triggers(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER holds_inserted")
        connection.execute("DROP TRIGGER holds_updated")


@pytest.mark.parametrize("guard_off", [drop_size_check, drop_triggers])
def test_without_the_guard_of_the_tables_the_same_race_oversells(
    buyers: Buyers, tmp_path: Path, guard_off: Callable[[Path], None]
) -> None:
    """The code takes no care of its own, and the test sees what comes of it."""
    path = tmp_path / "unguarded.db"
    a_sale(path)
    guard_off(path)
    found = faults(path, buyers.race(path, seed=1))

    assert any("oversold" in fault for fault in found)
    assert not any(fault.startswith(f"{PLACES} of") for fault in found)
