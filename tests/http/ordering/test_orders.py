"""Orders show the prices that were paid and the issued tickets, whatever has changed since."""

import logging
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from faregate_http.accounts.erasure import erase
from faregate_http.ordering.payments import Payments
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import Response
from faregate_http.store.records import AccountRow, TicketRow
from support.payment.failing_issuer import ItemsIssuer
from support.payment.fake_gateway import Plan
from support.payment.orders import SECRET, bought, bought_for_nothing, issue_all, read, staff_of
from support.payment.till import CATALOGUE, STRICT, Customer, Shop, database, meal, ride, shop
from support.service.service import WEBSHOP, Json, data_of
from support.specification.openapi_conformity import DOCUMENT

ISSUER = ItemsIssuer()


@pytest.fixture(autouse=True)
def _working_issuer() -> None:
    ISSUER.failing.clear()


@pytest.fixture
def till(tmp_path: Path) -> Iterator[Shop]:
    with database("sqlite", tmp_path) as url, shop(url, issuer=ISSUER) as opened:
        yield opened


def tickets(data: Json) -> list[Json]:
    return [entry["ticket"] for entry in data["items"]]


OPEN, FAILED = {"serial": None, "status": "OPEN"}, {"serial": None, "status": "FAILED"}


def issued(serial: str) -> Json:
    return {"serial": serial, "status": "ISSUED"}


def test_an_order_shows_what_was_paid(till: Shop, customer: Customer) -> None:
    path = till.opened(ride(1), meal(2), **customer.headers)
    till.enter(path, "MEMBERS", **customer.headers)
    closed = data_of(till.pay(path, 58, customer.headers))
    till.clock.turn(minutes=5)

    data = data_of(read(till, closed["uuid"], customer.headers))

    same = ("referenceNumber", "currency", "totalGross", "totalNet", "salesChannel")
    assert data == {
        "id": closed["uuid"],
        "createdAt": "2026-12-01T08:30:00.000Z",
        **{name: closed[name] for name in same},
        "isComplete": False,
        "items": [
            {
                "id": entry["id"],
                "name": entry["productVariant"]["translation"],
                "productVariantId": entry["productVariant"]["id"],
                "validity": entry["validity"],
                "personId": None,
                "totalGross": entry["totalGross"],
                "vatRate": entry["vatRate"],
                "status": "SOLD",
                "ticket": OPEN,
            }
            for entry in closed["items"]
        ],
    }
    assert data["totalGross"] == sum(entry["totalGross"] for entry in data["items"]) == 58
    assert [entry["validity"] is None for entry in data["items"]] == [False, True]


def test_an_order_can_be_read_from_each_database(till_url: str) -> None:
    with shop(till_url, issuer=ISSUER) as till:
        sold = bought(till, items=2)
        issue_all(till)

        shown = data_of(read(till, sold.id, sold.guest))

    assert (shown["totalGross"], tickets(shown)) == (40, [issued("T1"), issued("T2")])


@pytest.mark.parametrize(("tender", "shown"), [("cash", {"cashDue": 20}), ("other", {})])
def test_the_cash_due_is_shown_if_paid_in_cash(till: Shop, tender: str, shown: Json) -> None:
    path = till.opened(meal(1))
    donation = {"formValues": {"donation": 0.02}}
    data_of(till.client.post(f"{path}/checkout-conditions", json=donation))
    paid = till.pay(path, 20.02, tender=tender)

    data = data_of(read(till, path.rpartition("/")[2], {SECRET: paid.headers[SECRET]}))

    assert {name: data[name] for name in data if name == "cashDue"} == shown
    assert data["totalGross"] == Decimal("20.02")


def test_an_item_names_its_person_until_the_account_is_erased(till: Shop) -> None:
    customer = till.customer({"firstName": "Ada"})
    path = till.opened(meal(1, personId=customer.persons[0]), meal(2), **customer.headers)
    order = data_of(till.pay(path, 40, customer.headers))["uuid"]

    before = data_of(read(till, order, customer.headers))
    till.issue()
    [account] = till.rows(AccountRow, id=customer.account)
    till.call(erase, till.services.store, account, till.clock())
    after = data_of(read(till, order, staff_of(WEBSHOP)))

    assert [entry["personId"] for entry in before["items"]] == [customer.persons[0], None]
    assert [entry["personId"] for entry in after["items"]] == [None, None]
    assert after["totalGross"] == before["totalGross"]


def test_the_response_is_not_cached_and_has_a_language(till: Shop) -> None:
    sold = bought(till)

    response = read(till, sold.id, {**sold.guest, "accept-language": "it"})

    assert response.headers["cache-control"] == "no-store"
    assert response.headers["content-language"] == "it"
    assert "etag" not in response.headers


def test_a_serial_number_is_shown_once_issued(till: Shop) -> None:
    ISSUER.failing |= {2}
    sold = bought(till, items=2)

    before = read(till, sold.id, sold.guest)
    till.issue()
    rows = {row.item_id: row for row in till.rows(TicketRow, order_id=sold.id)}
    between = read(till, sold.id, sold.guest)
    ISSUER.failing.clear()
    till.clock.turn(seconds=5)
    till.issue()
    after = read(till, sold.id, sold.guest)

    assert (rows[1].content, rows[2].serial) == (None, None)
    assert [tickets(data_of(answer)) for answer in (before, between, after)] == [
        [OPEN, OPEN],
        [issued("T1"), OPEN],
        [issued("T1"), issued("T2")],
    ]
    assert [data_of(answer)["isComplete"] for answer in (before, between, after)] == [False, False, True]
    assert [answer.headers.get("retry-after") for answer in (before, between, after)] == ["2", "2", None]


