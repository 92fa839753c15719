"""A standby takes over from a primary that is killed under load.

``FAREGATE_OUTAGES=20`` sets the number of failovers.
"""

import asyncio
from pathlib import Path

import pytest

from faregate_server.store.migrate import migrate
from support.faults.outages import Shopping, live_through
from support.faults.runs import LOSS, caught, long_form, seeded
from support.faults.servers import Service, serving
from support.stores.standby import Pair, primary_and_standby

TIMES = long_form("FAREGATE_OUTAGES", 1)
_RECOVERY_SECONDS = 2
"""Maximum time from the promotion of the standby to the next change."""


def shop_through_a_failover(pair: Pair, folder: Path, *, seed: int) -> float:
    """Kill the primary under load; return the seconds from the promotion of the standby to recovery."""
    migrate(pair.url)
    (folder / "books").touch()
    service = Service(database=f"{pair.url}&timeout=2", books=str(folder / "books"), seed=seed)
    recovered = float("inf")

    async def happen(shopping: Shopping) -> None:
        nonlocal recovered
        await asyncio.to_thread(pair.fail_over)
        recovered = await shopping.until_ready()
        await shopping.goes_well()

    with serving(service) as server:
        live_through(service, server, happen, seed=seed)
    return recovered


@pytest.mark.parametrize("part", range(TIMES))
def test_a_failover_to_a_synchronous_standby_loses_nothing(tmp_path: Path, part: int) -> None:
    with primary_and_standby("tickets") as pair:
        pair.synchronize()
        recovered = shop_through_a_failover(pair, tmp_path, seed=seeded(part))

    print(f"recovered {recovered:.3f} s after the promotion")  # noqa: T201
    assert recovered < _RECOVERY_SECONDS


def test_what_a_standby_has_not_received_is_missed(tmp_path: Path) -> None:
    with primary_and_standby("tickets") as pair, caught(LOSS):
        migrate(pair.url)
        pair.wait()
        pair.cut_off()
        shop_through_a_failover(pair, tmp_path, seed=seeded(0))
