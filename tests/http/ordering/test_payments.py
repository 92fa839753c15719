"""Payment of a checkout through the gateway, on site and by vouchers, and its results."""

from decimal import Decimal
from typing import NamedTuple

import pytest

from faregate_http.store.records import TicketRow
from support.payment.counter import ADDRESS, decline, problem
from support.payment.fake_gateway import Act, Plan
from support.payment.till import MONDAY, WATER, Customer, Shop, meal, ride
from support.service.service import Json, data_of, item


def test_before_any_attempt_the_payment_is_pending_without_a_provider(till: Shop) -> None:
    url = till.opened(meal(1))

    assert till.status(url) == {
        "status": "PENDING",
        "totalAmount": 20,
        "currency": "CHF",
        "errors": [],
        "primaryPaymentProvider": None,
    }


def test_a_refused_payment_leaves_no_trace(till: Shop) -> None:
    url = till.opened(meal(1))
    before = till.client.get(url)

    problem(till.pay(url, 21), 409, "total-changed")

    assert till.client.get(url).content == before.content
    assert till.client.get(url).headers["etag"] == before.headers["etag"]
    assert till.payments(url) == []


@pytest.mark.parametrize(
    ("plan", "checkout", "payment"),
    [
        (Plan.SETTLE, "CLOSED", "SETTLED"),
        (Plan.AUTHORIZE, "CLOSED", "AUTHORIZED"),
        (Plan.DECLINE, "OPEN", "FAILED"),
        (Plan.WAIT, "OPEN", "PENDING"),
    ],
    ids=str,
)
def test_the_gateway_result_decides_the_status(
    till: Shop, customer: Customer, plan: Plan, checkout: str, payment: str
) -> None:
    till.gateway.plans.append(plan)
    url = till.opened(ride(1), meal(2), **customer.headers)

    answered = data_of(till.pay(url, 60, customer.headers))

    assert answered["status"] == checkout
    assert (answered["referenceNumber"] is not None) == (checkout == "CLOSED")
    assert {entry["status"] for entry in answered["items"]} == {
        "SOLD" if checkout == "CLOSED" else "RESERVED"
    }
    assert till.shown(url, customer.headers) == answered
    status = till.status(url, customer.headers)
    assert status == {
        "status": payment,
        "totalAmount": 60,
        "currency": "CHF",
        "errors": ["The card was declined."] if plan is Plan.DECLINE else [],
        "primaryPaymentProvider": {
            "type": "GATEWAY",
            "status": payment,
            "paymentMethod": {"provider": "GATEWAY", "type": "VIS"},
            "amount": 60,
        },
    }
    if plan is Plan.WAIT:
        decline(till, url, customer)


def test_an_authorized_payment_is_soon_captured_and_settled(till: Shop, customer: Customer) -> None:
    till.gateway.plans.append(Plan.AUTHORIZE)
    url = till.opened(meal(1))
    till.pay(url, 20, customer.headers)
    before = till.shown(url, customer.headers)

    assert till.work() == 1

    assert till.status(url, customer.headers)["status"] == "SETTLED"
    assert till.shown(url, customer.headers) == before
    assert list(till.gateway.charges().values()) == [Act.CAPTURED]
    assert till.work() == 0


def test_after_a_decline_the_checkout_can_be_paid_again(till: Shop, customer: Customer) -> None:
    till.gateway.plans += [Plan.DECLINE, Plan.SETTLE]
    url = till.opened(ride(1))
    till.enter(url, "ONCE")
    till.pay(url, 35, customer.headers)

    answered = data_of(till.pay(url, 35, customer.headers))

    assert answered["status"] == "CLOSED"
    assert [row.status for row in till.payments(url)] == ["FAILED", "SETTLED"]
    assert till.status(url, customer.headers)["errors"] == []


def test_the_specified_payment_detail_is_charged_and_shown(till: Shop, customer: Customer) -> None:
    url = till.opened(meal(1))

    answered = data_of(till.pay(url, 20, customer.headers, paymentDetailId=customer.detail))

    assert answered["paymentMethod"]["id"] == customer.detail
    assert answered["paymentMethod"]["code"] == "**** 4242"


def test_a_payment_detail_without_a_provider_means_the_gateway(till: Shop, customer: Customer) -> None:
    url = till.opened(meal(1))

    body = {"expectedTotal": 20, "paymentDetailId": customer.detail}
    response = till.client.post(f"{url}/payment", json=body, headers=customer.headers)

    assert data_of(response)["status"] == "CLOSED"
    assert [charge.amount for charge in till.payments(url)] == [2000]


class Instruction(NamedTuple):
    """A way to pay, and the error in it."""

    body: Json
    pointer: str
    reason: str
    has_account: bool = True


INSTRUCTIONS = {
    "nothing-said": Instruction({}, "/provider", "required: an amount is due", has_account=False),
    "no-account": Instruction({"provider": "GATEWAY"}, "/paymentDetailId", "no default", has_account=False),
    "foreign-detail": Instruction({"paymentDetailId": 7}, "/paymentDetailId", "cannot be used for"),
    "both": Instruction({"provider": "ON_SITE", "paymentDetailId": 7}, "/provider", "expected GATEWAY"),
    "voucher-a": Instruction({"provider": "VOUCHER_A"}, "/provider", "expected"),
    "voucher-b": Instruction({"provider": "VOUCHER_B"}, "/provider", "expected"),
    "lower-case": Instruction({"provider": "gateway"}, "/provider", "expected"),
    "tender-unknown": Instruction({"provider": "ON_SITE", "tender": "CASH"}, "/tender", "expected cash"),
    "tender-gateway": Instruction({"provider": "GATEWAY", "tender": "cash"}, "/tender", "provider ON_SITE"),
}


