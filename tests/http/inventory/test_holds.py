"""Items in a checkout hold capacity until released; only their own clients count it as available."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from faregate.catalogue.pools import Pool, PoolSlot, PoolUse
from faregate_http.inventory.inventory import Inventory
from faregate_http.inventory.slots import bounds_of, slot_of, text_of
from support.service.customers import logged_in
from support.service.identity_provider import Provider
from support.service.piste import BOOK, CAR, CAR_PARK, MORNING, SUNDAY, piste, places, ticket
from support.service.service import (
    VALLEY_STATION,
    Clock,
    Json,
    data_of,
    day_ticket,
    item,
    new_url,
    open_checkout,
)
from support.shops import booking_shop

MILLISECOND = timedelta(milliseconds=1)


@pytest.fixture
def clock() -> Clock:
    """Return a clock on a Monday morning."""
    return Clock(MORNING)


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    """Yield a client of a service with little capacity."""
    with piste(tmp_path, clock) as client:
        yield client


def add(client: TestClient, url: str, *items: Json) -> Json:
    """Return the checkout after adding *items*."""
    return data_of(client.post(f"{url}/items", json={"items": items}))


def cars(number: int, day: str = SUNDAY) -> list[Json]:
    """Return item requests for *number* cars."""
    return [ticket(n + 1, CAR, day) for n in range(number)]


def free_cars(client: TestClient, day: str = SUNDAY, **query: str) -> int:
    """Return the number of cars that still fit."""
    return places(client, day, CAR_PARK, CAR, **query)


def test_added_items_hold_places_and_removed_items_release_them(client: TestClient) -> None:
    url, _ = open_checkout(client, ticket(1), ticket(2))
    assert places(client) == 2

    data_of(client.delete(f"{url}/items", params={"itemId": 1}))

    assert places(client) == 3


def test_quantity_changes_hold_and_release_places(client: TestClient) -> None:
    url, _ = open_checkout(client, ticket(1))

    data_of(client.patch(f"{url}/items/1/quantity", json={"delta": 3}))
    assert places(client) == 0
    data_of(client.patch(f"{url}/items/1/quantity", json={"delta": -2}))

    assert places(client) == 2


def test_a_product_without_pools_holds_nothing(client: TestClient) -> None:
    open_checkout(client, item(1, BOOK), ticket(2, 60))

    assert places(client) == 4


def test_channels_share_their_pools(client: TestClient) -> None:
    open_checkout(client, ticket(1), ticket(2), ticket(3))

    client.headers["service-channel-uuid"] = VALLEY_STATION
    response = client.post(f"{new_url()}/items", json={"items": [ticket(1), ticket(2)]})

    assert response.status_code == 409


def test_places_held_by_the_given_checkout_count_as_free(client: TestClient) -> None:
    _, checkout = open_checkout(client, *cars(2))

    assert free_cars(client) == 1
    assert free_cars(client, checkoutId=checkout["uuid"]) == 3
    assert free_cars(client, checkoutId=new_url().removeprefix("/api/checkout/")) == 1


def test_places_held_on_another_channel_do_not_count_as_free(client: TestClient) -> None:
    _, checkout = open_checkout(client, ticket(1), ticket(2))
    assert places(client, checkoutId=checkout["uuid"]) == 4

    client.headers["service-channel-uuid"] = VALLEY_STATION

    assert places(client, checkoutId=checkout["uuid"]) == 2


def test_a_party_that_does_not_fit_holds_nothing(client: TestClient) -> None:
    url, before = open_checkout(client, ticket(1))

    response = client.post(f"{url}/items", json={"items": [ticket(2), ticket(3), ticket(4), ticket(5)]})

    assert response.status_code == 409
    problem = response.json()
    assert problem["code"] == "sold-out"
    assert problem["errors"] == [
        {
            "reason": "expected at most 4 units of pool mountain on 2026-12-27, got 5",
            "pointer": "/items",
            "code": "sold-out",
            "title": "Sold out",
        }
    ]
    assert data_of(client.get(url)) == before
    assert places(client) == 3


@pytest.mark.parametrize(
    "start",
    [
        pytest.param(MORNING, id="on any day"),
        pytest.param(datetime(2027, 3, 28, 0, 45, tzinfo=UTC), id="when clocks go forward"),
        pytest.param(datetime(2027, 10, 31, 0, 45, tzinfo=UTC), id="when clocks go back"),
    ],
)
def test_places_are_free_the_moment_a_checkout_expires(
    client: TestClient, clock: Clock, start: datetime
) -> None:
    day = "2027-11-02"
    clock.now = start
    open_checkout(client, *cars(3, day))
    mine = new_url()

    clock.now = start + timedelta(minutes=30) - MILLISECOND
    assert free_cars(client, day) == 0
    assert client.post(f"{mine}/items", json={"items": cars(1, day)}).status_code == 409
    clock.now += MILLISECOND
    assert free_cars(client, day) == 3

    add(client, mine, *cars(3, day))


MINUTES = st.integers(0, 24 * 60 - 1).map(lambda minute: time(minute // 60, minute % 60))
SLOTS = st.builds(PoolSlot, st.just("run"), st.dates(), st.none() | MINUTES)
DAY = timedelta(days=1)


@given(SLOTS)
def test_a_slot_is_restored_from_its_text(slot: PoolSlot) -> None:
    assert slot_of(slot.pool, text_of(slot)) == slot


@given(SLOTS, SLOTS)
def test_texts_sort_by_day_and_then_by_start(one: PoolSlot, other: PoolSlot) -> None:
    first, second = ((slot.day, slot.start is not None, slot.start or time.min) for slot in (one, other))

    assert (text_of(one) < text_of(other)) == (first < second)


@given(SLOTS, st.dates(max_value=date.max - 3 * DAY), st.integers(0, 3))
def test_the_bounds_enclose_exactly_the_slots_of_the_days(slot: PoolSlot, first: date, days: int) -> None:
    last = first + days * DAY
    lower, upper = bounds_of(first, last)

    assert (lower <= text_of(slot) <= upper) == (first <= slot.day <= last)


VALIDITIES = "/api/booking/products/11/journey/validities"


def test_holds_of_a_checkout_are_hidden_without_access(
    service_with_accounts: tuple[TestClient, Clock], provider: Provider, subject: str
) -> None:
    client, _ = service_with_accounts
    owner = logged_in(client, provider.token(sub=subject))
    other = logged_in(client, provider.token(sub=f"another {subject}"))
    url = new_url()

    def free(headers: dict[str, str]) -> int:
        """Return the available units of the day in a query that names the checkout."""
        question = {"dateFrom": "2026-12-27", "dateTo": "2026-12-27", "checkoutId": url.rpartition("/")[2]}
        answer = client.get(VALIDITIES, params=question, headers=headers)
        assert answer.status_code == 200, answer.text
        capacity: int = answer.json()["data"]["options"][0]["availableCapacity"]["max"]
        return capacity

    before = free({})
    client.post(f"{url}/items", json={"items": [day_ticket(1), day_ticket(2)]})
    unbound = [free({}), free(other)]
    client.get(url, headers=owner)
    bound = [free(owner), free(other), free({}), free(owner)]

    assert unbound == [before, before]
    assert bound == [before, before - 2, before - 2, before]


def test_an_invalid_token_is_refused_here_too(
    service_with_accounts: tuple[TestClient, Clock],
) -> None:
    client, _ = service_with_accounts
    question = {"checkoutId": new_url().rpartition("/")[2]}

    answer = client.get(VALIDITIES, params=question, headers={"authorization": "Bearer no.token.here"})

    assert (answer.status_code, answer.json()["code"]) == (401, "invalid-token")


async def test_usage_is_read_from_the_day_before_to_the_end_of_the_longest_period() -> None:
    asked: list[str] = []

    async def taken(_: object, first: str, last: str, **others: object) -> list[object]:
        asked.extend((first, last))
        return []

    product = booking_shop.ticket(
        durations=(booking_shop.DAY, booking_shop.THREE_DAYS), pools=(PoolUse("mtn"),)
    )
    catalogue = booking_shop.shop(product, pools=[Pool(identifier="mtn", size=5)])
    store: Any = SimpleNamespace(taken=taken)
    day = date(2027, 1, 9)

    await Inventory(store, catalogue).around(product, day, day, at=MORNING)

    # A slot may begin the day before, and three days from noon end on the fourth.
    assert asked == ["2027-01-08", "2027-01-13~"]
