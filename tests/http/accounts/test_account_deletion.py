"""Scheduled deletion of accounts, which a login cancels; repeated logins. Decisions §13."""

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_http.accounts.erasure import erase, erase_due
from faregate_http.protocol.instants import instant_text, millis
from faregate_http.store.contract import Stale
from faregate_http.store.records import AccountRow, PaymentDetailRow, PersonRow
from support.service.customers import (
    ADA,
    AUTHENTICATE,
    CURRENT,
    PERSONS,
    authenticated,
    bearer,
    logged_in,
    new_person,
    rows_of,
    save,
    serving_accounts,
)
from support.service.identity_provider import Provider
from support.service.service import START, Clock, data_of

TERM = timedelta(days=30)


def test_deletion_is_due_in_30_days_and_a_repeat_does_not_postpone_it(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    headers = logged_in(client, provider.token(sub=subject))

    first = data_of(client.post(f"{CURRENT}/schedule-deletion", headers=headers))
    clock.turn(minutes=5)
    second = data_of(client.post(f"{CURRENT}/schedule-deletion", headers=headers))

    assert first["scheduledForDeletionAfter"] == instant_text(START + TERM)
    assert second == first == data_of(client.get(CURRENT, headers=headers))
    authenticated(client, provider.token(sub=subject))  # the next test erases due accounts


def test_logging_in_cancels_a_deletion(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    headers = logged_in(client, provider.token(sub=subject))
    client.post(f"{CURRENT}/schedule-deletion", headers=headers)
    clock.turn(days=30, milliseconds=-1)

    restored = data_of(authenticated(client, fresh(provider, clock, subject)))
    again = data_of(authenticated(client, fresh(provider, clock, subject)))

    assert restored["type"] == "restored_account"
    assert restored["account"]["scheduledForDeletionAfter"] is None
    assert again["type"] == "existing_account"


def test_a_repeated_deletion_shows_the_current_account(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    headers = logged_in(client, provider.token(sub=subject))
    keyed = {**headers, "idempotency-key": "deletion-1"}
    first = data_of(client.post(f"{CURRENT}/schedule-deletion", headers=keyed))
    repeated = data_of(client.post(f"{CURRENT}/schedule-deletion", headers=keyed))
    authenticated(client, provider.token(sub=subject), language="it")
    clock.turn(minutes=1)

    later = client.post(f"{CURRENT}/schedule-deletion", headers=keyed)

    assert repeated == first
    assert later.headers["idempotency-replayed"] == "true"
    assert data_of(later) == data_of(client.get(CURRENT, headers=headers))
    assert data_of(later)["language"] == "it"
    assert data_of(later)["scheduledForDeletionAfter"] is None  # a login cancelled it


def fresh(provider: Provider, clock: Clock, subject: str) -> str:
    """Return a token issued now."""
    now = int(clock.now.timestamp())
    return provider.token(sub=subject, iat=now, exp=now + 300)


def erased_count(client: TestClient, clock: Clock) -> int:
    """Run the erasure of the housekeeping."""
    assert client.portal is not None
    return client.portal.call(erase_due, client.app_state["services"].store, clock.now)


def test_an_account_and_its_persons_are_erased_after_the_term(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    token = provider.token(sub=subject, email="ada@byron.example")
    headers = logged_in(client, token)
    account = data_of(client.get(CURRENT, headers=headers))["id"]
    new_person(client, headers)
    save(client, payment_detail(account))
    client.post(f"{CURRENT}/schedule-deletion", headers=headers)
    clock.turn(days=30)
    later = bearer(fresh(provider, clock, subject))

    assert erased_count(client, clock) == 1

    [row] = rows_of(client, AccountRow, id=account)
    assert (row.issuer, row.subject, row.email, row.profile) == (None, None, "", "{}")
    assert (row.deleted_at, row.due_at) == (millis(clock.now), None)
    assert rows_of(client, PersonRow, account=account) == []
    assert rows_of(client, PaymentDetailRow, account=account) == []
    assert client.get(CURRENT, headers=later).status_code == 401
    assert erased_count(client, clock) == 0


def payment_detail(account: int, number: int = 1) -> PaymentDetailRow:
    return PaymentDetailRow(
        id=10**6 + number,
        revision=1,
        created_at=0,
        account=account,
        checkout_id=None,
        transaction_id=f"transaction-{account}-{number}",
        status="PENDING",
        is_default=False,
        method=None,
        brand="",
        code="",
        alias=None,
        request="{}",
    )


def test_a_login_after_the_term_opens_a_new_account(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    headers = logged_in(client, provider.token(sub=subject))
    old = new_person(client, headers)
    client.post(f"{CURRENT}/schedule-deletion", headers=headers)
    clock.turn(days=30)

    found = data_of(authenticated(client, fresh(provider, clock, subject)))

    assert found["type"] == "new_account"
    assert found["account"]["id"] != old["accountId"]
    assert rows_of(client, PersonRow, account=old["accountId"]) == []
    assert [row.subject for row in rows_of(client, AccountRow, id=old["accountId"])] == [None]


def test_an_account_restored_in_the_meantime_is_not_erased(
    client: TestClient, provider: Provider, clock: Clock, subject: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = logged_in(client, provider.token(sub=subject))
    client.post(f"{CURRENT}/schedule-deletion", headers=headers)
    clock.turn(days=30)
    store = client.app_state["services"].store
    find = store.find

    async def find_after_a_restoration(kind: Any, **values: Any) -> Any:
        if kind is PersonRow:
            [row] = await find(AccountRow, subject=subject)
            await store.save(None, records=[row._replace(revision=row.revision + 1, due_at=None)])
        return await find(kind, **values)

    monkeypatch.setattr(store, "find", find_after_a_restoration)
    erased = erased_count(client, clock)
    monkeypatch.undo()

    assert erased == 0
    assert [row.deleted_at for row in rows_of(client, AccountRow, subject=subject)] == [None]


def test_many_payment_details_are_erased(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    headers = logged_in(client, provider.token(sub=subject))
    account = data_of(client.post(f"{CURRENT}/schedule-deletion", headers=headers))["id"]
    save(client, *[payment_detail(account, number) for number in range(2, 1203)])
    clock.turn(days=30)

    assert erased_count(client, clock) == 1

    assert rows_of(client, PaymentDetailRow, account=account) == []


def test_housekeeping_erases_due_accounts(
    tmp_path: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("faregate_http.background.HOUSEKEEPING_SECONDS", 0.01)
    clock = Clock()
    with serving_accounts(tmp_path, provider, clock=clock) as client:
        headers = logged_in(client, provider.token())
        client.post(f"{CURRENT}/schedule-deletion", headers=headers)
        clock.turn(days=31)
        subjects: list[str | None] = []
        while None not in subjects and len(subjects) < 500:
            subjects += [row.subject for row in rows_of(client, AccountRow)]
            client.get("/health/live")

    assert subjects[-1] is None


@pytest.mark.parametrize("path", [f"{CURRENT}/schedule-deletion", PERSONS])
def test_an_account_erased_during_a_request_cannot_be_changed(
    client: TestClient, provider: Provider, subject: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = logged_in(client, provider.token(sub=subject))
    accounts = client.app_state["services"].accounts
    required = accounts.required

    async def required_and_erased(call: Any) -> AccountRow:
        account: AccountRow = await required(call)
        await erase(client.app_state["services"].store, account, START)
        return account

    monkeypatch.setattr(accounts, "required", required_and_erased)
    response = client.post(path, json={"values": ADA}, headers=headers)

    assert (response.status_code, response.json()["code"]) == (401, "invalid-token")


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
