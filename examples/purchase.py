"""Buy day tickets at a development server, from login to tickets, with the standard library alone.

Start the server, then run this program:

    faregate serve --dev
    python examples/purchase.py

Pass the address of another local server as an argument. No money moves: the card belongs to the sandbox.
"""

from __future__ import annotations

import json
import re
import sys
import time
from datetime import datetime
from decimal import Decimal
from http import HTTPStatus
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

WEBSHOP = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77"
ADULT, CHILD = 101, 103
UNDER_WAY = {"PENDING", "AUTHORIZED"}
ADDRESS = {"addressLine1": "Dorfstrasse 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}


class Client:
    """A client of a local server; once logged in, every request carries the account's token."""

    def __init__(self, server: str) -> None:
        self._connection = HTTPConnection(urlsplit(server).netloc, timeout=30)
        self.headers = {"service-channel-uuid": WEBSHOP, "accept-language": "en"}

    def ask(self, method: str, path: str, body: Any = None) -> tuple[Any, Any]:
        """Return the JSON and the headers of the response."""
        headers = {**self.headers, "content-type": "application/json"}
        self._connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != HTTPStatus.OK:
            sys.exit(f"{method} {path}: {text}")
        return json.loads(text, parse_float=Decimal), answer.headers

    def data(self, method: str, path: str, body: Any = None) -> Any:
        """Return the response without its envelope."""
        return self.ask(method, path, body)[0]["data"]

    def page(self, url: str, form: dict[str, str] | None = None) -> str:
        """Return a page as a browser gets it; with a *form*, the page that it leads to."""
        headers = {"content-type": "application/x-www-form-urlencoded"}
        method = "POST" if form else "GET"
        self._connection.request(method, urlsplit(url).path, urlencode(form) if form else None, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        return answer.headers["location"] or text


def log_in(client: Client) -> None:
    """Log in with an ID token; in production it comes from an identity provider."""
    issued, _ = client.ask("POST", "/dev/identity/token", {"subject": "ada", "email": "ada@byron.example"})
    answer, headers = client.ask("POST", "/api/accounts/authenticate", {"idToken": issued["id_token"]})
    client.headers["authorization"] = f"Bearer {headers['access-token']}"
    say("log in", f"{answer['data']['type']} of {answer['data']['account']['email']}")


def add_person(client: Client) -> int:
    """Add the person whom the ticket is for."""
    values = {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1985-12-10"}
    person = client.data("POST", "/api/accounts/current/persons", {"values": values})
    say("person", f"{values['firstName']} {values['lastName']}")
    return int(person["id"])


def next_day(client: Client) -> dict[str, str]:
    """Return the first day that can be booked."""
    product = client.data("GET", "/api/products/day-ticket?include=nextAvailability")
    found = product["nextAvailability"]
    day, places = datetime.fromisoformat(found["from"]), found["availableCapacity"]["max"]
    say(product["name"], f"{day:%d %B %Y}, {places} places, from", found["price"]["minPrice"])
    return {"from": found["from"], "to": found["to"]}


def fill(client: Client, checkout: str, person: int, day: dict[str, str]) -> None:
    """Open a checkout with two tickets, enter two codes, and answer its form."""
    blank = dict.fromkeys(["personId", "parentItemId", "originatedItemId", "discountCardTypeId"])
    adult = {**blank, "id": 1, "productVariantId": ADULT, "validity": day, "personId": person}
    child = {**blank, "id": 2, "productVariantId": CHILD, "validity": day}
    show("items", client.data("POST", f"{checkout}/items", {"items": [adult, child]}))
    for code in ("WINTER10", "ALP-50"):
        show(code, client.data("POST", f"{checkout}/vouchers", {"voucherCode": code}))
    answers = {"donation": 2, "acceptTerms": True, "media": {"1": 1}, "shippingAddress": ADDRESS}
    show("conditions", client.data("POST", f"{checkout}/checkout-conditions", {"formValues": answers}))


def register_card(client: Client) -> int:
    """Register a card on the page of the sandbox, as the customer would in a browser."""
    urls = {ending: f"https://shop.example/{ending}" for ending in ("success", "error", "cancel")}
    body = {"redirectUrls": urls, "isDefault": True, "paymentMethods": ["VIS"]}
    begun = client.data("POST", "/api/payments/payment-details/register", body)
    token = re.findall(r'name="token" value="([^"]+)"', client.page(begun["redirectUrl"]))[0]
    form = {"token": token, "action": "succeed", "method": "VIS", "instrument": "pays"}
    client.page(begun["redirectUrl"], form)
    details = client.data("GET", "/api/payments/payment-details?status=ACTIVE")
    (card,) = [detail for detail in details if detail["transactionId"] == begun["transactionId"]]
    say("card", f"{card['brand']} {card['code']}")
    return int(card["id"])


def pay(client: Client, checkout: str, card: int) -> None:
    """Pay for the checkout, and wait for the result."""
    total = client.data("GET", checkout)["totalGross"]
    paid = client.data(
        "POST", f"{checkout}/payment", {"expectedTotal": float(total), "paymentDetailId": card}
    )
    while (status := client.data("GET", f"{checkout}/payment/status"))["status"] in UNDER_WAY:
        time.sleep(0.2)
    for provider in (status["primaryPaymentProvider"], *status.get("secondaryPaymentProviders", ())):
        say("paid", f"{provider['type']}, {provider['status']}", provider["amount"])
    say("order", f"{paid['referenceNumber']}, {paid['status']}", paid["totalGross"])


def collect(client: Client, order: str) -> None:
    """Poll for notices until all tickets are issued."""
    while not (notices := client.data("GET", f"/api/orders/{order}/notices"))["isComplete"]:
        time.sleep(0.2)
    say("tickets", ", ".join(notice["type"] for notice in notices["notices"]))


def show(step: str, checkout: Any) -> None:
    """Print the current total of a checkout."""
    paid = sum(voucher["amount"] for voucher in checkout["vouchers"])
    say(step, f"{len(checkout['items'])} items, vouchers pay {paid:.2f}", checkout["totalGross"])


def say(step: str, text: str, amount: Decimal | int | None = None) -> None:
    """Print one line."""
    print(f"{step:12}{text:40}{'' if amount is None else f'{amount:10.2f}'}".rstrip(), flush=True)


def main(server: str = "http://127.0.0.1:8000") -> None:
    """Buy two tickets."""
    client = Client(server)
    order = str(uuid4())  # the client chooses the id of the checkout, which the order keeps
    checkout = f"/api/checkout/{order}"
    try:
        log_in(client)
    except ConnectionRefusedError:
        sys.exit(f"{server}: nobody answers; start it with: faregate serve --dev")
    fill(client, checkout, add_person(client), next_day(client))
    pay(client, checkout, register_card(client))
    collect(client, order)


if __name__ == "__main__":
    main(*sys.argv[1:])
