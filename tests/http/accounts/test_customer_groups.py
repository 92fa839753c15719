"""Discounts for customer groups: only the groups in a trusted token count. Decisions §13."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_server.identity.customer_groups import MAX_LENGTH, groups_in
from support.service.customers import bearer, logged_in, serving_accounts
from support.service.identity_provider import STRANGER, Provider, providing, signed
from support.service.service import Json, data_of, day_ticket, new_url

STAFF = """
autoDiscounts:
  - id: 990
    displayName: Staff
    discount: {discountType: PERCENTAGE, percent: 40}
    conditions: {customerGroups: [staff]}
"""


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with providing() as provider:
        yield provider


def with_staff_discount(folder: Path) -> Path:
    text = files("faregate.files").joinpath("demo_resort.yaml").read_text("utf-8")
    file = folder / "staff.yaml"
    file.write_text(text.replace("\nautoDiscounts:\n", STAFF), "utf-8")
    return file


@pytest.fixture(scope="module")
def client(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("groups")
    catalogue = with_staff_discount(folder)
    with serving_accounts(folder, provider, catalogue=catalogue, identity_groups_claim="roles") as client:
        yield client


def is_reduced(checkout: Json) -> bool:
    """Return True if *checkout* has the staff discount of 40 %."""
    return bool(checkout["totalGross"] * 10 == checkout["listPriceGross"] * 6)


def change(client: TestClient, url: str, headers: dict[str, str], *, ticket: int = 1) -> Json:
    """Add a day ticket to the checkout; return the checkout."""
    return data_of(client.post(f"{url}/items", json={"items": [day_ticket(ticket)]}, headers=headers))


def is_cheap(client: TestClient, headers: dict[str, str]) -> bool:
    """Return True if a new checkout has the staff discount."""
    return is_reduced(change(client, new_url(), headers))


@pytest.mark.parametrize("roles", ["staff", ["press", "staff"]])
def test_the_groups_in_a_token_reduce_prices(client: TestClient, provider: Provider, roles: Any) -> None:
    access = logged_in(client, provider.token(roles=roles))

    assert is_cheap(client, access)
    assert is_cheap(client, bearer(provider.token(roles=roles)))


@pytest.mark.parametrize(
    "claims", [{}, {"roles": "Staff"}, {"roles": ["press"]}, {"roles": {"staff": True}}, {"groups": "staff"}]
)
def test_other_groups_and_other_claims_reduce_nothing(
    client: TestClient, provider: Provider, claims: Any
) -> None:
    assert not is_cheap(client, logged_in(client, provider.token(**claims)))


@pytest.mark.parametrize("name", ["roles", "customer-groups", "customerGroups", "x-customer-groups"])
def test_a_client_cannot_name_its_groups(client: TestClient, provider: Provider, name: str) -> None:
    assert not is_cheap(client, {name: "staff"})
    assert not is_cheap(client, {name: "staff", **logged_in(client, provider.token())})


def test_the_groups_of_a_forged_token_are_refused(client: TestClient, provider: Provider) -> None:
    forged = signed(provider.claims(roles="staff"), STRANGER)

    response = client.post(f"{new_url()}/items", json={"items": [day_ticket(1)]}, headers=bearer(forged))

    assert response.status_code == 401


def test_a_checkout_is_shown_at_the_price_of_its_last_change(client: TestClient, provider: Provider) -> None:
    staff, nobody = (logged_in(client, provider.token(roles=role)) for role in ("staff", None))
    url = new_url()
    change(client, url, staff)

    assert is_reduced(data_of(client.get(url, headers=nobody)))
    assert not is_reduced(change(client, url, nobody, ticket=2))
    assert not is_reduced(data_of(client.get(url, headers=staff)))
    assert is_reduced(change(client, url, staff, ticket=3))


def test_an_anonymous_checkout_gets_the_groups_of_the_account_it_is_bound_to(
    client: TestClient, provider: Provider
) -> None:
    url = new_url()
    assert not is_reduced(change(client, url, {}))

    assert is_reduced(data_of(client.get(url, headers=logged_in(client, provider.token(roles="staff")))))
    assert client.get(url).status_code == 404


def test_payment_needs_the_groups_of_the_price(client: TestClient, provider: Provider) -> None:
    url, staff = new_url(), logged_in(client, provider.token(roles="staff"))
    shown = change(client, url, staff)
    terms = {"formValues": {"acceptTerms": True}}
    client.post(f"{url}/checkout-conditions", json=terms, headers=staff)
    body = {"expectedTotal": float(shown["totalGross"]), "provider": "GATEWAY"}

    response = client.post(f"{url}/payment", json=body, headers=logged_in(client, provider.token()))

    assert (response.status_code, response.json()["code"]) == (409, "total-changed"), response.text
    assert not is_reduced(data_of(client.get(url, headers=staff)))


def test_without_the_setting_tokens_have_no_groups(tmp_path: Path, provider: Provider) -> None:
    with serving_accounts(tmp_path, provider, catalogue=with_staff_discount(tmp_path)) as client:
        assert not is_cheap(client, logged_in(client, provider.token(roles="staff")))


@pytest.mark.parametrize(
    "claim", [7, "", [], ["staff", 7], ["staff", "\0"], "\ud800", ["staff", "x" * MAX_LENGTH], {"a": "staff"}]
)
def test_an_invalid_claim_has_no_groups(claim: Any) -> None:
    assert groups_in(claim) == frozenset()
