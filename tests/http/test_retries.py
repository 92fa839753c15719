"""Decisions for one key run one at a time, and no lock is left behind."""

import asyncio
import gc
from collections.abc import AsyncIterator
from functools import partial

import pytest

from faregate_http.retries import Retries


@pytest.fixture
async def retries() -> AsyncIterator[Retries]:
    retries = Retries()
    yield retries
    gc.collect()
    assert len(retries._locks) <= 1  # asyncio keeps the lock of the last cancelled task


async def turns(number: int = 10) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


async def test_visits_run_one_at_a_time_in_order_of_arrival(retries: Retries) -> None:
    said: list[str] = []

    async def visit(name: str) -> None:
        said.append(f"{name} in")
        await turns()
        said.append(f"{name} out")

    await asyncio.gather(*[retries.until_saved("key", partial(visit, name)) for name in "abc"])

    assert said == ["a in", "a out", "b in", "b out", "c in", "c out"]


async def test_other_keys_do_not_wait(retries: Retries) -> None:
    meeting = asyncio.Barrier(3)

    async with asyncio.timeout(5):
        await asyncio.gather(*[retries.until_saved(key, meeting.wait) for key in "abc"])


async def test_a_failure_lets_the_next_visit_in(retries: Retries) -> None:
    async def fail() -> None:
        await turns()
        raise ValueError("failed")

    failing = [retries.until_saved("key", fail) for _ in range(2)]
    failures = await asyncio.gather(*failing, return_exceptions=True)

    assert [str(failure) for failure in failures] == ["failed", "failed"]


@pytest.mark.parametrize("cancelled", [{0}, {1}, {2}, {0, 1}, {1, 2}, {0, 2}, {0, 1, 2}])
async def test_a_cancelled_task_leaves_no_lock_behind(retries: Retries, cancelled: set[int]) -> None:
    inside: list[int] = []

    async def visit(number: int) -> None:
        assert not inside
        inside.append(number)
        try:
            await turns()
        finally:
            inside.remove(number)

    visits = [asyncio.create_task(retries.until_saved("key", partial(visit, number))) for number in range(3)]
    await turns(3)
    for number in cancelled:
        visits[number].cancel()
    await asyncio.gather(*visits, return_exceptions=True)

    assert {number for number, visit in enumerate(visits) if visit.cancelled()} == cancelled
