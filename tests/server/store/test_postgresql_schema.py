"""A service keeps its tables apart from those of other applications in the same database."""

import asyncio
import re

import pytest

from faregate_http.store.contract import Store, StoreError, StoreUnavailable
from faregate_server.store.migrate import HEAD, migrate
from faregate_server.store.postgresql.session import TABLES
from faregate_server.store.snapshots import open_snapshot
from support.stores.capacity import a_hold, held
from support.stores.postgresql import ask
from support.stores.rows import CHECKOUT_ID, a_row, an_answer, check, opened

_TABLES_OF = "SELECT tablename FROM pg_tables WHERE schemaname = ? ORDER BY tablename"

_FOREIGN = (
    "CREATE TABLE public.orders (id TEXT PRIMARY KEY, mine TEXT)",
    "CREATE TABLE public.alembic_version (version_num TEXT)",
    "INSERT INTO public.orders VALUES ('c1', 'kept')",
    "INSERT INTO public.alembic_version VALUES ('f00d')",
)


def tables_in(url: str, schema: str) -> list[str]:
    return [name for (name,) in ask(url, _TABLES_OF, schema)]


def run(url: str, *statements: str) -> None:
    for statement in statements:
        ask(url, statement)


async def sells(store: Store) -> None:
    """Buy two units with triggers that count them."""
    await store.check()
    await store.save(a_row(), an_answer(), [a_hold(2)])
    await store.save(a_row(revision=2)._replace(is_closed=True), None, [a_hold(2)])
    assert [count.sold for count in await store.taken(["lift"], "", "~", at=0)] == [2]


def test_the_tables_are_in_their_own_schema(empty_postgresql_url: str) -> None:
    migrate(empty_postgresql_url)

    assert tables_in(empty_postgresql_url, "faregate") == [*TABLES]
    assert tables_in(empty_postgresql_url, "public") == []


def test_another_application_may_have_tables_of_the_same_names(
    empty_postgresql_url: str,
) -> None:
    run(empty_postgresql_url, *_FOREIGN)

    assert migrate(empty_postgresql_url) == (None, HEAD)
    check(empty_postgresql_url, sells)

    with open_snapshot(empty_postgresql_url) as snapshot:
        assert snapshot.missing() == []
        assert [history.checkout.id for history in snapshot.histories()] == [CHECKOUT_ID]
        assert [slot.sold for slot in snapshot.slots()] == [2]
    assert ask(empty_postgresql_url, "SELECT * FROM public.orders") == [("c1", "kept")]
    assert ask(empty_postgresql_url, "SELECT * FROM public.alembic_version") == [("f00d",)]
    assert tables_in(empty_postgresql_url, "public") == ["alembic_version", "orders"]


def test_two_services_share_a_database_in_two_schemas(empty_postgresql_url: str) -> None:
    urls = empty_postgresql_url, f"{empty_postgresql_url}&schema=order"  # a reserved word

    async def both() -> None:
        async with opened(urls[0]) as one, opened(urls[1]) as other:
            await one.save(a_row(), None, [a_hold(7)])
            await other.save(a_row(), None, [a_hold(8)])
            assert (await held(one), await held(other)) == (7, 8)

    asyncio.run(both())


@pytest.mark.parametrize("kept", [1, 2, 4], ids=["orders", "and-an-empty-revision", "and-a-revision"])
def test_a_schema_with_tables_of_another_application_is_refused(empty_postgresql_url: str, kept: int) -> None:
    run(empty_postgresql_url, *_FOREIGN[:kept])
    url = f"{empty_postgresql_url}&schema=public"
    names = "alembic_version, orders" if kept > 1 else "orders"
    told = rf"schema public has tables of another application \({names}\): name another schema .*\?schema="

    with pytest.raises(StoreUnavailable, match=told):
        migrate(url)
    with pytest.raises(StoreUnavailable, match=told), open_snapshot(url):
        pass
    assert tables_in(empty_postgresql_url, "public") == names.split(", ")


def test_a_role_needs_no_right_to_create_schemas_if_the_schema_exists(empty_postgresql_url: str) -> None:
    role = f"plain_{ask(empty_postgresql_url, 'SELECT current_database()')[0][0]}"
    url = empty_postgresql_url.replace("postgres@", f"{role}@")
    run(empty_postgresql_url, f"CREATE ROLE {role} LOGIN")
    try:
        with pytest.raises(StoreUnavailable, match="permission denied for database"):
            migrate(url)
        run(empty_postgresql_url, f"CREATE SCHEMA faregate AUTHORIZATION {role}")
        check(url, sells)
    finally:
        run(empty_postgresql_url, f"DROP OWNED BY {role}", f"DROP ROLE {role}")


@pytest.fixture
def old_url(empty_postgresql_url: str) -> str:
    """Return the URL of a database with a checkout as the release of revision 0001 left it."""
    check(f"{empty_postgresql_url}&schema=public", lambda store: store.save(a_row("c0"), None, [a_hold(1)]))
    run(
        empty_postgresql_url,
        "DROP TABLE public.failures",
        "ALTER TABLE public.tickets DROP COLUMN content",
        "ALTER TABLE public.payments DROP COLUMN language",
        "ALTER TABLE public.orders DROP COLUMN pricing",
        "ALTER FUNCTION public.count_holds() RESET search_path",
        "ALTER FUNCTION public.release_holds() RESET search_path",
        "UPDATE public.alembic_version SET version_num = '0001'",
    )
    return empty_postgresql_url


async def goes_on(store: Store) -> None:
    assert await store.checkout("c0") == a_row("c0")
    await store.save(a_row(), None, [a_hold(2)])
    assert await held(store) == 3


def refusal(url: str) -> str:
    with pytest.raises(StoreError, match="in the schema public") as caught:
        migrate(url)
    return str(caught.value)


def test_tables_left_in_public_are_used_there_if_the_url_says_so(old_url: str) -> None:
    (option,) = re.findall(r"\?(schema=\w+)", refusal(old_url))

    check(f"{old_url}&{option}", goes_on)


def test_tables_left_in_public_are_moved_by_the_statements_of_the_refusal(old_url: str) -> None:
    (statements,) = re.findall(r"run: (ALTER .*); (CREATE .*?)\. ", refusal(old_url))
    run(old_url, *statements)

    check(old_url, goes_on)
    assert tables_in(old_url, "public") == []
    with open_snapshot(old_url) as snapshot:
        assert snapshot.missing() == []


def test_with_tables_left_in_public_a_new_schema_starts_empty(old_url: str) -> None:
    (statement,) = re.findall(r"empty, run: (CREATE .*)", refusal(old_url))
    run(old_url, statement)

    check(old_url, sells)
    assert ask(old_url, "SELECT id FROM public.checkouts") == [("c0",)]
