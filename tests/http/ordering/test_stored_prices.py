"""An order keeps its price with the rules that took part, so that it can be computed again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from faregate.documents import load, verify
from faregate_http.store.records import OrderRow, PaymentRow
from support.payment.till import CATALOGUE, Shop, database, meal, ride, shop
from support.service.service import answer, data_of, item

ABO = 50
PASSES = """
  - id: 5
    slug: abo
    identifier: ABO
    name: Abo
    type: PASS
    category: 1
    merchant: till
    hasValidity: false
    subscription: {renewal: monthly-on:15, firstPeriod: prorate}
    productVariants: [{id: 50, name: Adult, vatRate: 8.1, prices: [{amount: 62.00}]}]

channels:
"""
LUNCHES = """
autoDiscounts:
  - id: 7
    displayName: Lunch
    discount: {discountType: PER_UNIT, amount: 1.50}
    scope: {productVariants: [30]}
  - id: 8
    displayName: Poorer lunch
    discount: {discountType: PER_UNIT, amount: 1.00}
    scope: {productVariants: [30]}
"""
ADDRESS = {"addressLine1": "Dorfgasse 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[str]:
    with database("sqlite", tmp_path) as url:
        yield url


@pytest.fixture
def till(db: str, tmp_path: Path) -> Iterator[Shop]:
    catalogue = tmp_path / "discounted.yaml"
    text = CATALOGUE.read_text("utf-8").replace("\nchannels:\n", PASSES)
    catalogue.write_text(text + LUNCHES, "utf-8")
    with shop(db, catalogue=catalogue) as till:
        yield till


def stored_price(till: Shop, url: str) -> tuple[OrderRow, Any]:
    """Return the order at *url* and its document, which prices again to the figures of the order."""
    [order] = till.rows(OrderRow, id=url.rpartition("/")[2])
    [payment] = [row for row in till.rows(PaymentRow, checkout_id=order.id) if row.status == "SETTLED"]
    assert isinstance(order, OrderRow)
    document = json.loads(order.pricing)
    verified = verify(document)
    assert verified.difference is None
    assert verified.totals.total_gross == order.total
    assert verified.totals.amount_due == payment.amount
    return order, document


def rules_in(document: Any) -> tuple[list[int], list[str], list[str]]:
    """Return the automatic discounts, promo codes and vouchers of a stored request."""
    request = load(document).request
    return (
        [discount.id for discount in request.automatic],
        [code.code for code in request.promo_codes],
        [voucher.code for voucher in request.vouchers],
    )


def test_only_the_rules_that_applied_are_stored(till: Shop) -> None:
    plain, rich = till.opened(ride(1)), till.opened(ride(1), meal(2))
    for code in ("BUDGET", "once", "GIFT-30"):
        till.enter(rich, code)
    total = answer(till.client, rich, donation=3)["totalGross"]
    data_of(till.pay(plain, 40))
    data_of(till.pay(rich, float(total)))

    _, of_plain = stored_price(till, plain)
    _, of_rich = stored_price(till, rich)

    assert rules_in(of_plain) == ([], [], [])
    assert rules_in(of_rich) == ([7], ["BUDGET", "ONCE"], ["GIFT-30"])
    assert load(of_rich).request.donation == 300


def test_a_used_up_code_is_stored_with_its_remaining_budget(till: Shop) -> None:
    first, second = till.opened(ride(1)), till.opened(ride(1))
    data_of(till.pay(first, float(till.enter(first, "BUDGET")["totalGross"])))
    data_of(till.pay(second, float(till.enter(second, "BUDGET")["totalGross"])))

    _, document = stored_price(till, second)

    [code] = load(document).request.promo_codes
    assert (code.code, code.budget_left) == ("BUDGET", 0)


def test_a_price_is_stored_whatever_the_outcome_of_the_payment(till: Shop) -> None:
    customer = till.customer({"firstName": "Ada"})
    url = till.opened(meal(1), **customer.headers)

    data_of(till.pay(url, 18.5, customer.headers))

    stored_price(till, url)


def test_no_person_address_or_answer_is_stored_with_a_price(till: Shop) -> None:
    customer = till.customer({"firstName": "Adalbert", "dateOfBirth": "1990-05-01"})
    url = till.opened(
        ride(1, personId=customer.persons[0]), meal(2, personId=customer.persons[0]), **customer.headers
    )
    body = {"formValues": {"media": {"2": 1}, "shippingAddress": ADDRESS, "donation": 1}}
    shown = data_of(till.client.post(f"{url}/checkout-conditions", json=body, headers=customer.headers))
    data_of(till.pay(url, float(shown["totalGross"]), customer.headers))

    order, document = stored_price(till, url)

    assert not any(
        text in json.dumps(document) for text in ("Adalbert", "1990", "Dorfgasse", str(customer.persons[0]))
    )
    assert document["request"]["context"]["account"] == order.account == customer.account


def test_the_price_of_a_subscription_is_stored(till: Shop) -> None:
    url = till.opened(item(1, ABO), meal(2))
    shown = till.enter(url, "ONCE")

    data_of(till.pay(url, float(shown["totalGross"])))

    _, document = stored_price(till, url)
    [line, _] = load(document).request.lines
    assert line.unit_price < line.recurring_price == 6200
