"""Validities and suggestions over HTTP: what they say, and how they page."""

import random
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from support.service.piste import (
    ADULT,
    CAR,
    CAR_PARK,
    DAY,
    EARLY,
    FAMILY,
    GUIDE,
    JOURNEY,
    MORNING,
    RUN,
    SAVER,
    SUNDAY,
    VIEW,
    piste,
    suggested,
    ticket,
    validities,
)
from support.service.service import Clock, Json, new_url, open_checkout


@pytest.fixture
def clock() -> Clock:
    """Of a Monday morning."""
    return Clock(MORNING)


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    """Of a service with few places."""
    with piste(tmp_path, clock) as client:
        yield client


def options(client: TestClient, product: int = DAY, **query: object) -> list[Json]:
    """The validities of a product."""
    return validities(client, product, **query)["data"]["options"]  # type: ignore[no-any-return]


def starts(found: list[Json]) -> list[str]:
    """The days on which validities begin."""
    return [option["value"]["from"][:10] for option in found]


# ---------------------------------------------------------------- what is answered


def test_an_option_says_when_for_how_many_and_at_what_price(client: TestClient) -> None:
    (option,) = options(client, dateFrom=SUNDAY, dateTo=SUNDAY, duration="P1D")

    assert option == {
        "value": {"from": "2026-12-27T00:00:00+01:00", "to": "2026-12-28T00:00:00+01:00"},
        "availableCapacity": {"kind": "range", "min": 1, "max": 4},  # a family takes four of four places
        "label": "Sun, 27 Dec 2026",
        "isAvailable": True,
        "price": {"minPrice": 70, "maxPrice": 150},  # a Sunday; a family
    }


def test_a_variant_alone_has_one_price(client: TestClient) -> None:
    (option,) = options(
        client, dateFrom="2026-12-25", dateTo="2026-12-25", duration="P1D", productVariantId=ADULT
    )

    assert option["price"] == {"minPrice": 80, "maxPrice": 80}  # Christmas


def test_several_days_are_summed_with_their_degression(client: TestClient) -> None:
    (option,) = options(
        client, dateFrom="2026-12-26", dateTo="2026-12-26", duration="P3D", productVariantId=ADULT
    )

    # Saturday 70, Sunday 70 x 0.9, Monday 60 x 0.8; one place is left on Monday.
    assert option["price"] == {"minPrice": 181, "maxPrice": 181}
    assert option["availableCapacity"] == {"kind": "range", "min": 1, "max": 1}


def test_a_price_follows_how_early_it_is_asked_for(client: TestClient) -> None:
    found = options(client, SAVER, dateFrom="2027-01-03", dateTo="2027-01-04", productVariantId=EARLY)

    assert [option["price"]["minPrice"] for option in found] == [50, 40]


def test_a_whole_month_from_today_is_the_default(client: TestClient) -> None:
    found = options(client, VIEW)

    assert (len(found), starts(found)[0], starts(found)[-1]) == (31, "2026-12-21", "2027-01-20")


def test_what_has_no_pools_has_no_capacities(client: TestClient) -> None:
    answer = validities(client, VIEW)["data"]

    assert answer["hasCapacities"] is False
    assert {option["availableCapacity"] for option in answer["options"]} == {None}
    assert all(option["isAvailable"] for option in answer["options"])


def test_what_has_no_validity_has_no_options(client: TestClient) -> None:
    answer = validities(client, GUIDE)["data"]

    assert (answer["options"], answer["availableDurations"]) == ([], [])


def test_the_durations_of_the_product_are_told(client: TestClient) -> None:
    client.headers["accept-language"] = "it"

    assert validities(client, duration="P2D")["data"]["availableDurations"] == [
        {"value": "P1D", "label": "1 giorno"},
        {"value": "P2D", "label": "2 giorni"},
        {"value": "P3D", "label": "3 giorni"},
    ]


