"""Payments with failures: never money without an order, nor an order without money."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

import faregate_http.ordering.payments
from faregate_http.payment.gateway import Charge, ChargeResult
from faregate_http.store.contract import StoreUnavailable
from faregate_http.store.records import PaymentRow
from support.payment.audit import Books, audit
from support.payment.fake_gateway import Act, FakeGateway, Plan
from support.payment.interleaving import PointedStore, Points
from support.payment.till import Scene, database, finish, meal, play, ride, shop
from support.service.service import Json, data_of


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the timeout of the gateway."""
    monkeypatch.setattr(faregate_http.ordering.payments, "GATEWAY_SECONDS", 0.05)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    "plan", [Plan.FAIL_BEFORE, Plan.FAIL_AFTER, Plan.HANG_BEFORE, Plan.HANG_AFTER], ids=str
)
def test_a_charge_of_unknown_outcome_is_reversed(till_url: str, plan: Plan) -> None:
    gateway = FakeGateway()
    gateway.plans.append(plan)

    async def behaviour(scene: Scene) -> Books:
        [customer] = await scene.customers(1)
        path = await scene.branch(0).opened(ride(1), codes=("ONCE",), headers=customer.headers)

        failed = await scene.branch(0).pay(path, 35, customer.headers)

        assert (failed.status_code, failed.json()["code"]) == (503, "gateway-unavailable")
        assert failed.headers["retry-after"] == "5"
        shown = data_of(await scene.branch(1).client.get(path, headers=customer.headers))
        assert shown["status"] == "OPEN"
        status = await scene.branch(1).client.get(f"{path}/payment/status", headers=customer.headers)
        assert data_of(status)["errors"] == ["The payment gateway does not respond. Nothing was paid."]
        await scene.settle_up()
        assert data_of(await scene.branch(1).pay(path, 35, customer.headers))["status"] == "CLOSED"
        return await scene.settle_up()

    books = play(till_url, behaviour, gateway=gateway)

    assert [payment.status for payment in books.payments] == ["FAILED", "SETTLED"]
    assert [order.total for order in books.orders] == [3500]
    assert list(gateway.charges().values()) == [Act.CANCELLED, Act.SETTLED]


def test_a_503_is_not_stored_under_a_key(till_url: str) -> None:
    gateway = FakeGateway()
    gateway.plans += [Plan.FAIL_AFTER, Plan.SETTLE]

    async def behaviour(scene: Scene) -> None:
        [customer] = await scene.customers(1)
        path = await scene.branch(0).opened(meal(1), headers=customer.headers)
        headers = {**customer.headers, "idempotency-key": "k"}

        answers = [await scene.branch(n).pay(path, 20, headers) for n in range(3)]

        assert [answer.status_code for answer in answers] == [503, 200, 200]
        assert answers[1].content == answers[2].content
        await scene.settle_up()

    play(till_url, behaviour, gateway=gateway)


def test_due_work_waits_until_the_gateway_is_back(till_url: str) -> None:
    gateway = FakeGateway()
    gateway.plans += [Plan.AUTHORIZE, Plan.FAIL_AFTER, Plan.WAIT]

    async def behaviour(scene: Scene) -> Books:
        customers = await scene.customers(3)
        for customer in customers:
            path = await scene.branch(0).opened(meal(1), headers=customer.headers)
            await scene.branch(0).pay(path, 20, customer.headers)
        scene.gateway.is_down = True
        for _ in range(20):
            await scene.branch(0).services.payments.work()
            scene.clock.turn(seconds=10)
        assert len(scene.gateway.kept()) == 2
        scene.gateway.is_down = False
        return await scene.settle_up()

    books = play(till_url, behaviour, gateway=gateway)

    assert sorted(payment.status for payment in books.payments) == ["CANCELLED", "FAILED", "SETTLED"]
    assert sorted(act.value for act in gateway.charges().values()) == ["cancelled", "cancelled", "captured"]


