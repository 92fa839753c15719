"""Age limits of passes, checked when a person is named and again at payment."""

from dataclasses import replace
from typing import Any

from starlette.testclient import TestClient

from faregate.files import demo_catalogue
from faregate_http.accounts.person_forms import PersonForm
from support.service.customers import PERSONS, logged_in, new_person
from support.service.identity_provider import Provider
from support.service.service import Clock, data_of, item, new_url

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


def test_a_changed_date_of_birth_prevents_payment(
    service_with_accounts: tuple[TestClient, Clock], provider: Provider, subject: str
) -> None:
    client, _ = service_with_accounts
    headers = logged_in(client, provider.token(sub=subject))
    person = new_person(client, headers, dateOfBirth=AT_15)["id"]
    url = new_url()
    body = {"items": [item(1, CHILD_PASS, personId=person)]}
    total = data_of(client.post(f"{url}/items", json=body, headers=headers))["totalGross"]
    patch = {"values": {"dateOfBirth": AT_16}}
    data_of(client.patch(f"{PERSONS}/{person}", json=patch, headers=headers))

    refused = client.post(f"{url}/payment", json={"expectedTotal": total}, headers=headers)

    assert refused.status_code == 422
    assert ("/items/0/person", "age-not-admitted") in faults(refused, "checkout")


def test_the_form_of_a_child_pass_requires_a_date_of_birth() -> None:
    resort = demo_catalogue()
    products = [replace(product, person_fields=()) for product in resort.products]

    form = PersonForm(replace(resort, products=tuple(products)), [21])

    assert form.definition("en")["required"] == ["firstName", "lastName", "dateOfBirth"]
