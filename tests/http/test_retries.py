"""Decisions for one key run one at a time, and no lock is left behind."""

import asyncio
import gc
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from faregate_http.retries import Retries


def check(behaviour: Callable[[Retries], Awaitable[None]]) -> None:
    async def run() -> None:
        retries = Retries()
        await behaviour(retries)
        gc.collect()
        assert len(retries._locks) <= 1  # asyncio keeps the lock of the last cancelled task

    asyncio.run(run())


async def turns(number: int = 10) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def test_visits_run_one_at_a_time_in_order_of_arrival() -> None:
    async def behaviour(retries: Retries) -> None:
        said: list[str] = []

        async def visit(name: str) -> None:
            said.append(f"{name} in")
            await turns()
            said.append(f"{name} out")

        await asyncio.gather(*[retries.until_saved("key", partial(visit, name)) for name in "abc"])

        assert said == ["a in", "a out", "b in", "b out", "c in", "c out"]

    check(behaviour)


def test_other_keys_do_not_wait() -> None:
    async def behaviour(retries: Retries) -> None:
        meeting = asyncio.Barrier(3)

        async with asyncio.timeout(5):
            await asyncio.gather(*[retries.until_saved(key, meeting.wait) for key in "abc"])

    check(behaviour)


def test_a_failure_lets_the_next_visit_in() -> None:
    async def behaviour(retries: Retries) -> None:
        async def fail() -> None:
            await turns()
            raise ValueError("failed")

        failing = [retries.until_saved("key", fail) for _ in range(2)]
        failures = await asyncio.gather(*failing, return_exceptions=True)

        assert [str(failure) for failure in failures] == ["failed", "failed"]

    check(behaviour)


@pytest.mark.parametrize("cancelled", [{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}, {0, 1, 2}])
def test_a_cancelled_task_leaves_no_lock_behind(cancelled: set[int]) -> None:
    async def behaviour(retries: Retries) -> None:
        inside: list[int] = []

        async def visit(number: int) -> None:
            assert not inside
            inside.append(number)
            try:
                await turns()
            finally:
                inside.remove(number)

        visits = [
            asyncio.create_task(retries.until_saved("key", partial(visit, number))) for number in range(3)
        ]
        await turns(3)
        for number in cancelled:
            visits[number].cancel()
        await asyncio.gather(*visits, return_exceptions=True)

        assert {number for number, visit in enumerate(visits) if visit.cancelled()} == cancelled

    check(behaviour)
