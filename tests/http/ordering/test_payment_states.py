"""A checkout during and after payment: refused changes, content and access."""

from pathlib import Path

import pytest

from faregate_http.payment.gateway import ChargeResult, Outcome
from faregate_http.protocol.instants import millis
from faregate_http.store.records import PaymentRow
from support.payment.audit import audit
from support.payment.counter import CHANGES, Ask, decline, problem, waiting
from support.payment.fake_gateway import Act, FakeGateway, Plan
from support.payment.till import CATALOGUE, Customer, Shop, database, meal, ride, shop
from support.service.service import PARTNERS, VALLEY_STATION, data_of, decoded, new_url


def test_while_a_payment_is_pending_every_change_is_refused(till: Shop, customer: Customer) -> None:
    url = waiting(till, customer)
    before = till.client.get(url, headers=customer.headers)
    till.clock.turn(minutes=5)

    for change in CHANGES.values():
        refused = change(till, url, customer.headers)
        problem(refused, 409, "payment-in-progress")
        assert refused.headers["retry-after"] == "600"

    after = till.client.get(url, headers=customer.headers)
    assert after.content == before.content
    assert after.headers["etag"] == before.headers["etag"]
    assert till.status(url, customer.headers)["status"] == "PENDING"
    decline(till, url, customer)


@pytest.mark.parametrize("change", [*CHANGES.values()], ids=CHANGES)
def test_changes_are_accepted_again_once_the_payment_has_expired(
    till: Shop, customer: Customer, change: Ask
) -> None:
    url = waiting(till, customer)
    till.clock.turn(minutes=15)

    assert change(till, url, customer.headers).status_code == 200

    for _ in range(2):  # once to save the cancellation, if nothing else did, once to refund
        till.work()
    [lapsed, *_] = till.payments(url)
    assert lapsed.status == "CANCELLED"
    assert till.gateway.state(lapsed.id) is Act.CANCELLED


def test_the_end_of_one_payment_does_not_reopen_the_next_ones_checkout(
    till: Shop, customer: Customer
) -> None:
    url = waiting(till, customer)
    till.clock.turn(minutes=15)
    till.gateway.plans.append(Plan.WAIT)
    assert data_of(till.pay(url, 18, customer.headers))["status"] == "OPEN"
    first, second = till.payments(url)

    till.gateway.confirm(first.id)
    for _ in range(2):
        till.work()

    problem(CHANGES["quantity"](till, url, customer.headers), 409, "payment-in-progress")
    assert [row.status for row in till.payments(url)] == ["CANCELLED", "PENDING"]
    till.gateway.confirm(second.id)
    till.clock.turn(seconds=20)
    till.work()
    assert till.shown(url, customer.headers)["status"] == "CLOSED"
    assert list(till.gateway.kept()) == [second.id]


@pytest.mark.parametrize("then", ["a change", "a refused payment"])
def test_codes_are_released_as_soon_as_an_expired_payment_is_replaced(
    till: Shop, customer: Customer, then: str
) -> None:
    """Neither the background work nor the expiry of the checkout is needed."""
    url, other = waiting(till, customer, "ONCE", "EARLY", total=14), till.opened(meal(1))
    till.clock.turn(minutes=15)
    if then == "a change":
        data_of(CHANGES["answer"](till, url, customer.headers))
    else:
        problem(till.pay(url, 14, customer.headers), 409, "total-changed")

    assert till.enter(other, "ONCE")["totalGross"] == 15

    assert data_of(till.pay(other, 15))["status"] == "CLOSED"
    till.work()


def test_after_fifteen_minutes_it_counts_as_cancelled_without_a_write(till: Shop, customer: Customer) -> None:
    url = waiting(till, customer)
    till.clock.turn(minutes=14, seconds=59.999)
    assert till.status(url, customer.headers)["status"] == "PENDING"

    till.clock.turn(seconds=0.001)

    status = till.status(url, customer.headers)
    assert (status["status"], status["primaryPaymentProvider"]["status"]) == ("CANCELLED", "CANCELLED")
    assert till.shown(url, customer.headers)["status"] == "OPEN"
    assert till.payments(url)[0].status == "PENDING"  # nothing was saved
    till.work()


def test_a_success_that_comes_too_late_is_cancelled(till: Shop, customer: Customer) -> None:
    url = waiting(till, customer)
    [payment] = till.payments(url)
    till.clock.turn(minutes=15)
    till.gateway.confirm(payment.id)

    till.work()
    till.work()

    assert till.status(url, customer.headers)["status"] == "CANCELLED"
    assert till.gateway.state(payment.id) is Act.CANCELLED
    assert till.shown(url, customer.headers)["status"] == "OPEN"
    assert till.work() == 0


