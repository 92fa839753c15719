"""Payment details end once, by a result of the gateway or by expiry. Decisions §12."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from faregate_http.payment.details import MOST_LIVE, Concluded, expire_due
from faregate_http.payment.gateway import (
    Charge,
    ChargeResult,
    GatewayUnavailable,
    Instrument,
    Refusal,
    Registration,
)
from support.payment.registering import SHOP, Customer, body_of, paying, services_of, submit
from support.service.service import Clock, data_of


def test_a_registration_expires_after_half_an_hour(customer: Customer, clock: Clock) -> None:
    transaction = customer.register(isDefault=True)

    clock.turn(minutes=30, milliseconds=-1)
    before = customer.one(transaction)["status"]
    clock.turn(milliseconds=1)

    assert (before, customer.one(transaction)["status"]) == ("PENDING", "EXPIRED")
    assert submit_late(customer, transaction).status_code == 409
    assert customer.one(transaction)["status"] == "EXPIRED"


def submit_late(customer: Customer, transaction: str) -> Any:
    """Return the response to a form that was loaded in time and submitted late."""
    token = re.search(r'"formToken":"([^"]+)"|"form_token":"([^"]+)"', customer.stored(transaction).request)
    assert token is not None
    fields = {"token": token[1] or token[2], "action": "succeed", "method": "VIS", "instrument": "pays"}
    return customer.client.post(customer.page(transaction), data=fields)


def test_a_card_expires_after_its_month_and_is_no_longer_the_default(
    customer: Customer, clock: Clock
) -> None:
    detail = customer.activate(isDefault=True)

    clock.now = datetime(2028, 12, 31, 23, 59, 59, tzinfo=UTC)
    before = customer.one(detail["transactionId"])
    clock.now = datetime(2029, 1, 1, tzinfo=UTC)
    after = customer.one(detail["transactionId"])

    assert before == detail
    assert after == {**detail, "status": "EXPIRED", "isDefault": False}


def test_only_cards_expire(customer: Customer, clock: Clock) -> None:
    detail = customer.activate(method="TWI")

    clock.turn(days=36_500)

    assert customer.listed() == [detail]


def test_an_expired_default_is_replaced(customer: Customer, clock: Clock) -> None:
    customer.activate(isDefault=True)
    clock.turn(days=1000)

    customer.activate(isDefault=True)

    shown = [(detail["status"], detail["isDefault"]) for detail in customer.listed()]
    assert shown == [("EXPIRED", False), ("ACTIVE", True)]


def test_housekeeping_saves_expired_details(customer: Customer, clock: Clock) -> None:
    transactions = [customer.register(isDefault=True) for _ in range(3)]
    clock.turn(seconds=1)
    card = customer.activate(isDefault=True)
    revisions = {name: customer.stored(name).revision for name in transactions}
    clock.turn(minutes=31)
    listed = customer.listed()

    assert expire(customer, clock) >= 3

    rows = [customer.stored(name) for name in transactions]
    assert {(row.status, row.is_default, row.due_at) for row in rows} == {("EXPIRED", False, None)}
    assert [row.revision for row in rows] == [revisions[name] + 1 for name in transactions]
    assert customer.stored(card["transactionId"]).status == "ACTIVE"
    assert customer.listed() == listed
    assert expire(customer, clock) == 0


@pytest.mark.slow
def test_housekeeping_finishes_even_if_more_is_due_than_one_batch(customer: Customer, clock: Clock) -> None:
    others = [Customer.new(customer.client) for _ in range(3)]
    for other in others:
        for _ in range(MOST_LIVE):
            other.register()
    clock.turn(minutes=31)

    assert expire(customer, clock) >= 3 * MOST_LIVE
    assert expire(customer, clock) == 0


def expire(customer: Customer, clock: Clock) -> int:
    assert customer.client.portal is not None
    return customer.client.portal.call(expire_due, services_of(customer.client).store, clock.now)


def ask(customer: Customer, detail_id: int | None = None) -> int | None:
    details = services_of(customer.client).payment_details
    assert customer.client.portal is not None
    row = customer.client.portal.call(details.usable, customer.account, detail_id)
    return row and row.id


def test_only_active_details_of_the_account_are_usable(customer: Customer, clock: Clock) -> None:
    stranger = Customer.new(customer.client)
    pending = customer.one(customer.register())
    card, default = customer.activate(), customer.activate(isDefault=True)

    assert ask(customer, card["id"]) == card["id"]
    assert ask(customer) == default["id"]
    assert ask(customer, pending["id"]) is None
    assert ask(stranger, card["id"]) is None
    assert ask(stranger) is None
    data_of(customer.unset_default(default["id"]))
    assert ask(customer) is None
    clock.turn(days=1000)
    assert ask(customer, card["id"]) is None


class OwnGateway:
    """Gateway with its own page that refuses while it is away."""

    def __init__(self) -> None:
        self.asked: list[Registration] = []
        self.is_away = False

    async def register(self, registration: Registration) -> str:
        if self.is_away:
            raise GatewayUnavailable
        self.asked.append(registration)
        return f"https://pay.example/{registration.transaction_id}"

    async def authorize(self, charge: Charge) -> ChargeResult:
        raise NotImplementedError

    async def inquire(self, charge: Charge) -> ChargeResult:
        raise NotImplementedError

    async def capture(self, charge: Charge) -> ChargeResult:
        raise NotImplementedError

    async def cancel(self, charge: Charge) -> None:
        raise NotImplementedError


@pytest.fixture
def own(tmp_path: Any) -> Iterator[tuple[OwnGateway, Customer]]:
    gateway = OwnGateway()
    with paying(tmp_path, gateway=gateway) as client:
        yield gateway, Customer.new(client)


def test_a_custom_gateway_receives_the_registration(own: tuple[OwnGateway, Customer]) -> None:
    gateway, customer = own

    answered = data_of(customer.post(body_of(paymentMethods=["TWI", "VIS"]), **{"accept-language": "fr-CH"}))

    transaction = answered["transactionId"]
    assert answered["redirectUrl"] == f"https://pay.example/{transaction}"
    success, error, cancel = (f"{SHOP}/{name}" for name in ("success", "error", "cancel"))
    secret = customer.page(transaction)[-32:]
    registration = Registration(
        transaction, ("TWI", "VIS"), "fr", "http://localhost", success, error, cancel, secret
    )
    assert gateway.asked == [registration]


def test_a_custom_gateway_has_its_own_page(own: tuple[OwnGateway, Customer]) -> None:
    _, customer = own

    transaction = customer.register()

    assert customer.client.get(customer.page(transaction)).status_code == 404


def test_a_custom_gateway_can_end_a_registration_only_once(own: tuple[OwnGateway, Customer]) -> None:
    _, customer = own
    transaction = customer.register(isDefault=True)
    card = Instrument("VIS", "Visa", "**** 4242", "secret", datetime(2027, 1, 1, tzinfo=UTC))

    results = [conclude(customer, transaction, how) for how in (card, Refusal.DECLINED, card)]

    assert [result and result.is_new for result in results] == [True, False, False]
    assert conclude(customer, "0" * 32, card) is None
    detail = customer.one(transaction)
    assert (detail["status"], detail["code"], detail["isDefault"]) == ("ACTIVE", "**** 4242", True)


def conclude(customer: Customer, transaction: str, how: Instrument | Refusal) -> Concluded | None:
    details = services_of(customer.client).payment_details
    assert customer.client.portal is not None
    return customer.client.portal.call(details.conclude, transaction, how)


def test_nothing_is_registered_while_the_gateway_is_unavailable(own: tuple[OwnGateway, Customer]) -> None:
    gateway, customer = own
    gateway.is_away = True

    refused = customer.post(**{"idempotency-key": "again"})

    assert (refused.status_code, refused.json()["code"]) == (503, "gateway-unavailable")
    assert refused.headers["retry-after"] == "5"
    assert customer.listed() == []
    gateway.is_away = False
    assert customer.post(**{"idempotency-key": "again"}).status_code == 200


STATES: list[tuple[str, str, str]] = [
    ("PENDING", "succeed", "ACTIVE"),
    ("PENDING", "decline", "DECLINED"),
    ("PENDING", "cancel", "DECLINED"),
    ("PENDING", "time", "EXPIRED"),
    *(("ACTIVE", action, "ACTIVE") for action in ("succeed", "decline", "cancel")),
    *(("DECLINED", action, "DECLINED") for action in ("succeed", "decline", "cancel")),
    *(("EXPIRED", action, "EXPIRED") for action in ("succeed", "decline", "cancel", "time")),
    ("ACTIVE", "time", "EXPIRED"),
    ("DECLINED", "time", "DECLINED"),
]


@pytest.mark.parametrize(("state", "action", "expected"), STATES)
def test_a_detail_follows_the_state_transitions(
    customer: Customer, clock: Clock, state: str, action: str, expected: str
) -> None:
    transaction = customer.register()
    if state == "EXPIRED":
        clock.turn(minutes=30)
    elif state != "PENDING":
        submit(customer.client, transaction, {"ACTIVE": "succeed", "DECLINED": "decline"}[state])
    assert customer.one(transaction)["status"] == state

    if action == "time":
        clock.turn(days=1000)
    else:
        endings: dict[str, Instrument | Refusal] = {
            "succeed": Instrument("VIS", "Visa", "**** 4242", "alias", None),
            "decline": Refusal.DECLINED,
            "cancel": Refusal.CANCELLED,
        }
        conclude(customer, transaction, endings[action])

    assert customer.one(transaction)["status"] == expected