def test_a_gateway_error_for_one_payment_does_not_block_others(tmp_path: Path) -> None:
    class Broken(FakeGateway):
        """Gateway that fails to inquire about the first charge."""

        async def inquire(self, charge: Charge) -> ChargeResult:
            if charge.id == next(iter(self.charges())):
                return None  # type: ignore[return-value]
            return await super().inquire(charge)

    gateway = Broken(default=Plan.WAIT)
    with database("sqlite", tmp_path) as url, shop(url, gateway=gateway) as till:
        paths = []
        for _ in range(2):
            customer = till.customer()
            paths.append((till.opened(meal(1), **customer.headers), customer))
            till.pay(paths[-1][0], 20, customer.headers)
            till.clock.turn(seconds=1)
        gateway.confirm(till.payments(paths[1][0])[0].id)
        till.clock.turn(seconds=30)

        till.work()

        assert till.status(paths[1][0], paths[1][1].headers)["status"] == "SETTLED"
        assert till.status(paths[0][0], paths[0][1].headers)["status"] == "PENDING"


def test_a_payment_that_cannot_be_processed_does_not_block_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    gateway = FakeGateway(default=Plan.WAIT)
    with database("sqlite", tmp_path) as url, shop(url, gateway=gateway) as till:
        customer = till.customer()
        paths = [till.opened(meal(1), **customer.headers) for _ in range(2)]
        for path in paths:
            till.pay(path, 20, customer.headers)
        first, second = (till.payments(path)[0] for path in paths)
        for payment in (first, second):
            gateway.confirm(payment.id)
        conclude = till.services.payments.conclude

        async def stumble(payment: PaymentRow, result: ChargeResult) -> None:
            """Fail for the first payment."""
            if payment.id == first.id:
                raise RuntimeError("unforeseen")
            await conclude(payment, result)

        till.clock.turn(seconds=30)
        with monkeypatch.context() as patched:
            patched.setattr(till.services.payments, "conclude", stumble)
            till.work()

        assert till.status(paths[1], customer.headers)["status"] == "SETTLED"
        assert "unforeseen" in caplog.text
        till.clock.turn(seconds=30)
        till.work()
        assert till.status(paths[0], customer.headers)["status"] == "SETTLED"
        till.call(audit, till.services.store, gateway, till.clock)


def test_a_charge_that_arrives_after_the_inquiry_is_cancelled(till_url: str) -> None:
    """A process stalls between its first transaction and the call of the gateway."""

    async def behaviour(scene: Scene) -> None:
        [customer] = await scene.customers(1)
        path = await scene.branch(0).opened(meal(1), headers=customer.headers)
        held_up = asyncio.Event()

        async def hold_up(call: str, _charge: Charge) -> None:
            """Wait until another process has asked the gateway for the result."""
            if call == "authorize":
                await held_up.wait()

        scene.gateway.before = hold_up
        late = asyncio.create_task(scene.branch(0).pay(path, 20, customer.headers))
        await _until(lambda: scene.gateway.count("authorize") == 1)
        scene.clock.turn(seconds=20)
        await scene.branch(1).services.payments.work()  # the gateway does not know it: it failed
        held_up.set()
        await asyncio.sleep(0)
        late.cancel()

        await scene.settle_up()
        assert scene.gateway.count("cancel") >= 1
        assert scene.gateway.kept() == {}

    play(till_url, behaviour)


async def _until(happened: Callable[[], bool]) -> None:
    while not happened():
        await asyncio.sleep(0.001)


Fault = Callable[[str], Awaitable[None]]


async def die(_point: str) -> None:
    """Stop for ever."""
    await asyncio.Event().wait()


async def lose_the_store(point: str) -> None:
    """Fail as if the database were gone; earlier writes stay."""
    raise StoreUnavailable(f"{point}: no connection")


WAYS: dict[str, Json] = {
    "gateway": {"provider": "GATEWAY"},
    "on-site": {"provider": "ON_SITE"},
    "voucher": {"provider": None},
}
PLANS = {"settled": Plan.SETTLE, "authorized": Plan.AUTHORIZE, "declined": Plan.DECLINE}
CASES = [("gateway", plan) for plan in PLANS] + [("on-site", "settled"), ("voucher", "settled")]


