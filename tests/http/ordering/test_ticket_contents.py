"""An issuer gets everything to print on a ticket, as it was when the order was paid."""

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest

from faregate_http.accounts.erasure import erase
from faregate_http.ordering.ticketing import LEASE, IssueFailed, Ticket, Ticketing, TicketIssuer
from faregate_http.store.contract import StoreUnavailable
from faregate_http.store.records import AccountRow, PersonRow, TicketRow
from support.documentation.pages import ROOT, Page
from support.payment.fake_gateway import Plan
from support.payment.interleaving import PointedStore, Points
from support.payment.till import MONDAY, Scene, Shop, meal, play, ride, shop
from support.service.service import WEBSHOP, data_of

ZURICH = timezone(timedelta(hours=1))
ADDRESS = {"addressLine1": "Dorf 1", "zip": "7000", "city": "Chur", "countryCode": "CH"}


class Recorder:
    """An issuer that records the tickets, and fails while ``is_failing``."""

    def __init__(self) -> None:
        self.seen: dict[int, list[Ticket]] = {}
        self.is_failing = False

    async def issue(self, ticket: Ticket) -> str:
        self.seen.setdefault(ticket.item_id, []).append(ticket)
        if self.is_failing:
            raise IssueFailed("out of paper")
        return ticket.serial


@pytest.fixture
def issuer() -> Recorder:
    return Recorder()


@pytest.fixture
def till(till_url: str, issuer: Recorder) -> Iterator[Shop]:
    with shop(till_url, issuer=issuer) as opened:
        yield opened


def test_a_ticket_has_the_same_printed_contents_on_every_attempt(till: Shop, issuer: Recorder) -> None:
    customer = till.customer({"firstName": "Ada", "dateOfBirth": "1990-05-01"})
    german = {**customer.headers, "accept-language": "de-CH"}
    path = till.opened(ride(1, validity=MONDAY, personId=customer.persons[0]), meal(2), **german)
    data_of(till.client.patch(f"{path}/items/1/quantity", json={"delta": 1}, headers=german))
    values = {"media": {"2": 1}, "shippingAddress": ADDRESS}
    data_of(till.client.post(f"{path}/checkout-conditions", json={"formValues": values}, headers=german))
    till.enter(path, "MEMBERS", **german)
    order = data_of(till.pay(path, 104, german))

    issuer.is_failing = True
    till.issue()
    [person] = till.rows(PersonRow)
    renamed = person._replace(revision=2, answers='{"firstName": "Eve"}')
    till.call(till.services.store.save, None, records=[renamed])
    issuer.is_failing = False
    till.clock.turn(seconds=2)
    till.issue()

    assert all(first == second for first, second in issuer.seen.values())
    ride_1, ride_2, lunch, postage = (
        asdict(tickets[0]) for tickets in sorted(issuer.seen.values(), key=_place)
    )
    bought = {
        "order_id": order["uuid"],
        "reference": order["referenceNumber"],
        "settled_at": datetime(2026, 12, 1, 8, 30, tzinfo=UTC),
        "language": "de",
        "channel_id": WEBSHOP,
        "channel": "Web",
        "currency": "CHF",
    }
    one = {"copy": 1, "copies": 1, "person": {}, "parent_item_id": None}
    always = {"valid_from": None, "valid_to": None, "slots": ()}
    day = {
        "valid_from": datetime(2026, 12, 28, tzinfo=ZURICH),
        "valid_to": datetime(2026, 12, 29, tzinfo=ZURICH),
        "slots": (("cabin", "2026-12-28"),),
        "product_id": 1,
        "product": "Fahrt",
        "variant_id": 10,
        "variant": "Adult",
        "amount": 3920,  # 40.00, less 2.00 shared over 40.00, 40.00 and 20.00
    }
    ada = {"firstName": "Ada", "dateOfBirth": "1990-05-01"}
    food = {"product_id": 3, "product": "Meal", "variant_id": 30, "variant": "Lunch", "amount": 1960}
    sending = {"product_id": 9, "product": "Postage", "variant_id": 91, "variant": "Postage", "amount": 600}
    assert _known(ride_1) == bought | one | day | {"item_id": 1, "copies": 2, "person": ada}
    assert _known(ride_2) == bought | one | day | {"item_id": ride_2["item_id"], "copy": 2, "copies": 2}
    assert _known(lunch) == bought | one | always | food | {"item_id": 2}
    assert _known(postage) == bought | one | always | sending | {
        "item_id": postage["item_id"],
        "parent_item_id": 2,
    }
    assert [ticket["id"] for ticket in (ride_1, lunch)] == [f"{order['uuid']}/1", f"{order['uuid']}/2"]
    assert len({ticket["serial"] for ticket in (ride_1, ride_2, lunch, postage)}) == 4


def _place(tickets: list[Ticket]) -> tuple[int, int]:
    return tickets[0].product_id, tickets[0].copy


def _known(ticket: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in ticket.items() if name not in {"id", "serial"}}


def test_a_ticket_is_in_the_language_of_the_payment_whoever_settles_it(till: Shop, issuer: Recorder) -> None:
    customer = till.customer()
    path = till.opened(ride(1), **customer.headers)
    till.gateway.plans.append(Plan.WAIT)
    data_of(till.pay(path, 40, {**customer.headers, "accept-language": "it"}))
    till.gateway.confirm(till.payments(path)[0].id)
    till.clock.turn(seconds=21)
    till.work()

    till.issue()

    [[ticket]] = issuer.seen.values()
    assert (ticket.language, ticket.product) == ("it", "Corsa")


