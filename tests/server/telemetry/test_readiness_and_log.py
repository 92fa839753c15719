"""Readiness is accurate, and the log identifies requests without secrets."""

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

import faregate_server.app
import faregate_server.routes.system
from faregate_http.admission.decisions import Load
from faregate_http.options import AdmissionLimits
from faregate_http.telemetry import REQUEST_LOG, SLOW_SECONDS, TelemetryMiddleware
from faregate_server.readiness import CHECK_SECONDS, FAILURES, SUCCESSES, Readiness
from faregate_server.store.opening import open_store
from faregate_server.telemetry.metrics import Metrics
from support.service.service import day_ticket, enter, new_url, open_checkout, running
from support.stores.watched_store import Timer, WatchedStore, away
from support.stores.wrapped_store import WrappedStore


class HangingStore(WrappedStore):
    """A store whose database does not respond."""

    is_stuck = False

    async def check(self) -> None:
        if self.is_stuck:
            await asyncio.sleep(3600)
        await self.inner.check()


def answers(client: TestClient, timer: Timer, number: int) -> list[tuple[int, str]]:
    """Return statuses and results of the storage check, asked for *number* times, a second apart."""
    found = []
    assert client.portal is not None
    for _ in range(number):
        timer.seconds += CHECK_SECONDS
        client.portal.call(client.app_state["services"].sold_counts.read)
        answer = client.get("/health/ready")
        found.append((answer.status_code, answer.json()["storage"]))
    return found


def test_a_database_that_stays_away_is_an_outage_and_a_short_delay_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timer = Timer()
    monkeypatch.setattr(faregate_server.app, "open_store", lambda url: HangingStore(open_store(url)))
    monkeypatch.setattr(faregate_server.routes.system, "MAX_SECONDS", 0.05)
    with running(tmp_path, timer=timer) as client:
        store = client.app_state["services"].store
        ready = client.get("/health/ready")
        store.is_stuck = True
        stuck = answers(client, timer, 2)
        store.is_stuck = False
        short = answers(client, timer, 1)
        store.is_stuck = True
        outage = answers(client, timer, 3)
        told = client.get("/metrics").text
        store.is_stuck = False
        again = answers(client, timer, 2)

    assert ready.json() == {"status": "ready", "storage": "ok", "soldCounts": "ok"}
    assert stuck == [(200, "cannot be used")] * 2
    assert short == [(200, "ok")]
    assert outage == [(200, "cannot be used"), (200, "cannot be used"), (503, "cannot be used")]
    assert again == [(503, "ok"), (200, "ok")]
    assert "\nfaregate_ready 0.0\n" in told


def test_requests_within_a_second_share_one_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timer = Timer()
    monkeypatch.setattr(faregate_server.app, "open_store", lambda url: HangingStore(open_store(url)))
    monkeypatch.setattr(faregate_server.routes.system, "MAX_SECONDS", 0.05)
    with running(tmp_path, timer=timer) as client:
        client.app_state["services"].store.is_stuck = True
        found = {client.get("/health/ready").status_code for _ in range(10)}

    assert found == {200}


def test_a_service_whose_sold_counts_are_too_old_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    timer = Timer()
    monkeypatch.setattr(faregate_server.app, "open_store", lambda url: WatchedStore(open_store(url)))
    with running(tmp_path, timer=timer) as client:
        store = client.app_state["services"].store
        store.error = away()
        timer.seconds += 60
        for _ in range(FAILURES - 1):
            client.get("/health/ready")
            timer.seconds += CHECK_SECONDS
        late = client.get("/health/ready")
        places = client.get("/metrics").text

    assert late.status_code == 503
    assert late.json() == {"status": "not ready", "storage": "ok", "soldCounts": "too old"}
    assert "faregate_places{" not in places


@given(st.lists(st.booleans()))
def test_readiness_changes_only_after_enough_checks_that_agree(checks: list[bool]) -> None:
    readiness = Readiness(Timer())
    for number, succeeded in enumerate(checks, 1):
        before = readiness.is_ready
        readiness.note(succeeded=succeeded)
        if readiness.is_ready != before:
            needed = FAILURES if before else SUCCESSES
            assert checks[number - needed : number] == [not before] * needed
    if len(checks) >= FAILURES and len(set(checks[-FAILURES:])) == 1:
        assert readiness.is_ready == checks[-1]


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/metrics"])
def test_current_state_is_not_cached(client: TestClient, path: str) -> None:
    assert client.get(path).headers["cache-control"] == "no-store"


def lines_of(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.name == REQUEST_LOG]


def test_each_request_is_logged_with_its_route_and_no_secrets(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    enter(client, url, "GIFT-100")

    with caplog.at_level(logging.INFO, REQUEST_LOG):
        client.delete(f"{url}/vouchers/GIFT-100")

    (line,) = lines_of(caplog)
    assert line.getMessage() == "DELETE /api/checkout/{checkoutId}/vouchers/{code}: 200"
    assert (line.levelno, line.__dict__["operation"], line.__dict__["status"]) == (20, "dropCode", 200)
    assert line.__dict__["milliseconds"] >= 0
    everything = json.dumps(line.__dict__, default=str)
    assert "GIFT-100" not in everything
    assert url.rpartition("/")[2] not in everything


def test_quick_successful_requests_are_not_logged_at_the_usual_level(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, REQUEST_LOG):
        open_checkout(client, day_ticket(1))

    assert lines_of(caplog) == []


def test_failures_are_logged_at_every_level(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    url, _ = open_checkout(client, day_ticket(1))

    async def fail(*_: object) -> None:
        raise away()

    with caplog.at_level(logging.WARNING, REQUEST_LOG), pytest.MonkeyPatch.context() as patch:
        patch.setattr(client.app_state["services"].store, "head", fail)
        client.get(url)

    (line,) = lines_of(caplog)
    assert (line.levelno, line.__dict__["status"]) == (logging.ERROR, 503)
    assert line.__dict__["problem"] == "storage-unavailable"


def test_only_the_beginning_of_an_overload_is_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    limits = AdmissionLimits()
    with running(tmp_path, admission=limits) as client, caplog.at_level(logging.WARNING, "faregate"):
        admission = client.app_state["services"].admission
        admission.load = Load(limits, in_progress=16, waiting=(0, 0, limits.waiting))
        refused = [client.post(f"{new_url()}/items", json={"items": [day_ticket(1)]}) for _ in range(3)]
        metrics = client.get("/metrics").text

    assert [answer.status_code for answer in refused] == [503] * 3
    assert [line.getMessage() for line in caplog.records] == [
        "overload: requests are refused until none waits"
    ]
    assert 'faregate_problems_total{code="overloaded"} 3.0' in metrics


def test_slow_requests_are_logged_at_every_level(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter([100.0, 100.0 + SLOW_SECONDS])
    monkeypatch.setattr("faregate_http.telemetry.perf_counter", lambda: next(times))

    async def answer(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def ignore(_message: Any) -> None:
        return

    scope = {"type": "http", "method": "GET", "headers": []}
    with caplog.at_level(logging.WARNING, REQUEST_LOG):
        asyncio.run(TelemetryMiddleware(answer, Metrics())(scope, None, ignore))  # type: ignore[arg-type]

    (line,) = lines_of(caplog)
    assert (line.levelno, line.__dict__["milliseconds"]) == (logging.WARNING, 1000.0)
