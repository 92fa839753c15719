"""Accounts: opened by logging in, found again by tokens, erased when their time is over. Decisions §13."""

import asyncio
import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_http.accounts.erasure import erase, erase_due
from faregate_http.identity.access_tokens import LIFETIME
from faregate_http.store import Stale
from faregate_http.store.records import AccountRow, PaymentDetailRow, PersonRow
from faregate_http.wire.instants import instant_text, millis
from serving.async_service import running_here
from serving.customers import (
    ADA,
    AUTHENTICATE,
    CURRENT,
    PERSONS,
    authenticated,
    bearer,
    logged_in,
    new_person,
    rows_of,
    serving_accounts,
)
from serving.documented_fields import Nullable, undocumented
from serving.documented_schemas import schema_differences
from serving.identity_provider import AUDIENCE, SECRET, Provider, Way, providing
from serving.openapi_conformity import DOCUMENT
from serving.raw_requests import places
from serving.service import START, Clock, Json, data_of, running

TERM = timedelta(days=30)

ACCOUNT = {
    "id": "number",
    "email": "string",
    "type": {"CUSTOMER", "ADMIN"},
    "language": {"en", "de", "fr", "it"},
    "deletedAt": Nullable("date-time", "§13"),
    "scheduledForDeletionAfter": Nullable("date-time", "§13"),
    "company": Nullable("string", "§13"),
    "metaInformation": {
        "acceptedNewsletter": "boolean",
        "syncErrorWrite": "string",
        "syncErrorRead": "string",
        "importedData": {"importedFrom": "string"},
    },
}


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with providing() as provider:
        yield provider


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, provider: Provider
) -> Iterator[tuple[TestClient, Clock]]:
    clock = Clock()
    with serving_accounts(tmp_path_factory.mktemp("accounts"), provider, clock=clock) as client:
        yield client, clock


_SUBJECTS = iter(range(10**6))


@pytest.fixture
def subject() -> str:
    """Somebody who has no account yet."""
    return f"subject-{next(_SUBJECTS)}"


# ---------------------------------------------------------------- logging in


def test_the_first_login_opens_an_account_and_the_next_finds_it(
    client: TestClient, provider: Provider, subject: str
) -> None:
    token = provider.token(sub=subject)

    first, second = (data_of(authenticated(client, token)) for _ in range(2))

    assert (first["type"], second["type"]) == ("new_account", "existing_account")
    assert first["account"] == second["account"]


def test_an_account_has_the_documented_fields_and_no_others(
    client: TestClient, provider: Provider, subject: str
) -> None:
    answered = data_of(authenticated(client, provider.token(sub=subject, email="ada@byron.example")))
    headers = logged_in(client, provider.token(sub=subject))

    account = data_of(client.get(CURRENT, headers=headers))

    assert list(undocumented(account, ACCOUNT)) == []
    assert account == answered["account"]
    assert account == {
        "id": account["id"],
        "email": "ada@byron.example",
        "type": "CUSTOMER",
        "language": "en",
        "deletedAt": None,
        "scheduledForDeletionAfter": None,
        "company": None,
        "metaInformation": {
            "acceptedNewsletter": False,
            "syncErrorWrite": "",
            "syncErrorRead": "",
            "importedData": {"importedFrom": ""},
        },
    }
    assert 1 <= account["id"] < 2**53


def test_the_document_says_the_same_of_an_account() -> None:
    schema = DOCUMENT["components"]["schemas"]["Account"]

    assert list(schema_differences(ACCOUNT, schema, "", free=())) == []


def test_what_is_known_of_an_account_is_shown(client: TestClient, provider: Provider, subject: str) -> None:
    headers = logged_in(client, provider.token(sub=subject))
    [row] = rows_of(client, AccountRow, subject=subject)
    profile = {
        "company": "Engines Ltd",
        "acceptedNewsletter": True,
        "syncErrorWrite": "full",
        "syncErrorRead": "gone",
        "importedFrom": "the old shop",
    }
    save(client, row._replace(revision=row.revision + 1, type="ADMIN", profile=json.dumps(profile)))

    account = data_of(client.get(CURRENT, headers=headers))

    assert list(undocumented(account, ACCOUNT)) == []
    assert (account["type"], account["company"]) == ("ADMIN", "Engines Ltd")
    assert account["metaInformation"] == {
        "acceptedNewsletter": True,
        "syncErrorWrite": "full",
        "syncErrorRead": "gone",
        "importedData": {"importedFrom": "the old shop"},
    }


