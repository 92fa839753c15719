"""A clock set back an hour or forward a day while a shop is open: the books balance.

Nothing is oversold, every order is paid exactly once, and customers buy as before once the clock is correct
again. Time zones do not matter: the service reads UTC.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import faregate_http.ordering.payments
from faregate_http.store.contract import SlotCount
from support.faults.afterwards import check_swept
from support.faults.runs import long_form, seeded
from support.payment.fake_gateway import Act, FakeGateway, Plan
from support.payment.till import CATALOGUE, DATABASES, Customer, Scene, database, headers_of, meal, play, ride
from support.service.service import Json, data_of, decoded, new_url
from support.stores.wrapped_store import Save, WrappedStore

WALKS = long_form("FAREGATE_WALKS", 3)
STEPS = 80

_HOUR, _DAY = 3600, 86_400
JUMPS = (1, 20, 600, 1800, -600, -_HOUR, _HOUR, -_DAY, _DAY)

_CARTS = (("ride",), ("meal",), ("ride", "meal"), ("ride", "ride"))
_CODES = ("ONCE", "BUDGET", "GIFT-50", None, None)
_EXPECTED = {200, 401, 404, 409, 422, 503}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the ten-second wait for the gateway."""
    monkeypatch.setattr(faregate_http.ordering.payments, "GATEWAY_SECONDS", 0.05)


@pytest.fixture(params=DATABASES)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as made:
        yield made


class HastyStore(WrappedStore):
    """A store that treats a day as over once it has begun: the holds of others are free."""

    async def keep(self, save: Save) -> None:
        row = save.row
        if row is not None and save.holds:
            row = row._replace(changed_at=row.changed_at + _DAY * 1000)
        await super().keep(save._replace(row=row))

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        return await self.inner.taken(pools, first, last, at=at + _DAY * 1000, without=without)


class Walk:
    """Customers who act in any order while the clock jumps."""

    def __init__(self, scene: Scene, customers: Sequence[Customer], chance: random.Random) -> None:
        self.scene, self.customers, self.chance = scene, customers, chance
        self.open: list[tuple[str, Customer]] = []
        self.jumped = 0

    async def step(self) -> None:
        """Take one random action."""
        chance = self.chance.random()
        if chance < 0.25:
            await self._begin()
        elif chance < 0.5 and self.open:
            await self._pay()
        elif chance < 0.6 and self.open:
            await self._change()
        elif chance < 0.75:
            await self.scene.branch(self.chance.randrange(2)).services.payments.work()
            await self.scene.branch(0).services.ticketing.work()
        else:
            by = self.chance.choice(JUMPS)
            self.jumped += by
            self.scene.clock.turn(seconds=by)

    async def _ask(self, who: Customer, method: str, path: str, body: Json | None = None) -> int:
        client = self.scene.branch(self.chance.randrange(2)).client
        headers = headers_of(who.account, self.scene.clock)
        response = await client.request(method, path, json=body, headers=headers)
        assert response.status_code in _EXPECTED, response.text
        return response.status_code

    async def _begin(self) -> None:
        who, path = self.chance.choice(self.customers), new_url()
        cart = self.chance.choice(_CARTS)
        items = [{"ride": ride, "meal": meal}[name](n) for n, name in enumerate(cart, 1)]
        if await self._ask(who, "POST", f"{path}/items", {"items": items}) == 200:
            self.open.append((path, who))
            code = self.chance.choice(_CODES)
            if code is not None:
                await self._ask(who, "POST", f"{path}/vouchers", {"voucherCode": code})

    async def _pay(self) -> None:
        path, who = self.chance.choice(self.open[-5:])
        headers = headers_of(who.account, self.scene.clock)
        shown = await self.scene.branch(0).client.get(path, headers=headers)
        if shown.status_code == 404:  # the checkout expired, since the clock is a day ahead
            return
        total = float(decoded(shown)["data"]["totalGross"])
        self.scene.gateway.plans.clear()
        self.scene.gateway.plans.append(self.chance.choice([*Plan]))
        provider = self.chance.choice(("GATEWAY", "GATEWAY", "ON_SITE"))
        await self._ask(who, "POST", f"{path}/payment", {"expectedTotal": total, "provider": provider})

    async def _change(self) -> None:
        path, who = self.chance.choice(self.open[-5:])
        await self._ask(who, "PATCH", f"{path}/items/1/quantity", {"delta": self.chance.choice((1, -1))})


async def walk(scene: Scene, chance: random.Random) -> int:
    """Walk, correct the clock, wait as long as it was wrong, and audit; return the number of orders."""
    customers = await scene.customers(3)
    walked = Walk(scene, customers, chance)
    furthest = 0
    for _ in range(STEPS):
        await walked.step()
        furthest = max(furthest, walked.jumped)
    scene.clock.turn(seconds=-walked.jumped)
    assert await walked._ask(customers[0], "POST", f"{new_url()}/items", {"items": [meal(1)]}) == 200
    scene.clock.turn(seconds=furthest + _HOUR)  # work that was postponed while the clock was ahead
    books = await scene.settle_up()
    tomorrow = {"from": "2026-12-28", "to": "2026-12-28"}
    path = await scene.branch(1).opened(ride(1, validity=tomorrow))
    assert data_of(await scene.branch(0).pay(path, 40))["status"] == "CLOSED"
    return len(books.orders)