@pytest.mark.parametrize("case", INSTRUCTIONS.values(), ids=INSTRUCTIONS)
def test_impossible_payment_instructions_are_refused(
    till: Shop, customer: Customer, case: Instruction
) -> None:
    url = till.opened(meal(1))
    headers = customer.headers if case.has_account else {}

    response = till.client.post(f"{url}/payment", json={"expectedTotal": 20, **case.body}, headers=headers)

    [error] = problem(response, 422, "invalid-payment")["errors"]
    assert error["pointer"] == case.pointer
    assert case.reason in error["reason"]
    assert till.gateway.calls == []


def test_a_method_that_the_channel_does_not_accept_is_refused(till: Shop) -> None:
    customer = till.customer(method="TWI")
    url = till.opened(meal(1))

    [error] = problem(till.pay(url, 20, customer.headers), 422, "invalid-payment")["errors"]

    assert error["reason"] == "TWI is not accepted on this channel"


def test_a_payment_on_site_is_settled_at_once(till: Shop) -> None:
    url = till.opened(meal(1))

    assert data_of(till.pay(url, 20))["status"] == "CLOSED"

    assert till.status(url)["primaryPaymentProvider"] == {
        "type": "ON_SITE",
        "status": "SETTLED",
        "paymentMethod": {"provider": "VOUCHER_A", "type": "voucher"},
        "amount": 20,
    }
    assert till.gateway.calls == []


@pytest.mark.parametrize(
    ("asked", "paid"), [({}, 20), ({"tender": "cash"}, 20), ({"tender": "other"}, Decimal("20.02"))]
)
def test_cash_is_rounded_to_the_steps_of_the_channel(till: Shop, asked: Json, paid: object) -> None:
    url = till.opened(meal(1))
    donation = {"formValues": {"donation": 0.02}}
    before = data_of(till.client.post(f"{url}/checkout-conditions", json=donation))

    closed = data_of(till.pay(url, 20.02, **asked))

    status = till.status(url)
    is_cash = asked != {"tender": "other"}
    shown = {"cashDue": 20} if is_cash else {}
    assert status["primaryPaymentProvider"]["amount"] == paid
    assert (status["totalAmount"], closed["totalGross"]) == (Decimal("20.02"), Decimal("20.02"))
    assert closed["totalNet"] == before["totalNet"]
    assert [{name: data[name] for name in data if name == "cashDue"} for data in (status, closed)] == [
        shown
    ] * 2


def test_vouchers_that_cover_the_total_need_no_other_payment(till: Shop) -> None:
    url = till.opened(ride(1))
    till.enter(url, "GIFT-50")

    response = till.client.post(f"{url}/payment", json={"expectedTotal": 40})

    assert data_of(response)["status"] == "CLOSED"
    assert till.gateway.calls == []
    assert till.status(url) == {
        "status": "SETTLED",
        "totalAmount": 40,
        "currency": "CHF",
        "errors": [],
        "primaryPaymentProvider": None,
        "secondaryPaymentProviders": [
            {
                "type": "VOUCHER_B",
                "status": "SETTLED",
                "paymentMethod": {"provider": "VOUCHER_B", "type": "voucher"},
                "amount": 40,
            }
        ],
    }


def test_a_free_checkout_is_settled_without_a_provider(till: Shop) -> None:
    url = till.opened(item(1, WATER))

    response = till.client.post(f"{url}/payment", json={"expectedTotal": 0})

    assert data_of(response)["status"] == "CLOSED"
    assert till.status(url)["primaryPaymentProvider"] is None


def test_vouchers_are_secondary_to_the_gateway(till: Shop, customer: Customer) -> None:
    url = till.opened(ride(1), ride(2, validity=MONDAY))
    till.enter(url, "GIFT-50")
    till.enter(url, "GIFT-30")

    data_of(till.client.post(f"{url}/items", json={"items": [meal(3)]}))  # for an amount due
    till.pay(url, 100, customer.headers)

    status = till.status(url, customer.headers)
    assert status["totalAmount"] == 100
    assert status["primaryPaymentProvider"]["amount"] == 20
    assert sorted(entry["amount"] for entry in status["secondaryPaymentProviders"]) == [30, 50]
    assert list(till.gateway.kept().values()) == [2000]


def test_every_item_gets_a_ticket_and_so_do_its_components(till: Shop) -> None:
    url = till.opened(meal(1))
    conditions = {"formValues": {"media": {"1": 1}, "shippingAddress": ADDRESS}}
    data_of(till.client.post(f"{url}/checkout-conditions", json=conditions))

    paid = data_of(till.pay(url, 26))

    assert len(paid["items"]) == 2
    assert {ticket.item_id for ticket in till.rows(TicketRow)} == {entry["id"] for entry in paid["items"]}


def test_used_addresses_are_proposed_next_time(till: Shop, customer: Customer) -> None:
    url = till.opened(meal(1), **customer.headers)
    conditions = {"formValues": {"billingAddress": ADDRESS}}
    data_of(till.client.post(f"{url}/checkout-conditions", json=conditions, headers=customer.headers))
    data_of(till.pay(url, 20, customer.headers))

    next_url = till.opened(meal(1), **customer.headers)

    defaults = till.shown(next_url, customer.headers)["checkoutConditions"]["defaultValues"]
    assert defaults["billingAddress"] == ADDRESS
