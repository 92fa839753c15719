"""Validities and suggestions over HTTP: content and pages."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from support.service.piste import (
    ADULT,
    DAY,
    JOURNEY,
    MORNING,
    RUN,
    SUNDAY,
    VIEW,
    piste,
    suggested,
    ticket,
    validities,
)
from support.service.service import Clock, Json, open_checkout


@pytest.fixture
def clock() -> Clock:
    """Return a clock on a Monday morning."""
    return Clock(MORNING)


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    """Yield a client of a service with little capacity."""
    with piste(tmp_path, clock) as client:
        yield client


def options(client: TestClient, product: int = DAY, **query: object) -> list[Json]:
    """Return the validities of a product."""
    return validities(client, product, **query)["data"]["options"]  # type: ignore[no-any-return]


def starts(found: list[Json]) -> list[str]:
    """Return the days on which validities begin."""
    return [option["value"]["from"][:10] for option in found]


def test_an_option_has_its_period_capacity_and_price(client: TestClient) -> None:
    (option,) = options(client, dateFrom=SUNDAY, dateTo=SUNDAY, duration="P1D")

    assert option == {
        "value": {"from": "2026-12-27T00:00:00+01:00", "to": "2026-12-28T00:00:00+01:00"},
        "availableCapacity": {"kind": "range", "min": 1, "max": 4},  # a family takes four of four units
        "label": "Sun, 27 Dec 2026",
        "isAvailable": True,
        "price": {"minPrice": 70, "maxPrice": 150},  # a Sunday; a family
    }


def test_a_product_without_pools_has_no_capacities(client: TestClient) -> None:
    answer = validities(client, VIEW)["data"]

    assert answer["hasCapacities"] is False
    assert {option["availableCapacity"] for option in answer["options"]} == {None}
    assert all(option["isAvailable"] for option in answer["options"])


def test_the_durations_of_the_product_are_listed(client: TestClient) -> None:
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
    ],
)
def test_labels_are_in_the_language_of_the_request(client: TestClient, language: str, label: str) -> None:
    client.headers["accept-language"] = language

    (option,) = options(client, dateFrom=SUNDAY, dateTo=SUNDAY, duration="P2D")

    assert option["label"] == label


def test_closed_and_full_days_are_shown_as_unavailable(client: TestClient) -> None:
    open_checkout(client, *(ticket(n, ADULT, "2026-12-27") for n in range(1, 5)))

    found = options(client, dateFrom="2026-12-23", dateTo="2026-12-27", duration="P1D")

    assert [option["isAvailable"] for option in found] == [True, False, True, True, False]
    assert found[-1]["price"] == {"minPrice": 70, "maxPrice": 150}  # a full day shows its prices
    only = options(client, dateFrom="2026-12-23", dateTo="2026-12-27", duration="P1D", onlyAvailable="true")
    assert starts(only) == ["2026-12-23", "2026-12-25", "2026-12-26"]


def test_availability_depends_on_the_quantity(client: TestClient) -> None:
    for quantity, is_available in ((4, True), (5, False)):
        (option,) = options(client, dateFrom=SUNDAY, dateTo=SUNDAY, duration="P1D", quantity=quantity)
        assert option["isAvailable"] is is_available


def test_the_last_days_of_the_calendar_can_be_requested(client: TestClient) -> None:
    found = options(client, VIEW, dateFrom="8999-12-01", dateTo="8999-12-31", limit=366)

    assert starts(found)[-1] == "8999-12-31"


def pages(client: TestClient, **query: object) -> Iterator[list[Json]]:
    """Yield the pages of a list."""
    while True:
        answer = validities(client, **query)  # type: ignore[arg-type]
        yield answer["data"]["options"]
        if "nextCursor" not in answer["meta"]:
            return
        query["cursor"] = answer["meta"]["nextCursor"]


@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 2, 5, 7, 92, 93, 94])
def test_pages_of_any_size_add_up_to_the_whole_list(client: TestClient, limit: int) -> None:
    whole = options(client, limit=366)

    cut = [*pages(client, limit=limit)]

    assert [option for page in cut for option in page] == whole
    assert [len(page) for page in cut[:-1]] == [limit] * (len(cut) - 1)


def test_the_next_page_is_also_in_a_link_header(client: TestClient) -> None:
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


def test_suggestions_are_few_and_can_all_be_booked(client: TestClient) -> None:
    answer = suggested(client)

    assert [(option["label"], option["value"]["from"][:10]) for option in answer["options"]] == [
        ("Today", "2026-12-21"),
        ("Tomorrow", "2026-12-22"),
        ("Weekend · Sat, 26 Dec 2026", "2026-12-26"),
    ]
    assert answer["daysUntilNextBookableValidity"] == 0


@pytest.mark.parametrize(
    ("product", "duration", "label"),
    [(DAY, "P2D", "Today · 21–22 Dec 2026"), (RUN, "PT1H", "Today · Mon, 21 Dec 2026, 10:00–11:00")],
)
def test_a_suggestion_of_days_or_hours_shows_them(
    client: TestClient, product: int, duration: str, label: str
) -> None:
    assert suggested(client, product, duration=duration)["options"][0]["label"] == label


def test_the_mean_gap_between_bookable_days_is_shown(client: TestClient) -> None:
    # From 21 December to 30 April there are 131 days; Christmas Eve is closed.
    assert suggested(client, duration="P1D")["meanValidityGapDays"] == Decimal("1.01")


def test_nothing_is_suggested_if_nothing_can_be_booked(client: TestClient) -> None:
    answer = suggested(client, quantity=11)

    assert answer["options"] == []
    assert answer["daysUntilNextBookableValidity"] is None
    assert answer["meanValidityGapDays"] is None


def test_the_number_of_suggestions_can_be_limited(client: TestClient) -> None:
    assert len(suggested(client, limit=1)["options"]) == 1
