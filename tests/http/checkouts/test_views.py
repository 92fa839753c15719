"""JSON of a checkout, in four languages and in currencies with 0, 2 and 3 decimals."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from support.service.checkout_identities import assert_identities
from support.service.service import (
    PARTNERS,
    WEBSHOP,
    answer,
    data_of,
    day_ticket,
    enter,
    item,
    new_url,
    open_checkout,
    running,
)

BAZAAR = Path(__file__).parents[2] / "support" / "catalogues" / "bazaar.yaml"
DEMO = files("faregate.files").joinpath("demo_resort.yaml").read_text(encoding="utf-8")
FERRY = "00000000-0000-4000-8000-000000000081"
SOUK = "00000000-0000-4000-8000-000000000091"
TRADERS = "00000000-0000-4000-8000-000000000092"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            (
                "Adult",
                "Day ticket",
                "Lift tickets",
                "Age",
                "Keycard by post",
                "Early booking",
                "Winter discount",
            ),
        ),
        (
            "de",
            (
                "Erwachsene",
                "Tageskarte",
                "Bergbahntickets",
                "Alter",
                "Keycard per Post",
                "Frühbucher",
                "Winterrabatt",
            ),
        ),
    ],
)
def test_a_checkout_is_in_the_language_of_the_request(
    client: TestClient, language: str, words: tuple[str, ...]
) -> None:
    url, _ = open_checkout(client, day_ticket(1), item(2, 211))
    enter(client, url, "WINTER10")
    response = client.get(url, headers={"accept-language": language})
    data = data_of(response)

    assert response.headers["content-language"] == language
    ticket = data["items"][0]
    variant = ticket["productVariant"]
    assert words == (
        variant["translation"],
        variant["product"]["translation"],
        variant["product"]["category"]["name"],
        variant["attributes"][0]["name"],
        variant["availableMedia"][0]["name"],
        ticket["autoDiscount"]["displayName"],
        data["promoCodes"][0]["displayName"],
    )
    assert data["autoDiscounts"][0] == ticket["autoDiscount"]


def test_names_are_not_translated(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    names = {
        (data["items"][0]["productVariant"]["name"], data["items"][0]["productVariant"]["product"]["name"])
        for data in (
            data_of(client.get(url, headers={"accept-language": language}))
            for language in ("en", "de", "fr", "it")
        )
    }

    assert names == {("Adult", "Day ticket")}


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


@pytest.mark.parametrize(
    ("channel", "name", "kind"),
    [(WEBSHOP, "Webshop", "WEB"), (PARTNERS, "Partner hotels", "CONSUMPTION")],
)
def test_a_checkout_shows_the_channel_that_opened_it(
    client: TestClient, channel: str, name: str, kind: str
) -> None:
    client.headers["service-channel-uuid"] = channel
    _, data = open_checkout(client)

    assert data["salesChannel"] == {"uuid": channel, "name": name, "type": kind}


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


def test_postal_delivery_always_requires_an_address(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.yaml"
    path.write_text(DEMO.replace("requiresShippingAddress: true", "requiresOwner: true"), encoding="utf-8")
    with running(tmp_path, catalogue=path) as client:
        url, before = open_checkout(client, day_ticket(1))
        rented = answer(client, url, media={"1": 3})
        sent = answer(client, url, media={"1": 1})

    needs = [data["requiresShippingAddress"] for data in (before, rented, sent)]
    assert needs == [False, False, True]


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


def test_amounts_in_yen_are_whole(bazaar: TestClient) -> None:
    bazaar.headers["service-channel-uuid"] = FERRY
    url, _ = open_checkout(bazaar, item(1, 811), item(2, 812))
    data = enter(bazaar, url, "TENTH")

    # 10 % of 1110; 999 - 111 … 777 - 78 = 699 at 10 %, 333 - 33 = 300 at 8 %
    assert (data["currency"], data["totalGross"], data["promoCodeDiscount"]) == ("JPY", 999, 111)
    assert [entry["totalGross"] for entry in data["items"]] == [699, 300]
    # 699 less 63.545… of VAT, 300 less 22.222…
    assert [entry["totalNet"] for entry in data["items"]] == [635, 278]