@pytest.mark.parametrize("works", [2, 0], ids=["after the payment was dealt with", "before"])
def test_a_success_reported_too_late_is_cancelled(till: Shop, customer: Customer, works: int) -> None:
    url = waiting(till, customer)
    till.clock.turn(minutes=15)
    for _ in range(works):
        till.work()
    [payment] = till.payments(url)
    told = ChargeResult(Outcome.SETTLED)

    till.call(till.services.payments.conclude, payment, told)

    [payment] = till.payments(url)
    assert (payment.status, payment.due_at is None) == ("CANCELLED", False)
    till.work()
    assert till.gateway.count("cancel") == 1 + works // 2
    assert till.work() == 0


def test_a_pending_payment_keeps_its_checkout_open_only_until_it_ends(till: Shop, customer: Customer) -> None:
    url = till.opened(ride(1), **customer.headers)
    for _ in range(5):  # up to its maximum life of two hours
        till.clock.turn(minutes=23)
        customer = customer._replace(headers=till.token(customer))
        data_of(CHANGES["quantity"](till, url, customer.headers))
        data_of(till.client.patch(f"{url}/items/1/quantity", json={"delta": -1}, headers=customer.headers))
    till.clock.turn(minutes=4)
    till.gateway.plans.append(Plan.WAIT)
    data_of(till.pay(url, 40, customer.headers))

    till.clock.turn(minutes=14)
    assert till.shown(url, customer.headers)["status"] == "OPEN"
    till.clock.turn(minutes=1)

    assert till.shown(url, customer.headers)["status"] == "EXPIRED"
    assert till.status(url, customer.headers)["status"] == "CANCELLED"
    till.work()
    till.work()
    assert till.shown(url, customer.headers)["status"] == "EXPIRED"
    till.opened(ride(1), ride(2), ride(3))  # the whole capacity


def test_a_later_success_settles_the_checkout(till: Shop, customer: Customer) -> None:
    url = waiting(till, customer)
    [payment] = till.payments(url)
    till.gateway.confirm(payment.id)
    till.clock.turn(seconds=20)

    assert till.work() == 1

    assert till.status(url, customer.headers)["status"] == "SETTLED"
    assert till.shown(url, customer.headers)["status"] == "CLOSED"
    assert till.shown(url, customer.headers)["lastUpdateAt"] == "2026-12-01T08:30:00.000Z"


def test_a_checkout_that_was_paid_is_not_being_paid(till: Shop, customer: Customer) -> None:
    url = waiting(till, customer)
    checkout_id = url.rpartition("/")[2]
    assert till.call(till.services.store.checkout, checkout_id).is_paying

    till.gateway.confirm(till.payments(url)[0].id)
    till.clock.turn(seconds=20)
    till.work()

    closed = till.call(till.services.store.checkout, checkout_id)
    assert (closed.is_closed, closed.is_paying) == (True, False)


def test_a_failed_payment_reopens_its_checkout_at_no_earlier_time(till: Shop, customer: Customer) -> None:
    url = waiting(till, customer)
    before = till.shown(url, customer.headers)["lastUpdateAt"]
    till.clock.turn(minutes=-5)

    [payment] = till.payments(url)
    till.call(till.services.payments.concluded, payment.id, ChargeResult(Outcome.DECLINED))

    shown = till.shown(url, customer.headers)
    assert (shown["lastUpdateAt"], shown["expiresAt"]) == (before, "2026-12-01T09:00:00.000Z")


@pytest.mark.parametrize(("hours", "minutes"), [(1, 15), (3, 45), (4, 60), (5, 60), (9000, 60)])
def test_a_refund_that_fails_is_repeated_after_at_most_an_hour(
    till: Shop, customer: Customer, hours: int, minutes: int
) -> None:
    url = waiting(till, customer)
    till.clock.turn(hours=hours)
    till.work()  # the payment has timed out: it is to be cancelled at the gateway
    till.gateway.is_down = True

    till.work()

    [after] = till.payments(url)
    assert (after.status, after.due_at) == ("CANCELLED", millis(till.clock.now) + minutes * 60_000)


def test_the_gateway_is_queried_at_intervals(till: Shop, customer: Customer) -> None:
    url = waiting(till, customer)

    for _ in range(30):
        till.clock.turn(seconds=1)
        till.work()

    assert till.gateway.count("inquire") == 3  # after 20 seconds, then every 5
    decline(till, url, customer)


def test_the_number_of_payment_attempts_is_limited(till: Shop, customer: Customer) -> None:
    till.gateway.default = Plan.DECLINE
    url = till.opened(meal(1), **customer.headers)
    for _ in range(50):
        data_of(till.pay(url, 20, customer.headers))

    problem(till.pay(url, 20, customer.headers), 409, "too-many-payments")

    assert till.gateway.count("authorize") == 50
    assert till.shown(url, customer.headers)["status"] == "OPEN"