async def fail_everywhere(scene: Scene, points: Points, fault: Fault, way: str) -> int:
    """Fail payments at one point after another, and return the number of points that a payment passes."""
    scene.gateway.before, scene.gateway.after = points.before, points.after
    for at in range(40):
        [customer] = await scene.customers(1)
        codes = ("MEMBERS", "RICH") if way == "voucher" else ("MEMBERS",)
        path = await scene.branch(0).opened(meal(1), codes=codes, headers=customer.headers)
        points.arm(at, fault)
        paying = asyncio.create_task(scene.branch(0).pay(path, 18, customer.headers, **WAYS[way]))
        await _until(lambda paying=paying: paying.done() or (fault is die and points.has_happened))  # type: ignore[misc]
        points.disarm()
        if paying.done():
            assert paying.result().status_code in {200, 503}, paying.result().text
        else:
            paying.cancel()
            await asyncio.wait([paying])
        if not points.has_happened:
            return at
    pytest.fail("the payment does not end")


@pytest.mark.parametrize(("way", "plan"), CASES, ids=[f"{way}-{plan}" for way, plan in CASES])
@pytest.mark.parametrize("fault", [die, lose_the_store], ids=["dies", "store-fails"])
def test_a_payment_that_fails_at_any_point_is_completed_by_others(
    till_url: str, fault: Fault, way: str, plan: str
) -> None:
    points = Points()
    gateway = FakeGateway(default=PLANS[plan])

    async def behaviour(scene: Scene) -> tuple[int, Books]:
        number = await fail_everywhere(scene, points, fault, way)
        return number, await scene.settle_up()

    number, books = play(till_url, behaviour, gateway=gateway, wrap=lambda inner: PointedStore(inner, points))

    assert number >= (8 if way == "gateway" else 4)
    assert len(books.payments) >= 2
    assert {payment.status for payment in books.payments} <= {"SETTLED", "FAILED"}
    if plan == "declined":
        assert not books.orders


def test_a_repeat_after_a_crash_gets_the_existing_order(till_url: str) -> None:
    """The process stops between settlement and response; the repeated request must not pay again."""
    points = Points()

    async def behaviour(scene: Scene) -> None:
        scene.gateway.before, scene.gateway.after = points.before, points.after
        [customer] = await scene.customers(1)
        for at in range(40):
            path = await scene.branch(0).opened(meal(1), headers=customer.headers)
            headers = {**customer.headers, "idempotency-key": f"key-{at}"}
            points.arm(at, die)
            paying = asyncio.create_task(scene.branch(0).pay(path, 20, headers))
            await _until(lambda paying=paying: paying.done() or points.has_happened)  # type: ignore[misc]
            points.disarm()
            paying.cancel()
            await asyncio.wait([paying])
            is_over = not points.has_happened

            await finish(scene.branch(1), scene.clock)
            answers = [await scene.branch(1).pay(path, 20, headers) for _ in range(2)]

            assert {data_of(answer)["status"] for answer in answers} == {"CLOSED"}
            if is_over:
                break
        books = await scene.settle_up()
        assert len(books.orders) == at + 1

    play(till_url, behaviour, wrap=lambda inner: PointedStore(inner, points))


@pytest.mark.parametrize("plan", [Plan.WAIT, Plan.AUTHORIZE, Plan.FAIL_AFTER], ids=str)
def test_several_processes_can_work_on_one_payment_at_once(till_url: str, plan: Plan) -> None:
    gateway = FakeGateway(default=plan)

    async def behaviour(scene: Scene) -> Books:
        [customer] = await scene.customers(1)
        path = await scene.branch(0).opened(ride(1), codes=("ONCE",), headers=customer.headers)
        await scene.branch(0).pay(path, 35, customer.headers)
        for charge in scene.gateway.charges():
            scene.gateway.confirm(charge)
        scene.clock.turn(seconds=30)

        await asyncio.gather(*(scene.branch(n).services.payments.work() for n in range(8)))

        books = await scene.settle_up()
        assert len(books.payments) == 1
        return books

    books = play(till_url, behaviour, number=3, gateway=gateway)

    assert len(books.orders) == (plan is not Plan.FAIL_AFTER)