@pytest.mark.parametrize("part", range(WALKS))
def test_the_books_balance_wherever_the_clock_jumps(url: str, part: int) -> None:
    chance = random.Random(seeded(part))

    orders = play(url, lambda scene: walk(scene, chance))

    print(f"{STEPS} steps, {orders} orders")  # noqa: T201
    check_swept(url, CATALOGUE)


async def _rides(scene: Scene, number: int) -> str:
    """Return the path of a checkout with *number* of the three units of a day."""
    return await scene.branch(0).opened(*(ride(n) for n in range(1, number + 1)))


async def _is_refused(scene: Scene) -> bool:
    added = await scene.branch(1).client.post(f"{new_url()}/items", json={"items": [ride(1)]})
    assert added.status_code in {200, 409}, added.text
    return added.status_code == 409


async def keep_places_for_an_hour(scene: Scene, *, by: int) -> None:
    """Hold all units, let the clock jump, and pay for them."""
    path = await _rides(scene, 3)
    scene.clock.turn(seconds=by)
    assert await _is_refused(scene), "what was held is free"
    assert data_of(await scene.branch(1).pay(path, 120))["status"] == "CLOSED"
    assert await _is_refused(scene)
    assert len((await scene.settle_up()).orders) == 1


@pytest.mark.parametrize("by", [-_HOUR, -_DAY, 1200], ids=["an hour back", "a day back", "20 minutes on"])
def test_held_places_are_kept(url: str, by: int) -> None:
    play(url, lambda scene: keep_places_for_an_hour(scene, by=by))


def test_a_store_whose_clock_is_a_day_ahead_is_caught(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as url, pytest.raises(AssertionError, match="what was held is free"):
        play(url, lambda scene: keep_places_for_an_hour(scene, by=-_HOUR), wrap=HastyStore)


def test_places_sold_while_the_clock_was_ahead_stay_sold(url: str) -> None:
    async def behaviour(scene: Scene) -> None:
        first = await _rides(scene, 3)
        scene.clock.turn(seconds=_DAY)
        second = await _rides(scene, 2)
        assert data_of(await scene.branch(1).pay(second, 80))["status"] == "CLOSED"
        scene.clock.turn(seconds=-_DAY)

        late = await scene.branch(1).pay(first, 120)

        assert late.status_code == 409, late.text
        taken = await scene.branch(0).client.request("DELETE", f"{first}/items?itemId=2&itemId=3")
        if taken.status_code == 200:
            assert data_of(await scene.branch(1).pay(first, 40))["status"] == "CLOSED"
        await scene.settle_up()

    play(url, behaviour)


@pytest.mark.parametrize("by", [-_HOUR, _DAY], ids=["back", "ahead"])
def test_a_pending_payment_ends_once(url: str, by: int) -> None:
    """A day ahead the payment has expired and is refunded; an hour back it continues."""
    gateway = FakeGateway(default=Plan.WAIT)

    async def behaviour(scene: Scene) -> None:
        [customer] = await scene.customers(1)
        path = await scene.branch(0).opened(ride(1), headers=customer.headers)
        assert data_of(await scene.branch(0).pay(path, 40, customer.headers))["status"] == "OPEN"
        scene.clock.turn(seconds=by)
        await scene.branch(1).services.payments.work()
        [charge] = gateway.charges()
        gateway.confirm(charge)
        scene.clock.turn(seconds=60 - by)
        scene.clock.turn(seconds=max(by, 0))  # work postponed while the clock was ahead

        books = await scene.settle_up()

        assert len(books.orders) == (0 if by > 0 else 1)
        gateway.default = Plan.SETTLE
        if by > 0:
            headers = headers_of(customer.account, scene.clock)
            assert gateway.state(charge) is Act.CANCELLED
            again = await scene.branch(0).pay(path, 40, headers)
            assert again.status_code in {200, 409}, again.text

    play(url, behaviour, gateway=gateway)


@pytest.mark.parametrize("by", [-_DAY, -_HOUR, _HOUR, _DAY - 60])
def test_an_idempotency_key_causes_one_change_wherever_the_clock_jumps(url: str, by: int) -> None:
    async def behaviour(scene: Scene) -> None:
        path, key = await scene.branch(0).opened(meal(1)), {"idempotency-key": "k"}
        asked = f"{path}/items/1/quantity"
        first = await scene.branch(0).client.patch(asked, json={"delta": 1}, headers=key)
        scene.clock.turn(seconds=by)

        again = await scene.branch(1).client.patch(asked, json={"delta": 1}, headers=key)

        assert again.content == first.content
        assert len(data_of(again)["items"]) == 2

    play(url, behaviour)


def test_a_wrong_day_locks_nobody_out(url: str) -> None:
    """Tokens and checkouts of the wrong day are valid once the clock is correct again."""

    async def behaviour(scene: Scene) -> None:
        [customer] = await scene.customers(1)
        scene.clock.turn(seconds=_DAY)
        headers = headers_of(customer.account, scene.clock)
        path = await scene.branch(0).opened(ride(1), meal(2), headers=headers)
        scene.clock.turn(seconds=-_DAY)

        fresh = headers_of(customer.account, scene.clock)
        added = await scene.branch(1).client.post(f"{path}/items", json={"items": [meal(3)]}, headers=fresh)

        assert added.status_code == 200, added.text
        assert data_of(await scene.branch(1).pay(path, 80, fresh))["status"] == "CLOSED"
        assert len((await scene.settle_up()).orders) == 1

    play(url, behaviour)
