"""Many saves of one slot in PostgreSQL: they leave connections to others, and unlock the slot early."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest

from faregate_http.store.contract import Hold, SoldOut, Stale, Store
from faregate_http.store.records import PaymentRow
from faregate_server.store.postgresql.store import PostgresqlStore
from support.stores.capacity import DAY, a_hold, a_holder, held
from support.stores.postgresql_session import LOCK_CAPACITY, Beside
from support.stores.rows import SCOPE, a_row, an_answer

pytestmark = pytest.mark.slow

OTHER = "2026-12-28"


@pytest.fixture
def database_url(postgresql_url: str) -> str:
    return postgresql_url


@asynccontextmanager
async def no_disk(session: Beside) -> AsyncIterator[None]:
    """Keep commits from reaching the disk: they wait for a standby that does not exist."""
    await _standbys(session, "'nobody'")
    try:
        yield
    finally:
        await _standbys(session, "''")


async def _standbys(session: Beside, names: str) -> None:
    await session.execute(f"ALTER SYSTEM SET synchronous_standby_names = {names}")
    await session.execute("SELECT pg_reload_conf()")
    while await session.fetchval("SHOW synchronous_standby_names") != names.strip("'"):
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)  # the process that tells the others has read it, too


async def wait_on_commit(session: Beside) -> None:
    database = await session.fetchval("SELECT current_database()")
    await session.execute(f"ALTER DATABASE {database} SET synchronous_commit TO on")


async def waits(work: Awaitable[object]) -> bool:
    return not (await asyncio.wait([asyncio.ensure_future(work)], timeout=0.4))[0]


async def test_a_hot_slot_leaves_connections_to_others(store: Store, session: Beside) -> None:
    await store.save(a_row("first"), None, [a_hold(size=100), a_hold(slot=OTHER)])
    await session.execute("BEGIN")
    await session.execute(f"SELECT * FROM capacity WHERE slot = '{DAY}' FOR UPDATE")
    hot = [asyncio.create_task(store.save(a_row(f"h{n}"), None, [a_hold(size=100)])) for n in range(30)]
    await session.waiting()
    assert isinstance(store, PostgresqlStore)

    await asyncio.wait_for(store.save(a_row("other"), None, [a_hold(slot=OTHER)]), 5)
    assert store.load() == (5, 10, 25)

    await session.execute("COMMIT")
    await asyncio.gather(*hot)
    assert (await held(store), store.load()) == (31, (0, 10, 0))


async def test_a_cancelled_save_gives_its_place_back(store: Store, session: Beside) -> None:
    await store.save(a_row("first"), None, [a_hold(size=100)])
    await session.execute("BEGIN")
    await session.execute(LOCK_CAPACITY)
    hot = [asyncio.create_task(store.save(a_row(f"h{n}"), None, [a_hold(size=100)])) for n in range(20)]
    await session.waiting()
    for task in hot:
        task.cancel()
    await asyncio.wait(hot)
    await session.execute("ROLLBACK")

    await store.save(a_row("next"), None, [a_hold(size=100)])
    assert not store._pool._gate._users  # type: ignore[attr-defined]  # of this store


async def test_an_open_checkout_unlocks_its_slot_before_the_disk_has_it(
    store: Store, session: Beside
) -> None:
    await wait_on_commit(session)
    async with no_disk(session):
        saves = [
            asyncio.create_task(store.save(a_row(f"c{n}"), an_answer(f"k{n}"), [a_hold()])) for n in range(3)
        ]
        async with asyncio.timeout(5):
            while await session.fetchval("SELECT sum(held) FROM capacity") != 3:
                await asyncio.sleep(0.01)

        assert await waits(asyncio.gather(*map(asyncio.shield, saves)))
        replay = asyncio.create_task(store.answer(SCOPE, "k0"))
        assert await waits(asyncio.shield(replay)), "the response is not on disk"
    await asyncio.gather(*saves)
    assert await replay == an_answer("k0")


@pytest.mark.parametrize("kind", ["closed", "with a payment"])
async def test_what_others_act_upon_is_seen_once_it_is_on_disk(
    store: Store, session: Beside, kind: str
) -> None:
    payment = PaymentRow("p1", 1, 0, "c1", "PENDING", None, None, None, 0, "CHF", "[]", "[]", 0)
    row = a_holder("c1", is_closed=kind == "closed")

    await wait_on_commit(session)
    async with no_disk(session):
        records = [] if row.is_closed else [payment]
        save = asyncio.create_task(store.save(row, None, [a_hold()], records=records))
        assert await waits(asyncio.shield(save))
        assert await store.head("c1") is None
    await save


async def test_saves_of_several_hot_slots_are_all_or_nothing_and_never_oversell(store: Store) -> None:
    """Existing rows, and baskets with one full slot, are refused without harm to the others."""
    days = [f"2026-12-{day}" for day in range(20, 26)]

    await store.save(a_row("taken"))
    baskets = [[Hold("lift", day, 1, 20) for day in pair] for pair in pairwise(days)] * 20
    names = ["taken" if number % 10 == 9 else f"c{number}" for number in range(len(baskets))]
    saves = [store.save(a_row(name), None, basket) for name, basket in zip(names, baskets, strict=True)]
    outcomes = await asyncio.gather(*saves, return_exceptions=True)

    stale = [isinstance(found, Stale) for found in outcomes]
    assert stale == [name == "taken" for name in names]
    assert {type(found) for found in outcomes} == {type(None), SoldOut, Stale}
    for day in days:
        accepted = [
            found is None and day in {hold.slot for hold in basket}
            for found, basket in zip(outcomes, baskets, strict=True)
        ]
        assert await held(store, slot=day) == sum(accepted) <= 20
    for pair in pairwise(days):  # what still fits is sold, after all refusals
        left = min([20 - await held(store, slot=day) for day in pair])
        assert left == 0, "a basket that fits was refused"
