"""Accounts: login, tokens, visibility to their owner only, and limits for guessed tokens. Decisions §13."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_http.options import FailureLimit
from faregate_http.store.records import AccountRow
from faregate_server.identity.access_tokens import LIFETIME
from support.service.customers import (
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
from support.service.identity_provider import SECRET, Provider, Way, providing
from support.service.raw_requests import places
from support.service.service import Clock, Json, data_of


def test_a_login_returns_the_same_account_as_a_read(
    client: TestClient, provider: Provider, subject: str
) -> None:
    answered = data_of(authenticated(client, provider.token(sub=subject, email="ada@byron.example")))
    headers = logged_in(client, provider.token(sub=subject))

    account = data_of(client.get(CURRENT, headers=headers))

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
        "personIds": [],
    }
    assert 1 <= account["id"] < 2**53


def test_an_account_shows_its_stored_profile(client: TestClient, provider: Provider, subject: str) -> None:
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

    assert (account["type"], account["company"]) == ("ADMIN", "Engines Ltd")
    assert account["metaInformation"] == {
        "acceptedNewsletter": True,
        "syncErrorWrite": "full",
        "syncErrorRead": "gone",
        "importedData": {"importedFrom": "the old shop"},
    }


@pytest.mark.parametrize(
    ("asked", "header", "language"),
    [(None, "de", "de"), ("fr", "de", "fr"), ("it", "en", "it"), (None, "es", "en")],
)
def test_a_new_account_has_the_language_of_its_login(
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


def test_a_later_login_changes_the_language_only_if_it_specifies_one(
    client: TestClient, provider: Provider, subject: str
) -> None:
    token = provider.token(sub=subject)
    authenticated(client, token, language="fr")

    client.headers["accept-language"] = "it"
    unchanged = data_of(authenticated(client, token))["account"]
    changed = data_of(authenticated(client, token, language="de"))["account"]

    assert (unchanged["language"], changed["language"]) == ("fr", "de")


def test_the_email_address_follows_the_provider(client: TestClient, provider: Provider, subject: str) -> None:
    addresses = ["ada@a.example", None, "ada@b.example", "nonsense"]

    found = [data_of(authenticated(client, provider.token(sub=subject, email=email))) for email in addresses]

    emails = [answer["account"]["email"] for answer in found]
    assert emails == ["ada@a.example", "ada@a.example", "ada@b.example", "ada@b.example"]
    assert len({answer["account"]["id"] for answer in found}) == 1


def test_an_email_address_does_not_identify_an_account(client: TestClient, provider: Provider) -> None:
    email = "shared@byron.example"

    accounts = [
        data_of(authenticated(client, provider.token(sub=name, email=email, email_verified=True)))["account"]
        for name in ("one", "another", "One")
    ]

    assert len({account["id"] for account in accounts}) == 3


def test_a_login_token_is_valid_for_an_hour(
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


def test_a_provider_token_is_accepted_once_its_account_exists(
    client: TestClient, provider: Provider, subject: str
) -> None:
    token = provider.token(sub=subject)
    before = client.get(CURRENT, headers=bearer(token))
    account = data_of(authenticated(client, token))["account"]

    after = client.get(CURRENT, headers=bearer(token))

    assert (before.status_code, before.json()["code"]) == (401, "invalid-token")
    assert data_of(after) == account


def test_the_authorization_scheme_is_case_insensitive(
    client: TestClient, provider: Provider, subject: str
) -> None:
    token = logged_in(client, provider.token(sub=subject))["authorization"].removeprefix("Bearer ")

    for scheme in ("bearer", "BEARER", "Bearer "):
        assert client.get(CURRENT, headers={"authorization": f"{scheme} {token}"}).status_code == 200


def test_the_nonce_must_match(client: TestClient, provider: Provider, subject: str) -> None:
    token = provider.token(sub=subject, nonce="n-1")

    assert client.post(AUTHENTICATE, json={"idToken": token, "nonce": "n-2"}).status_code == 401
    assert client.post(AUTHENTICATE, json={"idToken": token, "nonce": "n-1"}).status_code == 200


def test_a_failed_login_points_to_the_id_token(client: TestClient, provider: Provider) -> None:
    response = client.post(AUTHENTICATE, json={"idToken": provider.token(exp=1)})

    assert response.headers["www-authenticate"] == "Bearer"
    assert places(response.json()) == ["pointer /idToken"]


def test_logins_without_provider_keys_are_503_and_never_throttled(
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


def test_no_token_name_or_address_appears_in_logs_or_refusals(
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


def test_only_clients_that_guess_must_wait(tmp_path: Path) -> None:
    with (
        providing() as provider,
        serving_accounts(tmp_path, provider, login_failures=FailureLimit(3, 60)) as client,
    ):
        answers = [client.post(AUTHENTICATE, json={"idToken": "guess"}) for _ in range(4)]
        good = client.post(AUTHENTICATE, json={"idToken": provider.token()})
        transport: Any = client._transport
        transport.client = ("192.0.2.1", 50_000)
        elsewhere = client.post(AUTHENTICATE, json={"idToken": provider.token()})

    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
    assert (good.status_code, good.json()["code"]) == (429, "too-many-failures")
    assert 1 <= int(good.headers["retry-after"]) <= 60
    assert elsewhere.status_code == 200


def test_successful_logins_never_wait(tmp_path: Path) -> None:
    with (
        providing() as provider,
        serving_accounts(tmp_path, provider, login_failures=FailureLimit(1, 60)) as client,
    ):
        answers = [client.post(AUTHENTICATE, json={"idToken": provider.token()}) for _ in range(20)]
        answers += [client.post(AUTHENTICATE, json={}) for _ in range(20)]

    assert [answer.status_code for answer in answers] == [200] * 20 + [422] * 20


def test_every_issue_of_a_person_is_reported(tmp_path: Path) -> None:
    values: Json = {"firstName": "", "dateOfBirth": 1, "shoeSize": 1}
    with providing() as provider, serving_accounts(tmp_path, provider) as client:
        headers = logged_in(client, provider.token())

        refused = client.post(PERSONS, json={"values": values, "productIds": [21]}, headers=headers)

    expected = ["/values/dateOfBirth", "/values/firstName", "/values/lastName", "/values/shoeSize"]
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid-person")
    assert sorted(error["pointer"] for error in refused.json()["errors"]) == expected
