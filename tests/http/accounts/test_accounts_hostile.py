"""Guessed tokens are rate-limited, and all errors of a person are reported."""

from pathlib import Path
from typing import Any

from faregate_http.options import FailureLimit
from support.service.customers import AUTHENTICATE, PERSONS, logged_in, serving_accounts
from support.service.identity_provider import providing
from support.service.service import Json


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