def save(client: TestClient, *records: Any) -> None:
    """Save rows as another part of the service would."""
    assert client.portal is not None
    store = client.app_state["services"].store

    async def write() -> None:
        await store.save(None, records=records)

    client.portal.call(write)


@pytest.mark.parametrize(
    ("asked", "header", "language"),
    [(None, "de", "de"), ("fr", "de", "fr"), ("it", "en", "it"), (None, "es", "en")],
)
def test_a_new_account_speaks_the_language_of_its_login(
    client: TestClient,
    provider: Provider,
    subject: str,
    asked: str | None,
    header: str,
    language: str,
) -> None:
    client.headers["accept-language"] = header
    body = {} if asked is None else {"language": asked}

    account = data_of(authenticated(client, provider.token(sub=subject), **body))["account"]

    assert account["language"] == language


def test_a_later_login_changes_the_language_only_if_it_names_one(
    client: TestClient, provider: Provider, subject: str
) -> None:
    token = provider.token(sub=subject)
    authenticated(client, token, language="fr")

    client.headers["accept-language"] = "it"
    unchanged = data_of(authenticated(client, token))["account"]
    changed = data_of(authenticated(client, token, language="de"))["account"]

    assert (unchanged["language"], changed["language"]) == ("fr", "de")


def test_the_address_follows_the_provider(client: TestClient, provider: Provider, subject: str) -> None:
    addresses = ["ada@a.example", None, "ada@b.example", "nonsense"]

    found = [data_of(authenticated(client, provider.token(sub=subject, email=email))) for email in addresses]

    emails = [answer["account"]["email"] for answer in found]
    assert emails == ["ada@a.example", "ada@a.example", "ada@b.example", "ada@b.example"]
    assert len({answer["account"]["id"] for answer in found}) == 1


def test_an_address_identifies_nobody(client: TestClient, provider: Provider) -> None:
    email = "shared@byron.example"

    accounts = [
        data_of(authenticated(client, provider.token(sub=name, email=email, email_verified=True)))["account"]
        for name in ("one", "another", "One")
    ]

    assert len({account["id"] for account in accounts}) == 3


