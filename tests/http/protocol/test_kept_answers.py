"""Responses stored under an Idempotency-Key: none that is temporary, and packed. Decisions §11.6."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from httpx2 import Response

from faregate_http.options import FailureLimit
from support.payment.counter import CHANGES, decline, problem, waiting
from support.payment.till import Customer, Shop
from support.service.service import VALLEY_STATION, data_of, day_ticket, new_url, open_checkout, running
from support.stores.capacity import ask
from support.stores.watched_store import Timer

KEY = {"idempotency-key": "k-1"}


def is_replayed(response: Response) -> bool:
    return "idempotency-replayed" in response.headers


@pytest.mark.parametrize("name", CHANGES)
def test_payment_in_progress_responses_are_not_stored(till: Shop, customer: Customer, name: str) -> None:
    url = waiting(till, customer)
    keyed = {**customer.headers, **KEY}
    refused = CHANGES[name](till, url, keyed)
    decline(till, url, customer)

    answer = CHANGES[name](till, url, keyed)

    problem(refused, 409, "payment-in-progress")
    assert answer.status_code == 200
    assert not is_replayed(answer)


def test_throttled_responses_are_not_stored(tmp_path: Path) -> None:
    timer = Timer()
    with running(tmp_path, timer=timer, code_failures=FailureLimit(2, 60)) as client:
        url, _ = open_checkout(client, day_ticket(1))
        for _ in range(2):
            client.post(f"{url}/vouchers", json={"voucherCode": "GUESS"})
        refused = client.post(f"{url}/vouchers", json={"voucherCode": "WINTER10"}, headers=KEY)
        timer.seconds += 61
        ask(tmp_path / "checkouts.db", "UPDATE failures SET ends_at = ends_at - 61000")

        answer = client.post(f"{url}/vouchers", json={"voucherCode": "WINTER10"}, headers=KEY)

        assert (refused.status_code, refused.json()["code"]) == (429, "too-many-failures")
        assert data_of(answer)["promoCodes"]
        assert not is_replayed(answer)


@pytest.mark.slow
def test_stored_responses_take_little_space(tmp_path: Path) -> None:
    url = new_url()
    body = {"items": [day_ticket(number) for number in range(1, 201)]}
    with running(tmp_path, channel=VALLEY_STATION) as client:
        first = client.post(f"{url}/items", json=body, headers=KEY)
        again = client.post(f"{url}/items", json=body, headers=KEY)

    with closing(sqlite3.connect(tmp_path / "checkouts.db")) as connection:
        [(kept,)] = connection.execute("SELECT length(body) FROM answers")
    assert (again.content, is_replayed(again)) == (first.content, True)
    assert len(first.content) > 30 * kept


def test_a_response_stored_uncompressed_is_replayed_unchanged(tmp_path: Path) -> None:
    url, body = new_url(), {"items": [day_ticket(1)]}
    with running(tmp_path) as client:
        first = client.post(f"{url}/items", json=body, headers=KEY)
        with closing(sqlite3.connect(tmp_path / "checkouts.db")) as connection, connection:
            connection.execute("UPDATE answers SET body = ?", (first.content,))

        again = client.post(f"{url}/items", json=body, headers=KEY)

        assert (again.content, is_replayed(again)) == (first.content, True)
        assert json.loads(again.content)["data"]["items"]
