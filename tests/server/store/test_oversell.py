"""Thirty-two processes compete for the last thousand units: exactly a thousand are sold, in every round.

``FAREGATE_OVERSELL_ROUNDS`` sets the number of rounds.
"""

import os
import time
from collections.abc import Iterator

import pytest

from support.stores.buyers import ATTEMPTS, PROCESSES, Buyers, a_sale, faults, started_buyers

pytestmark = pytest.mark.slow

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
    assert min(given) > 0, "a process never got its turn: there was no race"
