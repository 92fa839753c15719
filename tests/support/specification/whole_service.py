"""A visit to a service that calls each operation until each field has had a value."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from faregate.files import demo_catalogue
from faregate_http.store.records import AccountRow
from support.payment.registering import DETAILS, body_of, services_of, submit
from support.service.customers import ADA, CURRENT, PERSONS, authenticated, bearer, rows_of, save
from support.service.gate import ADULT
from support.service.gate import PATH as GATE
from support.service.identity_provider import Provider
from support.service.service import (
    PARTNERS,
    SUNDAY,
    VALLEY_STATION,
    WEBSHOP,
    Json,
    answer,
    data_of,
    day_ticket,
    enter,
    item,
    open_checkout,
)

DEMO = demo_catalogue()
ADDRESS = {
    "addressLine1": "Dorfstrasse 1",
    "addressLine2": "c/o Byron",
    "zip": "7000",
    "city": "Chur",
    "state": "GR",
    "countryCode": "CH",
}
PROFILE = {
    "company": "Engines Ltd",
    "acceptedNewsletter": True,
    "syncErrorWrite": "full",
    "syncErrorRead": "gone",
    "importedFrom": "the old shop",
}

# Features that the demo resort lacks: a fee with attributes, a search-engine image with a focus.
_ADDITIONS = {
    "      - id: 911\n": (
        "        attributes: [{identifier: kind, value: post, name: Kind, translation: Post}]\n"
    ),
    "        - imageUrl: https://arvengrat.example/images/day-ticket-wide.jpg\n": (
        "          hotspot: {x: 0.5, y: 0.5, width: 1, height: 0.5}\n"
    ),
}


def complete_catalogue(folder: Path) -> Path:
    """Write the demo resort with a value for every field to a file in *folder*."""
    text = files("faregate.files").joinpath("demo_resort.yaml").read_text("utf-8")
    for line, addition in _ADDITIONS.items():
        assert text.count(line) == 1
        text = text.replace(line, line + addition)
    file = folder / "complete.yaml"
    file.write_text(text, "utf-8")
    return file


def visit(client: TestClient, provider: Provider) -> None:
    """Call every operation as a new customer."""
    look_around(client)
    client.headers.update(log_in(client, provider.token(sub="ada", email="ada@byron.example")))
    person = add_persons(client)
    details = register(client)
    buy_with_vouchers(client, person, details)
    buy_on_site(client, details)
    subscribe(client)


def look_around(client: TestClient) -> None:
    """Read products, validities and prices."""
    for product in DEMO.products:
        if DEMO.channel(WEBSHOP).sells(product):
            ask(client, "GET", f"/api/products/{product.slug}", params={"include": "nextAvailability"})
    for path in ("validities", "validities/suggested"):
        ask(client, "GET", f"/api/booking/products/11/journey/{path}")
    ask(client, "GET", "/api/pricing/insights/distribution", params={"productId": 11})
    ask(client, "POST", GATE, json=ADULT)


def ask(client: TestClient, method: str, path: str, **content: Any) -> Any:
    """Return the response, which must be a success."""
    response = client.request(method, path, **content)
    assert response.status_code == 200, response.text
    return response


def log_in(client: TestClient, token: str) -> dict[str, str]:
    """Open an account, find and restore it; return the authentication header."""
    logged_in = bearer(authenticated(client, token, language="de").headers["access-token"])
    authenticated(client, token)
    ask(client, "POST", f"{CURRENT}/schedule-deletion", headers=logged_in)
    ask(client, "GET", CURRENT, headers=logged_in)
    authenticated(client, token)
    _know_more(client)
    authenticated(client, token)
    ask(client, "POST", f"{CURRENT}/schedule-deletion", headers=logged_in)
    authenticated(client, token)
    return logged_in


def _know_more(client: TestClient) -> None:
    """Add account data from other systems, which customers cannot set."""
    (row,) = rows_of(client, AccountRow, subject="ada")
    save(client, row._replace(revision=row.revision + 1, profile=json.dumps(PROFILE)))


def add_persons(client: TestClient) -> int:
    """Add a person for a season pass; return the id."""
    values = {**ADA, "dateOfBirth": "1985-12-10"}
    person = data_of(ask(client, "POST", PERSONS, json={"values": values, "productIds": [21]}))
    change = {"values": {"email": "ada@byron.example"}, "productIds": [21]}
    ask(client, "PATCH", f"{PERSONS}/{person['id']}", json=change)
    return int(person["id"])


def register(client: TestClient) -> dict[str, int]:
    """Register details that pay and that decline, and read them; return their ids."""
    transactions = {kind: _registered(client, kind) for kind in ("pays", "declines")}
    query = {"status": "ACTIVE", "type": ["card", "PFC"]}
    listed = ask(client, "GET", DETAILS, params=query).json()["data"]
    ids = {detail["transactionId"]: detail["id"] for detail in listed}
    details = {kind: ids[transaction] for kind, transaction in transactions.items()}
    ask(client, "DELETE", f"{DETAILS}/{details['declines']}/default")
    return details


def _registered(client: TestClient, instrument: str) -> str:
    body = body_of(isDefault=True, paymentMethods=["PFC"])
    transaction = data_of(ask(client, "POST", f"{DETAILS}/register", json=body))["transactionId"]
    assert submit(client, transaction, instrument=instrument).status_code == 303
    return str(transaction)


def buy_with_vouchers(client: TestClient, person: int, details: dict[str, int]) -> None:
    """Fill a checkout with one of everything and pay it after failed attempts."""
    url = fill(client, person)
    ask(client, "GET", f"{url}/payment/status")
    pay(client, url, paymentDetailId=details["declines"])
    pay(client, url, paymentDetailId=details["pays"])
    ask(client, "GET", url)
    ask(client, "GET", f"{url}/payment/status")
    notice(client, url)


def fill(client: TestClient, person: int) -> str:
    """Fill a checkout with one of everything; return its path."""
    url, _ = open_checkout(
        client,
        day_ticket(1, discountCardTypeId=1),
        day_ticket(2, 103),
        item(3, 511, validity=SUNDAY, parentItemId=1),
        item(4, 211, personId=person),
        item(5, 411),
        item(6, 411),
    )
    for code in ("WINTER10", "SEASON2024", "GIFT-100"):
        enter(client, url, code)
    values = {"donation": 2.5, "billingAddress": ADDRESS, "shippingAddress": ADDRESS, "acceptTerms": True}
    answer(client, url, **values, media={"1": 1, "4": 3}, weatherGuarantee=True, hotel="Zum Bären")
    ask(client, "PATCH", f"{url}/items/5/quantity", json={"delta": 1})
    ask(client, "DELETE", f"{url}/items", params={"itemId": 6})
    return url


def pay(client: TestClient, url: str, **how: Any) -> Json:
    """Pay the current price of the checkout; return the payment status."""
    total = client.get(url).json()["data"]["totalGross"]
    paid = data_of(ask(client, "POST", f"{url}/payment", json={"expectedTotal": total, **how}))
    ask(client, "GET", f"{url}/payment/status")
    return paid


def notice(client: TestClient, url: str) -> None:
    """Read the notices of an order, on any channel, until there are some."""
    order = f"/api/orders/{url.rpartition('/')[2]}"
    path = f"{order}/notices"
    ask(client, "GET", path)
    assert client.portal is not None
    client.portal.call(services_of(client).ticketing.work)
    ask(client, "GET", path, headers={"service-channel-uuid": PARTNERS})
    ask(client, "GET", order)


def buy_on_site(client: TestClient, details: dict[str, int]) -> None:
    """Pay a small amount without vouchers: declined by the gateway, then paid; and on site at a till."""
    url, _ = open_checkout(client, item(1, 411))
    answer(client, url, acceptTerms=True)
    pay(client, url, paymentDetailId=details["declines"])
    pay(client, url, paymentDetailId=details["pays"])
    client.headers["service-channel-uuid"] = VALLEY_STATION
    url, _ = open_checkout(client, item(1, 411))
    pay(client, url, provider="ON_SITE")
    client.headers["service-channel-uuid"] = WEBSHOP


def subscribe(client: TestClient) -> None:
    """Buy a subscription that renews after a number of days."""
    open_checkout(client, item(1, 231))
