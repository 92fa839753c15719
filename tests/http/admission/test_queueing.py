"""Requests that wait for a place."""

import asyncio

import pytest
from starlette.types import Message

from faregate_http.admission.decisions import Step
from faregate_http.admission.queueing import Admission
from faregate_http.options import AdmissionLimits
from faregate_http.protocol.bodies import ClientGone
from faregate_http.protocol.problems import Problem


async def receive() -> Message:
    """Wait for a client that does not hang up."""
    await asyncio.sleep(3600)
    raise AssertionError


def test_idle_time_does_not_count_as_slow_work() -> None:
    async def burst() -> float:
        now = 0.0
        admission = Admission(AdmissionLimits(in_progress=1), lambda: now)
        now = 300.0  # nobody came
        await admission.enter(Step.OPENING, receive)
        others = [asyncio.create_task(admission.enter(Step.OPENING, receive)) for _ in range(9)]
        await asyncio.sleep(0)
        now += 0.016
        admission.leave()
        for other in others:
            other.cancel()
        return admission.load.pace

    assert 0 < asyncio.run(burst()) < 0.002


def test_a_client_that_leaves_as_its_turn_comes_gives_its_place_back() -> None:
    async def leaving() -> tuple[int, tuple[int, ...]]:
        admission, left = Admission(AdmissionLimits(in_progress=1), lambda: 7.0), asyncio.Event()

        async def leave() -> Message:
            await left.wait()
            return {"type": "http.disconnect"}

        await admission.enter(Step.OPENING, receive)
        waiting = asyncio.create_task(admission.enter(Step.OPENING, leave))
        next_one = asyncio.create_task(admission.enter(Step.OPENING, receive))
        for _ in range(100):
            await asyncio.sleep(0)
        left.set()
        await asyncio.sleep(0)
        admission.leave()
        with pytest.raises(ClientGone):
            await waiting
        await next_one
        return admission.load.in_progress, admission.load.waiting

    assert asyncio.run(leaving()) == (1, (0, 0, 0))


def test_pauses_are_short_again_once_no_request_waits() -> None:
    async def rush() -> list[float | None]:
        admission = Admission(AdmissionLimits(in_progress=1, waiting=0), lambda: 7.0)
        await admission.enter(Step.OPENING, receive)
        with pytest.raises(Problem):
            await admission.enter(Step.OPENING, receive)
        refusing = admission.load.refusing_since
        admission.leave()
        return [refusing, admission.load.refusing_since]

    assert asyncio.run(rush()) == [7.0, None]