@pytest.mark.parametrize(
    ("language", "label"),
    [
        ("en", "27–28 Dec 2026"),
        ("de", "27.–28. Dez. 2026"),
        ("fr", "27–28 déc. 2026"),
        ("it", "27–28 dic 2026"),
    ],
)
def test_labels_are_in_the_language_of_the_request(client: TestClient, language: str, label: str) -> None:
    client.headers["accept-language"] = language

    (option,) = options(client, dateFrom=SUNDAY, dateTo=SUNDAY, duration="P2D")

    assert option["label"] == label


def test_closed_days_and_days_that_are_full_are_shown_but_not_available(client: TestClient) -> None:
    open_checkout(client, *(ticket(n, ADULT, "2026-12-27") for n in range(1, 5)))

    found = options(client, dateFrom="2026-12-23", dateTo="2026-12-27", duration="P1D")

    assert [option["isAvailable"] for option in found] == [True, False, True, True, False]
    assert found[-1]["price"] == {"minPrice": 70, "maxPrice": 150}  # a day that is full shows its prices
    only = options(client, dateFrom="2026-12-23", dateTo="2026-12-27", duration="P1D", onlyAvailable="true")
    assert starts(only) == ["2026-12-23", "2026-12-25", "2026-12-26"]


def test_a_quantity_asks_for_so_many_places(client: TestClient) -> None:
    for quantity, is_available in ((4, True), (5, False)):
        (option,) = options(client, dateFrom=SUNDAY, dateTo=SUNDAY, duration="P1D", quantity=quantity)
        assert option["isAvailable"] is is_available


def test_slots_are_options_of_their_day(client: TestClient) -> None:
    found = options(client, RUN, dateFrom=SUNDAY, dateTo=SUNDAY)

    assert [option["value"]["from"] for option in found] == [
        "2026-12-27T01:00:00+01:00",
        "2026-12-27T02:00:00+01:00",
        "2026-12-27T10:00:00+01:00",
    ]


def test_a_slot_that_the_clocks_skip_is_no_option(client: TestClient) -> None:
    found = options(client, RUN, dateFrom="2027-03-28", dateTo="2027-03-28")

    assert [option["value"]["from"] for option in found] == [
        "2027-03-28T01:00:00+01:00",
        "2027-03-28T10:00:00+02:00",
    ]


def test_the_day_begins_in_the_zone_of_the_merchant(client: TestClient, clock: Clock) -> None:
    clock.now = MORNING.replace(hour=23)  # past midnight in Zurich

    assert starts(options(client, VIEW, limit=1)) == ["2026-12-22"]


def test_the_last_days_of_the_calendar_can_be_asked_for(client: TestClient) -> None:
    found = options(client, VIEW, dateFrom="8999-12-01", dateTo="8999-12-31", limit=366)

    assert starts(found)[-1] == "8999-12-31"


def test_head_has_the_headers_of_get(client: TestClient) -> None:
    got = client.get(JOURNEY.format(CAR_PARK), params={"productVariantId": CAR})
    head = client.head(JOURNEY.format(CAR_PARK), params={"productVariantId": CAR})

    assert head.content == b""
    assert head.headers == got.headers
    assert got.headers["content-language"] == "en"
    assert got.headers["vary"] == "accept-language, service-channel-uuid"


def test_a_family_and_an_adult_see_the_same_day_differently(client: TestClient) -> None:
    open_checkout(client, ticket(1))

    for variant, fits in ((ADULT, 3), (FAMILY, 0)):
        (option,) = options(client, dateFrom=SUNDAY, dateTo=SUNDAY, duration="P1D", productVariantId=variant)
        assert option["availableCapacity"]["max"] == fits
        assert option["isAvailable"] is (fits > 0)


# ---------------------------------------------------------------- pages


def pages(client: TestClient, **query: object) -> Iterator[list[Json]]:
    """The pages of an answer, one after the other."""
    while True:
        answer = validities(client, **query)  # type: ignore[arg-type]
        yield answer["data"]["options"]
        if "nextCursor" not in answer["meta"]:
            return
        query["cursor"] = answer["meta"]["nextCursor"]


