"""Guests who pay by card, and customers who confirm a payment at their bank. Decisions §12."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_http.payment.details import MOST_FOR_CHECKOUT
from support.payment.registering import DETAILS, SHOP, Customer, Page, body_of, paying, submit
from support.service.service import Clock, Json, data_of, day_ticket, new_url

CONFIRM = "/sandbox/payments/"


@pytest.fixture
def shop(tmp_path: Path, clock: Clock) -> Any:
    with paying(tmp_path, clock=clock) as client:
        yield client


def basket(client: TestClient, headers: dict[str, str] | None = None) -> str:
    """Return the URL of a checkout that can be paid."""
    url = new_url()
    added = client.post(f"{url}/items", json={"items": [day_ticket(1)]}, headers=headers)
    data_of(added)
    answers = {"formValues": {"acceptTerms": True}}
    data_of(client.post(f"{url}/checkout-conditions", json=answers, headers=headers))
    return url


def registered(client: TestClient, url: str, instrument: str = "pays", **overrides: Any) -> str:
    """Return the transaction of a card that a guest registered for the checkout at *url*."""
    body = body_of(checkoutId=url.rpartition("/")[2], **overrides)
    transaction: str = data_of(client.post(f"{DETAILS}/register", json=body))["transactionId"]
    assert submit(client, transaction, instrument=instrument).status_code == 303
    return transaction


def pay(client: TestClient, url: str, headers: dict[str, str] | None = None, **body: Any) -> Any:
    total = {"expectedTotal": float(data_of(client.get(url, headers=headers))["totalGross"])}
    return client.post(f"{url}/payment", json={**total, **body}, headers=headers)


def status_of(client: TestClient, url: str) -> Json:
    return data_of(client.get(f"{url}/payment/status"))


def test_a_guest_pays_one_checkout_by_card(shop: TestClient) -> None:
    url = basket(shop)
    transaction = registered(shop, url)

    paid = data_of(pay(shop, url))

    assert (paid["status"], paid["paymentMethod"]["transactionId"]) == ("CLOSED", transaction)
    assert status_of(shop, url)["primaryPaymentProvider"]["type"] == "GATEWAY"


def test_a_guest_card_cannot_pay_another_checkout(shop: TestClient) -> None:
    other = basket(shop)
    registered(shop, basket(shop))

    refused = pay(shop, other, provider="GATEWAY")

    assert (refused.status_code, refused.json()["code"]) == (422, "invalid-payment")


def test_a_guest_card_can_be_used_only_once(shop: TestClient) -> None:
    url = basket(shop)
    registered(shop, url, "declines")
    assert data_of(pay(shop, url))["status"] == "OPEN"

    assert pay(shop, url, provider="GATEWAY").status_code == 422
    registered(shop, url)
    assert data_of(pay(shop, url))["status"] == "CLOSED"


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("en", "The payment was declined."),
        ("de", "Die Zahlung wurde abgelehnt."),
        ("fr", "Le paiement a été refusé."),
        ("it", "Il pagamento è stato rifiutato."),
    ],
)
def test_the_reason_of_a_failed_payment_is_in_the_language_of_the_request(
    shop: TestClient, language: str, reason: str
) -> None:
    url = basket(shop)
    registered(shop, url, "declines")
    pay(shop, url)

    shop.headers["accept-language"] = language

    assert status_of(shop, url)["errors"] == [reason]


def test_a_declined_registration_cannot_pay(shop: TestClient) -> None:
    url = basket(shop)
    body = body_of(checkoutId=url.rpartition("/")[2])
    transaction = data_of(shop.post(f"{DETAILS}/register", json=body))["transactionId"]
    submit(shop, transaction, "decline")

    assert pay(shop, url, provider="GATEWAY").status_code == 422


def test_a_guest_cannot_register_a_payment_detail_to_keep(shop: TestClient) -> None:
    assert shop.post(f"{DETAILS}/register", json=body_of()).json()["code"] == "missing-token"


def test_a_card_for_one_checkout_cannot_be_the_default(shop: TestClient) -> None:
    body = body_of(checkoutId=basket(shop).rpartition("/")[2], isDefault=True)

    refused = shop.post(f"{DETAILS}/register", json=body)

    assert (refused.status_code, refused.json()["errors"][0]["pointer"]) == (422, "/isDefault")


def test_a_card_can_be_registered_only_for_an_accessible_checkout(shop: TestClient) -> None:
    theirs = basket(shop, Customer.new(shop).headers)

    for url in (new_url(), theirs):
        refused = shop.post(f"{DETAILS}/register", json=body_of(checkoutId=url.rpartition("/")[2]))
        assert refused.json()["errors"] == [
            {
                "reason": "unknown checkout",
                "pointer": "/checkoutId",
                "code": "unknown-checkout",
                "title": "Unknown checkout",
            }
        ]


def test_an_account_may_use_a_card_once_and_lists_it_as_anonymous(shop: TestClient) -> None:
    customer = Customer.new(shop)
    kept = customer.activate(isDefault=True)
    url = basket(shop, customer.headers)
    transaction = customer.register(checkoutId=url.rpartition("/")[2])
    submit(shop, transaction)

    paid = data_of(pay(shop, url, customer.headers))

    assert paid["paymentMethod"]["transactionId"] == transaction
    assert [detail["transactionId"] for detail in customer.listed(type="anonymous")] == [transaction]
    assert kept["isDefault"]


def test_one_checkout_takes_50_registrations(shop: TestClient) -> None:
    body = body_of(checkoutId=basket(shop).rpartition("/")[2])
    for _ in range(MOST_FOR_CHECKOUT):
        data_of(shop.post(f"{DETAILS}/register", json=body))

    refused = shop.post(f"{DETAILS}/register", json=body)

    assert (refused.status_code, refused.json()["code"]) == (409, "too-many-payment-details")


def test_a_payment_defaults_to_the_default_of_the_account(shop: TestClient) -> None:
    customer = Customer.new(shop)
    default = customer.activate(isDefault=True)
    url = basket(shop, customer.headers)

    assert data_of(pay(shop, url, customer.headers))["paymentMethod"]["id"] == default["id"]


def page_for(client: TestClient, url: str) -> str:
    """Return the path of the page for confirming the payment of a checkout."""
    asked: str = status_of(client, url)["redirectUrl"]
    assert asked.startswith(f"http://localhost{CONFIRM}")
    return asked.removeprefix("http://localhost")


def waiting(client: TestClient) -> tuple[str, str, str]:
    """Return a checkout whose payment needs confirmation, the page for it, and the transaction."""
    url = basket(client)
    transaction = registered(client, url, "confirms")
    assert data_of(pay(client, url))["status"] == "OPEN"
    return url, page_for(client, url), transaction


@pytest.mark.parametrize(
    ("action", "status", "state", "errors", "page"),
    [
        ("confirm", "CLOSED", "SETTLED", [], "success"),
        ("refuse", "OPEN", "FAILED", ["The payment was not confirmed."], "error"),
    ],
)
def test_a_customer_can_confirm_or_decline_a_payment(
    shop: TestClient, action: str, status: str, state: str, errors: list[str], page: str
) -> None:
    url, path, transaction = waiting(shop)
    form = Page(shop.get(path).text)

    ended = shop.post(form.action or "", data={"action": action})

    assert form.buttons == ["confirm", "refuse"]
    assert ended.headers["location"] == f"{SHOP}/{page}?transactionId={transaction}"
    assert data_of(shop.get(url))["status"] == status
    found = status_of(shop, url)
    assert (found["status"], found["errors"]) == (state, errors)
    assert "redirectUrl" not in found
    assert shop.get(path).status_code == shop.post(path, data={"action": action}).status_code == 404


def test_a_customer_confirms_what_a_voucher_does_not_cover(shop: TestClient) -> None:
    url = basket(shop)
    data_of(shop.post(f"{url}/vouchers", json={"voucherCode": "ALP-50"}))
    registered(shop, url, "confirms")
    pay(shop, url)

    shop.post(page_for(shop, url), data={"action": "confirm"})

    assert status_of(shop, url)["secondaryPaymentProviders"][0]["status"] == "SETTLED"
    assert data_of(shop.get(url))["status"] == "CLOSED"


def test_a_page_opens_only_with_its_secret(shop: TestClient) -> None:
    _, path, _ = waiting(shop)
    _, other, _ = waiting(shop)

    mixed = path[:-32] + other[-32:]
    assert [shop.get(page).status_code for page in (path, mixed, path[:-33], f"{CONFIRM}x")] == [
        200,
        404,
        404,
        404,
    ]


def test_an_unknown_form_action_changes_nothing(shop: TestClient) -> None:
    url, path, _ = waiting(shop)

    assert shop.post(path, data={"action": "pay"}).status_code == 422
    assert status_of(shop, url)["status"] == "PENDING"


def test_an_unconfirmed_payment_expires_after_15_minutes(shop: TestClient, clock: Clock) -> None:
    url, path, _ = waiting(shop)
    clock.turn(minutes=15)

    assert status_of(shop, url)["status"] == "CANCELLED"
    assert shop.get(path).status_code == 404


@pytest.mark.parametrize(
    ("language", "title"),
    [("de", "Zahlung bestätigen"), ("fr", "Confirmer le paiement"), ("it", "Confermare il pagamento")],
)
def test_the_page_speaks_four_languages(shop: TestClient, language: str, title: str) -> None:
    _, path, _ = waiting(shop)

    page = Page(shop.get(path, params={"language": language}).text)

    assert page.language == language
    assert title in page.texts
    assert "CHF" in " ".join(page.texts)


def test_a_checkout_paid_in_full_by_vouchers_shows_the_voucher(shop: TestClient) -> None:
    url = basket(shop)
    data_of(shop.post(f"{url}/vouchers", json={"voucherCode": "GIFT-100"}))

    paid = data_of(pay(shop, url))

    assert paid["paymentMethod"] == {
        "provider": "VOUCHER_B",
        "type": "voucher",
        "id": 0,
        "isDefault": False,
        "status": "ACTIVE",
        "code": "GIFT-100",
    }
