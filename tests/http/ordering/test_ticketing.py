"""Tickets get three attempts even if a process fails, hangs or stops; no attempt is made twice."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest

import faregate_http.ordering.ticketing
from faregate_http.ordering.ticketing import (
    LEASE,
    IssueFailed,
    SerialNumbers,
    Ticket,
    Ticketing,
    TicketIssuer,
)
from faregate_http.protocol.instants import millis
from faregate_http.store.contract import StoreUnavailable
from faregate_http.store.records import TicketRow
from support.payment.interleaving import PointedStore, Points
from support.payment.till import Scene, meal, play
from support.service.service import data_of


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the timeout of the issuer."""
    monkeypatch.setattr(faregate_http.ordering.ticketing, "LEASE", timedelta(seconds=0.15))


class Issuer:
    """Issuer that records its calls and follows a plan for each attempt; finally it returns a number."""

    def __init__(self, *plans: str) -> None:
        self.plans = plans
        self.asked: Counter[int] = Counter()
        self.serials: set[str] = set()

    async def issue(self, ticket: Ticket) -> str:
        self.serials.add(ticket.serial)
        number = self.asked[ticket.item_id]
        self.asked[ticket.item_id] += 1
        match self.plans[number] if number < len(self.plans) else "issue":
            case "fail":
                raise IssueFailed("out of paper")
            case "break":
                raise ZeroDivisionError("a fault of its own")
            case "hang":
                await asyncio.Event().wait()
        return f"T{ticket.item_id}"


async def sold(scene: Scene, *, items: int = 1) -> list[TicketRow]:
    """Return the tickets of a new order."""
    path = await scene.branch(0).opened(*(meal(n) for n in range(1, items + 1)))
    data_of(await scene.branch(0).pay(path, 20 * items))
    return await tickets(scene)


async def tickets(scene: Scene) -> list[TicketRow]:
    return await scene.branch(0).services.store.find(TicketRow)


def of(scene: Scene, issuer: TicketIssuer, number: int = 0) -> Ticketing:
    """Return the ticketing of one process."""
    return Ticketing(scene.branch(number).services.store, issuer, scene.clock)


def shown(rows: list[TicketRow]) -> list[tuple[str, int, str | None]]:
    return [(row.status, row.attempts, row.serial if row.status == "ISSUED" else None) for row in rows]


def test_each_item_of_a_settled_order_has_a_ticket_due_at_once(till_url: str) -> None:
    async def behaviour(scene: Scene) -> None:
        rows = await sold(scene, items=2)

        assert shown(rows) == [("OPEN", 0, None)] * 2
        assert {row.due_at for row in rows} == {millis(scene.clock())}
        assert await of(scene, SerialNumbers()).work() == 2
        assert await of(scene, SerialNumbers()).work() == 0

    play(till_url, behaviour)


def test_a_serial_number_is_random_and_reveals_no_order(till_url: str) -> None:
    async def behaviour(scene: Scene) -> None:
        await sold(scene, items=3)
        await of(scene, SerialNumbers()).work()

        issued = await tickets(scene)
        serials = [row.serial or "" for row in issued]
        assert len(set(serials)) == 3
        assert all(re.fullmatch("[0-9a-f]{32}", serial) for serial in serials)
        assert not {row.order_id.replace("-", "") for row in issued} & set(serials)

    play(till_url, behaviour)


@pytest.mark.usefixtures("impatient")
def test_every_attempt_uses_the_same_serial_number(till_url: str) -> None:
    issuer = Issuer("fail", "hang")

    async def behaviour(scene: Scene) -> None:
        await sold(scene, items=2)
        for _ in range(3):
            await of(scene, issuer).work()
            scene.clock.turn(seconds=2)

    play(till_url, behaviour)

    assert issuer.asked == {1: 3, 2: 3}
    assert len(issuer.serials) == 2


