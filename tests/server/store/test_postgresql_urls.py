"""A URL configures a store completely, is refused with one clear message, and never reveals its password."""

import subprocess
import sys

import pytest

from faregate_server.store.locations import location, shown
from faregate_server.store.opening import open_store
from faregate_server.store.postgresql.connection import connection_options, demand_driver
from faregate_server.store.postgresql.location import PostgresqlLocation
from faregate_server.store.postgresql.store import PostgresqlStore
from faregate_server.store.unusable import UnsupportedDatabase

SECRET = "s3cr3t/@:?"
IN_URL = "s3cr3t%2F%40%3A%3F"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postgresql://db.example/tickets", PostgresqlLocation(database="tickets", host="db.example")),
        ("postgres://db.example/tickets", PostgresqlLocation(database="tickets", host="db.example")),
        (
            f"postgresql://gate:{IN_URL}@db.example:6432/tickets",
            PostgresqlLocation(
                database="tickets", host="db.example", port=6432, user="gate", password=SECRET
            ),
        ),
        ("postgresql:///tickets", PostgresqlLocation(database="tickets")),
        ("postgresql://[::1]:5433/tickets", PostgresqlLocation(database="tickets", host="::1", port=5433)),
        ("postgresql://h/two%20words", PostgresqlLocation(database="two words", host="h")),
        (
            "postgresql://gate@/tickets?host=/run/postgresql&pool_size=4&timeout=3&statement_cache=0&schema=rides_2",
            PostgresqlLocation(
                database="tickets",
                host="/run/postgresql",
                user="gate",
                pool_size=4,
                timeout=3,
                statement_cache=0,
                schema="rides_2",
            ),
        ),
        (
            "postgresql://h/tickets?sslmode=verify-full&sslrootcert=/etc/ca.pem",
            PostgresqlLocation(
                database="tickets", host="h", sslmode="verify-full", sslrootcert="/etc/ca.pem"
            ),
        ),
    ],
)
def test_a_url_is_parsed(url: str, expected: PostgresqlLocation) -> None:
    assert location(url) == expected


@pytest.mark.parametrize(
    ("rest", "told"),
    [
        ("", "no database name"),
        ("/", "no database name"),
        ("/t?poolsize=3", "unknown option poolsize: a PostgreSQL URL can have host, .*pool_size"),
        ("/t?password=s3cr3t", "unknown option password"),
        ("/t?pool_size=0", "pool_size must be a whole number from 1 to 500, got '0'"),
        ("/t?pool_size=-1", "pool_size must be a whole"),
        ("/t?pool_size=1.5", "pool_size must be a whole"),
        ("/t?pool_size=٣", "pool_size must be a whole"),
        ("/t?pool_size=99999999999999999999", "pool_size must be a whole"),
        ("/t?pool_size=1&pool_size=2", "pool_size occurs more than once in the URL"),
        ("/t?timeout=0", "timeout must be a whole number from 1 to 600"),
        ("/t?timeout=inf", "timeout must be a whole"),
        ("/t?statement_cache=-1", "statement_cache must be a whole"),
        ("/t?schema=Tickets", "schema must consist of lower-case letters, .* as in faregate, got 'Tickets'"),
        ("/t?schema=1st", "schema must consist of lower-case"),
        ("/t?schema=a%22.b", "schema must consist of lower-case"),
        ("/t?schema=pg_toast", "schema must consist of lower-case"),
        ("/t?schema=information_schema", "schema must consist of lower-case"),
        (f"/t?schema={'x' * 64}", "schema must consist of lower-case"),
        ("/t?sslmode=on", "sslmode must be one of disable, .*verify-full, got 'on'"),
        ("/t?host=/run/postgresql", "the URL has two hosts"),
        (":0/t", "port must be a whole number from 1 to 65535"),
        (":70000/t", "port must be a whole"),
        (":port/t", "not a database URL"),
    ],
)
def test_an_invalid_url_is_refused_in_one_line_without_its_password(rest: str, told: str) -> None:
    with pytest.raises(UnsupportedDatabase, match=told) as caught:
        open_store(f"postgresql://gate:{IN_URL}@db.example{rest}")

    message = str(caught.value)
    assert "s3cr3t" not in message
    assert "\n" not in message
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("driver", ["postgresql+asyncpg", "postgresql+psycopg", "mysql", "oracle"])
def test_another_driver_is_refused_with_the_supported_url(driver: str) -> None:
    with pytest.raises(UnsupportedDatabase, match=r"postgresql://user@host/name") as caught:
        open_store(f"{driver}://gate:{IN_URL}@db.example/tickets")
    assert "s3cr3t" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"postgresql://gate:{IN_URL}@h:1/t?timeout=3", "postgresql://gate@h:1/t"),
        ("postgres://h/t?password=s3cr3t", "postgres://h/t"),
        ("sqlite:////var/checkouts.db", "sqlite:////var/checkouts.db"),
        ("sqlite:///checkouts.db", "sqlite:///checkouts.db"),
        ("gate:s3cr3t@h", "the database"),
        ("postgresql://gate:s3cr3t@h:port/t", "the database"),
    ],
)
def test_a_url_is_shown_without_password_and_options(url: str, expected: str) -> None:
    assert shown(url) == expected


def test_the_password_appears_in_no_text_about_a_store() -> None:
    there = location(f"postgresql://gate:{IN_URL}@db.example/tickets")
    assert isinstance(there, PostgresqlLocation)
    store = PostgresqlStore(there)

    assert connection_options(there)["password"] == SECRET
    for text in (repr(there), str(there), repr(store), repr(vars(store)), repr(vars(store._pool))):
        assert SECRET not in text


@pytest.mark.parametrize("missing", ["asyncpg", "greenlet"])
def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setattr(
        "faregate_server.store.postgresql.connection.find_spec",
        lambda name: None if name == missing else object(),
    )

    with pytest.raises(UnsupportedDatabase, match=rf"{missing}: pip install 'faregate\[postgres\]'"):
        open_store("postgresql://h/t")


def test_an_installed_driver_is_not_reported_as_missing() -> None:
    demand_driver()


def test_the_driver_is_imported_only_for_its_database() -> None:
    code = (
        "import faregate_http.store, faregate_server.app, sys;print({'asyncpg', 'greenlet'} & {*sys.modules})"
    )

    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "set()\n"
