"""What is told of an order: to whom, until when to ask again, and what became of its tickets."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from faregate_http.ordering.ticketing import IssueFailed, Ticket
from faregate_http.store.records import OrderRow
from support.payment.orders import read
from support.payment.till import HOTELS, Customer, Shop, database, meal, shop
from support.service.service import PARTNERS, VALLEY_STATION, WEBSHOP, Json, data_of, decoded


class Issuer:
    """Fails for some items, for ever."""

    def __init__(self) -> None:
        self.failing: set[int] = set()

    async def issue(self, ticket: Ticket) -> str:
        if ticket.item_id in self.failing:
            raise IssueFailed("out of paper")
        return f"T{ticket.item_id}"


ISSUER = Issuer()


@pytest.fixture
def till(tmp_path: Path) -> Iterator[Shop]:
    ISSUER.failing.clear()
    with database("sqlite", tmp_path) as url, shop(url, issuer=ISSUER) as opened:
        yield opened


@pytest.fixture
def customer(till: Shop) -> Customer:
    return till.customer()


def notices(till: Shop, order: str, headers: dict[str, str]) -> Any:
    return read(till, order, headers, "/notices")


def bought(till: Shop, customer: Customer, *, items: int = 1, channel: str = WEBSHOP) -> str:
    """The id of an order."""
    given = {**customer.headers, "service-channel-uuid": channel}
    path = till.opened(*(meal(n) for n in range(1, items + 1)), **given)
    data_of(till.pay(path, 20 * items, given, provider="ON_SITE"))
    return path.rpartition("/")[2]


def levels(data: Json) -> list[tuple[str, str]]:
    return [(notice["level"], notice["type"]) for notice in data["notices"]]


def issue_all(till: Shop) -> None:
    for _ in range(3):
        till.issue()
        till.clock.turn(seconds=5)


ISSUED = ("info", "TICKETS_ISSUED")
REPORT = ("info", "TICKETING_ERROR_REPORT_TO_STAFF")


def test_until_all_tickets_are_issued_one_is_to_ask_again(till: Shop, customer: Customer) -> None:
    order = bought(till, customer)

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
def test_what_cannot_be_issued_is_told_for_each_item(
    till: Shop, customer: Customer, failing: set[int], told: list[tuple[str, str]]
) -> None:
    ISSUER.failing |= failing
    order = bought(till, customer, items=3)

    issue_all(till)

    found = notices(till, order, customer.headers)
    assert levels(data_of(found)) == told
    assert data_of(found)["isComplete"] is True
    assert "retry-after" not in found.headers


def test_an_attempt_that_failed_is_no_news_before_the_last(till: Shop, customer: Customer) -> None:
    ISSUER.failing |= {1}
    order = bought(till, customer, items=2)
    till.issue()

    found = notices(till, order, customer.headers)

    assert data_of(found) == {"notices": [], "isComplete": False}
    assert found.headers["retry-after"] == "2"


def test_where_every_attempt_fails_an_order_is_complete_in_the_minute_for_which_a_client_asks(
    till: Shop, customer: Customer
) -> None:
    ISSUER.failing |= {1, 2, 3}
    order = bought(till, customer, items=3)
    begun = till.clock.now

    while not data_of(notices(till, order, customer.headers))["isComplete"]:
        assert till.clock.now - begun < timedelta(minutes=1)
        till.issue()
        till.clock.turn(seconds=1)


def test_notices_keep_their_ids(till: Shop, customer: Customer) -> None:
    ISSUER.failing |= {1, 3}
    order = bought(till, customer, items=3)
    seen: dict[str, Json] = {}

    for _ in range(8):
        till.issue()
        till.clock.turn(seconds=1)
        for notice in data_of(notices(till, order, customer.headers))["notices"]:
            assert seen.setdefault(notice["id"], notice) == notice

    last = data_of(notices(till, order, customer.headers))["notices"]
    assert {notice["id"] for notice in last} == set(seen)
    assert len(seen) == 3


def test_an_order_is_found_however_its_id_is_written(till: Shop, customer: Customer) -> None:
    order = bought(till, customer)

    assert notices(till, order.upper(), customer.headers).status_code == 200


@pytest.mark.parametrize("channel", [VALLEY_STATION, PARTNERS], ids=["POS", "another"])
def test_on_whatever_channel_one_asks_ones_own_order_is_told_of(
    till: Shop, customer: Customer, channel: str
) -> None:
    order = bought(till, customer)

    found = notices(till, order, {**customer.headers, "service-channel-uuid": channel})

    assert found.status_code == 200


def test_what_a_partner_sold_is_told_of_too(till: Shop, customer: Customer) -> None:
    order = bought(till, customer, channel=HOTELS)

    assert notices(till, order, customer.headers).status_code == 200


def unknown(response: Any) -> Json:
    """The body of an order that is not known, but for the path that was asked for."""
    assert response.status_code == 404
    assert decoded(response)["code"] == "unknown-order"
    return {**decoded(response), "instance": ""}


def test_orders_that_are_not_ones_own_are_unknown_in_the_same_words(till: Shop, customer: Customer) -> None:
    stranger = till.customer()
    path = till.opened(meal(1))
    data_of(till.pay(path, 20))
    open_checkout = till.opened(meal(1), **customer.headers)
    orders = {
        "foreign": bought(till, stranger),
        "nobody's": path.rpartition("/")[2],
        "POS": bought(till, customer, channel=VALLEY_STATION),
        "not paid": open_checkout.rpartition("/")[2],
        "none": str(uuid4()),
        "no UUID": "1",
    }

    answers = {name: unknown(notices(till, order, customer.headers)) for name, order in orders.items()}

    assert len(till.rows(OrderRow)) == 3
    assert len({str(answer) for answer in answers.values()}) == 1


def test_without_a_token_nothing_is_told(till: Shop, customer: Customer) -> None:
    order = bought(till, customer)

    for headers in ({}, {"authorization": "Bearer nonsense"}):
        assert notices(till, order, headers).status_code == 401


def test_a_channel_is_required_and_not_filtered_by(till: Shop, customer: Customer) -> None:
    order = bought(till, customer)

    nowhere = notices(till, order, {**customer.headers, "service-channel-uuid": str(uuid4())})

    assert nowhere.status_code == 404
    assert decoded(nowhere)["code"] == "unknown-channel"
