"""Number of times the core prices a checkout per request: once per revision and instant. Decisions §15."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from faregate.totals.pipeline import checkout_totals
from support.payment.fake_gateway import Plan
from support.payment.till import Customer, Shop, meal, ride
from support.service.service import answer, data_of, new_url

Count: TypeAlias = Callable[..., int]

GERMAN = {"accept-language": "de"}
LANGUAGES = ("en", "de", "fr", "it")


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Count:
    """Return a function that counts how often the core prices a checkout while it runs other code."""
    calls: list[object] = []

    def counted(*lines: Any, **options: Any) -> object:
        calls.append(lines)
        return checkout_totals(*lines, **options)

    def during(work: Callable[..., object], *arguments: Any, **named: Any) -> int:
        calls.clear()
        work(*arguments, **named)
        return len(calls)

    monkeypatch.setattr("faregate.checkout.priced.checkout_totals", counted)
    return during


def basket(till: Shop, code: str = "GIFT-30") -> str:
    """Return the path of a checkout with a ride and a meal, changed a minute ago."""
    url = till.opened(ride(1), meal(2))
    till.enter(url, code)
    till.clock.turn(minutes=1)
    return url


def explain(till: Shop, url: str, headers: dict[str, str] | None = None) -> None:
    data_of(till.client.get(f"{url}/explanation", headers=headers))


def test_opening_a_checkout_prices_once(till: Shop, count: Count) -> None:
    items = {"items": [ride(1), meal(2)]}

    assert count(lambda: data_of(till.client.post(f"{new_url()}/items", json=items))) == 1


CHANGES: dict[str, Callable[[Shop, str], object]] = {
    "items": lambda till, url: data_of(till.client.post(f"{url}/items", json={"items": [meal(3)]})),
    "quantity": lambda till, url: data_of(till.client.patch(f"{url}/items/2/quantity", json={"delta": 2})),
    "removal": lambda till, url: data_of(till.client.delete(f"{url}/items?itemId=2")),
    "donation": lambda till, url: answer(till.client, url, donation=2.5),
    "code": lambda till, url: till.enter(url, "EARLY"),
    "dropped code": lambda till, url: data_of(till.client.delete(f"{url}/vouchers/GIFT-30")),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_prices_once(till: Shop, count: Count, change: Callable[[Shop, str], object]) -> None:
    url = basket(till)

    assert count(change, till, url) == 1


def test_a_checkout_is_priced_once_for_each_language_read(till: Shop, count: Count) -> None:
    url = basket(till)

    assert count(till.shown, url) == 0  # cached with the response to the change
    assert [count(till.shown, url, GERMAN) for _ in range(2)] == [1, 0]


def test_binding_a_checkout_to_an_account_prices_once(till: Shop, customer: Customer, count: Count) -> None:
    assert count(till.shown, basket(till), customer.headers) == 1
    assert count(till.status, basket(till), customer.headers) == 1
    assert count(explain, till, basket(till), customer.headers) == 1


def test_an_explanation_prices_once(till: Shop, count: Count) -> None:
    url = basket(till)

    assert [count(explain, till, url) for _ in range(2)] == [1, 0]
    assert count(explain, till, url, GERMAN) == 1


def test_the_explanation_of_an_order_prices_once(till: Shop, count: Count) -> None:
    url = basket(till)
    data_of(till.pay(url, 60))

    assert count(explain, till, url) == 1


def test_the_payment_status_prices_only_before_the_first_attempt(till: Shop, count: Count) -> None:
    url = basket(till)
    assert count(till.status, url) == 1
    data_of(till.pay(url, 60))

    assert count(till.status, url) == 0


@pytest.mark.parametrize("code", ["GIFT-30", "EARLY"])
def test_a_payment_on_site_prices_the_shown_and_the_current_checkout(
    till: Shop, count: Count, code: str
) -> None:
    url = basket(till, code)
    total = till.shown(url)["totalGross"]

    assert count(lambda: data_of(till.pay(url, float(total)))) == 2

    assert [count(till.shown, url, {"accept-language": name}) for name in LANGUAGES] == [0] * 4


def test_a_payment_at_the_instant_of_the_last_change_prices_once(till: Shop, count: Count) -> None:
    url = till.opened(ride(1), meal(2))

    assert count(lambda: data_of(till.pay(url, 60))) == 1


@pytest.mark.parametrize("plan", [Plan.SETTLE, Plan.AUTHORIZE, Plan.WAIT])
def test_a_payment_through_the_gateway_prices_twice_whatever_the_outcome(
    till: Shop, customer: Customer, count: Count, plan: Plan
) -> None:
    url = basket(till)
    till.gateway.plans.append(plan)

    assert count(lambda: data_of(till.pay(url, 60, customer.headers))) == 2

    is_open = till.shown(url, customer.headers)["status"] == "OPEN"
    assert is_open is (plan is Plan.WAIT)


def test_a_declined_payment_also_prices_the_reopened_checkout(
    till: Shop, customer: Customer, count: Count
) -> None:
    url = basket(till)
    till.gateway.plans.append(Plan.DECLINE)

    assert count(lambda: data_of(till.pay(url, 60, customer.headers))) == 3


def test_a_payment_that_succeeds_later_is_priced_once_more_when_it_is_settled(
    till: Shop, customer: Customer, count: Count
) -> None:
    url = basket(till)
    till.gateway.plans.append(Plan.WAIT)
    data_of(till.pay(url, 60, customer.headers))
    [payment] = till.payments(url)
    till.gateway.confirm(payment.id)
    till.clock.turn(seconds=20)

    assert count(till.work) == 1

    assert till.shown(url, customer.headers)["status"] == "CLOSED"
    assert list(till.gateway.kept().values()) == [3000]


def test_a_refused_payment_prices_only_what_it_compares(till: Shop, count: Count) -> None:
    url = basket(till)

    assert count(till.pay, url, 59) == 2
