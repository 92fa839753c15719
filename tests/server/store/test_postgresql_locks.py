"""Concurrent saves in PostgreSQL take locks in one order, and check changed data again."""

import asyncio
import random
from collections.abc import Awaitable, Callable

import asyncpg
import pytest

from faregate_http.store.contract import Hold, SlotCount, SoldOut, Stale, Store, StoreUnavailable
from faregate_server.store.postgresql.pool import ATTEMPTS, ConnectionPool
from faregate_server.store.postgresql.session import Session
from support.stores.capacity import DAY, LATER, NOW, a_hold, a_holder, ask, held
from support.stores.postgresql_session import LOCK_CAPACITY, Beside
from support.stores.rows import a_row

CHECKOUTS = 40

SLOTS = [(pool, f"2026-12-{day}") for pool in ("gondola", "lift") for day in range(20, 26)]


@pytest.fixture
def database_url(postgresql_url: str) -> str:
    return postgresql_url


def a_basket(chance: random.Random) -> list[Hold]:
    return [Hold(pool, slot, 1, 10_000) for pool, slot in chance.sample(SLOTS, 3)]


async def change_many(store: Store) -> list[object]:
    """Save checkouts with several slots each, all at once, then with other slots."""
    chance = random.Random(7)
    outcomes: list[object] = []
    for revision in (1, 2):
        rows = [a_row(f"c{number}", revision=revision) for number in range(CHECKOUTS)]
        saves = [store.save(row, None, a_basket(chance)) for row in rows]
        outcomes += await asyncio.gather(*saves, return_exceptions=True)
    return outcomes


