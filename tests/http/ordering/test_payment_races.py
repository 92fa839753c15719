"""Concurrent payments: scarce things are sold once, and every charge belongs to one order or is refunded.

Each race also runs without its protection and must then detect the damage. ``FAREGATE_SEED`` repeats a run.
"""

import asyncio
import os
import random
from collections.abc import Sequence
from uuid import uuid4

import pytest
from httpx2 import Response

from faregate_http.payment.gateway import Charge
from support.payment.audit import Books
from support.payment.till import Branch, Customer, Scene, meal, play, ride
from support.service.service import Json, data_of, decoded

SEED = int(os.environ.get("FAREGATE_SEED", random.randrange(10**9)))


@pytest.fixture
def chance() -> random.Random:
    print(f"FAREGATE_SEED={SEED}")  # noqa: T201  # shown when the test fails
    return random.Random(SEED)


def statuses(answers: Sequence[Response]) -> list[int]:
    return sorted(answer.status_code for answer in answers)


def codes(answers: Sequence[Response]) -> set[str]:
    """Return the codes of all refusals."""
    return {decoded(answer)["code"] for answer in answers if answer.status_code != 200}


async def twenty_with_one_code(scene: Scene) -> Books:
    customers = await scene.customers(20)
    urls = [
        await scene.branch(n).opened(meal(1), codes=("ONCE",), headers=customer.headers)
        for n, customer in enumerate(customers)
    ]
    answers = await asyncio.gather(
        *(scene.branch(n // 2).pay(urls[n], 15, customers[n].headers) for n in range(20))
    )
    books = await scene.settle_up()

    assert statuses(answers) == [200] + [409] * 19
    assert codes(answers) == {"total-changed"}
    for n, answer in enumerate(answers):
        shown = data_of(await scene.branch(n).client.get(urls[n], headers=customers[n].headers))
        [code] = shown["promoCodes"]
        is_winner = answer.status_code == 200
        assert (shown["status"], code["valid"]) == (("CLOSED", True) if is_winner else ("OPEN", False))
        assert is_winner or code["reason"] == "USED_UP"
    return books


def test_only_one_of_twenty_checkouts_pays_with_a_single_use_code(till_url: str) -> None:
    books = play(till_url, twenty_with_one_code)

    assert [order.total for order in books.orders] == [1500]


async def two_with_one_voucher(scene: Scene) -> Books:
    one, other = await scene.customers(2)
    urls = [
        await scene.branch(n).opened(meal(1), meal(2), codes=("GIFT-50",), headers=customer.headers)
        for n, customer in enumerate((one, other))
    ]
    answers = await asyncio.gather(
        *(scene.branch(n).pay(urls[n], 40, customer.headers) for n, customer in enumerate((one, other)))
    )
    books = await scene.settle_up()
    assert statuses(answers) == [200, 409]
    assert codes(answers) == {"total-changed"}
    return books


def test_the_second_of_two_checkouts_pays_with_the_rest_of_a_voucher(till_url: str) -> None:
    async def behaviour(scene: Scene) -> None:
        books = await two_with_one_voucher(scene)
        assert books.sold["GIFT-50", "balance"] == 4000

    play(till_url, behaviour)


async def eight_for_three_places(scene: Scene) -> Books:
    customers = await scene.customers(8)

    async def buy(number: int) -> Response:
        """Buy one unit."""
        branch, customer = scene.branch(number), customers[number]
        path = f"/api/checkout/{uuid4()}"
        added = await branch.client.post(f"{path}/items", json={"items": [ride(1)]}, headers=customer.headers)
        return added if added.status_code != 200 else await branch.pay(path, 40, customer.headers)

    answers = await asyncio.gather(*map(buy, range(8)))
    books = await scene.settle_up()
    assert statuses(answers) == [200] * 3 + [409] * 5
    assert codes(answers) == {"sold-out"}
    return books


def test_the_last_places_are_sold_once(till_url: str) -> None:
    assert len(play(till_url, eight_for_three_places).orders) == 3


class Gate:
    """Gateway hook that makes every call wait."""

    def __init__(self) -> None:
        self.reached, self.opened = asyncio.Event(), asyncio.Event()

    async def __call__(self, call: str, _charge: Charge) -> None:
        if call == "authorize":
            self.reached.set()
            await self.opened.wait()


CHANGES: list[tuple[str, str, Json | None]] = [
    ("POST", "/items", {"items": [ride(7)]}),
    ("PATCH", "/items/1/quantity", {"delta": 1}),
    ("DELETE", "/items?itemId=2", None),
    ("POST", "/vouchers", {"voucherCode": "RICH"}),
    ("POST", "/checkout-conditions", {"formValues": {"donation": 50}}),
    ("DELETE", "/vouchers/MEMBERS", None),
]


async def change(branch: Branch, path: str, number: int, customer: Customer) -> Response:
    method, below, body = CHANGES[number % len(CHANGES)]
    return await branch.client.request(method, f"{path}{below}", json=body, headers=customer.headers)


async def changed_at_the_gateway(scene: Scene) -> list[Response]:
    """Make all changes from both processes while the customer is at the gateway; then let it succeed."""
    [customer] = await scene.customers(1)
    path = await scene.branch(0).opened(ride(1), meal(2), codes=("MEMBERS",), headers=customer.headers)
    gate = Gate()
    scene.gateway.before = gate
    paying = asyncio.create_task(scene.branch(0).pay(path, 58, customer.headers))
    await gate.reached.wait()
    answers = await asyncio.gather(
        *(change(scene.branch(n // 6), path, n, customer) for n in range(2 * len(CHANGES)))
    )
    gate.opened.set()
    assert (await paying).status_code == 200
    await scene.settle_up()
    return answers


def test_a_checkout_does_not_change_during_a_gateway_payment(till_url: str) -> None:
    answers = play(till_url, changed_at_the_gateway)

    assert codes(answers) == {"payment-in-progress"}
    assert statuses(answers) == [409] * 12


def test_a_concurrent_change_and_payment_agree_on_one_basket(till_url: str, chance: random.Random) -> None:
    async def behaviour(scene: Scene) -> tuple[int, int]:
        taken = 0
        for number in range(18):
            [customer] = await scene.customers(1)
            path = await scene.branch(0).opened(
                meal(1), meal(2), codes=("MEMBERS",), headers=customer.headers
            )

            async def pay(path: str = path, customer: Customer = customer) -> Response:
                """Pay the total from before any change."""
                await asyncio.sleep(chance.random() / 200)
                return await scene.branch(1).pay(path, 38, customer.headers)

            async def alter(n: int, path: str = path, customer: Customer = customer) -> Response:
                """Change the checkout."""
                await asyncio.sleep(chance.random() / 200)
                return await change(scene.branch(0), path, n, customer)

            answers = await asyncio.gather(pay(), *(alter(number % 6 + n) for n in (1, 2)))

            assert set(statuses(answers)) <= {200, 409}
            is_sold = answers[0].status_code == 200
            taken += is_sold
            shown = data_of(await scene.branch(0).client.get(path, headers=customer.headers))
            assert (shown["status"] == "CLOSED") == is_sold
            assert not is_sold or shown["totalGross"] == 38
        books = await scene.settle_up()
        assert len(books.orders) == taken
        return taken, len(books.payments)

    play(till_url, behaviour)


def test_a_repeated_payment_returns_the_final_state(till_url: str) -> None:
    """Another process responds while the first is at the gateway; its response must not be stored."""

    async def behaviour(scene: Scene) -> None:
        [customer] = await scene.customers(1)
        path = await scene.branch(0).opened(meal(1), headers=customer.headers)
        headers = {**customer.headers, "idempotency-key": "k"}
        gate = Gate()
        scene.gateway.before = gate
        first = asyncio.create_task(scene.branch(0).pay(path, 20, headers))
        await gate.reached.wait()

        meanwhile = await scene.branch(1).pay(path, 20, headers)
        gate.opened.set()

        assert data_of(meanwhile)["status"] == "OPEN"
        assert data_of(await first)["status"] == "CLOSED"
        for branch in scene.branches:
            assert data_of(await branch.pay(path, 20, headers))["status"] == "CLOSED"
        assert scene.gateway.count("authorize") == 1
        await scene.settle_up()

    play(till_url, behaviour)
