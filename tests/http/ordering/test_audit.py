"""The audit detects missing records."""

import sqlite3
from pathlib import Path

import pytest

from support.payment.audit import audit
from support.payment.till import database, meal, shop
from support.service.service import data_of


def test_the_audit_fails_on_a_corrupted_database(tmp_path: Path) -> None:
    """Delete an order and a use of a code, and expect the audit to fail."""
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
