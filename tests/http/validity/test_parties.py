"""Validities and suggestions for a party over HTTP; the mountain has 4 units on the Sunday, else 10."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from support.service.piste import ADULT, DAY, FAMILY, JOURNEY, MORNING, SUNDAY, piste, suggested, validities
from support.service.service import Clock, Json


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a client of an unchanged service, on a Monday morning."""
    with piste(tmp_path_factory.mktemp("piste"), Clock(MORNING)) as client:
        yield client


def on_sunday(client: TestClient, **query: Any) -> Json:
    """Return the only one-day option of the Sunday."""
    found = validities(client, dateFrom=SUNDAY, dateTo=SUNDAY, duration="P1D", **query)
    (option,) = found["data"]["options"]
    return option  # type: ignore[no-any-return]


def test_an_option_has_the_total_and_the_price_of_each_unit(client: TestClient) -> None:
    option = on_sunday(client, units=[f"{FAMILY}:1", f"{ADULT}:2"])

    assert option == {
        "value": {"from": "2026-12-27T00:00:00+01:00", "to": "2026-12-28T00:00:00+01:00"},
        "availableCapacity": {"kind": "range", "min": 0, "max": 0},  # a family takes all four units
        "label": "Sun, 27 Dec 2026",
        "isAvailable": False,
        "price": {"minPrice": 70, "maxPrice": 150},
        "totalPrice": 290,
        "units": [
            {"productVariantId": ADULT, "quantity": 2, "unitPrice": 70},
            {"productVariantId": FAMILY, "quantity": 1, "unitPrice": 150},
        ],
    }


def test_only_days_with_room_for_the_party_are_listed_and_suggested(client: TestClient) -> None:
    units = [f"{FAMILY}:1", f"{ADULT}:2"]

    listed = validities(client, onlyAvailable="true", duration="P1D", dateTo="2026-12-31", units=units)
    few = suggested(client, units=units, duration="P1D")["options"]

    days = [option["value"]["from"][8:10] for option in listed["data"]["options"]]
    assert days == ["21", "22", "23", "25", "26", "29", "30", "31"]
    assert [option["value"]["from"][8:10] for option in few] == ["21", "22", "26"]
    assert [option["totalPrice"] for option in few] == [270, 270, 290]


def test_the_next_page_is_for_the_same_party(client: TestClient) -> None:
    units = [f"{FAMILY}:1", f"{ADULT}:2"]
    first = client.get(JOURNEY.format(DAY), params={"units": units, "limit": 1})

    second = client.get(first.links["next"]["url"])

    (one,), (other,) = (page.json()["data"]["options"] for page in (first, second))
    assert other["value"] != one["value"]
    assert [unit["quantity"] for unit in other["units"]] == [unit["quantity"] for unit in one["units"]]
