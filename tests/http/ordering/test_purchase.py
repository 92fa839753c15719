"""A whole purchase over HTTP from login to tickets, on each database and on two processes.

A checkout in the core runs beside it, and responses must match its figures to the cent.
"""

import asyncio
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from faregate import (
    Address,
    CheckoutConditions,
    ItemRequest,
    add_code,
    add_items,
    change_quantity,
    set_conditions,
)
from faregate_http.store.records import TicketRow
from faregate_server.store.migrate import migrate
from faregate_server.store.opening import open_store
from support.payment.registering import Page
from support.processes.purchasing import RESORT, Basket, Customer, amounts, cents
from support.processes.shop import openid_provider, shop
from support.service.service import Json, item

# The identity provider's library uses deprecated calls.
pytestmark = pytest.mark.filterwarnings(r"ignore:.* is deprecated:DeprecationWarning:authlib\.")

PRODUCT, ADULT, CHILD, LUNCH, SENDING_FEE = 11, 101, 103, 411, 911
JOURNEY = f"/api/booking/products/{PRODUCT}/journey/validities"
DETAILS = "/api/payments/payment-details"
PERSONS = "/api/accounts/current/persons"
ADDRESS = {"addressLine1": "Dorfstrasse 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}


def places(customer: Customer, day: str, **query: str) -> int:
    """Return the number of units available on *day*."""
    asked = {"dateFrom": day, "dateTo": day, "productVariantId": ADULT, **query}
    [option] = customer.data("GET", JOURNEY, params=asked)["options"]
    return int(option["availableCapacity"]["max"])


def first_day(customer: Customer) -> Json:
    """Return the first validity of the day ticket, which its page and its calendar must agree on."""
    page = customer.data("GET", "/api/products/day-ticket", params={"include": "nextAvailability"})
    following = page["nextAvailability"]
    query = {"dateFrom": following["from"][:10], "onlyAvailable": "true", "limit": 1}
    [option] = customer.data("GET", JOURNEY, params=query)["options"]

    assert page["id"] == PRODUCT
    assert option["value"] == {"from": following["from"], "to": following["to"]}
    assert option["price"] == following["price"]
    return dict(option["value"])


def fill(basket: Basket, person: int, day: Json) -> None:
    """Add day tickets and lunches; they cost what the calendar shows."""
    bodies = [
        item(1, ADULT, personId=person, validity=day),
        item(2, CHILD, validity=day),
        item(3, LUNCH),
    ]
    requests = [
        ItemRequest(1, ADULT, person=person, validity=(day["from"], day["to"])),
        ItemRequest(2, CHILD, validity=(day["from"], day["to"])),
        ItemRequest(3, LUNCH),
    ]

    basket.change(
        "POST",
        "/items",
        lambda checkout, at: add_items(checkout, requests, catalogue=RESORT, at=at, persons={person: {}}),
        json={"items": bodies},
    )
    basket.change(
        "PATCH",
        "/items/3/quantity",
        lambda checkout, at: change_quantity(checkout, 3, 1, catalogue=RESORT, at=at),
        json={"delta": 1},
    )
    assert [entry["status"] for entry in basket.data["items"]] == ["RESERVED"] * 4
    assert amounts(basket.data)["listPriceGross"] == 7900 + 3900 + 2 * 2250


def enter_codes(basket: Basket) -> None:
    """Enter a promo code, which reduces the price, and a voucher, which pays."""
    enter(basket, "winter10")
    enter(basket, "ALP-50")

    assert [(code["code"], code["valid"]) for code in basket.data["promoCodes"]] == [("WINTER10", True)]
    assert [voucher["code"] for voucher in basket.data["vouchers"]] == ["ALP-50"]


def enter(basket: Basket, code: str) -> None:
    """Enter a promo code or a voucher."""
    basket.change(
        "POST",
        "/vouchers",
        lambda checkout, _: add_code(checkout, code, catalogue=RESORT),
        json={"voucherCode": code},
    )


def answer_form(basket: Basket) -> None:
    """Donate, accept the terms and have a ticket sent by post."""
    values = {
        "donation": 2.5,
        "acceptTerms": True,
        "billingAddress": ADDRESS,
        "shippingAddress": ADDRESS,
        "media": {"1": 1},
    }
    address = Address(address_line1="Dorfstrasse 1", zip="7000", city="Chur", country_code="CH")
    conditions = CheckoutConditions(
        donation=250,
        accept_terms=True,
        billing_address=address,
        shipping_address=address,
        media=((1, 1),),
    )

    basket.change(
        "POST",
        "/checkout-conditions",
        lambda checkout, at: set_conditions(checkout, conditions, catalogue=RESORT, at=at),
        json={"formValues": values},
    )
    assert basket.data["donation"] == {"type": "DONATION", "amount": Decimal("2.5")}
    assert [entry["productVariant"]["id"] for entry in basket.data["items"]].count(SENDING_FEE) == 1


def register(customer: Customer) -> Json:
    """Register a card on the sandbox page as a browser would, regardless of the process."""
    urls = {name: f"https://shop.example/{name}" for name in ("success", "error", "cancel")}
    body = {"redirectUrls": urls, "isDefault": True, "paymentMethods": ["VIS", "TWI"]}
    begun = customer.data("POST", f"{DETAILS}/register", json=body)
    form = Page(customer.ask("GET", urlsplit(begun["redirectUrl"]).path).text)
    [pending] = customer.data("GET", DETAILS)

    fields = {**form.fields, "action": "succeed", "method": "VIS", "instrument": "reserves"}
    sent_on = customer.clients[0].post(form.action or "", data=fields)

    [active] = customer.data("GET", DETAILS, params={"status": "ACTIVE", "type": "card"})
    assert (sent_on.status_code, sent_on.headers["location"]) == (
        303,
        f"https://shop.example/success?transactionId={begun['transactionId']}",
    )
    assert (pending["status"], pending["isDefault"]) == ("PENDING", False)
    assert active == {**active, "id": pending["id"], "isDefault": True, "paymentMethod": "VIS"}
    return dict(active)


def pay(basket: Basket, detail: Json) -> None:
    """Pay with the default means of payment; the money is reserved and then taken."""
    customer, shown = basket.customer, basket.data
    before = customer.data("GET", f"{basket.path}/payment/status")
    body = {"expectedTotal": float(shown["totalGross"])}

    paid = customer.data("POST", f"{basket.path}/payment", json={**body, "provider": "GATEWAY"})
    settled = customer.until(f"{basket.path}/payment/status", lambda found: found["status"] == "SETTLED")

    assert (before["status"], before["primaryPaymentProvider"], before["errors"]) == ("PENDING", None, [])
    assert (paid["status"], paid["paymentMethod"]) == ("CLOSED", detail)
    assert {entry["status"] for entry in paid["items"]} == {"SOLD"}
    assert amounts(paid) == amounts(shown)
    assert cents(settled["totalAmount"]) == cents(shown["totalGross"])
    [secondary] = settled["secondaryPaymentProviders"]
    primary = settled["primaryPaymentProvider"]
    assert (primary["type"], cents(primary["amount"])) == ("GATEWAY", basket.due)
    assert (secondary["type"], secondary["amount"]) == ("VOUCHER_B", 50)
    assert basket.due + 5000 == cents(settled["totalAmount"])
    assert basket.show() == paid


def collect_tickets(basket: Basket) -> None:
    """Poll the notices until all tickets are issued."""
    path = f"/api/orders/{basket.id}/notices"
    first = basket.customer.ask("GET", path)
    notices = basket.customer.until(path, lambda found: found["isComplete"])

    assert first.json()["data"]["isComplete"] or first.headers["retry-after"] == "2"
    assert [(notice["level"], notice["type"]) for notice in notices["notices"]] == [
        ("info", "TICKETS_ISSUED")
    ]
    assert basket.customer.data("GET", path) == notices


def purchase(addresses: Sequence[str], provider: str) -> str:
    """Make all steps and return the id of the order."""
    customer = Customer(addresses)
    try:
        assert customer.log_in(provider)["type"] == "new_account"
        values = {"firstName": "Ada", "lastName": "Byron", "dateOfBirth": "1985-12-10"}
        person = customer.data("POST", PERSONS, json={"values": values, "productIds": [PRODUCT]})
        day = first_day(customer)
        free = places(customer, day["from"][:10])
        basket = Basket(customer)

        fill(basket, person["id"], day)
        assert places(customer, day["from"][:10]) == free - 2
        assert places(customer, day["from"][:10], checkoutId=basket.id) == free
        enter_codes(basket)
        answer_form(basket)
        pay(basket, register(customer))
        collect_tickets(basket)

        assert places(customer, day["from"][:10]) == free - 2
        assert customer.log_in(provider)["type"] == "existing_account"
        look_again(customer)
        return basket.id
    finally:
        customer.close()


def look_again(customer: Customer) -> None:
    """Check that the next checkout suggests the address and that the voucher is empty."""
    basket = Basket(customer)
    items = {"items": [item(1, LUNCH)]}
    opened = customer.data("POST", f"{basket.path}/items", json=items)
    entered = customer.data("POST", f"{basket.path}/vouchers", json={"voucherCode": "ALP-50"})

    assert opened["checkoutConditions"]["defaultValues"]["billingAddress"] == ADDRESS
    assert sum(voucher["amount"] for voucher in entered["vouchers"]) == 0


@pytest.fixture(scope="module")
def provider() -> Iterator[str]:
    with openid_provider() as address:
        yield address


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """Return the URL of a migrated SQLite file."""
    url = f"sqlite:///{tmp_path}/shop.db"
    migrate(url)
    return url


@pytest.fixture
def postgresql() -> Iterator[str]:
    """Yield the URL of a migrated PostgreSQL database."""
    from support.stores.postgresql import migrated_database

    with migrated_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> str:
    """Return the URL of a database of each kind."""
    return str(request.getfixturevalue(request.param))


def tickets_of(order: str, database: str) -> list[tuple[str, int]]:
    """Return the status and the number of attempts of each ticket of an order."""

    async def find() -> list[tuple[str, int]]:
        store = open_store(database)
        try:
            found = await store.find(TicketRow, order_id=order)
            return [(ticket.status, ticket.attempts) for ticket in found]
        finally:
            await store.close()

    return asyncio.run(find())


def test_a_purchase_works_from_the_login_to_the_tickets(database: str, provider: str) -> None:
    with shop(database, provider) as addresses:
        order = purchase(addresses, provider)

    tickets = tickets_of(order, database)
    assert [status for status, _ in tickets] == ["ISSUED"] * 5
    assert sorted(attempts for _, attempts in tickets) == [1, 1, 1, 1, 2]


@pytest.mark.slow
def test_two_processes_can_share_a_purchase(postgresql: str, provider: str) -> None:
    with shop(postgresql, provider, processes=2) as addresses:
        order = purchase(addresses, provider)

    tickets = tickets_of(order, postgresql)
    assert [status for status, _ in tickets] == ["ISSUED"] * 5
    assert 6 <= sum(attempts for _, attempts in tickets) <= 7