def test_a_checkout_is_not_sold_at_a_price_other_than_the_one_paid(tmp_path: Path) -> None:
    """The catalogue changes while the customer is at the gateway; nothing is sold at another price."""
    changed = tmp_path / "changed.yaml"
    changed.write_text(CATALOGUE.read_text().replace("amount: 2.00, level", "amount: 3.00, level"))
    gateway = FakeGateway()
    with database("sqlite", tmp_path) as url:
        with shop(url, gateway=gateway) as before:
            customer = before.customer()
            path = waiting(before, customer)
            [payment] = before.payments(path)
            gateway.confirm(payment.id)
        with shop(url, gateway=gateway, catalogue=changed) as after:
            after.clock.turn(seconds=20)
            after.work()
            after.work()

            status = after.status(path, customer.headers)
            assert (status["status"], status["errors"]) == (
                "FAILED",
                ["Part of the order is no longer available. The money will be refunded."],
            )
            assert after.shown(path, customer.headers)["status"] == "OPEN"
            after.call(audit, after.services.store, gateway, after.clock)
            assert data_of(after.pay(path, 17, customer.headers))["status"] == "CLOSED"


@pytest.mark.parametrize("gone", ["product", "channel"])
def test_a_payment_ends_even_if_its_product_or_channel_is_gone(tmp_path: Path, gone: str) -> None:
    """A later payment does not wait for it either."""
    changed = tmp_path / "changed.yaml"
    text = CATALOGUE.read_text()
    if gone == "product":
        text = text.replace("{id: 30, name: Lunch", "{id: 39, name: Lunch")
    else:
        text = text.replace(VALLEY_STATION, "00000000-0000-4000-8000-000000000001")
    changed.write_text(text)
    gateway = FakeGateway(default=Plan.WAIT)
    with database("sqlite", tmp_path) as url:
        with shop(url, gateway=gateway) as before:
            customer = before.customer()
            headers = {**customer.headers, "service-channel-uuid": VALLEY_STATION}
            doomed = before.opened(meal(1), **headers)
            data_of(before.pay(doomed, 20, headers))
            before.clock.turn(seconds=1)
            good = before.opened(ride(1), **customer.headers)
            data_of(before.pay(good, 40, customer.headers))
            for path in (doomed, good):
                gateway.confirm(before.payments(path)[0].id)
        with shop(url, gateway=gateway, catalogue=changed) as after:
            after.clock.turn(seconds=30)
            for _ in range(3):
                after.work()

            assert [row.status for row in after.rows(PaymentRow)] == ["FAILED", "SETTLED"]
            assert list(gateway.kept().values()) == [4000]
            assert after.work() == 0
            assert after.shown(good, customer.headers)["status"] == "CLOSED"


def test_an_unknown_checkout_cannot_be_paid(till: Shop) -> None:
    problem(till.pay(new_url(), 0), 404, "unknown-checkout")
    problem(till.client.get(f"{new_url()}/payment/status"), 404, "unknown-checkout")


def test_a_checkout_is_unknown_on_another_channel(till: Shop) -> None:
    url = till.opened(meal(1))
    headers = {"service-channel-uuid": PARTNERS}

    problem(till.pay(url, 20, headers), 404, "unknown-checkout")
    problem(till.client.get(f"{url}/payment/status", headers=headers), 404, "unknown-checkout")


FIRST_REQUESTS: dict[str, Ask] = {
    **{name: change for name, change in CHANGES.items() if name != "drop"},
    "read": lambda till, url, headers: till.client.get(url, headers=headers),
    "explain": lambda till, url, headers: till.client.get(f"{url}/explanation", headers=headers),
    "status": lambda till, url, headers: till.client.get(f"{url}/payment/status", headers=headers),
    "pay": lambda till, url, headers: till.pay(url, 20, headers),
}


@pytest.mark.parametrize("first", FIRST_REQUESTS.values(), ids=FIRST_REQUESTS)
def test_a_checkout_belongs_to_the_first_account_that_requests_it(till: Shop, first: Ask) -> None:
    owner, stranger = till.customer(), till.customer()
    url = till.opened(meal(1))

    assert first(till, url, owner.headers).status_code == 200

    unknown = till.client.get(new_url(), headers=stranger.headers)
    for headers in (stranger.headers, {}):
        for ask in (*FIRST_REQUESTS.values(), CHANGES["drop"]):
            refused = ask(till, url, headers)
            assert refused.status_code == 404
            bodies = [{**decoded(answer), "instance": ""} for answer in (refused, unknown)]
            assert bodies[0] == bodies[1]
    assert till.client.get(url, headers=owner.headers).status_code == 200


def test_the_status_shows_the_price_of_the_newly_bound_checkout(till: Shop, customer: Customer) -> None:
    """A code had expired since the last change, and the status showed the earlier price."""
    url = till.opened(meal(1))
    till.enter(url, "EARLY")
    till.clock.turn(minutes=20)

    standing = till.status(url, till.token(customer))

    assert standing["totalAmount"] == till.shown(url, till.token(customer))["totalGross"] == 20
