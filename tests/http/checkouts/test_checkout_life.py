"""Life of a checkout: its times, its expiry and its account. Decisions §11.2."""

from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from support.service.service import (
    Clock,
    Json,
    data_of,
    day_ticket,
    decoded,
    item,
    new_url,
    open_checkout,
    running,
)

TIMES = ("startedAt", "lastUpdateAt", "expiresAt")

CHANGES: dict[str, tuple[str, str, Json]] = {
    "add": ("POST", "/items", {"json": {"items": [item(9, 411)]}}),
    "add again": ("POST", "/items", {"json": {"items": [item(2, 411)]}}),
    "remove": ("DELETE", "/items?itemId=1", {}),
    "remove what is not there": ("DELETE", "/items?itemId=99", {}),
    "quantity": ("PATCH", "/items/1/quantity", {"json": {"delta": 1}}),
    "code": ("POST", "/vouchers", {"json": {"voucherCode": "NEWS5"}}),
    "unknown code": ("POST", "/vouchers", {"json": {"voucherCode": "NONE"}}),
    "drop": ("DELETE", "/vouchers/WINTER10", {}),
    "answer": ("POST", "/checkout-conditions", {"json": {"formValues": {"donation": 1}}}),
}


def times(data: Json) -> tuple[str, ...]:
    """Return the times of start, last change and expiry as hours, minutes and seconds."""
    return tuple(data[name][11:19] for name in TIMES)


def opened(client: TestClient) -> tuple[str, Json]:
    url, _ = open_checkout(client, day_ticket(1), item(2, 411))
    return url, data_of(client.post(f"{url}/vouchers", json={"voucherCode": "WINTER10"}))


def add_one(client: TestClient, url: str, item_id: int) -> Json:
    return data_of(client.post(f"{url}/items", json={"items": [item(item_id, 411)]}))


def test_instants_are_written_in_utc_to_the_millisecond(client: TestClient, clock: Clock) -> None:
    clock.now = datetime.fromisoformat("2026-12-01T09:30:00.0625+01:00")
    _, data = open_checkout(client)

    assert [data[name] for name in TIMES] == [
        "2026-12-01T08:30:00.062Z",
        "2026-12-01T08:30:00.062Z",
        "2026-12-01T09:00:00.062Z",
    ]


def test_every_change_postpones_its_expiry(client: TestClient, clock: Clock) -> None:
    url, first = open_checkout(client)
    clock.turn(minutes=20)
    second = add_one(client, url, 1)
    clock.turn(minutes=29, seconds=59)
    third = add_one(client, url, 2)

    assert times(first) == ("08:30:00", "08:30:00", "09:00:00")
    assert times(second) == ("08:30:00", "08:50:00", "09:20:00")
    assert times(third) == ("08:30:00", "09:19:59", "09:49:59")


def test_reading_does_not_postpone_its_expiry(client: TestClient, clock: Clock) -> None:
    url, before = open_checkout(client)
    clock.turn(minutes=20)
    assert data_of(client.get(url)) == before
    clock.turn(minutes=10)

    assert data_of(client.get(url))["status"] == "EXPIRED"


@pytest.mark.parametrize(
    ("method", "path", "content"),
    [
        CHANGES["add again"],
        ("POST", "/vouchers", {"json": {"voucherCode": "win\u200bter10"}}),
        ("POST", "/items", {"json": {"items": []}}),
        ("POST", "/checkout-conditions", {"json": {"formValues": {}}}),
        ("POST", "/checkout-conditions", {"json": {"formValues": {"donation": None}}}),
    ],
)
def test_a_request_without_effect_keeps_the_revision_and_the_expiry(
    client: TestClient, clock: Clock, method: str, path: str, content: Json
) -> None:
    url, _ = opened(client)
    before = client.get(url)
    clock.turn(minutes=10)
    response = client.request(method, f"{url}{path}", **content)

    assert response.content == before.content
    assert response.headers["etag"] == before.headers["etag"]
    assert client.get(url).content == before.content


def test_a_refused_request_keeps_the_revision_and_the_expiry(client: TestClient, clock: Clock) -> None:
    url, _ = opened(client)
    before = client.get(url)
    clock.turn(minutes=10)
    refused = client.patch(f"{url}/items/1/quantity", json={"delta": -2})
    after = client.get(url)

    assert refused.status_code == 422
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])


