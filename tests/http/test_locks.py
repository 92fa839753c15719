"""One holder of a key at a time, and nothing left behind."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from faregate_http.locks import KeyedLocks


def check(behaviour: Callable[[KeyedLocks], Awaitable[None]]) -> None:
    async def run() -> None:
        locks = KeyedLocks()
        await behaviour(locks)
        assert not locks._locks

    asyncio.run(run())


async def turns(number: int = 10) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def test_one_at_a_time_in_the_order_of_coming() -> None:
    async def behaviour(locks: KeyedLocks) -> None:
        said: list[str] = []

        async def visit(name: str) -> None:
            async with locks.holding("key"):
                said.append(f"{name} in")
                await turns()
                said.append(f"{name} out")

        await asyncio.gather(*map(visit, "abc"))

        assert said == ["a in", "a out", "b in", "b out", "c in", "c out"]

    check(behaviour)


def test_other_keys_do_not_wait() -> None:
    async def behaviour(locks: KeyedLocks) -> None:
        async with locks.holding("a"), asyncio.timeout(5), locks.holding("b"), locks.holding("c"):
            assert set(locks._locks) == {"a", "b", "c"}

    check(behaviour)


def test_a_failure_lets_the_next_one_in() -> None:
    async def behaviour(locks: KeyedLocks) -> None:
        async def fail() -> None:
            async with locks.holding("key"):
                await turns()
                raise ValueError("failed")

        failures = await asyncio.gather(fail(), fail(), return_exceptions=True)

        assert [str(failure) for failure in failures] == ["failed", "failed"]

    check(behaviour)


@pytest.mark.parametrize("cancelled", [{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}, {0, 1, 2}])
def test_who_is_cancelled_holding_or_waiting_leaves_nothing_behind(cancelled: set[int]) -> None:
    async def behaviour(locks: KeyedLocks) -> None:
        inside: list[int] = []

        async def visit(number: int) -> None:
            async with locks.holding("key"):
                assert not inside
                inside.append(number)
                await turns()
                inside.remove(number)

        async def visit_to_the_end(number: int) -> None:
            try:
                await visit(number)
            finally:
                if number in inside:
                    inside.remove(number)

        visits = [asyncio.create_task(visit_to_the_end(number)) for number in range(3)]
        await turns(3)
        for number in cancelled:
            visits[number].cancel()
        await asyncio.gather(*visits, return_exceptions=True)

        assert {number for number, visit in enumerate(visits) if visit.cancelled()} == cancelled

    check(behaviour)


def test_a_latecomer_waits_for_who_was_let_in_meanwhile() -> None:
    async def behaviour(locks: KeyedLocks) -> None:
        number_inside = 0

        async def visit(start: int) -> None:
            nonlocal number_inside
            await turns(start)
            async with locks.holding("key"):
                number_inside += 1
                assert number_inside == 1
                await turns(7)
                number_inside -= 1

        await asyncio.gather(*(visit(start) for start in range(0, 200, 3)))

    check(behaviour)
