"""The law of paying: whatever happens in whatever order, money, orders, places and codes go together."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import faregate_http.ordering.payments
from faregate_http.store.records import OrderRow, PaymentRow
from serving.audit import audit
from serving.fake_gateway import Act, Plan
from serving.service import data_of, new_url
from serving.till import Customer, Shop, database, finish, meal, ride, shop


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits ten seconds for the gateway."""
    monkeypatch.setattr(faregate_http.ordering.payments, "GATEWAY_SECONDS", 0.05)


class Till(RuleBasedStateMachine):
    """Customers pay, the gateway answers, time goes by and what is due is done, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.closing = _stage()
        self.till: Shop = next(self.closing)
        self.customers = [self.till.customer() for _ in range(2)]
        self.open: list[tuple[str, Customer]] = []

    @rule(
        who=st.integers(0, 1),
        cart=st.sampled_from([("ride",), ("meal",), ("ride", "meal"), ("ride", "ride")]),
        code=st.sampled_from(["ONCE", "BUDGET", "GIFT-50", None]),
    )
    def open_one(self, who: int, cart: tuple[str, ...], code: str | None) -> None:
        customer = self.customers[who]
        items = [{"ride": ride, "meal": meal}[name](n) for n, name in enumerate(cart, 1)]
        path = new_url()
        headers = self.till.token(customer)
        if self.till.client.post(f"{path}/items", json={"items": items}, headers=headers).status_code == 200:
            self.open.append((path, customer))
            if code is not None:
                self.till.enter(path, code, **headers)

    @precondition(lambda self: self.open)
    @rule(
        n=st.integers(0, 9),
        plan=st.sampled_from([*Plan]),
        provider=st.sampled_from(["GATEWAY", "GATEWAY", "ON_SITE"]),
    )
    def pay_one(self, n: int, plan: Plan, provider: str) -> None:
        path, customer = self.open[n % len(self.open)]
        headers = self.till.token(customer)
        shown = self.till.shown(path, headers)
        self.till.gateway.plans.clear()
        self.till.gateway.plans.append(plan)
        answer = self.till.pay(path, float(shown["totalGross"]), headers, provider=provider)
        assert answer.status_code in {200, 409, 422, 503}, answer.text

    @precondition(lambda self: self.open)
    @rule(n=st.integers(0, 9), delta=st.sampled_from([1, -1]))
    def change_one(self, n: int, delta: int) -> None:
        path, customer = self.open[n % len(self.open)]
        headers = self.till.token(customer)
        answer = self.till.client.patch(f"{path}/items/1/quantity", json={"delta": delta}, headers=headers)
        assert answer.status_code in {200, 404, 409}, answer.text

    @rule()
    def work(self) -> None:
        self.till.work()

    @rule(seconds=st.sampled_from([1, 20, 300, 900, 1800]))
    def turn(self, seconds: int) -> None:
        self.till.clock.turn(seconds=seconds)

    @rule(n=st.integers(0, 9), act=st.sampled_from([Act.SETTLED, Act.AUTHORIZED, Act.DECLINED]))
    def confirm(self, n: int, act: Act) -> None:
        waiting = [charge for charge, state in self.till.gateway.charges().items() if state is Act.PENDING]
        if waiting:
            self.till.gateway.confirm(waiting[n % len(waiting)], act)

    @rule(is_down=st.booleans())
    def fail(self, is_down: bool) -> None:
        self.till.gateway.is_down = is_down

    @invariant()
    def every_order_is_paid_once(self) -> None:
        good = [row for row in self.till.rows(PaymentRow) if row.status in {"AUTHORIZED", "SETTLED"}]
        assert sorted(row.checkout_id for row in good) == sorted(row.id for row in self.till.rows(OrderRow))
        charged = {row.id for row in good if row.provider == "GATEWAY"}
        assert charged <= set(self.till.gateway.kept())

    def teardown(self) -> None:
        self.till.gateway.is_down = False
        self.till.call(finish, self.till, self.till.clock)
        self.till.call(audit, self.till.services.store, self.till.gateway, self.till.clock)
        for _ in self.closing:
            pass


def _stage() -> Iterator[Shop]:
    with TemporaryDirectory() as folder, database("sqlite", Path(folder)) as url, shop(url) as till:
        till.client.event_hooks = {}
        yield till


def test_whatever_happens_in_whatever_order_the_books_agree() -> None:
    parent = settings.default
    assert parent is not None
    run_state_machine_as_test(
        Till, settings=settings(parent, max_examples=parent.max_examples // 3, stateful_step_count=20)
    )


def test_the_books_of_a_spoilt_database_do_not_agree(tmp_path: Path) -> None:
    """The audit itself: it sees an order that goes missing, and a use of a code."""
    with database("sqlite", tmp_path) as url, shop(url) as till:
        path = till.opened(meal(1))
        till.enter(path, "ONCE")
        data_of(till.pay(path, 15))
        till.call(audit, till.services.store, till.gateway, till.clock)
        with sqlite3.connect(url.removeprefix("sqlite:///")) as spoilt:
            spoilt.execute("DELETE FROM tickets")
            spoilt.execute("DELETE FROM orders")
        spoilt.close()

        with pytest.raises(AssertionError, match="an order is not paid exactly once"):
            till.call(audit, till.services.store, till.gateway, till.clock)
