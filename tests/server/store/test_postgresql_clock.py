"""A process whose clock differs from that of the database can neither start nor release holds."""

import time
from types import SimpleNamespace

import pytest

from faregate_http.store.contract import Store, StoreUnavailable
from faregate_server.store.opening import open_store
from faregate_server.store.postgresql import clock
from support.stores.capacity import LATER, a_hold, held
from support.stores.rows import a_row

WRONG = 40 * 60.0


class Clocks:
    """The clocks of a process; ``wall`` and ``timer`` are added to the real ones."""

    def __init__(self) -> None:
        self.wall = self.timer = 0.0

    def time(self) -> float:
        return time.time() + self.wall

    def monotonic(self) -> float:
        return time.monotonic() + self.timer


@pytest.fixture
def database_url(postgresql_url: str) -> str:
    return postgresql_url


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(clock, "time", SimpleNamespace(time=clocks.time, monotonic=clocks.monotonic))
    return clocks


@pytest.mark.parametrize(("seconds", "told"), [(WRONG, "2400 s ahead of"), (-31, "3[01] s behind")])
def test_a_wrong_clock_prevents_the_start(
    database_url: str, clocks: Clocks, seconds: float, told: str
) -> None:
    clocks.wall = seconds

    with pytest.raises(StoreUnavailable, match=f"the clock of this machine is {told} that of the database"):
        open_store(database_url)


@pytest.mark.parametrize("seconds", [-29, 29])
async def test_a_small_difference_is_accepted(store: Store, clocks: Clocks, seconds: float) -> None:
    clocks.wall = seconds

    await store.save(a_row())


async def test_a_clock_that_was_set_releases_nothing_until_it_is_right(store: Store, clocks: Clocks) -> None:
    await store.save(a_row(), None, [a_hold(2)])
    clocks.wall = WRONG
    for refused in (
        store.release_expired(LATER),
        store.save(a_row("b"), None, [a_hold(9)]),
        store.check(),
    ):
        with pytest.raises(StoreUnavailable, match="clock"):
            await refused

    clocks.wall = 0.0
    assert await held(store) == 2
    await store.check()


async def test_clocks_that_drift_apart_are_noticed_within_a_minute(store: Store, clocks: Clocks) -> None:
    await store.check()
    clocks.timer = clocks.wall = clock.COMPARED_EVERY_SECONDS - 5  # as if the database's clock was set
    await store.check()
    clocks.timer = clocks.wall = clock.COMPARED_EVERY_SECONDS + 5
    with pytest.raises(StoreUnavailable, match=r"6\d s ahead"):
        await store.check()
