"""Invariants after any fault: nothing acknowledged is lost, and the books balance."""

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from faregate.files import load_catalogue
from faregate_http.store.records import OrderRow, PaymentRow, TicketRow
from faregate_server.store.opening import open_store
from support.faults.purchases import Purchase, total_of
from support.faults.servers import INN, Service
from support.payment.audit import Books, check_money
from support.payment.fake_gateway import BooksInFile, FakeGateway
from support.payment.till import Customer, headers_of, new_customer
from support.service.hut import check_holds

_ALL = 10**9
_PATIENCE = 30
_MOST = {("FEW", "uses"): 9, ("POT", "budget"): 15_000}
_MOST |= {("PURSE-1", "balance"): 12_000, ("PURSE-2", "balance"): 33_333, ("PURSE-3", "balance"): 900_000}


def now() -> datetime:
    return datetime.now(UTC)


def customers_in(url: str, number: int) -> list[Customer]:
    """Return *number* new customers, each with an account and a card."""

    async def save() -> list[Customer]:
        store = await asyncio.to_thread(open_store, url)
        made = [new_customer(now) for _ in range(number)]
        for _, rows in made:
            await store.save(None, records=rows)
        await store.close()
        return [customer for customer, _ in made]

    return asyncio.run(save())


def headers_for(customers: Iterable[Customer]) -> list[dict[str, str]]:
    """Return the authentication headers of the customers; every third one is anonymous."""
    named = [headers_of(customer.account, now) for customer in customers]
    return [{} if number % 3 == 0 else headers for number, headers in enumerate(named)]


def check_file(url: str) -> None:
    """Check the integrity of a SQLite file."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def check_places(url: str, catalogue: Path = INN) -> None:
    """Check, with a count of our own, that each checkout holds exactly what its items need."""
    if url.startswith("sqlite"):
        check_holds(Path(url.removeprefix("sqlite:///")), catalogue)


def check_swept(url: str, catalogue: Path = INN) -> Counter[str]:
    """Check that the sweep of the service finds nothing; return the numbers of rows it audited."""
    from faregate_server.audit.sweep import Sweep

    swept = Sweep(url, catalogue=load_catalogue(catalogue))
    found = [*swept]
    assert not found, f"the sweep has {len(found)} findings: {found[:5]}"
    return Counter(swept.looked_at)


def books_of(service: Service) -> Books:
    """Return the books of a running service once it has finished all pending work."""

    async def read() -> Books:
        store = await asyncio.to_thread(open_store, service.database)
        try:
            deadline = time.monotonic() + _PATIENCE
            while [*await store.due(PaymentRow, 2**62), *await store.due(TicketRow, 2**62)]:
                assert time.monotonic() < deadline, "a payment or a ticket does not end"
                await asyncio.sleep(0.05)
            counts = await store.taken([code for code, _ in _MOST], "", "~~~", at=0)
            return Books(
                await store.find(OrderRow, limit=_ALL),
                await store.find(PaymentRow, limit=_ALL),
                await store.find(TicketRow, limit=_ALL),
                Counter({(count.pool, count.slot): count.sold for count in counts if count.sold}),
            )
        finally:
            await store.close()

    return asyncio.run(read())


def check_books(service: Service, purchases: Sequence[Purchase]) -> Books:
    """Check that money, orders, tickets and codes agree, and match the responses to customers."""
    books = books_of(service)
    check_money(books, FakeGateway(BooksInFile(Path(service.books))).kept())
    orders = {order.id: order for order in books.orders}
    for purchase in purchases:
        assert purchase.unanswered is None
        assert purchase.is_paid == (purchase.id in orders), "an order is lost or unknown to its customer"
        if purchase.is_paid:
            assert purchase.shown is not None
            order = orders[purchase.id]
            assert purchase.shown["referenceNumber"] == order.reference
            assert total_of(purchase) * 100 == order.total
    assert len(orders) == sum(purchase.is_paid for purchase in purchases), "an order without a customer"
    tickets = Counter(ticket.order_id for ticket in books.tickets if ticket.status == "ISSUED")
    assert tickets == Counter({p.id: p.items for p in purchases if p.is_paid}), "a ticket is missing"
    for claim, units in books.sold.items():
        assert units <= _MOST[claim], f"{claim} is overdrawn: {units}"
    return books
