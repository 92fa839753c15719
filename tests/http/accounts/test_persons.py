"""Persons of an account: questions, answers, owner, and age limits of passes. Decisions §13."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from faregate_http.accounts import persons as persons_module
from faregate_http.store.records import AccountRow, PersonRow
from support.service.async_service import running_here
from support.service.customers import ADA, PERSONS, bearer, logged_in, new_person, rows_of, serving_accounts
from support.service.identity_provider import AUDIENCE, SECRET, Provider
from support.service.service import Clock, Json, data_of, item, new_url

SEASON_PASS, PARTNER_TICKET = 21, 71
ACCOUNT = "/api/accounts/current"
PASS = "/api/products/season-pass"


@pytest.fixture(scope="module")
def service(
    tmp_path_factory: pytest.TempPathFactory, provider: Provider
) -> Iterator[tuple[TestClient, Clock]]:
    clock = Clock()
    with serving_accounts(tmp_path_factory.mktemp("persons"), provider, clock=clock) as client:
        yield client, clock


_SUBJECTS = iter(range(10**6))


@pytest.fixture
def headers(client: TestClient, provider: Provider) -> dict[str, str]:
    """Return the token of an account that has no persons yet."""
    token = provider.token(sub=f"subject-{next(_SUBJECTS)}", email="ada@byron.example")
    return logged_in(client, token)


def changed(client: TestClient, headers: dict[str, str], person: Json, **body: Any) -> Json:
    """Return the person after a change."""
    return data_of(client.patch(f"{PERSONS}/{person['id']}", json=body, headers=headers))


def test_a_person_belongs_to_the_account_and_keeps_its_answers(
    client: TestClient, headers: dict[str, str]
) -> None:
    person = new_person(client, headers, dateOfBirth="1815-12-10")

    assert person["values"] == {**ADA, "dateOfBirth": "1815-12-10"}
    assert 1 <= person["id"] < 2**53
    [row] = rows_of(client, PersonRow, id=person["id"])
    assert row.account == person["accountId"]


def test_the_first_person_is_the_owner(client: TestClient, headers: dict[str, str]) -> None:
    people = [new_person(client, headers, firstName=name) for name in ("Ada", "Byron", "Annabella")]

    assert [person["isOwner"] for person in people] == [True, False, False]
    ids = data_of(client.get(ACCOUNT, headers=headers))["personIds"]
    assert (ids[0], set(ids)) == (people[0]["id"], {person["id"] for person in people})
    assert changed(client, headers, people[0], values={"firstName": "A."})["isOwner"]


@pytest.mark.parametrize(
    ("language", "title"),
    [("en", "Date of birth"), ("de", "Geburtsdatum"), ("fr", "Date de naissance"), ("it", "Data di nascita")],
)
def test_the_form_is_a_json_schema_in_the_language_of_the_request(
    client: TestClient, headers: dict[str, str], language: str, title: str
) -> None:
    client.headers["accept-language"] = language

    form = new_person(client, headers)["formDefinition"]

    Draft202012Validator.check_schema(form)
    assert form["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert form["properties"]["dateOfBirth"]["title"] == title
    assert list(form["properties"]) == ["firstName", "lastName", "dateOfBirth", "email"]
    assert form["required"] == ["firstName", "lastName"]


@pytest.mark.parametrize(("language", "title"), [("en", "First name"), ("de", "Vorname")])
def test_a_product_shows_the_person_form_on_request(client: TestClient, language: str, title: str) -> None:
    headers = {"accept-language": language}
    plain = data_of(client.get(PASS, headers=headers))

    product = data_of(client.get(f"{PASS}?include=personFormDefinition", headers=headers))

    form = product.pop("personFormDefinition")
    assert form["properties"]["firstName"]["title"] == title
    assert product == plain


def test_a_product_may_require_more_answers(client: TestClient, headers: dict[str, str]) -> None:
    body = {"values": ADA, "productIds": [SEASON_PASS]}

    refused = client.post(PERSONS, json=body, headers=headers)
    person = data_of(
        client.post(
            PERSONS,
            json={**body, "values": {**ADA, "dateOfBirth": "1815-12-10"}},
            headers=headers,
        )
    )

    assert refused.json()["errors"] == [{"reason": "is missing", "pointer": "/values/dateOfBirth"}]
    assert person["formDefinition"]["required"] == ["firstName", "lastName", "dateOfBirth"]
    assert Draft202012Validator(person["formDefinition"]).is_valid(person["values"])


def test_a_product_that_the_channel_does_not_sell_is_unknown(
    client: TestClient, headers: dict[str, str]
) -> None:
    body = {"values": ADA, "productIds": [SEASON_PASS, PARTNER_TICKET, 99]}

    problem = client.post(PERSONS, json=body, headers=headers).json()

    assert (problem["status"], problem["code"]) == (422, "unknown-product")
    assert [error["pointer"] for error in problem["errors"]] == ["/productIds/1", "/productIds/2"]


def test_defaults_come_from_the_account_and_its_owner(client: TestClient, headers: dict[str, str]) -> None:
    owner = new_person(client, headers)
    other = new_person(client, headers, lastName="King")
    renamed = changed(client, headers, owner, values={"lastName": "Lovelace"})

    assert owner["defaultValues"] == renamed["defaultValues"] == {"email": "ada@byron.example"}
    assert other["defaultValues"] == {"lastName": "Byron"}
    assert changed(client, headers, other, values={})["defaultValues"] == {"lastName": "Lovelace"}


def test_without_an_email_address_none_is_proposed(client: TestClient, provider: Provider) -> None:
    headers = logged_in(client, provider.token(sub="nameless"))

    assert new_person(client, headers)["defaultValues"] == {}


@pytest.mark.parametrize(
    ("patch", "expected"),
    [
        ({}, {**ADA, "email": "a@b.example"}),
        ({"dateOfBirth": "1815-12-10"}, {**ADA, "dateOfBirth": "1815-12-10", "email": "a@b.example"}),
        ({"firstName": "A.", "email": None}, {"firstName": "A.", "lastName": "Byron"}),
    ],
)
def test_answers_are_merged(client: TestClient, headers: dict[str, str], patch: Json, expected: Json) -> None:
    person = new_person(client, headers, email="a@b.example")

    assert changed(client, headers, person, values=patch)["values"] == expected


def test_answers_to_other_products_are_kept(tmp_path: Path, provider: Provider) -> None:
    catalogue = tmp_path / "catalogue.yaml"
    catalogue.write_text(SHOP, encoding="utf-8")
    with serving_accounts(tmp_path, provider, catalogue=catalogue, channel=SHOP_CHANNEL) as client:
        headers = logged_in(client, provider.token(sub="skier"))
        skier = data_of(
            client.post(
                PERSONS, json={"values": {"name": "Ada", "size": 27}, "productIds": [1]}, headers=headers
            )
        )
        renter = changed(client, headers, skier, values={"level": "b"}, productIds=[2])
        plain = changed(client, headers, skier, values={"name": "A."})
        refused = client.patch(f"{PERSONS}/{skier['id']}", json={"values": {"size": 28}}, headers=headers)
        both = changed(client, headers, skier, values={"size": 25}, productIds=[1, 2])

    assert renter["values"] == {"name": "Ada", "size": 27, "level": "b"}
    assert plain["values"] == {"name": "A.", "size": 27, "level": "b"}
    assert list(plain["formDefinition"]["properties"]) == ["name"]
    assert refused.json()["errors"] == [{"reason": "unknown question", "pointer": "/values/size"}]
    assert both["formDefinition"]["properties"]["level"]["oneOf"] == [{"const": "b", "title": "Good"}]
    assert both["formDefinition"]["properties"]["size"]["minimum"] == 20
    assert both["formDefinition"]["properties"]["size"]["maximum"] == 30
    assert both["values"] == {"name": "A.", "size": 25, "level": "b"}


SHOP_CHANNEL = "00000000-0000-4000-8000-000000000001"
SHOP = f"""
currency: CHF
merchants: [{{identifier: m, timezone: Europe/Zurich}}]
categories: [{{id: 1, name: C}}]
personForm:
  - {{name: name, kind: text, title: Name, required: true}}
