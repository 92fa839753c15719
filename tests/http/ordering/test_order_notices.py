"""Notices of an order: access, polling and results of tickets."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.payment.failing_issuer import ItemsIssuer
from support.payment.orders import bought, issue_all, read
from support.payment.till import Customer, Shop, database, shop
from support.service.service import Json, data_of

ISSUER = ItemsIssuer()


@pytest.fixture
def till(tmp_path: Path) -> Iterator[Shop]:
    ISSUER.failing.clear()
    with database("sqlite", tmp_path) as url, shop(url, issuer=ISSUER) as opened:
        yield opened


def notices(till: Shop, order: str, headers: dict[str, str]) -> Any:
    return read(till, order, headers, "/notices")


def levels(data: Json) -> list[tuple[str, str]]:
    return [(notice["level"], notice["type"]) for notice in data["notices"]]


ISSUED = ("info", "TICKETS_ISSUED")
REPORT = ("info", "TICKETING_ERROR_REPORT_TO_STAFF")


def test_clients_are_told_to_retry_until_all_tickets_are_issued(till: Shop, customer: Customer) -> None:
    order = bought(till, customer.headers).id

    before = notices(till, order, customer.headers)
    till.issue()
    after = notices(till, order, customer.headers)

    assert data_of(before) == {"notices": [], "isComplete": False}
    assert before.headers["retry-after"] == "2"
    assert levels(data_of(after)) == [ISSUED]
    assert data_of(after)["isComplete"] is True
    assert "retry-after" not in after.headers
    assert {answer.headers["cache-control"] for answer in (before, after)} == {"no-store"}


@pytest.mark.parametrize(
    ("failing", "told"),
    [({2}, [REPORT, ISSUED]), ({1, 2, 3}, [REPORT] * 3), (set(), [ISSUED])],
    ids=["one of three", "all", "none"],
)
def test_every_item_that_cannot_be_issued_has_a_notice(
    till: Shop, customer: Customer, failing: set[int], told: list[tuple[str, str]]
) -> None:
    ISSUER.failing |= failing
    order = bought(till, customer.headers, items=3).id

    issue_all(till)

    found = notices(till, order, customer.headers)
    assert levels(data_of(found)) == told
    assert data_of(found)["isComplete"] is True
    assert "retry-after" not in found.headers


def test_only_the_last_failed_attempt_has_a_notice(till: Shop, customer: Customer) -> None:
    ISSUER.failing |= {1}
    order = bought(till, customer.headers, items=2).id
    till.issue()

    found = notices(till, order, customer.headers)

    assert data_of(found) == {"notices": [], "isComplete": False}
    assert found.headers["retry-after"] == "2"


def test_notices_keep_their_ids(till: Shop, customer: Customer) -> None:
    ISSUER.failing |= {1, 3}
    order = bought(till, customer.headers, items=3).id
    seen: dict[str, Json] = {}

    for _ in range(8):
        till.issue()
        till.clock.turn(seconds=1)
        for notice in data_of(notices(till, order, customer.headers))["notices"]:
            assert seen.setdefault(notice["id"], notice) == notice

    last = data_of(notices(till, order, customer.headers))["notices"]
    assert {notice["id"] for notice in last} == set(seen)
    assert len(seen) == 3
