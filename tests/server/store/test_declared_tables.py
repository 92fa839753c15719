"""The database itself refuses violations of its declared constraints, so that no audit is necessary."""

import asyncio
import sqlite3

import asyncpg
import pytest

from faregate_http.store.records import (
    AccountRow,
    OrderRow,
    PaymentDetailRow,
    PaymentRow,
    PersonRow,
    TicketRow,
)
from support.stores.capacity import a_hold, ask
from support.stores.rows import a_row, an_answer, opened

REFUSED = (sqlite3.IntegrityError, asyncpg.IntegrityConstraintViolationError)

RECORDS = (
    AccountRow(1, 1, 0, "iss", "ada", "", "", "en", "{}"),
    AccountRow(2, 1, 0, "iss", "bea", "", "", "en", "{}"),
    PersonRow(1, 1, 0, 1, True, "{}"),
    PaymentDetailRow(1, 1, 0, 1, None, "t1", "ACTIVE", True, None, "", "", None, "{}"),
    PaymentDetailRow(2, 1, 0, 1, None, "t2", "ACTIVE", False, None, "", "", None, "{}"),
    PaymentRow("p1", 1, 0, "c1", "PENDING", None, None, None, 0, "CHF", "[]", "[]", 0),
    OrderRow("c1", 1, 0, None, "", "", "r1", "CHF", 0, "{}", b"", "{}"),
    OrderRow("c2", 1, 0, None, "", "", "r2", "CHF", 0, "{}", b"", "{}"),
    TicketRow("c1/1", 1, 0, "c1", 1, "OPEN", 0),
)

TABLES = ("checkouts", "accounts", "persons", "payment_details", "payments", "orders", "tickets")


@pytest.fixture
def filled_url(database_url: str) -> str:
    """Return the URL of a database with a row of each kind."""

    async def fill() -> None:
        async with opened(database_url) as store:
            await store.save(a_row("c1"), an_answer(), [a_hold()])
            await store.save(a_row("c2"), records=RECORDS)

    asyncio.run(fill())
    return database_url


FORBIDDEN = {
    "check": [
        *(f"UPDATE {table} SET revision = 0" for table in TABLES),
        "UPDATE checkouts SET expires_at = started_at - 1",
        "UPDATE answers SET status = 99",
        "UPDATE payments SET amount = -1",
    ],
    "foreign key": [
        "UPDATE persons SET account = 7",
        "UPDATE payment_details SET account = 7",
        "UPDATE payments SET checkout_id = 'gone'",
        "UPDATE orders SET id = 'gone' WHERE id = 'c2'",
        "UPDATE tickets SET order_id = 'gone'",
        "UPDATE holds SET checkout_id = 'gone'",
        "DELETE FROM accounts WHERE id = 1",
        "DELETE FROM orders WHERE id = 'c1'",
        "DELETE FROM checkouts WHERE id = 'c1'",
    ],
    "unique": [
        "UPDATE accounts SET subject = 'ada'",
        "UPDATE payment_details SET transaction_id = 't1'",
        "UPDATE payment_details SET is_default = true",
        "UPDATE orders SET reference = 'r1'",
    ],
}


@pytest.mark.parametrize(
    ("rule", "statement"), [(rule, one) for rule, statements in FORBIDDEN.items() for one in statements]
)
def test_statements_that_violate_a_constraint_are_refused(filled_url: str, rule: str, statement: str) -> None:
    with pytest.raises(REFUSED, match=rf"(?i){rule}"):
        ask(filled_url, statement)
