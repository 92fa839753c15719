"""A URL with several hosts leads to the primary, also after a failover."""

import asyncio
import socket
import time
from pathlib import Path

import pytest

from faregate_http.store.contract import StoreUnavailable
from faregate_server.store.locations import location, shown
from faregate_server.store.opening import open_store
from faregate_server.store.postgresql.location import PostgresqlLocation
from faregate_server.store.unusable import UnsupportedDatabase
from support.stores.pooler import pooler
from support.stores.postgresql import ask
from support.stores.postgresql_session import folder_of
from support.stores.rows import CHECKOUT_ID, a_row, opened
from support.stores.standby import primary_and_standby


@pytest.mark.parametrize(
    ("url", "hosts", "text"),
    [
        (
            "postgresql://u:a%2Fb@db1,db2:5433/t",
            (("db1", None), ("db2", 5433)),
            "postgresql://u@db1,db2:5433/t",
        ),
        ("postgres://db1:1,[::1]:2/t?timeout=3", (("db1", 1), ("::1", 2)), "postgres://db1:1,[::1]:2/t"),
        ("postgresql:///t?host=/run/a,/run/b", (("/run/a", None), ("/run/b", None)), "postgresql:///t"),
        ("postgresql://:77/t?host=a,b:3", (("a", 77), ("b", 3)), "postgresql://:77/t"),
        ("postgresql:///t?host=::1", (("::1", None),), "postgresql:///t"),
        ("postgresql://u:a/b,c@x/t", (("x", None),), "postgresql://u@x/t"),
    ],
)
def test_hosts_are_parsed_and_shown(url: str, hosts: object, text: str) -> None:
    there = location(url)
    assert isinstance(there, PostgresqlLocation)

    assert there.hosts == hosts
    assert there.target_session_attrs == ("read-write" if len(there.hosts) > 1 else None)
    assert shown(url) == text


@pytest.mark.parametrize("target", ["any", "primary", "read-write"])
def test_the_kind_of_server_can_be_chosen(target: str) -> None:
    there = location(f"postgresql://a,b/t?target_session_attrs={target}")

    assert isinstance(there, PostgresqlLocation)
    assert there.target_session_attrs == target


@pytest.mark.parametrize(
    ("rest", "told"),
    [
        ("a,/t", "hosts must be names or addresses .*db1:5432,db2, got 'a,'"),
        ("a,,b/t", "hosts must be names or addresses"),
        ("a,b:0/t", "port must be a whole number from 1 to 65535, got '0'"),
        ("a,b:x/t", "port must be a whole number from 1 to 65535, got 'x'"),
        ("a,b", "no database name"),
        ("a,b/t?host=c", "host occurs more than once"),
        ("a,b/t?target_session_attrs=standby", "one of any, primary, read-write, .* got 'standby'"),
    ],
)
def test_invalid_hosts_are_refused_without_the_password(rest: str, told: str) -> None:
    with pytest.raises(UnsupportedDatabase, match=told) as caught:
        open_store(f"postgresql://gate:s3cr3t@{rest}")
    assert "s3cr3t" not in str(caught.value)


async def test_a_host_that_does_not_respond_takes_only_its_share_of_the_time(
    postgresql_url: str, tmp_path: Path
) -> None:
    folder = folder_of(postgresql_url)
    url = postgresql_url.replace(folder, f"{tmp_path},{folder}")

    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(f"{tmp_path}/.s.PGSQL.5432")
        silent.listen()
        async with opened(f"{url}&timeout=2") as store:
            await store.save(a_row())
            started = time.monotonic()
            await asyncio.gather(*(store.head(CHECKOUT_ID) for _ in range(5)))  # more connections
            assert time.monotonic() - started < 0.5


def test_the_faults_of_all_hosts_are_reported() -> None:
    with pytest.raises(StoreUnavailable, match=r"no host can be used: 127.0.0.1: .*; /nowhere: .*"):
        open_store("postgresql://u@/t?host=127.0.0.1:1,/nowhere")


async def test_a_pooler_is_refused_unless_no_statements_are_cached(
    postgresql_url: str, tmp_path: Path
) -> None:
    url = postgresql_url.replace(folder_of(postgresql_url), str(tmp_path))

    async with pooler(tmp_path, folder_of(postgresql_url)):
        with pytest.raises(UnsupportedDatabase, match="add statement_cache=0 to the options of the URL"):
            await asyncio.to_thread(open_store, url)
        store = await asyncio.to_thread(open_store, f"{url}&statement_cache=0")
        await store.save(a_row())
        await store.close()


async def test_a_server_that_refuses_writes_is_left(postgresql_url: str) -> None:
    """The connections of a primary that became a standby are not used again."""

    async with opened(f"{postgresql_url}&pool_size=1") as store:
        await store.save(a_row("first"))
        connection = await store._pool._pool.acquire()  # type: ignore[attr-defined]  # of this store
        await connection.execute("SET default_transaction_read_only = on")
        await store._pool._pool.release(connection)  # type: ignore[attr-defined]  # of this store

        with pytest.raises(StoreUnavailable, match="read-only transaction"):
            await store.save(a_row())
        await store.save(a_row())


@pytest.mark.slow
async def test_a_failover_needs_no_restart() -> None:
    with primary_and_standby("tickets") as pair:
        async with opened(pair.url) as store:
            await store.save(a_row("before"))
            await asyncio.to_thread(pair.wait)
            await asyncio.to_thread(pair.fail_over)
            await store.save(a_row("after"))

        saved = ask(pair.standby_url, "SELECT id FROM checkouts ORDER BY id")
    assert [name for (name,) in saved] == ["after", "before"]