products:
  - id: 1
    slug: boots
    identifier: B
    name: Boots
    type: TICKET
    category: 1
    merchant: m
    personFields:
      - {{name: size, kind: integer, title: Size, required: true, minimum: 20}}
      - name: level
        kind: choice
        title: Level
        choices: [{{value: a, label: New}}, {{value: b, label: Good}}]
    productVariants: [{{id: 11, name: V, vatRate: 8.1, prices: [{{amount: 1}}]}}]
  - id: 2
    slug: skis
    identifier: S
    name: Skis
    type: TICKET
    category: 1
    merchant: m
    personFields:
      - {{name: size, kind: integer, title: Size, maximum: 30}}
      - name: level
        kind: choice
        title: Level
        required: true
        choices: [{{value: b, label: Well}}, {{value: c, label: Best}}]
    productVariants: [{{id: 21, name: V, vatRate: 8.1, prices: [{{amount: 1}}]}}]
channels: [{{uuid: {SHOP_CHANNEL}, name: W, type: WEB}}]
"""


def test_a_change_without_effect_is_not_saved(client: TestClient, headers: dict[str, str]) -> None:
    person = new_person(client, headers)
    before = rows_of(client, AccountRow, id=person["accountId"]), rows_of(client, PersonRow, id=person["id"])

    again = changed(client, headers, person, values=ADA)

    after = rows_of(client, AccountRow, id=person["accountId"]), rows_of(client, PersonRow, id=person["id"])
    assert (again, after) == (person, before)


def test_every_change_advances_the_revision_of_the_account(
    client: TestClient, headers: dict[str, str]
) -> None:
    person = new_person(client, headers)
    [before] = rows_of(client, AccountRow, id=person["accountId"])

    changed(client, headers, person, values={"firstName": "A."})

    [after] = rows_of(client, AccountRow, id=person["accountId"])
    assert after == before._replace(revision=before.revision + 1)


def test_the_number_of_persons_in_an_account_is_limited(
    client: TestClient, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(persons_module, "MOST_PERSONS", 3)
    people = [new_person(client, headers) for _ in range(3)]

    refused = client.post(PERSONS, json={"values": ADA}, headers=headers)

    assert (refused.status_code, refused.json()["code"]) == (409, "too-many-persons")
    assert len(rows_of(client, PersonRow, account=people[0]["accountId"])) == 3


def test_idempotency_keys_are_separate_for_each_account(
    client: TestClient, headers: dict[str, str], provider: Provider
) -> None:
    another = logged_in(client, provider.token(sub="another"))
    key = {"idempotency-key": "shared"}

    one, other = (
        data_of(client.post(PERSONS, json={"values": ADA}, headers={**token, **key}))
        for token in (headers, another)
    )

    assert one["accountId"] != other["accountId"]
    assert one["id"] != other["id"]


def test_a_stored_response_is_replayed_only_with_the_token(
    client: TestClient, headers: dict[str, str]
) -> None:
    key = {"idempotency-key": "person-2"}
    client.post(PERSONS, json={"values": ADA}, headers={**headers, **key})

    refused = client.post(PERSONS, json={"values": ADA}, headers=key)

    assert refused.status_code == 401
    assert "Ada" not in refused.text


def settings_for(provider: Provider) -> Json:
    return {"identity_issuer": provider.url, "identity_audience": AUDIENCE, "token_secret": SECRET}


def test_two_processes_never_create_two_owners(
    client: TestClient, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = client.app_state["services"].store
    save = store.save
    meanwhile: list[PersonRow] = []

    async def save_after_another(row: Any, *others: Any, records: Any = (), **named: Any) -> None:
        if not meanwhile:
            account, person = records
            meanwhile.append(person._replace(id=person.id - 1))
            await save(None, records=[account, *meanwhile])
        await save(row, *others, records=records, **named)

    monkeypatch.setattr(store, "save", save_after_another)
    person = new_person(client, headers)

    assert not person["isOwner"]
    rows = rows_of(client, PersonRow, account=person["accountId"])
    assert sorted(row.is_owner for row in rows) == [False, True]


def test_concurrent_changes_by_two_clients_are_both_kept(tmp_path: Path, provider: Provider) -> None:
    async def scenario() -> Json:
        async with running_here(tmp_path, **settings_for(provider)) as (client, _):
            token = provider.token(sub="pair")
            await client.post("/api/accounts/authenticate", json={"idToken": token})
            made = await client.post(PERSONS, json={"values": ADA}, headers=bearer(token))
            path = f"{PERSONS}/{made.json()['data']['id']}"
            patches = [{"email": "a@b.example"}, {"dateOfBirth": "1815-12-10"}, {"firstName": "A."}]
            await asyncio.gather(
                *[client.patch(path, json={"values": patch}, headers=bearer(token)) for patch in patches]
            )
            shown = await client.patch(path, json={"values": {}}, headers=bearer(token))
            return json.loads(shown.content)["data"]["values"]  # type: ignore[no-any-return]

    assert asyncio.run(scenario()) == {
        "firstName": "A.",
        "lastName": "Byron",
        "dateOfBirth": "1815-12-10",
        "email": "a@b.example",
    }


CHILD_PASS, ADULT_PASS = 213, 211
AT_15, AT_16 = "2011-11-02", "2011-11-01"  # on 1 November 2027, when the pass begins


def faults(answer: Any, key: str) -> list[tuple[str, str]]:
    return [(error[key], error["code"]) for error in answer.json()["errors"]]


def test_an_adult_cannot_get_a_child_pass(
    service_with_accounts: tuple[TestClient, Clock], provider: Provider, subject: str
) -> None:
    client, _ = service_with_accounts
    headers = logged_in(client, provider.token(sub=subject))
    old = new_person(client, headers, dateOfBirth=AT_16)["id"]
    young = new_person(client, headers, dateOfBirth=AT_15)["id"]

    def asked(variant: int, person: int) -> Any:
        body = {"items": [item(1, variant, personId=person)]}
        return client.post(f"{new_url()}/items", json=body, headers=headers)

    refused = asked(CHILD_PASS, old)

    assert (refused.status_code, refused.json()["code"]) == (422, "age-not-admitted")
    assert faults(refused, "pointer") == [("/items/0/personId", "age-not-admitted")]
    assert "ages 6 to 15 on its first day 2027-11-01" in refused.json()["errors"][0]["reason"]
    assert asked(CHILD_PASS, young).status_code == 200
    assert asked(ADULT_PASS, old).status_code == 200