@pytest.mark.parametrize(
    ("plans", "attempts", "status"),
    [
        ((), 1, "ISSUED"),
        (("fail",), 2, "ISSUED"),
        (("fail", "break"), 3, "ISSUED"),
        (("fail", "fail", "fail"), 3, "FAILED"),
        (("hang", "hang"), 3, "ISSUED"),
        (("hang", "break", "hang"), 3, "FAILED"),
    ],
    ids=str,
)
@pytest.mark.usefixtures("impatient")
def test_three_attempts_are_made(till_url: str, plans: tuple[str, ...], attempts: int, status: str) -> None:
    issuer = Issuer(*plans)

    async def behaviour(scene: Scene) -> None:
        await sold(scene)
        for _ in range(6):
            await of(scene, issuer).work()
            scene.clock.turn(seconds=2)

        serial = "T1" if status == "ISSUED" else None
        assert shown(await tickets(scene)) == [(status, attempts, serial)]
        assert issuer.asked == {1: attempts}

    play(till_url, behaviour)


def test_the_pauses_between_attempts_grow(till_url: str) -> None:
    issuer = Issuer("fail", "fail")

    async def behaviour(scene: Scene) -> list[int]:
        await sold(scene)
        asked = []
        for _ in range(8):
            await of(scene, issuer).work()
            asked.append(issuer.asked[1])
            scene.clock.turn(seconds=0.5)
        return asked

    assert play(till_url, behaviour) == [1, 1, 2, 2, 2, 2, 3, 3]


def test_only_one_of_several_processes_makes_the_attempt(till_url: str) -> None:
    issuer = Issuer()

    async def behaviour(scene: Scene) -> None:
        await sold(scene, items=5)

        await asyncio.gather(*(of(scene, issuer, n).work() for n in range(8)))

        assert set(issuer.asked.values()) == {1}
        assert {row.status for row in await tickets(scene)} == {"ISSUED"}

    play(till_url, behaviour)


@pytest.mark.parametrize("point", [0, 1, 2, 3], ids=["before lease", "leased", "issued", "saved"])
def test_another_process_makes_the_next_attempt_after_a_crash(till_url: str, point: int) -> None:
    points, issuer = Points(), Issuer()

    async def die(_point: str) -> None:
        await asyncio.Event().wait()

    async def behaviour(scene: Scene) -> None:
        [_] = await sold(scene)
        points.arm(point, die)
        dying = asyncio.create_task(of(scene, issuer, 0).work())
        await _until(lambda: points.has_happened)
        dying.cancel()
        await asyncio.wait([dying])

        await of(scene, issuer, 1).work()
        is_leased = point in {1, 2}
        assert [row.status for row in await tickets(scene)] == ["OPEN" if is_leased else "ISSUED"]
        scene.clock.turn(seconds=LEASE.total_seconds())
        await of(scene, issuer, 1).work()

        [row] = await tickets(scene)
        assert (row.status, row.serial) == ("ISSUED", "T1")
        assert issuer.asked[1] <= 2

    play(till_url, behaviour, wrap=lambda inner: PointedStore(inner, points))


async def _until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.001)


def test_a_crash_in_the_last_attempt_is_reported(till_url: str) -> None:
    points = Points()

    async def die(_point: str) -> None:
        raise StoreUnavailable("gone")

    async def behaviour(scene: Scene) -> None:
        await sold(scene)
        for _ in range(3):
            points.arm(2, die)  # after the issuer, before its serial number is saved
            with pytest.raises(StoreUnavailable):
                await of(scene, Issuer()).work()
            scene.clock.turn(seconds=LEASE.total_seconds())
        points.disarm()

        await of(scene, Issuer()).work()

        assert shown(await tickets(scene)) == [("FAILED", 3, None)]
        assert await of(scene, Issuer()).work() == 0

    play(till_url, behaviour, wrap=lambda inner: PointedStore(inner, points))


def test_a_late_result_changes_nothing(till_url: str) -> None:
    """Another process repeats an attempt whose lease has ended; the late result of the first is not saved."""

    async def behaviour(scene: Scene) -> None:
        await sold(scene)
        waiting, going = asyncio.Event(), asyncio.Event()

        class Slow:
            """Issuer that returns its number when told to."""

            async def issue(self, _ticket: Ticket) -> str:
                waiting.set()
                await going.wait()
                return "late"

        late = asyncio.create_task(of(scene, Slow(), 0).work())
        await waiting.wait()
        scene.clock.turn(seconds=LEASE.total_seconds())
        await of(scene, Issuer(), 1).work()
        going.set()
        await late

        assert shown(await tickets(scene)) == [("ISSUED", 2, "T1")]

    play(till_url, behaviour)