async def sweep_and_save(store: Store) -> list[object]:
    """Let many checkouts expire and be released during saves that still see none expired."""
    chance = random.Random(8)
    rows = [a_holder(f"e{number}", expires_at=LATER + number // 40) for number in range(160)]
    await asyncio.gather(*(store.save(row, None, a_basket(chance)) for row in rows))
    lasting = [a_holder(f"c{number}", expires_at=LATER + 99) for number in range(CHECKOUTS)]
    released, *outcomes = await asyncio.gather(
        asyncio.gather(*(store.release_expired(LATER + number) for number in range(4))),
        *(store.save(row, None, a_basket(chance)) for row in lasting),
        return_exceptions=True,
    )
    assert isinstance(released, list), released
    assert sum(released) == 160
    return [*outcomes]


@pytest.mark.parametrize("work", [change_many, sweep_and_save])
async def test_concurrent_saves_of_the_same_slots_never_deadlock(
    store: Store, database_url: str, work: Callable[[Store], Awaitable[list[object]]]
) -> None:
    outcomes = await work(store)
    await store.close()
    while ask(database_url, "SELECT FROM pg_stat_activity WHERE application_name = 'faregate'"):
        pass  # connections report their statistics when they close
    deadlocks = ask(database_url, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")

    assert (deadlocks, set(outcomes)) == ([(0,)], {None})


async def test_a_save_that_is_a_deadlock_victim_is_repeated(store: Store, session: Beside) -> None:
    """A manual transaction locks the slots in reverse order; the server selects the save as its victim."""
    first, last = a_hold(1), a_hold(1, slot="2026-12-28")

    await store.save(a_row("before"), None, [first, last])
    await session.execute("SET deadlock_timeout = '30s'")
    await session.execute("BEGIN")
    await session.execute("UPDATE capacity SET size = 10 WHERE slot = '2026-12-28'")
    save = asyncio.create_task(store.save(a_row("after"), None, [first, last]))
    await session.waiting()
    await session.execute(f"UPDATE capacity SET size = 10 WHERE slot = '{DAY}'")
    await session.execute("COMMIT")

    await save
    assert await held(store) == 2


@pytest.mark.parametrize("error", [asyncpg.DeadlockDetectedError, asyncpg.SerializationError])
async def test_attempts_are_bounded(store: Store, error: type[Exception]) -> None:
    attempts = 0

    async def work(connection: asyncpg.Connection) -> None:
        nonlocal attempts
        attempts += 1
        raise error("in the way")

    pool = store._pool  # type: ignore[attr-defined]  # of this store
    assert isinstance(pool, ConnectionPool)
    with pytest.raises(StoreUnavailable, match="in the way"):
        await pool.run(work)
    assert attempts == ATTEMPTS


async def test_a_save_that_waited_for_the_last_places_counts_again(store: Store, session: Beside) -> None:
    await store.save(a_row("first"), None, [a_hold(4)])
    await session.execute("BEGIN")
    await session.execute("UPDATE capacity SET sold = 6")
    save = asyncio.create_task(store.save(a_row("second"), None, [a_hold(1)]))
    await session.waiting()
    await session.execute("COMMIT")

    with pytest.raises(SoldOut):
        await save
    assert await store.head("second") is None


async def test_a_save_that_waited_for_a_revision_is_stale(store: Store, session: Beside) -> None:
    await store.save(a_row("c1"))
    await session.execute("BEGIN")
    await session.execute("UPDATE checkouts SET revision = 2")
    save = asyncio.create_task(store.save(a_row("c1", revision=2)))
    await session.waiting()
    await session.execute("COMMIT")

    with pytest.raises(Stale):
        await save


SETTLED = "UPDATE checkouts SET is_closed = true, revision = revision + 1"
PROLONGED = f"UPDATE checkouts SET expires_at = {LATER + 1}, revision = revision + 1"


@pytest.mark.parametrize("change", [SETTLED, PROLONGED], ids=["settled", "prolonged"])
async def test_a_checkout_changed_while_a_sweep_waits_keeps_its_places(
    store: Store, session: Beside, change: str
) -> None:
    await store.save(a_holder("c1"), None, [a_hold(3)])
    await session.execute("BEGIN")
    await session.execute(change)
    sweep = asyncio.create_task(store.release_expired(LATER))
    await session.waiting()
    await session.execute("COMMIT")

    assert await sweep == 0
    assert await session.fetchval("SELECT sum(held + sold)::int FROM capacity") == 3


async def test_a_checkout_is_settled_or_released_never_both(store: Store) -> None:
    async def race(store: Store, number: int) -> bool:
        name, pool = f"c{number}", f"pool {number}"
        await store.save(a_holder(name), None, [a_hold(3, pool=pool)])
        settle = store.save(a_holder(name, revision=2, at=LATER - 1, is_closed=True))
        settled, released = await asyncio.gather(settle, store.release_expired(LATER), return_exceptions=True)

        taken = await store.taken([pool], "", "~", at=NOW)
        if settled is None:
            assert (released, taken) == (0, [SlotCount(pool, DAY, 3, 0)])
        else:
            assert isinstance(settled, Stale)
            assert (released, taken) == (1, [])
        return settled is None

    won = [await race(store, number) for number in range(200)]

    assert {True, False} == set(won), "the same one always came first: there was no race"


async def test_concurrent_sweeps_release_each_checkout_once(database_url: str, store: Store) -> None:
    holds = [Hold(pool, slot, 1, 500) for pool, slot in SLOTS[:4]]
    await asyncio.gather(*(store.save(a_holder(f"c{n}"), None, holds) for n in range(130)))
    counts = await asyncio.gather(*(store.release_expired(LATER) for _ in range(8)))

    assert sum(counts) == 130
    assert ask(database_url, "SELECT count(*) FROM holds") == [(0,)]
    assert ask(database_url, "SELECT DISTINCT revision FROM checkouts") == [(2,)]


async def test_a_payment_can_be_written_while_its_checkout_is_swept(store: Store, session: Beside) -> None:
    """A foreign key locks the referenced row; the lock of a sweep permits that."""

    await store.save(a_holder("c1"), None, [a_hold(3)])
    await session.execute("BEGIN")
    await session.execute(LOCK_CAPACITY)
    sweep = asyncio.create_task(store.release_expired(LATER))
    await session.waiting()
    await asyncio.sleep(0.2)  # wait until the sweep has checked for a deadlock, which it does once
    await session.execute("SET LOCAL lock_timeout = '1s'")
    await session.execute(
        "INSERT INTO orders VALUES ('c1', 1, 1, NULL, 'c', 'WEB', 'r', 'CHF', 1, '{}', '', '{}')"
    )
    await session.execute("COMMIT")

    assert await sweep == 1


@pytest.mark.parametrize("level", ["serializable", "repeatable read"])
async def test_the_default_isolation_level_does_not_matter(
    database_url: str, store: Store, level: str
) -> None:
    name = ask(database_url, "SELECT current_database()")[0][0]
    ask(database_url, f"ALTER DATABASE {name} SET default_transaction_isolation = '{level}'")

    saves = [store.save(a_row(f"c{number}"), None, [a_hold(size=10)]) for number in range(40)]
    plain = [store.save(a_row("same", inputs=str(number).encode())) for number in range(40)]
    outcomes = await asyncio.gather(*saves, *plain, return_exceptions=True)

    assert outcomes[:40].count(None) == await held(store) == 10
    assert outcomes[40:].count(None) == 1
    assert {type(outcome) for outcome in outcomes} == {type(None), SoldOut, Stale}


async def test_the_check_has_a_connection_of_its_own(store: Store) -> None:
    done, pool = asyncio.Event(), store._pool  # type: ignore[attr-defined]  # of this store

    async def hold(_session: Session) -> None:
        await done.wait()

    taken = [asyncio.create_task(pool.run(hold)) for _ in range(10)]
    await asyncio.sleep(0.2)
    async with asyncio.timeout(5):
        await store.check()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await store.head("")
    done.set()
    await asyncio.gather(*taken)
