"""JSON of a checkout, in four languages and in currencies with 0, 2 and 3 decimals."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from support.service.checkout_identities import assert_identities
from support.service.service import answer, data_of, day_ticket, enter, item, new_url, open_checkout, running

BAZAAR = Path(__file__).parents[2] / "support" / "catalogues" / "bazaar.yaml"
FERRY = "00000000-0000-4000-8000-000000000081"
SOUK = "00000000-0000-4000-8000-000000000091"
TRADERS = "00000000-0000-4000-8000-000000000092"


IN_ENGLISH = "Adult, Day ticket, Lift tickets, Age, Keycard by post, Early booking, Winter discount"
IN_GERMAN = "Erwachsene, Tageskarte, Bergbahntickets, Alter, Keycard per Post, Frühbucher, Winterrabatt"


@pytest.mark.parametrize(("language", "words"), [("en", IN_ENGLISH), ("de", IN_GERMAN)])
def test_a_checkout_is_in_the_language_of_the_request(client: TestClient, language: str, words: str) -> None:
    url, _ = open_checkout(client, day_ticket(1), item(2, 211))
    enter(client, url, "WINTER10")
    response = client.get(url, headers={"accept-language": language})
    data = data_of(response)

    assert response.headers["content-language"] == language
    ticket = data["items"][0]
    variant = ticket["productVariant"]
    assert words.split(", ") == [
        variant["translation"],
        variant["product"]["translation"],
        variant["product"]["category"]["name"],
        variant["attributes"][0]["name"],
        variant["availableMedia"][0]["name"],
        ticket["autoDiscount"]["displayName"],
        data["promoCodes"][0]["displayName"],
    ]
    assert data["autoDiscounts"][0] == ticket["autoDiscount"]


def test_the_response_to_a_change_is_in_the_language_of_its_request(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    body = {"items": [day_ticket(2)]}
    changed = client.post(f"{url}/items", json=body, headers={"accept-language": "de"})
    read = client.get(url, headers={"accept-language": "fr"})

    assert data_of(changed)["items"][0]["productVariant"]["translation"] == "Erwachsene"
    assert data_of(read)["items"][0]["productVariant"]["translation"] == "Adulte"
    assert changed.headers["etag"] != read.headers["etag"]


def test_figures_are_the_same_in_every_language(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1), item(2, 411))
    enter(client, url, "WINTER10")

    def figures(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: figures(part) for name, part in value.items() if not isinstance(part, str)}
        return [figures(part) for part in value] if isinstance(value, list) else value

    told = [
        figures(data_of(client.get(url, headers={"accept-language": language})))
        for language in ("en", "de", "fr", "it")
    ]
    assert all(one == told[0] for one in told)


def test_the_person_form_is_in_the_language_of_the_request(client: TestClient) -> None:
    url, _ = open_checkout(client, item(1, 211))
    data = data_of(client.get(url, headers={"accept-language": "it"}))
    asked = data["items"][0]["personFieldsDefinition"]

    assert asked["required"] == ["firstName", "lastName", "dateOfBirth"]
    assert asked["properties"]["dateOfBirth"]["title"] == "Data di nascita"
    assert asked["properties"]["email"]["format"] == "email"


def test_a_validity_period_is_half_open_with_the_merchants_offset(client: TestClient) -> None:
    summer = {"from": "2027-03-27", "to": "2027-03-28"}  # the clocks go forward in between
    _, data = open_checkout(client, item(1, 121, validity=summer))

    assert data["items"][0]["validity"] == {
        "from": "2027-03-27T00:00:00+01:00",
        "to": "2027-03-29T00:00:00+02:00",
    }


def test_item_flags_match_the_product(client: TestClient) -> None:
    _, data = open_checkout(
        client,
        item(1, 211),
        item(2, 311, validity={"from": "2026-12-27", "to": "2026-12-27"}),
        item(3, 411),
        item(4, 121, validity={"from": "2026-12-27", "to": "2026-12-28"}),
    )
    flags = {
        entry["id"]: {name for name, value in entry.items() if value is True}
        - {"displayPrice", "isDeletable"}
        for entry in data["items"]
    }

    assert flags == {
        1: {"requiresPersonalization", "requiresMedium", "isMaxOneTicketPerPerson"},
        2: {"isUniqueItem"},
        3: {"requiresValidation"},
        4: {"isFlexTicket", "supportsWeatherGuarantee"},
    }
    assert data["requiresOwner"]


def test_a_price_that_is_part_of_a_package_is_not_displayed(client: TestClient) -> None:
    partners = {"service-channel-uuid": "c4a8e913-27f5-4d6a-b0c1-8e5d3f7a9264"}
    data = data_of(client.post(f"{new_url()}/items", json={"items": [item(1, 721)]}, headers=partners))

    assert data["items"][0]["displayPrice"] is False
    assert (data["canUsePromoCodes"], data["canUseVouchers"]) == (False, False)
    assert data["supportedPaymentMethods"] == []


@pytest.fixture
def bazaar(tmp_path: Path) -> Iterator[TestClient]:
    with running(tmp_path, catalogue=BAZAAR) as client:
        yield client


@pytest.mark.parametrize("code", ["", "TENTH", "THIRD"])
@pytest.mark.parametrize(
    ("channel", "variants", "donation"),
    [(FERRY, (811, 812), 5), (SOUK, (911, 912), 0.001), (TRADERS, (911, 912), 0.125)],
)
def test_the_identities_hold_in_every_currency(
    bazaar: TestClient, channel: str, variants: tuple[int, int], donation: float, code: str
) -> None:
    bazaar.headers["service-channel-uuid"] = channel
    url, _ = open_checkout(bazaar, *[item(number, variants[number % 2]) for number in range(1, 8)])
    if code:
        enter(bazaar, url, code)
    data = answer(bazaar, url, donation=donation)

    assert_identities(data, net_prices=channel == TRADERS)
