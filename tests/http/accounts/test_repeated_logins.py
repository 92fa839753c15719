"""Repeated and concurrent logins open one account. Decisions §13."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_http.store.contract import Stale
from faregate_http.store.records import AccountRow
from support.service.customers import AUTHENTICATE, CURRENT, authenticated, bearer, rows_of, serving_accounts
from support.service.identity_provider import Provider
from support.service.service import Clock, data_of


def test_a_repeated_login_is_not_replayed(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    body = {"idToken": provider.token(sub=subject)}
    key = {"idempotency-key": "login-1"}
    first = client.post(AUTHENTICATE, json=body, headers=key)
    clock.turn(minutes=1)

    second = client.post(AUTHENTICATE, json=body, headers=key)

    types = [response.json()["data"]["type"] for response in (first, second)]
    assert types == ["new_account", "existing_account"]
    assert data_of(first)["account"] == data_of(second)["account"]
    assert "idempotency-replayed" not in second.headers
    assert first.headers["access-token"] != second.headers["access-token"]
    assert client.get(CURRENT, headers=bearer(second.headers["access-token"])).status_code == 200


def test_a_login_stores_nothing_but_the_account(tmp_path: Path, provider: Provider, subject: str) -> None:
    with serving_accounts(tmp_path, provider) as client:
        body = {"idToken": provider.token(sub=subject)}
        response = client.post(AUTHENTICATE, json=body, headers={"idempotency-key": "login-1"})

    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    with closing(sqlite3.connect(tmp_path / "checkouts.db")) as connection:
        assert connection.execute("SELECT * FROM answers").fetchall() == []
    assert response.headers["access-token"].encode() not in stored
    assert body["idToken"].encode() not in stored
    assert subject.encode() in stored


def test_two_processes_do_not_open_an_account_twice(
    client: TestClient, provider: Provider, subject: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = client.app_state["services"].store
    save_row = store.save
    missed: list[Any] = []

    async def save_after_another(row: Any, *others: Any, records: Any = (), **named: Any) -> None:
        if not missed:
            missed.append(records)
            [account] = records
            await save_row(None, records=[account._replace(id=account.id - 1)])
        try:
            await save_row(row, *others, records=records, **named)
        except Stale:
            missed.append("stale")
            raise

    monkeypatch.setattr(store, "save", save_after_another)
    found = data_of(authenticated(client, provider.token(sub=subject)))

    assert found["type"] == "existing_account"
    assert missed[1] == "stale"
    assert len(rows_of(client, AccountRow, subject=subject)) == 1


def test_a_login_that_always_loses_the_race_is_503(
    client: TestClient, provider: Provider, subject: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def save_too_late(*_arguments: Any, **_named: Any) -> None:
        raise Stale("account", 1)

    monkeypatch.setattr(client.app_state["services"].store, "save", save_too_late)
    response = client.post(AUTHENTICATE, json={"idToken": provider.token(sub=subject)})

    assert (response.status_code, response.json()["code"]) == (503, "busy")
    assert response.headers["retry-after"] == "1"
