"""The audit of a shop: money, orders, capacity, codes and tickets must agree."""

import json
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

from faregate_http.payment.rows import vouchers_of
from faregate_http.protocol.instants import millis
from faregate_http.store.contract import Store
from faregate_http.store.records import OrderRow, PaymentRow, TicketRow
from support.payment.fake_gateway import FakeGateway
from support.service.service import Json

POOLS = {10: "cabin", 20: "bridge"}
"""The units that each variant of ``till.yaml`` uses."""

_CODES = ("ONCE", "BUDGET", "GIFT-50", "GIFT-30", "RICH")

_ALL = 1_000_000


class Books(NamedTuple):
    """The books of a shop."""

    orders: list[OrderRow]
    payments: list[PaymentRow]
    tickets: list[TicketRow]
    sold: Counter[tuple[str, str]]

    def of(self, url: str) -> list[PaymentRow]:
        """Return the attempts to pay one checkout."""
        return [payment for payment in self.payments if payment.checkout_id == url.rpartition("/")[2]]


async def books_of(store: Store, at: int) -> Books:
    """Return the complete books, with the sold units."""
    counts = await store.taken([*POOLS.values(), *_CODES], "", "~~~", at=at)
    return Books(
        await store.find(OrderRow, limit=_ALL),
        await store.find(PaymentRow, limit=_ALL),
        await store.find(TicketRow, limit=_ALL),
        Counter({(count.pool, count.slot): count.sold for count in counts if count.sold}),
    )


async def audit(store: Store, gateway: FakeGateway, clock: Callable[[], Any]) -> Books:
    """Return the books after checking that money, orders, capacity and codes agree.

    Raises:
        AssertionError: they do not agree.
    """
    books = await books_of(store, millis(clock()))
    check_money(books, gateway.kept())
    check_orders(books)
    return books


def check_money(books: Books, kept: dict[str, int]) -> None:
    """Compare the books with the gateway's charges *kept*."""
    good = [payment for payment in books.payments if payment.status in {"AUTHORIZED", "SETTLED"}]
    charged = {payment.id: payment.amount for payment in good if payment.provider == "GATEWAY"}
    assert kept == charged, "payments and orders differ"
    by_order = Counter(payment.checkout_id for payment in good)
    assert by_order == Counter(order.id for order in books.orders), "an order is not paid exactly once"
    paid = {row.checkout_id: row.amount + sum(units for _, units in vouchers_of(row)) for row in good}
    assert paid == {order.id: order.total for order in books.orders}, "an order was not paid in full"


def check_orders(books: Books) -> None:
    """Compare orders with capacity, codes and tickets."""
    taken: Counter[tuple[str, str]] = Counter()
    tickets: set[tuple[str, int]] = set()
    for order in books.orders:
        data = json.loads(order.figures, parse_float=Decimal)["data"]
        taken += _taken_by(data)
        tickets |= {(order.id, entry["id"]) for entry in data["items"]}
        assert data["status"] == "CLOSED"
    assert taken["ONCE", "uses"] <= 1, "a code is used too often"
    assert taken["BUDGET", "budget"] <= 1500, "a budget is overspent"
    assert taken["GIFT-50", "balance"] <= 5000, "a voucher is overdrawn"
    places = [units for (pool, _), units in taken.items() if pool == "cabin"]
    assert max(places, default=0) <= 3, "a unit is sold twice"
    assert books.sold == taken, "the sold units differ from those of the orders"
    assert {(ticket.order_id, ticket.item_id) for ticket in books.tickets} == tickets
    assert len(books.tickets) == len(tickets)


def _taken_by(data: Json) -> Counter[tuple[str, str]]:
    taken: Counter[tuple[str, str]] = Counter()
    for entry in data["items"]:
        pool = POOLS.get(entry["productVariant"]["id"])
        if pool is not None:
            taken[pool, entry["validity"]["from"][:10]] += 1
    for code in data["promoCodes"]:
        if code["valid"] and code["code"] == "ONCE":
            taken["ONCE", "uses"] += 1
        if code["valid"] and code["code"] == "BUDGET":
            taken["BUDGET", "budget"] += int(code["totalAmount"] * 100)
    for voucher in data["vouchers"]:
        taken[voucher["code"], "balance"] += int(voucher["amount"] * 100)
    return +taken