LUNCH = "{id: 30, name: Lunch, vatRate: 2.6, prices: [{amount: 20.00}]}"
WORDS = {"en": "Lunch", "de": "Mittagessen", "fr": "Déjeuner", "it": "Pranzo"}


def written(folder: Path, lunch: str) -> Path:
    """Write the till's catalogue with another lunch, and return its path."""
    text = CATALOGUE.read_text("utf-8")
    assert text.count(LUNCH) == 1
    file = folder / "other.yaml"
    file.write_text(text.replace(LUNCH, lunch), "utf-8")
    return file


TRANSLATED = LUNCH.replace("name: Lunch", f"name: Lunch, translation: {WORDS}".replace("'", ""))
DEARER = TRANSLATED.replace("20.00", "35.00").replace("2.6", "8.1").replace("Mittagessen", "Znacht")
GONE = LUNCH.replace("id: 30", "id: 39")


@pytest.mark.parametrize("later", [TRANSLATED, DEARER, GONE], ids=["the same", "dearer", "gone"])
def test_prices_and_names_stay_the_same_in_every_language(tmp_path: Path, later: str) -> None:
    with database("sqlite", tmp_path) as url:
        with shop(url, catalogue=written(tmp_path, TRANSLATED)) as till:
            sold = bought(till)
        with shop(url, catalogue=written(tmp_path, later)) as till:
            answers = {
                language: data_of(read(till, sold.id, {**sold.guest, "accept-language": language}))
                for language in WORDS
            }

    found = {language: data["items"][0]["name"] for language, data in answers.items()}
    figures = {
        (entry["totalGross"], entry["vatRate"], data["totalGross"], data["totalNet"])
        for data in answers.values()
        for entry in data["items"]
    }
    assert found == WORDS
    assert figures == {(20, Decimal("2.6"), 20, Decimal("19.49"))}


def paying(till: Shop, path: str, key: str) -> Any:
    body = {"expectedTotal": 20, "provider": "ON_SITE"}
    return till.client.post(f"{path}/payment", json=body, headers={"idempotency-key": key})


@pytest.mark.parametrize("is_lost", [False, True], ids=["replayed", "answered anew"])
def test_a_repeated_payment_returns_the_secret_again(till: Shop, is_lost: bool) -> None:
    path = till.opened(meal(1))
    first = paying(till, path, "once")
    if is_lost:
        till.call(till.services.store.purge_answers, 2**62)

    again = paying(till, path, "once")
    other = paying(till, path, "twice")

    assert again.headers[SECRET] == first.headers[SECRET]
    assert again.content == first.content
    assert again.headers.get("idempotency-replayed") == (None if is_lost else "true")
    assert (other.status_code, SECRET in other.headers) == (409, False)
    assert read(till, path.rpartition("/")[2], {SECRET: again.headers[SECRET]}).status_code == 200


def test_the_secret_is_returned_while_the_payment_is_pending(
    till: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only accounts can pay through a gateway today, so this payment is simulated."""

    async def pay(payments: Payments, request: Request, *_: object) -> Response:
        return (await payments.checkouts.show(request)).response

    monkeypatch.setattr(Payments, "pay", pay)
    path = till.opened(meal(1))

    response = till.pay(path, 20)

    order = path.rpartition("/")[2]
    assert data_of(response)["status"] == "OPEN"
    assert response.headers[SECRET] == till.services.order_secrets.of(order)
    assert read(till, order, {SECRET: response.headers[SECRET]}).status_code == 404


def test_an_account_gets_no_secret_of_a_pending_payment(till: Shop, customer: Customer) -> None:
    till.gateway.plans.append(Plan.WAIT)
    path = till.opened(meal(1), **customer.headers)

    response = till.pay(path, 20, customer.headers)

    assert data_of(response)["status"] == "OPEN"
    assert SECRET not in response.headers


def test_a_guest_of_a_public_shop_can_read_a_free_order(till: Shop) -> None:
    sold = bought_for_nothing(till)

    data = data_of(read(till, sold.id, {**sold.guest, "service-channel-uuid": STRICT}))

    assert (data["id"], data["totalGross"], len(data["items"])) == (sold.id, 0, 1)


def test_secrets_appear_in_no_log_and_no_metric(till: Shop, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    sold = bought(till)
    issue_all(till)
    answers = [read(till, sold.id, sold.guest, what).text for what in ("", "/notices")]
    refused = read(till, bought(till).id, sold.guest).text
    metrics = till.client.get("/metrics").text

    assert sold.secret is not None
    assert "GET /api/orders/{orderId}: 200" in caplog.text
    for text in (caplog.text, metrics, refused, *answers):
        assert sold.secret not in text
    ours = [str(record.__dict__) for record in caplog.records if record.name != "httpx2"]
    assert not [line for line in ours if sold.secret in line or sold.id in line]


ORDER, NOTICES = "/api/orders/{orderId}", "/api/orders/{orderId}/notices"


def test_the_document_describes_the_order_secret_header_where_it_is_used() -> None:
    secret = DOCUMENT["components"]["parameters"]["orderSecret"]
    reference = {"$ref": "#/components/parameters/orderSecret"}
    taking = {
        path
        for path, methods in DOCUMENT["paths"].items()
        for operation in methods.values()
        if reference in operation["parameters"]
    }
    telling = {
        path
        for path, methods in DOCUMENT["paths"].items()
        for operation in methods.values()
        if SECRET in operation["responses"]["200"]["headers"]
    }

    assert (secret["name"], secret["in"], secret["required"]) == (SECRET, "header", False)
    assert taking == {ORDER, NOTICES}
    assert telling == {"/api/checkout/{checkoutId}/payment"}
