"""Whatever happens to the server or the network, a store reports it in time, loses nothing and recovers."""

import asyncio
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy import Connection

from faregate_http.store.contract import Stale, Store, StoreUnavailable
from faregate_server.store.locations import location
from faregate_server.store.opening import open_store
from faregate_server.store.postgresql import pool as postgresql_pool
from faregate_server.store.postgresql.connection import connect
from faregate_server.store.postgresql.location import PostgresqlLocation
from faregate_server.store.postgresql.session import Session
from support.stores.capacity import a_hold, held
from support.stores.postgresql import ask, server
from support.stores.postgresql_session import LOCK_CAPACITY, Beside, beside, folder_of
from support.stores.rows import CHECKOUT_ID, SCOPE, a_row, an_answer, opened
from support.stores.stalling_proxy import stalling_proxy

PATIENT_SECONDS = 1
"""The timeout of stores that must wait."""


@pytest.fixture
def database_url(postgresql_url: str) -> str:
    return postgresql_url


async def unavailable(asked: Awaitable[object], told: str | None = None) -> None:
    """Check that a call fails in time with StoreUnavailable."""
    started = time.monotonic()
    with pytest.raises(StoreUnavailable, match=told) as caught:
        await asked
    assert "\n" not in str(caught.value)
    assert time.monotonic() - started < PATIENT_SECONDS + 5


@pytest.fixture
def impatient_url(database_url: str) -> str:
    return f"{database_url}&timeout={PATIENT_SECONDS}"


async def test_a_connection_that_is_killed_in_a_transaction_saves_nothing(
    store: Store, session: Beside
) -> None:
    await store.save(a_row("first"), None, [a_hold(1)])
    await session.execute("BEGIN")
    await session.execute(LOCK_CAPACITY)
    save = asyncio.create_task(store.save(a_row(), an_answer(), [a_hold(2)]))
    (pid,) = await session.waiting()
    await session.fetch("SELECT pg_terminate_backend($1)", pid)

    await unavailable(save)
    await session.execute("ROLLBACK")
    assert await store.head(CHECKOUT_ID) is None
    await store.save(a_row(), an_answer(), [a_hold(2)])
    assert await held(store) == 3


async def test_killed_idle_connections_are_replaced(store: Store, session: Beside) -> None:
    await asyncio.gather(*(store.save(a_row(f"c{number}")) for number in range(20)))
    await session.fetch(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'faregate'"
    )
    await asyncio.sleep(0.1)

    await asyncio.gather(*(store.save(a_row(f"d{number}")) for number in range(20)))


async def test_a_cancelled_save_leaves_no_lock_and_no_row(store: Store, session: Beside) -> None:
    await store.save(a_row("first"), None, [a_hold(1)])
    await session.execute("BEGIN")
    await session.execute(LOCK_CAPACITY)
    save = asyncio.create_task(store.save(a_row(), None, [a_hold(2)]))
    await session.waiting()
    save.cancel()
    with pytest.raises(asyncio.CancelledError):
        await save
    await session.execute("COMMIT")

    await store.save(a_row(), None, [a_hold(3)])
    assert await held(store) == 4


async def test_a_server_that_stops_under_load_is_unavailable_until_it_starts_again(
    impatient_url: str,
) -> None:
    saved: set[str] = set()
    wrong: list[BaseException] = []
    refused = 0

    async def keep_saving(store: Store, task: int, done: asyncio.Event) -> None:
        nonlocal refused
        number = 0
        while not done.is_set():
            number += 1
            name = f"{task}-{number}"
            try:
                await store.save(a_row(name), an_answer(name), [a_hold(size=10**6)])
                saved.add(name)
            except StoreUnavailable:
                refused += 1
                await asyncio.sleep(0.01)
            except Exception as error:
                wrong.append(error)

    async with opened(impatient_url) as store:
        done = asyncio.Event()
        tasks = [asyncio.create_task(keep_saving(store, task, done)) for task in range(16)]
        await asyncio.sleep(0.3)
        try:
            await asyncio.to_thread(server().stop)
            await asyncio.sleep(0.2)
            before = len(saved)
        finally:
            await asyncio.to_thread(server().start)
        await asyncio.sleep(0.5)
        done.set()
        await asyncio.gather(*tasks)

        assert len(saved) > before > 0
        assert refused > 0
        assert wrong == []
        assert [await store.head(name) for name in saved].count(None) == 0
        await store.check()
    ((rows, held_units),) = ask(
        impatient_url.partition("&")[0],
        "SELECT (SELECT count(*) FROM checkouts), (SELECT sum(held)::int FROM capacity)",
    )
    assert rows == held_units >= len(saved)