@pytest.mark.parametrize("is_failing", [False, True])
def test_the_printed_contents_are_erased_in_the_end(till: Shop, issuer: Recorder, is_failing: bool) -> None:
    issuer.is_failing = is_failing
    till.pay(till.opened(meal(1)), 20)
    [before] = till.rows(TicketRow)
    for _ in range(3):
        till.issue()
        till.clock.turn(seconds=5)

    [after] = till.rows(TicketRow)
    assert json.loads(before.content)["product"] == "Meal"
    assert (after.status, after.content) == ("FAILED" if is_failing else "ISSUED", None)


def test_the_erasure_of_an_account_waits_for_the_last_attempt(till: Shop) -> None:
    customer = till.customer({"firstName": "Ada"})
    path = till.opened(meal(1, personId=customer.persons[0]), **customer.headers)
    data_of(till.pay(path, 20, customer.headers))
    till.work()

    def is_erased() -> object:
        [account] = till.rows(AccountRow, id=customer.account)
        return till.call(erase, till.services.store, account, till.clock())

    assert "Ada" in till.rows(TicketRow)[0].content
    assert is_erased() is False
    till.issue()
    assert is_erased() is True


PAGE = Page(ROOT / "docs" / "guides" / "recipes.md")

# Issues the tickets of a file, and prints their numbers; "killed" dies before the first is returned.
CHILD = """
import asyncio, os, signal, sys
from pathlib import Path
import msgspec
from faregate_http.ordering.ticketing import Ticket
from tickets import NumberedTickets
issuer = NumberedTickets(Path("tickets.db"))
sys.stdin.readline()
for ticket in msgspec.json.decode(Path("tickets.json").read_bytes(), type=list[Ticket]):
    number = asyncio.run(issuer.issue(ticket))
    if "killed" in sys.argv:
        os.kill(os.getpid(), signal.SIGKILL)
    print(number)
"""


@pytest.fixture
def shop_folder(tmp_path: Path) -> Path:
    """Return a folder with the module of the guide, and twenty tickets."""
    [text] = [block.text for block in PAGE.blocks if "class NumberedTickets" in block.text]
    (tmp_path / "tickets.py").write_text(text)
    (tmp_path / "tickets.json").write_bytes(msgspec.json.encode([a_ticket(n) for n in range(1, 21)]))
    return tmp_path


def a_ticket(item_id: int) -> Ticket:
    return Ticket(
        id=f"an-order/{item_id}",
        serial=f"{item_id:032}",
        order_id="an-order",
        reference="AAAAA-BBBBB",
        settled_at=datetime(2026, 12, 1, tzinfo=UTC),
        language="en",
        channel_id=WEBSHOP,
        channel="Web",
        item_id=item_id,
        parent_item_id=None,
        copy=1,
        copies=1,
        product_id=1,
        product="Ride",
        variant_id=10,
        variant="Adult",
        valid_from=datetime(2026, 12, 28, tzinfo=ZURICH),
        valid_to=datetime(2026, 12, 29, tzinfo=ZURICH),
        slots=(),
        person={"firstName": "Ada"},
        amount=4000,
        currency="CHF",
    )


def child(folder: Path, *words: str) -> subprocess.Popen[str]:
    """Return a process that issues the tickets once its input ends."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", CHILD, *words]
    return subprocess.Popen(command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, text=True)


def printed(folder: Path) -> list[tuple[int, str]]:
    with closing(sqlite3.connect(folder / "tickets.db")) as database:
        return database.execute("SELECT number, id FROM tickets ORDER BY number").fetchall()


@pytest.mark.slow
def test_two_processes_issue_each_ticket_once(shop_folder: Path) -> None:
    children = [child(shop_folder) for _ in range(2)]
    numbers = [process.communicate("\n", timeout=60)[0].split() for process in children]

    assert numbers[0] == numbers[1]
    assert len(set(numbers[0])) == 20
    assert len(printed(shop_folder)) == 20


def test_a_ticket_of_a_killed_process_is_not_issued_again(shop_folder: Path) -> None:
    killed = child(shop_folder, "killed")
    killed.communicate("\n", timeout=60)
    before = printed(shop_folder)
    numbers = child(shop_folder).communicate("\n", timeout=60)[0].split()

    assert killed.returncode == -signal.SIGKILL
    assert before == [(1, "an-order/1")]
    assert numbers == [f"T{number:06}" for number in range(1, 21)]
    assert len(printed(shop_folder)) == 20


def test_a_crash_between_issuing_and_storing_issues_nothing_again(
    till_url: str, shop_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(shop_folder))
    monkeypatch.delitem(sys.modules, "tickets", raising=False)
    from tickets import NumberedTickets  # type: ignore[import-not-found]

    points = Points()

    async def die(_point: str) -> None:
        raise StoreUnavailable("gone")

    async def behaviour(scene: Scene) -> None:
        path = await scene.branch(0).opened(meal(1), meal(2))
        data_of(await scene.branch(0).pay(path, 40))
        points.arm(4, die)  # after the issuer, before its numbers are saved
        with pytest.raises(StoreUnavailable):
            await process(scene).work()
        points.disarm()
        before = printed(shop_folder)
        scene.clock.turn(seconds=LEASE.total_seconds())
        await asyncio.gather(process(scene).work(), process(scene).work())

        rows = await scene.branch(0).services.store.find(TicketRow)
        assert before
        assert printed(shop_folder)[: len(before)] == before
        assert {(row.serial, row.id) for row in rows} == {
            (f"T{number:06}", key) for number, key in printed(shop_folder)
        }
        assert [row.status for row in rows] == ["ISSUED"] * 2

    def process(scene: Scene) -> Ticketing:
        issuer: TicketIssuer = NumberedTickets(shop_folder / "tickets.db")
        return Ticketing(scene.branch(0).services.store, issuer, scene.clock)

    play(till_url, behaviour, wrap=lambda inner: PointedStore(inner, points))
