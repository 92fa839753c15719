"""Payments are counted by outcome when they end, and orders with them."""

from pathlib import Path

from support.payment.counter import decline, waiting
from support.payment.fake_gateway import Plan
from support.payment.till import meal, shop
from support.stores.sqlite import new_database


def counts(text: str) -> dict[str, float]:
    """Return the numbers of orders and payments in the metrics *text*."""
    lines = [line.rsplit(" ", 1) for line in text.splitlines()]
    return {
        name: float(n) for name, n in lines if name.startswith(("faregate_orders_t", "faregate_payments_t"))
    }


def test_each_payment_is_counted_once_by_its_outcome(tmp_path: Path) -> None:
    with shop(new_database(tmp_path / "till.db")) as till:
        before = counts(till.client.get("/metrics").text)
        customer = till.customer()
        for plan in (Plan.SETTLE, Plan.DECLINE):
            url = till.opened(meal(1), **customer.headers)
            till.gateway.plans.append(plan)
            till.pay(url, 20, customer.headers)
        decline(till, waiting(till, customer), customer)
        after = counts(till.client.get("/metrics").text)

    assert set(before.values()) == {0}
    assert after == {
        **before,
        'faregate_payments_total{outcome="settled"}': 1,
        'faregate_payments_total{outcome="failed"}': 2,
        "faregate_orders_total": 1,
    }
