"""Thirty-two processes want the last thousand places: exactly a thousand are sold, round after round.

``FAREGATE_OVERSELL_ROUNDS`` says how many rounds.
"""

import os
import time
from collections.abc import Iterator

import pytest

from store.buyers import ATTEMPTS, PLACES, PROCESSES, Buyers, a_sale, faults, started_buyers
from store.capacity import ask, drop_size_check

ROUNDS = int(os.environ.get("FAREGATE_OVERSELL_ROUNDS", "1"))


@pytest.fixture(scope="module")
def buyers() -> Iterator[Buyers]:
    with started_buyers() as processes:
        yield processes


@pytest.mark.parametrize("number", range(ROUNDS))
def test_the_last_places_are_sold_exactly_once(buyers: Buyers, database_url: str, number: int) -> None:
    seed = time.time_ns()
    print(f"round {number}, seed {seed}")  # noqa: T201  shown when the test fails
    a_sale(database_url)
    accounts = buyers.race(database_url, seed)

    assert faults(database_url, accounts) == []
    given = [sum(account.accepted.values()) for account in accounts]
    assert sum(account.refused for account in accounts) > PROCESSES * ATTEMPTS // 4
    assert min(given) > 0, "some process was never let in: it was no race"


def drop_triggers(url: str) -> None:
    if url.startswith("postgresql:"):
        ask(url, "DROP TRIGGER holds_counted ON holds")
        return
    ask(url, "DROP TRIGGER holds_inserted")
    ask(url, "DROP TRIGGER holds_updated")


def test_without_the_count_of_the_tables_the_same_race_oversells(buyers: Buyers, database_url: str) -> None:
    a_sale(database_url)
    drop_triggers(database_url)
    found = faults(database_url, buyers.race(database_url, seed=1))

    assert any("oversold" in fault for fault in found)
    assert not any(fault.startswith(f"{PLACES} of") for fault in found)


def test_without_the_guard_of_the_tables_sqlite_oversells(buyers: Buyers, sqlite_url: str) -> None:
    """The code takes no care of its own there, and the test sees what comes of it."""
    a_sale(sqlite_url)
    drop_size_check(sqlite_url)
    found = faults(sqlite_url, buyers.race(sqlite_url, seed=1))

    assert any("oversold" in fault for fault in found)
    assert not any(fault.startswith(f"{PLACES} of") for fault in found)