@pytest.mark.parametrize("limit", [1, 2, 5, 7, 92, 93, 94])
def test_pages_are_the_whole_list_however_they_are_cut(client: TestClient, limit: int) -> None:
    whole = options(client, limit=366)

    cut = [*pages(client, limit=limit)]

    assert [option for page in cut for option in page] == whole
    assert [len(page) for page in cut[:-1]] == [limit] * (len(cut) - 1)


def test_pages_never_skip_or_repeat_while_places_come_and_go(client: TestClient) -> None:
    seed = random.randrange(10**6)
    chance = random.Random(seed)
    whole = [option["value"] for option in options(client, limit=366)]
    urls = [new_url() for _ in range(5)]

    found = []
    for page in pages(client, limit=4):
        found += [option["value"] for option in page]
        url = chance.choice(urls)
        day = chance.choice(["2026-12-26", "2026-12-27", "2026-12-28", "2027-01-05"])
        if chance.random() < 0.6:
            client.post(f"{url}/items", json={"items": [ticket(chance.randrange(1, 10**6), ADULT, day)]})
        else:
            checkout = client.get(url).json()
            ids = [entry["id"] for entry in checkout.get("data", {}).get("items", [])]
            if ids:
                client.delete(f"{url}/items", params={"itemId": ids})

    assert found == whole, seed


def test_the_next_page_stands_in_a_link_as_well(client: TestClient) -> None:
    response = client.get(JOURNEY.format(DAY), params={"limit": 3, "duration": ["P1D", "P2D"]})

    link = response.links["next"]["url"]
    following = client.get(link).json()

    cursor = response.json()["meta"]["nextCursor"]
    assert (
        following
        == client.get(
            JOURNEY.format(DAY), params={"limit": 3, "duration": ["P1D", "P2D"], "cursor": cursor}
        ).json()
    )
    assert "link" not in client.get(JOURNEY.format(DAY), params={"limit": 366}).headers


# ---------------------------------------------------------------- suggestions


def test_suggestions_are_few_and_can_all_be_booked(client: TestClient) -> None:
    answer = suggested(client)

    assert [(option["label"], option["value"]["from"][:10]) for option in answer["options"]] == [
        ("Today", "2026-12-21"),
        ("Tomorrow", "2026-12-22"),
        ("Weekend · Sat, 26 Dec 2026", "2026-12-26"),
    ]
    assert answer["daysUntilNextBookableValidity"] == 0


def test_after_the_cut_off_today_is_not_suggested(client: TestClient, clock: Clock) -> None:
    clock.now = MORNING.replace(hour=15)

    answer = suggested(client)

    assert answer["options"][0]["label"] == "Tomorrow"
    assert answer["daysUntilNextBookableValidity"] == 1


def test_the_gaps_between_days_that_can_be_booked(client: TestClient) -> None:
    # From 21 December to 30 April there are 131 days; Christmas Eve is closed.
    assert suggested(client, duration="P1D")["meanValidityGapDays"] == Decimal("1.01")


def test_out_of_season_the_next_one_is_suggested(client: TestClient, clock: Clock) -> None:
    clock.now = MORNING.replace(year=2027, month=6)

    answer = suggested(client)

    assert [option["label"] for option in answer["options"]] == [
        "Next available · Wed, 1 Dec 2027",
        "Weekend · Sat, 4 Dec 2027",
    ]
    assert answer["daysUntilNextBookableValidity"] == 163


def test_where_nothing_can_be_booked_nothing_is_suggested(client: TestClient) -> None:
    answer = suggested(client, quantity=11)

    assert answer["options"] == []
    assert answer["daysUntilNextBookableValidity"] is None
    assert answer["meanValidityGapDays"] is None


def test_as_many_suggestions_as_are_asked_for(client: TestClient) -> None:
    assert len(suggested(client, limit=1)["options"]) == 1
