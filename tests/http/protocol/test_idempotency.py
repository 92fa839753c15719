"""Repeated requests: one effect, one response."""

from pathlib import Path

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from support.hostile.hostility import QUANTITY, TARGETS, Target, filled_checkout
from support.service.raw_requests import snapshot
from support.service.repeats import KEY, copies, is_replayed, same
from support.service.service import VALLEY_STATION, Clock, data_of, day_ticket, item, open_checkout, running

ONE_MORE = {"delta": 1}


def send(client: TestClient, url: str, target: Target, **headers: str) -> Response:
    return client.request(target.method, url + target.path, json=target.good, headers=headers or KEY)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_the_same_key_and_body_have_one_effect_and_one_response(tmp_path: Path, target: Target) -> None:
    with running(tmp_path) as client:
        url = filled_checkout(client)

        first = send(client, url, target)
        after = snapshot(client, url)
        again = [send(client, url, target) for _ in range(3)]

        assert first.status_code == 200
        assert first.headers["etag"] == after.shown.header("etag")
        assert all(same(first, answer) for answer in again)
        assert snapshot(client, url) == after


def test_a_response_survives_a_restart(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        url = filled_checkout(client)
        first = send(client, url, QUANTITY)
    with running(tmp_path) as client:
        assert same(first, send(client, url, QUANTITY))


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_the_same_key_with_another_body_is_422(tmp_path: Path, target: Target) -> None:
    with running(tmp_path) as client:
        url = filled_checkout(client)
        send(client, url, target)
        before = snapshot(client, url)

        others: list[object] = [{}, {target.property: None}, {**target.good, "x": 1}, []]
        for other in others:
            refused = client.request(target.method, url + target.path, json=other, headers=KEY)

            assert refused.status_code == 422
            assert refused.json()["code"] == "idempotency-key-reused"
        assert snapshot(client, url) == before
        assert is_replayed(send(client, url, target))


REFUSED = {
    400: ("POST", "/items", b"[NaN]", KEY),
    404: ("PATCH", "/items/20/quantity", b'{"delta": 1}', KEY),
    409: ("PATCH", "/items/3/quantity", b'{"delta": 1}', KEY),
    412: ("PATCH", "/items/1/quantity", b'{"delta": 1}', KEY | {"if-match": '"4"'}),
    422: ("PATCH", "/items/1/quantity", b'{"delta": -2}', KEY),
}


@pytest.mark.parametrize("status", REFUSED)
def test_a_refusal_is_stored_like_any_response(tmp_path: Path, status: int) -> None:
    method, path, body, headers = REFUSED[status]
    headers = headers | {"content-type": "application/json"}
    with running(tmp_path) as client:
        url = filled_checkout(client)

        first = client.request(method, url + path, content=body, headers=headers)
        # The request alone would now get another response.
        data_of(client.delete(f"{url}/items?itemId=3"))
        data_of(client.post(f"{url}/items", json={"items": [day_ticket(20)]}))
        data_of(client.patch(f"{url}/items/1/quantity", json={"delta": 4}))
        again = client.request(method, url + path, content=body, headers=headers)

        assert first.status_code == status
        assert same(first, again)


def test_a_key_belongs_to_a_path_and_a_channel(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        url, _ = open_checkout(client, item(1, 411))
        other, _ = open_checkout(client, item(1, 411))

        first = client.post(f"{url}/items", json={"items": [item(2, 411)]}, headers=KEY)
        answers = [
            client.post(f"{other}/items", json={"items": [item(2, 411)]}, headers=KEY),
            client.patch(f"{url}/items/1/quantity", json=ONE_MORE, headers=KEY),
            client.patch(f"{url}/items/2/quantity", json=ONE_MORE, headers=KEY),
            client.post(f"{url}/vouchers", json={"voucherCode": "SKI59"}, headers=KEY),
        ]
        elsewhere = client.post(
            f"{url}/items",
            json={"items": [item(2, 411)]},
            headers={**KEY, "service-channel-uuid": VALLEY_STATION},
        )

        assert [answer.status_code for answer in (first, *answers)] == [200] * 5
        assert not any(is_replayed(answer) for answer in (first, *answers, elsewhere))
        assert elsewhere.status_code == 404
        assert copies(client.get(url)) == 2


def test_different_keys_are_different_requests(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        url, _ = open_checkout(client, item(1, 411))

        for key in ("a", "A", "a ", "aa", "!", "~" * 255):
            send(client, url, QUANTITY, **{"idempotency-key": key})

        assert copies(client.get(url)) == 5  # trailing blanks are not part of a header


@pytest.mark.parametrize("path", ["/items?itemId=2", "/vouchers/WINTER10"])
def test_a_repeated_deletion_returns_the_first_response(tmp_path: Path, path: str) -> None:
    with running(tmp_path) as client:
        url = filled_checkout(client)

        first = client.delete(url + path, headers=KEY)
        after = snapshot(client, url)
        again = client.delete(url + path, headers=KEY)

        assert first.status_code == 200
        assert same(first, again)
        assert snapshot(client, url) == after
        assert client.delete(url + path).status_code == 404


def test_the_same_key_with_another_query_is_422(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        url = filled_checkout(client)
        data_of(client.delete(f"{url}/items?itemId=2", headers=KEY))

        refused = client.delete(f"{url}/items?itemId=3", headers=KEY)

        assert (refused.status_code, refused.json()["code"]) == (422, "idempotency-key-reused")


def test_a_response_is_kept_for_24_hours(tmp_path: Path) -> None:
    clock = Clock()
    with running(tmp_path, clock=clock) as client:
        url, _ = open_checkout(client, item(1, 411))
        first = send(client, url, QUANTITY)

        clock.turn(hours=24)
        last = send(client, url, QUANTITY)
        clock.turn(seconds=0.001)
        late = send(client, url, QUANTITY)

        assert same(first, last)
        assert late.json()["code"] == "checkout-expired"
        assert same(late, send(client, url, QUANTITY))


def test_expired_responses_are_removed_when_the_service_starts(tmp_path: Path) -> None:
    clock = Clock()
    with running(tmp_path, clock=clock) as client:
        url, _ = open_checkout(client, item(1, 411))
        first = send(client, url, QUANTITY)
        clock.turn(seconds=1)
        second = send(client, url, QUANTITY, **{"idempotency-key": "k-2"})
    clock.turn(hours=24)
    with running(tmp_path, clock=clock) as client:
        assert send(client, url, QUANTITY).json()["code"] == "checkout-expired"
        assert same(second, send(client, url, QUANTITY, **{"idempotency-key": "k-2"}))
        assert first.status_code == 200
