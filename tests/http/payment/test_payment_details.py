"""Means of payment of an account: registration, listing, default and expiry. Decisions §12."""

import re
from typing import Any

import pytest

from faregate_http.payment.details import MOST_LIVE, MOST_OVER
from support.payment.registering import DETAILS, Customer, paying, submit
from support.service.service import PARTNERS, Clock, Json, data_of

ID = range(1, 2**53)


def test_a_registration_returns_the_page_for_the_customer(customer: Customer) -> None:
    response = customer.post()

    answered = data_of(response)
    assert set(answered) == {"transactionId", "redirectUrl"}
    assert re.fullmatch(r"[0-9a-f]{32}", answered["transactionId"])
    page = customer.page(answered["transactionId"])
    assert answered["redirectUrl"] == f"http://localhost{page}"
    assert response.headers["cache-control"] == "no-store"


def test_a_registration_page_opens_only_with_the_secret_of_its_link(customer: Customer) -> None:
    transaction, other = customer.register(), customer.register()
    page, foreign = customer.page(transaction), customer.page(other)
    bare = page.rpartition("/")[0] + f"/{transaction}"

    opened = [
        customer.client.get(path).status_code
        for path in (page, bare, f"{bare}-", f"{bare}-{'A' * 32}", bare + foreign[-33:], page[:-1])
    ]

    assert opened == [200, 404, 404, 404, 404, 404]
    assert page[-32:] not in customer.client.get(DETAILS, headers=customer.headers).text


def test_a_new_registration_is_pending(customer: Customer) -> None:
    transaction = customer.register(paymentMethods=["TWI", "VIS"], isDefault=True)

    [detail] = customer.listed()

    assert detail.pop("id") in ID
    assert re.fullmatch(r"PD-\d+", detail.pop("refno"))
    assert detail == {
        "provider": "GATEWAY",
        "transactionId": transaction,
        "paymentMethod": "TWI",
        "brand": "TWINT",
        "type": "TWI",
        "isDefault": False,
        "status": "PENDING",
        "code": "",
    }


def test_an_active_detail_shows_what_was_chosen(customer: Customer) -> None:
    transaction = customer.register(paymentMethods=["TWI", "ECA"], isDefault=True)

    submit(customer.client, transaction, method="ECA", instrument="reserves")

    detail = customer.one(transaction)
    wanted = ("ACTIVE", "ECA", "ECA", "Mastercard", "**** 0002", True)
    shown = ("status", "type", "paymentMethod", "brand", "code", "isDefault")
    assert tuple(detail[name] for name in shown) == wanted


def test_the_gateway_alias_is_never_shown(customer: Customer) -> None:
    detail = customer.activate(isDefault=True)
    row = customer.stored(detail["transactionId"])

    answers = [
        customer.post().text,
        customer.client.get(DETAILS, headers=customer.headers).text,
        customer.unset_default(detail["id"]).text,
        customer.client.get(customer.page(detail["transactionId"])).text,
    ]

    assert row.alias is not None
    assert len(row.alias) > 20
    assert not [answer for answer in answers if row.alias in answer or "pays:" in answer]


def test_registrations_cannot_be_guessed_from_one_another(customer: Customer) -> None:
    first, second = (customer.stored(customer.register()) for _ in range(2))

    assert first.transaction_id != second.transaction_id
    assert abs(first.id - second.id) > 1_000
    assert first.request != second.request


def test_the_public_url_comes_from_the_settings(tmp_path: Any) -> None:
    with paying(tmp_path, public_url="https://tickets.example/api-of-ours/") as client:
        answered = data_of(Customer.new(client).post())

    start = "https://tickets.example/api-of-ours/sandbox/registrations/"
    assert answered["redirectUrl"].startswith(start)


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]:8000", "localhost"])
def test_without_a_setting_the_public_url_is_a_local_one(customer: Customer, host: str) -> None:
    answered = data_of(customer.post(host=host))

    assert answered["redirectUrl"].startswith(f"http://{host}/sandbox/registrations/")


@pytest.mark.parametrize("host", ["evil.test", "localhost.evil.test", "0.0.0.0", "[", "localhost:x", "a,b"])
def test_the_host_header_cannot_redirect_a_customer(customer: Customer, host: str) -> None:
    refused = customer.post(host=host)

    assert (refused.status_code, refused.json()["code"]) == (503, "public-url-not-configured")
    assert customer.listed() == []