@pytest.mark.parametrize(
    "error",
    [
        asyncpg.InternalClientError("another operation is in progress"),
        asyncpg.InterfaceError("connection is closed"),
        asyncpg.ClientConfigurationError("no such certificate"),
        asyncpg.ConnectionDoesNotExistError("closed in the middle of operation"),
        asyncpg.ProtocolError("unexpected message"),
        ConnectionResetError("reset by peer"),
        asyncio.IncompleteReadError(b"", 1),
        TimeoutError(),
    ],
    ids=repr,
)
async def test_every_error_of_the_driver_is_reported_as_unavailable(store: Store, error: Exception) -> None:
    async def work(_session: Session) -> None:
        raise error

    await unavailable(store._pool.run(work))  # type: ignore[attr-defined]  # of this store
    await store.check()


async def test_migrations_have_no_timeout(empty_postgresql_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The timeout applies to regular queries only."""
    migrations = sys.modules["faregate_server.store.migrate"]

    def slowly(connection: Connection, upgrade: Callable[[Connection], None] = migrations.upgrade) -> None:
        connection.exec_driver_sql("SELECT pg_sleep(1.2)")
        time.sleep(1.2)
        upgrade(connection)

    monkeypatch.setattr(migrations, "upgrade", slowly)
    async with opened(f"{empty_postgresql_url}&timeout={PATIENT_SECONDS}") as store:
        await store.save(a_row())


async def test_a_wait_for_a_free_connection_fails_in_time(impatient_url: str) -> None:
    async with opened(f"{impatient_url}&pool_size=1") as store:
        async with store._pool._session():  # type: ignore[attr-defined]  # of this store
            await asyncio.gather(
                unavailable(store.head(CHECKOUT_ID), "within 1 s"),
                unavailable(store.save(a_row()), "within 1 s"),
                unavailable(store.save(a_row(), an_answer(), [a_hold(1)]), "within 1 s"),
            )

        assert await store.head(CHECKOUT_ID) is None
        await store.save(a_row())


async def test_a_wait_for_a_lock_fails_in_time_and_saves_nothing(impatient_url: str) -> None:
    async with opened(impatient_url) as store, beside(impatient_url) as session:
        await store.save(a_row("first"), None, [a_hold(1)])
        await session.execute("BEGIN")
        await session.execute(LOCK_CAPACITY)

        await unavailable(store.save(a_row(), None, [a_hold(2)]))
        await session.execute("COMMIT")
        assert await store.head(CHECKOUT_ID) is None
        await store.save(a_row(), None, [a_hold(2)])


async def test_a_service_cut_off_in_a_transaction_locks_nothing_for_long(impatient_url: str) -> None:
    """The server itself ends abandoned transactions."""

    async with opened(impatient_url) as store, beside(impatient_url) as session:
        await store.save(a_row())
        there = location(impatient_url)
        assert isinstance(there, PostgresqlLocation)
        cut_off = await connect(there)
        await cut_off.execute("BEGIN")
        await cut_off.execute("UPDATE faregate.checkouts SET revision = 2")
        await session.execute("SET lock_timeout = '10s'")
        await session.execute("UPDATE checkouts SET channel = 'mine'")

        cut_off.terminate()
        assert await store.checkout(CHECKOUT_ID) == a_row()._replace(channel="mine")


async def test_a_silent_network_is_detected_in_time(
    impatient_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_pool, "CLOSING_SECONDS", 0.5)

    async with stalling_proxy(tmp_path, folder_of(impatient_url)) as proxy:
        url = impatient_url.replace(folder_of(impatient_url), str(tmp_path))
        store = await asyncio.to_thread(open_store, url)
        try:
            await store.save(a_row(), None, [a_hold(1)])
            proxy.is_open.clear()
            await asyncio.gather(
                unavailable(store.head("c1"), "within 1 s"),
                unavailable(store.save(a_row("c2"), an_answer(), [a_hold(1)]), "within 1 s"),
                unavailable(store.save(a_row("c3")), "within 1 s"),
            )
            proxy.is_open.set()
            assert await held(store) == 1
            await store.save(a_row("c2"), an_answer(), [a_hold(1)])
            proxy.is_open.clear()
        finally:
            await asyncio.wait_for(store.close(), 2)


async def test_a_server_that_accepts_but_never_replies_is_unavailable_at_start(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(f"{tmp_path}/.s.PGSQL.5432")
        silent.listen()
        url = f"postgresql://postgres@/name?host={tmp_path}&timeout={PATIENT_SECONDS}"
        await unavailable(asyncio.to_thread(open_store, url))


def test_a_database_that_does_not_exist_is_named(database_url: str) -> None:
    name = ask(database_url, "SELECT current_database()")[0][0]

    with pytest.raises(StoreUnavailable, match='database "unknown" does not exist'):
        open_store(database_url.replace(f"/{name}", "/unknown"))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://gate:secret@127.0.0.1:1/name",
        "postgresql://gate:secret@/name?host=/there/is/no/folder",
        "postgresql://gate:secret@no-such-host.invalid/name?timeout=2",
    ],
)
def test_an_unreachable_server_is_unavailable(url: str) -> None:
    with pytest.raises(StoreUnavailable) as caught:
        open_store(url)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_read_only_database_can_be_read(store: Store, database_url: str) -> None:
    await store.save(a_row())
    await store.close()
    name = ask(database_url, "SELECT current_database()")[0][0]
    ask(database_url, f"ALTER DATABASE {name} SET default_transaction_read_only = on")

    async with opened(database_url) as later:
        assert await later.checkout(CHECKOUT_ID) == a_row()
        await unavailable(later.check(), "read-only")
        await unavailable(later.save(a_row("c1")), "read-only")
        await unavailable(later.save(a_row("c1"), an_answer(), [a_hold(1)]), "read-only")
        await unavailable(later.release_expired(1), "read-only")
        await unavailable(later.purge_answers(1), "read-only")


@pytest.fixture
def gate_url(database_url: str) -> Iterator[str]:
    """Yield the URL for a role that may open two connections."""
    role = f"gate_{ask(database_url, 'SELECT current_database()')[0][0]}"
    ask(database_url, f"CREATE ROLE {role} LOGIN CONNECTION LIMIT 2")
    ask(database_url, f"GRANT USAGE ON SCHEMA faregate TO {role}")
    ask(database_url, f"GRANT ALL ON ALL TABLES IN SCHEMA faregate TO {role}")
    yield database_url.replace("postgres@", f"{role}@")
    ask(database_url, f"DROP OWNED BY {role}")
    ask(database_url, f"DROP ROLE {role}")


async def test_a_server_without_free_connections_is_unavailable(gate_url: str) -> None:
    async with opened(gate_url) as store:
        saves = [store.save(a_row(f"c{number}"), an_answer(f"k{number}")) for number in range(30)]
        outcomes = await asyncio.gather(*saves, return_exceptions=True)

        assert {type(outcome) for outcome in outcomes} == {type(None), StoreUnavailable}
        assert any("too many connections" in str(outcome) for outcome in outcomes)
        await store.save(a_row())


async def test_missing_tables_are_reported_as_such(database_url: str, store: Store) -> None:
    ask(database_url, "DROP TABLE tickets, orders, payments, holds, checkouts")

    await unavailable(store.head(CHECKOUT_ID), "checkouts")
    await unavailable(store.save(a_row()), "checkouts")


async def test_tables_changed_while_a_store_is_open_remain_usable(database_url: str, store: Store) -> None:
    await store.save(a_row(), an_answer(), [a_hold(1)])
    await store.checkout(CHECKOUT_ID)
    ask(database_url, "ALTER TABLE checkouts ADD COLUMN note TEXT")
    ask(database_url, "ALTER TABLE answers ALTER COLUMN headers TYPE VARCHAR")

    assert await store.answer(SCOPE, "k1") == an_answer()
    await store.save(a_row(revision=2), an_answer("k2"), [a_hold(2)])


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "\ud83c\udfbf"])
async def test_invalid_text_is_refused_and_the_connection_survives(store: Store, text: str) -> None:
    for asked in (
        store.save(a_row(text)),
        store.save(a_row()._replace(channel=text)),
        store.save(a_row(), an_answer(text), [a_hold(1)]),
        store.save(a_row(), None, [a_hold(1, pool=text)]),
        store.save(a_row(), None, [a_hold(1, slot=text)]),
        store.head(text),
        store.taken([text], "", "~", at=1),
    ):
        with pytest.raises(ValueError, match="the database refuses these values"):
            await asked

    assert await store.head(CHECKOUT_ID) is None


async def test_a_refused_value_is_reported_without_the_row(store: Store) -> None:
    """Rows contain personal data, and messages are logged."""

    with pytest.raises(ValueError, match="ck_checkouts_expiry") as caught:
        await store.save(a_row(inputs=b'"Zelda"')._replace(expires_at=1))
    assert "Zelda" not in str(caught.value)


async def test_a_store_works_without_cached_prepared_statements(database_url: str) -> None:
    async with opened(f"{database_url}&statement_cache=0") as store:
        await store.save(a_row(), an_answer(), [a_hold(1)])
        with pytest.raises(Stale):
            await store.save(a_row(), None, [a_hold(1)])
        assert await held(store) == 1
