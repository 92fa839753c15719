"""A backup taken during purchases contains everything acknowledged before, and is consistent.

It is restored elsewhere and served: repeated requests get the same responses.
"""

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from faregate_server.audit.findings import Rule
from faregate_server.store.migrate import migrate
from support.cli.running import run
from support.payment.till import CATALOGUE, DATABASES, database, meal, shop
from support.payment.used_shop import use
from support.service.service import Json
from support.stores.later_migration import add_later_migration
from support.stores.spoiling import sqlite_path

pytestmark = pytest.mark.slow

ENOUGH = 25
"""Number of changes before the backup begins, and after it has ended."""


class Change(NamedTuple):
    """An acknowledged change with its response."""

    method: str
    path: str
    body: Json
    key: str
    answer: Json


class Customers:
    """Customers who buy until they are stopped, while ``acknowledged`` grows."""

    def __init__(self, client: TestClient) -> None:
        self.acknowledged: list[Change] = []
        self._client = client
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._buy) for _ in range(3)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def wait_for(self, more: int) -> None:
        """Wait until *more* further changes are acknowledged."""
        deadline, enough = time.monotonic() + 60, len(self.acknowledged) + more
        while len(self.acknowledged) < enough:
            assert time.monotonic() < deadline, "nobody buys"
            time.sleep(0.005)

    def _buy(self) -> None:
        while not self._is_over.is_set():
            path = f"/api/checkout/{uuid4()}"
            self._change("POST", f"{path}/items", {"items": [meal(1)]})
            self._change("PATCH", f"{path}/items/1/quantity", {"delta": 1})
            self._change("POST", f"{path}/payment", {"expectedTotal": 40, "provider": "ON_SITE"})

    def _change(self, method: str, path: str, body: Json) -> None:
        key = str(uuid4())
        response = ask(self._client, method, path, body, key)
        assert response.status_code == 200, response.text
        self.acknowledged.append(Change(method, path, body, key, response.json()))


def ask(client: TestClient, method: str, path: str, body: Json, key: str) -> Any:
    """Return the response to a repeatable request."""
    return client.request(method, path, json=body, headers={"idempotency-key": key})


BackUp = Callable[[str, Path], None]


def postgresql(tool: str, *arguments: str | Path) -> None:
    """Run a PostgreSQL tool, which must succeed."""
    from support.stores.postgresql import tools

    done = subprocess.run([tools() / tool, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def back_up(url: str, file: Path) -> None:
    """Take a backup as described in docs/guides/operation.md."""
    if url.startswith("sqlite:"):
        assert run("backup", url, file).exit_code == 0
    else:
        postgresql("pg_dump", "--schema=faregate", "--format=custom", f"--file={file}", f"--dbname={url}")


def copy_the_file(url: str, file: Path) -> None:
    """Copy the file of a database without its log."""
    shutil.copy(sqlite_path(url), file)


@contextmanager
def restored(kind: str, file: Path, folder: Path) -> Iterator[str]:
    """Yield the URL of a database restored as described in docs/guides/operation.md."""
    folder.mkdir()
    if kind == "sqlite":
        shutil.copy(file, folder / "checkouts.db")
        yield f"sqlite:///{folder}/checkouts.db"
        return
    from support.stores.postgresql import empty_database

    with empty_database() as url:
        postgresql("pg_restore", "--single-transaction", "--exit-on-error", f"--dbname={url}", file)
        yield url


def under_load(url: str, file: Path, take: BackUp) -> list[Change]:
    """Take a backup during purchases; return the changes acknowledged before it began."""
    with shop(url) as till, Customers(till.client) as customers:
        customers.wait_for(ENOUGH)
        before = [*customers.acknowledged]
        take(url, file)
        customers.wait_for(ENOUGH)
    return before


def check_what_is_asked_again(url: str, changes: list[Change]) -> None:
    """Serve *url* and check that repeated *changes* get the same responses and that customers can buy."""
    with shop(url) as till:
        for change in changes:
            again = ask(till.client, *change[:4])
            assert again.headers.get("idempotency-replayed") == "true", "a change is gone"
            assert (again.status_code, again.json()) == (200, change.answer)
        with Customers(till.client) as customers:
            customers.wait_for(ENOUGH)


@pytest.mark.parametrize("kind", DATABASES)
def test_a_backup_contains_everything_acknowledged_before_it(kind: str, tmp_path: Path) -> None:
    with database(kind, tmp_path) as url:
        before = under_load(url, tmp_path / "backup", back_up)

    with restored(kind, tmp_path / "backup", tmp_path / "elsewhere") as url:
        found = run("check", url, "--catalogue", CATALOGUE)
        assert (found.exit_code, found.stderr) == (0, ""), found.stdout
        check_what_is_asked_again(url, before)
        assert run("check", url, "--catalogue", CATALOGUE).exit_code == 0
    assert len(before) >= ENOUGH


def test_a_copy_without_the_log_lacks_acknowledged_changes(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as url:
        before = under_load(url, tmp_path / "backup", copy_the_file)

    with (
        restored("sqlite", tmp_path / "backup", tmp_path / "elsewhere") as url,
        pytest.raises(AssertionError, match="a change is gone"),
    ):
        check_what_is_asked_again(url, before)


_IN_ORDER = [
    f"--table={name}" for name in ("checkouts", "capacity", "holds", "payments", "orders", "tickets")
]


def test_a_restore_into_existing_tables_fails_the_check(tmp_path: Path) -> None:
    """A restore needs an empty database: otherwise triggers interfere, and it continues without the holds."""
    with database("postgresql", tmp_path) as url, database("postgresql", tmp_path) as other:
        use(url)
        back_up(url, tmp_path / "backup")
        with pytest.raises(AssertionError, match="errors ignored on restore"):
            postgresql("pg_restore", "--data-only", *_IN_ORDER, f"--dbname={other}", tmp_path / "backup")
        found = run("check", other)

    assert found.exit_code == 1
    counted = "1000 sold and 0 held units are counted, but its holds add up to 0 and 0"
    assert f"{Rule.CAPACITY}: balance of RI...: {counted}" in found.stdout


def test_a_backup_of_an_older_revision_is_migrated_when_it_is_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = f"sqlite:///{tmp_path}/old.db"
    migrate(old)
    back_up(old, tmp_path / "backup")
    add_later_migration(tmp_path, monkeypatch)

    with restored("sqlite", tmp_path / "backup", tmp_path / "elsewhere") as url:
        assert run("check", url).exit_code == 2
        check_what_is_asked_again(url, [])
        assert run("check", url).exit_code == 0
