"""Rate limits after failures: thresholds, waiting times, client networks and memory."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from faregate_http import throttling
from faregate_http.options import FailureLimit
from faregate_http.protocol.problems import Problem
from faregate_http.store.contract import StoreUnavailable
from faregate_http.throttling import SharedCount, Throttle
from support.service.service import day_ticket, open_checkout, running

UNKNOWN = "e11fe2f8-8e2b-4722-bf0b-9e5b13e9d724"


class Timer:
    """Timer that a test advances."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class From:
    """A request from an address."""

    def __init__(self, client: str) -> None:
        self.client = client


@pytest.fixture
def timer() -> Timer:
    return Timer()


@pytest.fixture
def throttle(timer: Timer) -> Throttle:
    return Throttle(FailureLimit(3, 60), timer)


def call(client: str = "192.0.2.1") -> Any:
    return From(client)


def wait(throttle: Throttle, client: str = "192.0.2.1") -> int:
    """Return the number of seconds that a client must wait, or 0."""
    try:
        throttle.check_here(call(client))
    except Problem as problem:
        return int(dict(problem.headers)[b"retry-after"])
    return 0


def fail(throttle: Throttle, times: int = 1, client: str = "192.0.2.1") -> None:
    for _ in range(times):
        throttle.failed_here(call(client))


def test_a_client_without_failures_never_waits(throttle: Throttle) -> None:
    assert [wait(throttle) for _ in range(100)] == [0] * 100


def test_a_client_waits_once_it_reaches_the_limit(throttle: Throttle) -> None:
    fail(throttle, 2)
    assert wait(throttle) == 0

    fail(throttle)

    assert wait(throttle) == 60
    assert wait(throttle, "192.0.2.2") == 0


def test_a_client_may_retry_once_its_oldest_failure_is_old_enough(throttle: Throttle, timer: Timer) -> None:
    for _ in range(3):
        fail(throttle)
        timer.seconds += 10

    assert wait(throttle) == 30
    timer.seconds += 29.5
    assert wait(throttle) == 1
    timer.seconds += 0.5
    assert wait(throttle) == 0
    fail(throttle)
    assert wait(throttle) == 10


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("unknown", "unknown", True),
        ("unknown", "testclient", False),
    ],
)
def test_a_household_counts_as_one_client(throttle: Throttle, one: str, other: str, are_one: bool) -> None:
    fail(throttle, 3, one)

    assert (wait(throttle, other) > 0) == are_one


def test_the_number_of_remembered_entries_is_bounded(
    throttle: Throttle, timer: Timer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttling, "MOST_CLIENTS", 5)
    for number in range(6):
        fail(throttle, 100, f"192.0.2.{number}")
        timer.seconds += 1

    assert [wait(throttle, f"192.0.2.{number}") > 0 for number in range(6)] == [False] + [True] * 5
    assert len(throttle._failures) == 5
    assert {len(times) for times in throttle._failures.values()} == {3}


def test_a_client_that_is_not_an_address_is_cut_short(throttle: Throttle) -> None:
    fail(throttle, 3, "a" * 10_000)

    assert wait(throttle, "a" * 10_000) == 60
    assert [len(client) for client in throttle._failures] == [64]


def test_a_client_with_a_new_failure_is_not_dropped_first(
    throttle: Throttle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttling, "MOST_CLIENTS", 2)
    fail(throttle, 2, "192.0.2.1")
    fail(throttle, 3, "192.0.2.2")
    fail(throttle, 1, "192.0.2.1")

    fail(throttle, 1, "192.0.2.3")

    assert wait(throttle, "192.0.2.1") > 0
    assert wait(throttle, "192.0.2.2") == 0


class Shared:
    """A count of failures that several throttles share, unless it is out of order."""

    def __init__(self) -> None:
        self.asked = 0
        self.failures: list[tuple[str, int]] = []
        self.is_down = False

    async def failure_wait(self, kind: str, holder: int, most: int) -> float:
        self.asked += 1
        if self.is_down:
            raise StoreUnavailable("down")
        return 29.5 if self.failures.count((kind, holder)) >= most else 0.0

    async def add_failure(self, kind: str, holder: int, seconds: float) -> None:
        if self.is_down:
            raise StoreUnavailable("down")
        assert seconds == 60
        self.failures.append((kind, holder))


def sharing(shared: Shared, timer: Timer) -> Throttle:
    return Throttle(FailureLimit(3, 60), timer, SharedCount(shared, "code", len))


def status(throttle: Throttle) -> int:
    """Return the status for a client after one more failure, or for a rejected client."""

    async def attempt() -> None:
        await throttle.check(call())
        await throttle.failed(call())

    try:
        asyncio.run(attempt())
    except Problem as problem:
        return problem.status
    return 404


def test_processes_count_together(timer: Timer) -> None:
    shared = Shared()
    one, other = sharing(shared, timer), sharing(shared, timer)

    assert [status(one), status(other), status(one)] == [404] * 3
    assert [status(one), status(other)] == [429, 429]
    assert len(shared.failures) == 3
    with pytest.raises(Problem) as refused:
        asyncio.run(other.share("192.0.2.1"))
    assert (refused.value.headers, len(shared.failures)) == (((b"retry-after", b"30"),), 3)


def test_a_client_rejected_by_memory_causes_no_work_in_the_store(timer: Timer) -> None:
    shared = Shared()
    one = sharing(shared, timer)
    assert [status(one) for _ in range(9)] == [404] * 3 + [429] * 6

    assert (shared.asked, len(shared.failures)) == (3, 3)


def test_memory_counts_while_the_store_is_unavailable(timer: Timer) -> None:
    shared = Shared()
    shared.is_down = True

    one = sharing(shared, timer)
    assert [status(one) for _ in range(4)] == [404, 404, 404, 429]


@pytest.mark.parametrize("kind", ["code", "key"])
def test_services_with_one_database_count_together(tmp_path: Path, kind: str) -> None:
    limits: dict[str, Any] = {f"{kind}_failures": FailureLimit(3, 600)}
    with running(tmp_path, **limits) as one, running(tmp_path, **limits) as other:
        url, _ = open_checkout(one, day_ticket(1))

        def attempt(client: Any) -> int:
            if kind == "code":
                answer = client.post(f"{url}/vouchers", json={"voucherCode": "GUESS"})
            else:
                answer = client.get("/api/products/day-ticket", headers={"service-channel-uuid": UNKNOWN})
            return int(answer.status_code)

        assert {attempt(client) for client in (one, other, one)} <= {404, 422}
        assert [attempt(other), attempt(one)] == [429, 429]
        assert other.get("/api/products/day-ticket").status_code == 200, "right keys are still accepted"
