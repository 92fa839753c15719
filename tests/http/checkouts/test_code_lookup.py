"""Promo codes that the application keeps outside the catalogue. Decisions §3.10."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from faregate.discounts.kinds import Absolute, Conditions, PromoCode
from faregate.errors import InvalidDiscount
from faregate.files.reading import load_catalogue
from faregate_http.options import FailureLimit
from faregate_http.providers import Providers
from faregate_server.audit.sweep import Sweep
from support.payment.till import CATALOGUE, Shop, database, meal, shop
from support.service.service import data_of

CODES = (
    PromoCode(code="X-1", kind=Absolute(500), uses_left=1),
    PromoCode(code="X-2", kind=Absolute(300), budget_left=400),
    PromoCode(code="HOTELS", kind=Absolute(1), conditions=Conditions(channels=frozenset({"hotels"}))),
)


class Table:
    """A source of codes that can fail, and remembers what it was asked for."""

    def __init__(self) -> None:
        self.codes: tuple[Any, ...] = CODES
        self.asked: list[list[str]] = []
        self.fails = False

    def find(self, codes: Sequence[str], /) -> list[PromoCode]:
        """Return the rows with these codes."""
        self.asked.append([*codes])
        if self.fails:
            raise OSError("no connection")
        return [row for row in self.codes if row.code in codes]


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def db(tmp_path: Path) -> Iterator[str]:
    with database("sqlite", tmp_path) as url:
        yield url


@pytest.fixture
def till(db: str, table: Table) -> Iterator[Shop]:
    with shop(db, promo_codes=table, code_failures=FailureLimit(3, 60)) as till:
        yield till


def entered(till: Shop, url: str, code: str) -> tuple[int, str]:
    """Enter a code; return the status and the code of the problem."""
    response = till.client.post(f"{url}/vouchers", json={"voucherCode": code})
    return response.status_code, response.json().get("code", "")


def amounts(checkout: dict[str, Any]) -> dict[str, Any]:
    """Return the amount of each code, or the reason why it takes nothing."""
    return {code["code"]: code.get("reason", code["totalAmount"]) for code in checkout["promoCodes"]}


@pytest.mark.slow
def test_an_external_code_can_be_used_as_often_as_it_was_issued(till: Shop, table: Table, db: str) -> None:
    first, second = till.opened(meal(1)), till.opened(meal(1))
    assert amounts(till.enter(first, " x-1 ")) == {"X-1": 5}
    till.enter(first, "X-2")
    till.enter(second, "X-1")
    paid = data_of(till.pay(first, 12))
    table.asked.clear()

    changed = data_of(till.client.post(f"{second}/items", json={"items": [meal(2)]}))

    assert amounts(paid) == {"X-1": 5, "X-2": 3}
    assert amounts(changed) == {"X-1": "USED_UP"}
    assert amounts(till.enter(second, "X-2")) == {"X-1": "USED_UP", "X-2": 1}
    assert table.asked == [["X-1"], ["X-2"], ["X-1", "X-2"]]
    assert [*Sweep(db, catalogue=load_catalogue(CATALOGUE))] == []


def test_reading_does_not_look_codes_up(till: Shop, table: Table) -> None:
    url = till.opened(meal(1))
    till.enter(url, "X-1")
    table.asked.clear()

    german = till.shown(url, {"accept-language": "de"})
    explained = data_of(till.client.get(f"{url}/explanation"))

    assert amounts(german) == {"X-1": 5}
    assert any(step["source"] == "X-1" for step in explained["figures"]["totalGross"])
    assert table.asked == []


def test_catalogue_codes_are_not_looked_up(till: Shop, table: Table) -> None:
    url = till.opened(meal(1))

    till.enter(url, "members")
    till.enter(url, "gift-30")
    data_of(till.pay(url, 18))

    assert table.asked == []


def test_a_withdrawn_code_changes_the_total_before_payment(till: Shop, table: Table) -> None:
    url = till.opened(meal(1))
    till.enter(url, "X-1")
    table.codes = ()
    till.clock.turn(minutes=1)

    refused = till.pay(url, 15)

    assert (refused.status_code, refused.json()["code"]) == (409, "total-changed")
    assert amounts(till.shown(url)) == {"X-1": "UNKNOWN"}
    assert data_of(till.pay(url, 20))["status"] == "CLOSED"


def test_unknown_codes_are_refused_and_throttled_as_before(till: Shop, table: Table, tmp_path: Path) -> None:
    url = till.opened(meal(1))
    codes = "X-9", "hotels", "X\x009"
    with database("sqlite", tmp_path) as other, shop(other) as without:
        expected = entered(without, without.opened(meal(1)), "X-9")

    refusals = [entered(till, url, code) for code in codes]

    assert refusals == [expected] * 3 == [(422, "unknown-code")] * 3
    assert table.asked == [["X-9"], ["HOTELS"]]
    assert entered(till, url, "X-1") == (429, "too-many-failures")
    assert len(table.asked) == 2


def test_a_failing_source_changes_nothing(till: Shop, table: Table) -> None:
    url = till.opened(meal(1))
    before = till.enter(url, "X-1")
    table.fails = True

    assert entered(till, url, "X-2") == (503, "storage-unavailable")
    assert till.pay(url, 15).status_code == 503

    table.fails = False
    assert till.shown(url) == before
    assert data_of(till.pay(url, 15))["status"] == "CLOSED"


def test_a_source_that_returns_the_wrong_codes_raises_an_error(till: Shop, table: Table) -> None:
    url = till.opened(meal(1))
    table.codes = (CODES[0], CODES[0])

    with pytest.raises(InvalidDiscount, match="find returned 'X-1'"):
        entered(till, url, "X-1")


def test_a_source_without_find_is_refused() -> None:
    with pytest.raises(InvalidDiscount) as refused:
        Providers(promo_codes=CODES)  # type: ignore[arg-type]

    assert str(refused.value) == f"promo_codes is {CODES!r}, expected an object with the method find"