FILTERS: list[tuple[Json, list[str]]] = [
    ({}, ["VIS", "ECA", "TWI", "PFC"]),
    ({"type": "card"}, ["VIS", "ECA", "PFC"]),
    ({"type": "PFC"}, ["PFC"]),
    ({"type": "TWI"}, ["TWI"]),
    ({"type": ["TWI", "PFC"]}, ["TWI", "PFC"]),
    ({"type": ["TWI", "card"]}, ["VIS", "ECA", "TWI", "PFC"]),
    ({"type": "voucher"}, []),
    ({"type": "anonymous"}, []),
    ({"type": ["PAP", "DIB", "REK", "PFP"]}, []),
    ({"status": "ACTIVE"}, ["VIS"]),
    ({"status": "DECLINED"}, ["ECA"]),
    ({"status": "PENDING"}, ["TWI", "PFC"]),
    ({"status": ["ACTIVE", "DECLINED"]}, ["VIS", "ECA"]),
    ({"status": "EXPIRED"}, []),
    ({"status": "PENDING", "type": "card"}, ["PFC"]),
    ({"status": "ACTIVE", "type": "TWI"}, []),
]


def test_details_are_filtered_and_listed_oldest_first(customer: Customer, clock: Clock) -> None:
    transactions = {}
    for code in ("VIS", "ECA", "TWI", "PFC"):
        transactions[code] = customer.register(paymentMethods=[code])
        clock.turn(milliseconds=1)
    submit(customer.client, transactions["VIS"])
    submit(customer.client, transactions["ECA"], "decline")

    for query, expected in FILTERS:
        assert [detail["type"] for detail in customer.listed(**query)] == expected, query


def test_nobody_sees_the_details_of_another(customer: Customer) -> None:
    stranger = Customer.new(customer.client)
    detail = customer.activate(isDefault=True)

    refused, unknown = stranger.unset_default(detail["id"]), stranger.unset_default(7)

    assert stranger.listed() == []
    assert refused.status_code == unknown.status_code == 404
    assert refused.json() == {**unknown.json(), "instance": f"{DETAILS}/{detail['id']}/default"}
    assert customer.one(detail["transactionId"])["isDefault"]


def test_an_account_has_the_same_details_on_every_channel(customer: Customer) -> None:
    detail = customer.activate()

    response = customer.client.get(DETAILS, headers={**customer.headers, "service-channel-uuid": PARTNERS})

    assert response.json()["data"] == [detail]


def test_the_default_is_replaced_when_the_new_one_becomes_active(customer: Customer, clock: Clock) -> None:
    first = customer.activate(isDefault=True)
    clock.turn(seconds=1)
    transaction = customer.register(isDefault=True)

    assert customer.one(first["transactionId"])["isDefault"]
    submit(customer.client, transaction)

    assert [detail["isDefault"] for detail in customer.listed()] == [False, True]


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_the_default_stays_if_the_new_one_does_not_become_active(
    customer: Customer, clock: Clock, action: str
) -> None:
    customer.activate(isDefault=True)
    clock.turn(seconds=1)
    transaction = customer.register(isDefault=True)

    submit(customer.client, transaction, action)

    assert [(detail["isDefault"], detail["status"]) for detail in customer.listed()] == [
        (True, "ACTIVE"),
        (False, "DECLINED"),
    ]


def test_a_non_default_detail_leaves_the_default_unchanged(customer: Customer, clock: Clock) -> None:
    customer.activate(isDefault=True)
    clock.turn(seconds=1)
    customer.activate()

    assert [detail["isDefault"] for detail in customer.listed()] == [True, False]


def test_unsetting_the_default_returns_the_detail_every_time(customer: Customer) -> None:
    detail = customer.activate(isDefault=True)

    answers = [data_of(customer.unset_default(detail["id"])) for _ in range(3)]

    assert answers == [{**detail, "isDefault": False}] * 3
    assert customer.stored(detail["transactionId"]).revision == 3
    assert customer.listed() == [answers[0]]


def test_unsetting_a_pending_default_keeps_it_from_becoming_one(customer: Customer) -> None:
    transaction = customer.register(isDefault=True)

    data_of(customer.unset_default(customer.one(transaction)["id"]))
    submit(customer.client, transaction)

    assert not customer.one(transaction)["isDefault"]


def test_an_account_has_at_most_fifty_pending_or_active_details(customer: Customer, clock: Clock) -> None:
    customer.activate()
    last = [customer.register() for _ in range(MOST_LIVE - 1)][-1]

    refused = customer.post()
    submit(customer.client, last, "cancel")

    assert (refused.status_code, refused.json()["code"]) == (409, "too-many-payment-details")
    assert customer.post().status_code == 200
    assert customer.post().status_code == 409
    clock.turn(minutes=30)
    assert customer.post().status_code == 200


@pytest.mark.slow
def test_the_oldest_ended_details_are_dropped(customer: Customer, clock: Clock) -> None:
    kept = customer.activate()
    clock.turn(seconds=1)
    latest: list[str] = []
    for _ in range(3):
        latest = [customer.register() for _ in range(40)]
        clock.turn(minutes=31)

    customer.register()

    listed = customer.listed()
    assert len(listed) == 1 + MOST_OVER + 1
    assert listed[0] == kept
    assert {*latest} <= {detail["transactionId"] for detail in listed}
