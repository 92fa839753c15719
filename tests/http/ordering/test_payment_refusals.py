"""Refusals of payments: missing data, changed totals and repeated requests."""

from faregate_http.store.records import OrderRow
from support.payment.counter import ADDRESS, decline, pointers, problem
from support.payment.fake_gateway import Plan
from support.payment.till import MONDAY, PASS, STRICT, WATER, Customer, Shop, meal, ride
from support.service.service import data_of, item

ADA = {"firstName": "Ada", "dateOfBirth": "2001-01-01"}


def test_everything_missing_is_listed_at_once(till: Shop) -> None:
    headers = {"service-channel-uuid": STRICT}
    url = till.opened(item(1, PASS), **headers)

    found = problem(till.pay(url, 500, headers), 422, "invalid-checkout")

    assert pointers(found) == [
        ("/requiresOwner", "owner-required"),
        ("/checkoutConditions/values/billingAddress", "address-required"),
        ("/checkoutConditions/values/shippingAddress", "address-required"),
        ("/checkoutConditions/values/acceptTerms", "terms-not-accepted"),
        ("/checkoutConditions/values/hotel", "answer-required"),
        ("/items/0/medium", "medium-required"),
        ("/items/0/person", "person-required"),
    ]
    assert all("pointer" not in error for error in found["errors"])


def test_an_empty_checkout_cannot_be_paid(till: Shop) -> None:
    url = till.opened(meal(1))
    assert till.pay(url, 5.001).json()["errors"][0]["pointer"] == "/expectedTotal"
    data_of(till.client.delete(f"{url}/items?itemId=1"))

    found = problem(till.pay(url, 0), 422, "empty-checkout")

    assert pointers(found) == [("/items", "empty-checkout")]


ANSWERS = {
    "billingAddress": ADDRESS,
    "shippingAddress": ADDRESS,
    "acceptTerms": True,
    "hotel": "Alpina",
    "media": {"1": 2},
}


def test_a_pass_with_all_it_requires_is_sold(till: Shop) -> None:
    customer = till.customer(ADA, method="ECA")
    headers = {"service-channel-uuid": STRICT, **customer.headers}
    url = till.opened(item(1, PASS, personId=customer.persons[0]), **headers)
    data_of(till.client.post(f"{url}/checkout-conditions", json={"formValues": ANSWERS}, headers=headers))

    answered = data_of(till.pay(url, 500, headers))

    assert answered["status"] == "CLOSED"
    assert till.rows(OrderRow, account=customer.account)[0].total == 50000


def test_a_code_used_up_in_the_meantime_is_shown_so_and_not_applied(till: Shop) -> None:
    late, early = till.opened(meal(1)), till.opened(meal(1))
    for url in (late, early):
        assert till.enter(url, "ONCE")["totalGross"] == 15
    data_of(till.pay(early, 15))

    found = problem(till.pay(late, 15), 409, "total-changed")

    assert [error["pointer"] for error in found["errors"]] == ["/expectedTotal"]
    shown = till.shown(late)
    assert shown["totalGross"] == 20
    [code] = shown["promoCodes"]
    assert (code["valid"], code["reason"], code["totalAmount"]) == (False, "USED_UP", 0)
    assert data_of(till.pay(late, 20))["status"] == "CLOSED"


def test_a_voucher_emptied_in_the_meantime_is_shown_so(till: Shop, customer: Customer) -> None:
    late, early = till.opened(ride(1)), till.opened(ride(1, validity=MONDAY), meal(2))
    for url in (late, early):
        till.enter(url, "GIFT-50")
    data_of(till.pay(early, 60))

    problem(till.pay(late, 40, customer.headers), 409, "total-changed")

    shown = till.shown(late, customer.headers)
    assert shown["totalGross"] == 40
    assert [(entry["code"], entry["amount"]) for entry in shown["vouchers"]] == [("GIFT-50", 0)]
    data_of(till.pay(late, 40, customer.headers))
    assert list(till.gateway.kept().values()) == [4000]


def test_a_code_expired_in_the_meantime_is_not_applied(till: Shop) -> None:
    url = till.opened(meal(1))
    assert till.enter(url, "EARLY")["totalGross"] == 19
    till.clock.turn(minutes=20)
    assert till.shown(url)["totalGross"] == 19  # the shown total stays until a change

    problem(till.pay(url, 19), 409, "total-changed")

    assert till.shown(url)["totalGross"] == 20
    assert data_of(till.pay(url, 20))["status"] == "CLOSED"


def test_the_shown_total_counts_even_if_the_new_total_is_guessed(till: Shop) -> None:
    url = till.opened(meal(1))
    till.enter(url, "EARLY")
    till.clock.turn(minutes=20)

    problem(till.pay(url, 20), 409, "total-changed")

    assert data_of(till.pay(url, 20))["status"] == "CLOSED"


def test_a_code_can_be_used_again_once_its_payment_has_failed(till: Shop, customer: Customer) -> None:
    waiting, other = till.opened(meal(1)), till.opened(meal(1))
    till.enter(waiting, "ONCE")
    till.enter(other, "ONCE")
    till.gateway.plans.append(Plan.WAIT)
    data_of(till.pay(waiting, 15, customer.headers))
    problem(till.pay(other, 15), 409, "total-changed")
    decline(till, waiting, customer)

    problem(till.pay(other, 20), 409, "total-changed")  # cheaper again: must be shown first, too

    assert data_of(till.pay(other, 15))["status"] == "CLOSED"


def test_a_payment_may_require_a_revision(till: Shop) -> None:
    url = till.opened(meal(1))
    etag = till.client.get(url).headers["etag"]
    data_of(till.client.post(f"{url}/items", json={"items": [item(2, WATER)]}))

    problem(till.pay(url, 20, {"if-match": etag}), 412, "changed-meanwhile")

    etag = till.client.get(url).headers["etag"]
    paid = till.pay(url, 20, {"if-match": etag})
    assert data_of(paid)["status"] == "CLOSED"
    assert paid.headers["etag"] == till.client.get(url).headers["etag"] != etag
    assert till.client.get(url, headers={"if-none-match": paid.headers["etag"]}).status_code == 304


def test_without_a_key_a_second_payment_is_refused(till: Shop, customer: Customer) -> None:
    url = till.opened(meal(1))
    data_of(till.pay(url, 20, customer.headers))

    problem(till.pay(url, 20, customer.headers), 409, "checkout-closed")

    assert till.gateway.count("authorize") == 1