def test_the_token_of_a_login_is_good_for_an_hour(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    response = authenticated(client, provider.token(sub=subject))
    headers = bearer(response.headers["access-token"])

    assert response.headers["access-token-expires-in"] == str(int(LIFETIME.total_seconds())) == "3600"
    assert response.headers["cache-control"] == "no-store"
    clock.turn(seconds=3599)
    assert client.get(CURRENT, headers=headers).status_code == 200
    clock.turn(seconds=1)
    refused = client.get(CURRENT, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (401, "invalid-token")


def test_a_token_of_the_provider_serves_once_its_account_exists(
    client: TestClient, provider: Provider, subject: str
) -> None:
    token = provider.token(sub=subject)
    before = client.get(CURRENT, headers=bearer(token))
    account = data_of(authenticated(client, token))["account"]

    after = client.get(CURRENT, headers=bearer(token))

    assert (before.status_code, before.json()["code"]) == (401, "invalid-token")
    assert data_of(after) == account


def test_the_scheme_is_written_as_one_likes(client: TestClient, provider: Provider, subject: str) -> None:
    token = logged_in(client, provider.token(sub=subject))["authorization"].removeprefix("Bearer ")

    for scheme in ("bearer", "BEARER", "Bearer "):
        assert client.get(CURRENT, headers={"authorization": f"{scheme} {token}"}).status_code == 200


def test_a_nonce_is_compared(client: TestClient, provider: Provider, subject: str) -> None:
    token = provider.token(sub=subject, nonce="n-1")

    assert client.post(AUTHENTICATE, json={"idToken": token, "nonce": "n-2"}).status_code == 401
    assert client.post(AUTHENTICATE, json={"idToken": token, "nonce": "n-1"}).status_code == 200


# ---------------------------------------------------------------- what the document says


def test_the_document_says_what_needs_a_token() -> None:
    described = {
        (method.upper(), path): operation
        for path, operations in DOCUMENT["paths"].items()
        for method, operation in operations.items()
    }

    assert DOCUMENT["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    for method, path in OPERATIONS:
        operation = described[method, path.replace("/persons/1", "/persons/{personId}")]
        assert "www-authenticate" in operation["responses"]["401"]["headers"]
        assert operation.get("security") == (None if path == AUTHENTICATE else [{"bearer": []}])
    login = described["POST", AUTHENTICATE]["responses"]
    assert {"access-token", "access-token-expires-in"} <= set(login["200"]["headers"])
    assert login["429"]["headers"]["retry-after"]["required"]


# ---------------------------------------------------------------- repeated and parallel


def test_fifty_first_logins_at_once_open_one_account(tmp_path: Path, provider: Provider) -> None:
    async def scenario() -> tuple[list[Any], int]:
        async with running_here(tmp_path, **settings_for(provider)) as (client, services):
            body = {"idToken": provider.token(sub="everyone")}
            responses = await asyncio.gather(*[client.post(AUTHENTICATE, json=body) for _ in range(50)])
            return list(responses), len(await services.store.find(AccountRow))

    responses, count = asyncio.run(scenario())

    assert {response.status_code for response in responses} == {200}
    types = sorted(response.json()["data"]["type"] for response in responses)
    assert types == ["existing_account"] * 49 + ["new_account"]
    assert count == 1


def settings_for(provider: Provider) -> Json:
    return {"identity_issuer": provider.url, "identity_audience": AUDIENCE, "token_secret": SECRET}


def test_a_repeated_login_is_another_login(
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


def test_nothing_is_kept_of_a_login_but_the_account(tmp_path: Path, provider: Provider, subject: str) -> None:
    with serving_accounts(tmp_path, provider) as client:
        body = {"idToken": provider.token(sub=subject)}
        response = client.post(AUTHENTICATE, json=body, headers={"idempotency-key": "login-1"})

    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    with closing(sqlite3.connect(tmp_path / "checkouts.db")) as connection:
        assert connection.execute("SELECT * FROM answers").fetchall() == []
    assert response.headers["access-token"].encode() not in stored
    assert body["idToken"].encode() not in stored
    assert subject.encode() in stored


def test_a_repeated_login_takes_back_a_deletion_that_was_asked_for_since(
    client: TestClient, provider: Provider, subject: str
) -> None:
    body = {"idToken": provider.token(sub=subject)}
    key = {"idempotency-key": "login-3"}
    first = client.post(AUTHENTICATE, json=body, headers=key)
    headers = bearer(first.headers["access-token"])
    client.post(f"{CURRENT}/schedule-deletion", headers=headers)

    second = data_of(client.post(AUTHENTICATE, json=body, headers=key))

    assert second["type"] == "restored_account"
    assert data_of(client.get(CURRENT, headers=headers)) == second["account"]
    assert second["account"]["scheduledForDeletionAfter"] is None


def test_the_key_of_one_login_is_not_that_of_another(client: TestClient, provider: Provider) -> None:
    key = {"idempotency-key": "shared-key"}

    answers = [
        client.post(AUTHENTICATE, json={"idToken": provider.token(sub=name)}, headers=key).json()
        for name in ("key-one", "key-two")
    ]

    assert answers[0]["data"]["account"]["id"] != answers[1]["data"]["account"]["id"]


# ---------------------------------------------------------------- deletion


def test_deletion_is_scheduled_for_thirty_days_and_stays_so(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    headers = logged_in(client, provider.token(sub=subject))

    first = data_of(client.post(f"{CURRENT}/schedule-deletion", headers=headers))
    clock.turn(minutes=5)
    second = data_of(client.post(f"{CURRENT}/schedule-deletion", headers=headers))

    assert first["scheduledForDeletionAfter"] == instant_text(START + TERM)
    assert second == first == data_of(client.get(CURRENT, headers=headers))
    authenticated(client, provider.token(sub=subject))  # the next test erases what is due


def test_logging_in_takes_a_deletion_back(
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


def test_a_repeated_deletion_shows_the_account_as_it_is_then(
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
    assert data_of(later)["scheduledForDeletionAfter"] is None  # a login took it back


def fresh(provider: Provider, clock: Clock, subject: str) -> str:
    """A token that is issued now."""
    now = int(clock.now.timestamp())
    return provider.token(sub=subject, iat=now, exp=now + 300)


def erased_count(client: TestClient, clock: Clock) -> int:
    """Do what the housekeeping does."""
    assert client.portal is not None
    return client.portal.call(erase_due, client.app_state["services"].store, clock.now)


def test_after_its_term_an_account_is_erased_with_its_persons(
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
        transaction_id=f"transaction-{account}-{number}",
        status="PENDING",
        is_default=False,
        is_single_use=False,
        method=None,
        brand="",
        code="",
        alias=None,
        request="{}",
    )


def test_who_comes_back_after_the_term_gets_a_new_account(
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


def test_an_account_that_is_restored_meanwhile_is_not_erased(
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


def test_many_means_of_payment_are_erased(
    client: TestClient, provider: Provider, clock: Clock, subject: str
) -> None:
    headers = logged_in(client, provider.token(sub=subject))
    account = data_of(client.post(f"{CURRENT}/schedule-deletion", headers=headers))["id"]
    save(client, *[payment_detail(account, number) for number in range(2, 1203)])
    clock.turn(days=30)

    assert erased_count(client, clock) == 1

    assert rows_of(client, PaymentDetailRow, account=account) == []


def test_the_housekeeping_erases(tmp_path: Path, provider: Provider, monkeypatch: pytest.MonkeyPatch) -> None:
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


# ---------------------------------------------------------------- without, and with a development issuer


OPERATIONS = [
    ("GET", CURRENT),
    ("POST", f"{CURRENT}/schedule-deletion"),
    ("POST", PERSONS),
    ("PATCH", f"{PERSONS}/1"),
    ("POST", AUTHENTICATE),
]


@pytest.fixture(scope="module")
def without_identity(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("anonymous")) as client:
        yield client


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@pytest.mark.parametrize("headers", [{}, bearer("x"), {"authorization": ""}])
def test_without_a_provider_there_are_no_accounts(
    without_identity: TestClient, method: str, path: str, headers: dict[str, str]
) -> None:
    response = without_identity.request(method, path, headers=headers)

    assert (response.status_code, response.json()["code"]) == (503, "identity-not-configured")


DEVELOPMENT = [
    ("GET", "/dev/identity/.well-known/openid-configuration"),
    ("GET", "/dev/identity/jwks"),
    ("POST", "/dev/identity/token"),
]


@pytest.mark.parametrize(("method", "path"), DEVELOPMENT)
def test_in_production_there_is_no_development_issuer(
    client: TestClient, without_identity: TestClient, method: str, path: str
) -> None:
    for one in (client, without_identity):
        response = one.request(method, path)
        assert (response.status_code, response.json()["code"]) == (404, "not-found")


def test_in_development_anyone_may_be_anyone(tmp_path: Path) -> None:
    with running(tmp_path, is_development=True, public_url="http://localhost:8100/") as client:
        documents = [client.request(method, path) for method, path in DEVELOPMENT[:2]]
        given = client.post(DEVELOPMENT[2][1], json={"subject": "ada", "email": "a@b.example", "nonce": "n"})
        token = given.json()["id_token"]
        account = data_of(authenticated(client, token, nonce="n"))["account"]
        shown = data_of(client.get(CURRENT, headers=bearer(token)))

    assert documents[0].json()["issuer"] == "http://localhost:8100/dev/identity"
    assert documents[0].json()["jwks_uri"] == "http://localhost:8100/dev/identity/jwks"
    assert "d" not in documents[1].json()["keys"][0]
    assert account["email"] == "a@b.example"
    assert shown == account


def test_the_development_issuer_answers_this_machine_only(tmp_path: Path) -> None:
    with running(tmp_path, is_development=True) as client:
        transport: Any = client._transport
        transport.client = ("192.0.2.1", 50_000)

        for method, path in DEVELOPMENT:
            response = client.request(method, path, json={})
            assert (response.status_code, response.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    "body",
    [{"subject": ""}, {"subject": "a" * 256}, {"subject": 1}, {"email": "a"}, {"more": 1}, {"nonce": ""}, []],
)
def test_the_development_issuer_is_strict(tmp_path: Path, body: Any) -> None:
    with running(tmp_path, is_development=True) as client:
        assert client.post(DEVELOPMENT[2][1], json=body).status_code == 422


def test_tokens_of_one_development_end_with_it(tmp_path: Path) -> None:
    with running(tmp_path, is_development=True) as client:
        token = client.post(DEVELOPMENT[2][1], json={}).json()["id_token"]
        headers = logged_in(client, token)
    with running(tmp_path, is_development=True) as client:
        assert client.get(CURRENT, headers=headers).status_code == 401
        assert client.get(CURRENT, headers=bearer(token)).status_code == 401


# ---------------------------------------------------------------- the provider is away


def test_while_the_keys_cannot_be_read_nobody_logs_in_and_nothing_counts_against_them(
    tmp_path: Path,
) -> None:
    with providing() as provider, serving_accounts(tmp_path, provider) as client:
        provider.way = Way.WITH_AN_ERROR
        for headers in ({}, bearer(provider.token())):
            for _ in range(30):
                response = client.post(AUTHENTICATE, json={"idToken": provider.token()}, headers=headers)
                assert response.json()["code"] == "identity-provider-unavailable"
                assert response.headers["retry-after"] == "10"
        shown = client.get(CURRENT, headers=bearer(provider.token()))

    assert (shown.status_code, shown.json()["code"]) == (503, "identity-provider-unavailable")


# ---------------------------------------------------------------- nothing shows


def test_no_token_name_or_address_is_logged_or_answered_with_a_refusal(
    tmp_path: Path, provider: Provider, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secrets = ["very-secret-subject", "secret@byron.example", "Secretname"]
    token = provider.token(sub=secrets[0], email=secrets[1])
    bad = [
        provider.token(sub=secrets[0], exp=1),
        token[:-8] + "AAAAAAAA",
        provider.token(sub=secrets[1] * 99),
    ]
    with serving_accounts(tmp_path, provider) as client:
        headers = logged_in(client, token)
        new_person(client, headers, lastName=secrets[2])
        refused = [client.post(AUTHENTICATE, json={"idToken": text}) for text in bad]
        refused += [client.get(CURRENT, headers=bearer(text)) for text in bad]
        refused.append(client.post(PERSONS, json={"values": {secrets[2]: secrets[2]}}, headers=headers))
        wrong_email = {"values": {"firstName": "A", "lastName": "B", "email": secrets[2]}}
        refused.append(client.post(PERSONS, json=wrong_email, headers=headers))

    assert {response.status_code for response in refused} == {401, 422}
    shown = "".join(response.text.replace(f"/values/{secrets[2]}", "") for response in refused)
    written = caplog.text + shown
    access = headers["authorization"].removeprefix("Bearer ")
    assert not [secret for secret in (*secrets, *bad, token, access, SECRET) if secret in written]


def test_a_login_that_fails_says_where(client: TestClient, provider: Provider) -> None:
    response = client.post(AUTHENTICATE, json={"idToken": provider.token(exp=1)})

    assert response.headers["www-authenticate"] == "Bearer"
    assert places(response.json()) == ["pointer /idToken"]


def test_one_account_is_not_opened_twice_by_two_processes(
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


def test_who_is_always_overtaken_is_told_to_try_again(
    client: TestClient, provider: Provider, subject: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def save_too_late(*_arguments: Any, **_named: Any) -> None:
        raise Stale("account", 1)

    monkeypatch.setattr(client.app_state["services"].store, "save", save_too_late)
    response = client.post(AUTHENTICATE, json={"idToken": provider.token(sub=subject)})

    assert (response.status_code, response.json()["code"]) == (503, "busy")
    assert response.headers["retry-after"] == "1"


@pytest.mark.parametrize("path", [f"{CURRENT}/schedule-deletion", PERSONS])
def test_an_account_that_is_erased_meanwhile_takes_no_changes(
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


def test_who_is_erased_is_not_shown_to_a_login_that_is_sent_again(
    client: TestClient, provider: Provider, subject: str
) -> None:
    body = {"idToken": provider.token(sub=subject, email="ada@byron.example")}
    key = {"idempotency-key": "login-2"}
    client.post(AUTHENTICATE, json=body, headers=key)
    [row] = rows_of(client, AccountRow, subject=subject)
    assert client.portal is not None
    client.portal.call(erase, client.app_state["services"].store, row, START)

    again = data_of(client.post(AUTHENTICATE, json=body, headers=key))

    assert again["type"] == "new_account"
    assert again["account"]["id"] != row.id