def test_its_times_do_not_go_back_when_the_clock_is_set_back(client: TestClient, clock: Clock) -> None:
    url, _ = open_checkout(client)
    clock.turn(minutes=20)
    before = add_one(client, url, 1)
    clock.turn(minutes=-45)
    after = add_one(client, url, 2)
    again = add_one(client, url, 3)

    assert times(after) == times(again) == times(before) == ("08:30:00", "08:50:00", "09:20:00")


def test_it_is_expired_from_the_instant_of_its_expiry(client: TestClient, clock: Clock) -> None:
    url, _ = opened(client)
    clock.turn(minutes=29, seconds=59, milliseconds=999)
    before = client.get(url)
    clock.turn(milliseconds=1)
    after = client.get(url)

    assert data_of(before)["status"] == "OPEN"
    assert data_of(after)["status"] == "EXPIRED"
    assert before.headers["etag"] != after.headers["etag"]


def test_an_expired_checkout_shows_its_last_figures_and_released_items(
    client: TestClient, clock: Clock
) -> None:
    url, before = opened(client)
    clock.turn(hours=5)
    after = data_of(client.get(url))

    assert {entry["status"] for entry in before["items"]} == {"RESERVED"}
    assert {entry["status"] for entry in after["items"]} == {"RELEASED"}
    for entry in (*before["items"], *after["items"]):
        del entry["status"]
    assert before.pop("status") == "OPEN"
    assert after.pop("status") == "EXPIRED"
    assert after == before


@pytest.mark.parametrize("name", CHANGES)
def test_an_expired_checkout_cannot_be_changed(client: TestClient, clock: Clock, name: str) -> None:
    url, _ = opened(client)
    clock.turn(minutes=30)
    before = client.get(url)
    method, path, content = CHANGES[name]
    response = client.request(method, f"{url}{path}", **content)
    after = client.get(url)

    assert response.status_code == 409
    assert decoded(response)["code"] == "checkout-expired"
    assert (after.content, after.headers["etag"]) == (before.content, before.headers["etag"])


ASKED: dict[str, tuple[str, str, Json]] = {
    "read": ("GET", "", {}),
    "explain": ("GET", "/explanation", {}),
    "payment status": ("GET", "/payment/status", {}),
    "pay": ("POST", "/payment", {"json": {"expectedTotal": 1, "provider": "ON_SITE"}}),
}


@pytest.mark.parametrize("name", [*CHANGES, *ASKED])
def test_a_checkout_is_unknown_a_day_after_its_end(client: TestClient, clock: Clock, name: str) -> None:
    url, _ = opened(client)
    method, path, content = (CHANGES | ASKED)[name]
    clock.turn(minutes=30, hours=24, milliseconds=-1)
    before = client.request(method, f"{url}{path}", **content)
    etag = client.get(url).headers["etag"]
    clock.turn(milliseconds=1)
    after = client.request(method, f"{url}{path}", headers={"if-none-match": etag}, **content)
    other = new_url()
    unknown = client.get(other)

    assert before.status_code in {200, 409}
    assert (after.status_code, unknown.status_code) == (404, 404)
    assert after.text.replace(urlsplit(f"{url}{path}").path, other) == unknown.text


def test_an_invalid_body_is_refused_before_the_expiry_is_checked(client: TestClient, clock: Clock) -> None:
    url, _ = opened(client)
    clock.turn(minutes=30)

    assert client.post(f"{url}/items", json={"items": 1}).status_code == 422


def test_a_checkout_outlives_the_service(tmp_path: Path, clock: Clock) -> None:
    with running(tmp_path, clock=clock) as client:
        url, _ = opened(client)
        client.post(f"{url}/checkout-conditions", json={"formValues": {"media": {"1": 1}, "donation": 1.5}})
        before = client.get(url)
    with running(tmp_path, clock=clock) as client:
        after = client.get(url)
        more = add_one(client, url, 3)

    assert after.content == before.content
    assert after.headers["etag"] == before.headers["etag"]
    assert len(more["items"]) == len(decoded(before)["data"]["items"]) + 1
