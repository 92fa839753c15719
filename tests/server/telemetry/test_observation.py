"""Every request has an id, is counted and timed."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

import faregate_http.checkouts.responses
import faregate_server.app
import faregate_server.routes.system
from faregate_cli.serve.middleware import BODY_SECONDS
from faregate_http.options import AdmissionLimits
from faregate_http.ordering.payments import GATEWAY_SECONDS
from faregate_http.protocol.observed import Observed, observed, observing
from faregate_http.store.contract import Stale, Store
from faregate_server.app import create_app
from faregate_server.settings import Settings
from faregate_server.store.opening import open_store
from faregate_server.store.postgresql.location import PostgresqlLocation
from faregate_server.telemetry.metrics import BUCKETS, Metrics
from support.service.piste import MORNING, piste, ticket
from support.service.raw_requests import ask, ask_in_vain
from support.service.service import Clock, day_ticket, enter, new_url, open_checkout, running
from support.stores.wrapped_store import Save, WrappedStore


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[TestClient]:
    """Yield the only client of a service."""
    with running(tmp_path) as client:
        yield client


def counts(client: TestClient) -> dict[tuple[str, ...], float]:
    """Return every sample of the metrics by its name and label values."""
    response = client.get("/metrics")
    assert response.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, *(sample.labels[label] for label in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


@pytest.mark.parametrize(
    ("path", "status"),
    [("/health/live", 200), ("/metrics", 200), ("/nowhere", 404), ("/api/checkout/x", 404)],
)
def test_every_response_has_its_request_id(client: TestClient, path: str, status: int) -> None:
    answer = client.get(path, headers={"x-request-id": "0190-abc_D.9"})

    assert (answer.status_code, answer.headers["x-request-id"]) == (status, "0190-abc_D.9")


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"short",
        b"x" * 65,
        b"has a blank",
        b"line\\feed",
        b'quote"quote',
        "überlang".encode(),
        b"a,b,c,d,e",
    ],
)
def test_invalid_request_ids_are_replaced(client: TestClient, sent: bytes) -> None:
    answers = [client.get("/health/live", headers={b"x-request-id": sent}) for _ in range(2)]

    first, second = (answer.headers["x-request-id"] for answer in answers)
    assert first != second
    assert sent.decode() not in {first, second}


def test_a_replayed_response_has_the_id_of_the_new_request(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    body = {"delta": 1}

    first, second = (
        client.patch(
            f"{url}/items/1/quantity", json=body, headers={"idempotency-key": "k", "x-request-id": name}
        )
        for name in ("the-first", "the-second")
    )

    assert first.headers["x-request-id"] == "the-first"
    assert second.headers["x-request-id"] == "the-second"
    assert second.headers["idempotency-replayed"] == "true"


def test_an_internal_error_has_its_request_id_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(faregate_http.checkouts.responses, "checkout_body", fail)
    with running(tmp_path, raise_server_exceptions=False) as client:
        answer = client.post(
            f"{new_url()}/items", json={"items": [day_ticket(1)]}, headers={"x-request-id": "unlucky-1"}
        )
        found = counts(client)

    assert (answer.status_code, answer.headers["x-request-id"]) == (500, "unlucky-1")
    assert found["faregate_requests_total", "addItems", "500"] == 1
    assert found["faregate_problems_total", "internal"] == 1


def test_outside_a_request_there_is_no_request_id() -> None:
    assert observed().id == ""


def test_tasks_of_a_request_find_its_id() -> None:
    async def work() -> str:
        return observed().id

    async def begin() -> tuple[str, str]:
        observing([(b"x-request-id", b"the-request")])
        return await asyncio.gather(work(), asyncio.create_task(work()))

    assert [*asyncio.run(begin())] == ["the-request", "the-request"]


def test_requests_are_counted_by_operation_and_status(counted: TestClient) -> None:
    url, _ = open_checkout(counted, day_ticket(1))
    for _ in range(2):
        counted.get(url)
    etag = counted.get(url).headers["etag"]
    counted.get(url, headers={"if-none-match": etag})
    counted.get(new_url())

    found = counts(counted)

    assert found["faregate_requests_total", "addItems", "200"] == 1
    assert found["faregate_requests_total", "getCheckout", "200"] == 3
    assert found["faregate_requests_total", "getCheckout", "304"] == 1
    assert found["faregate_requests_total", "getCheckout", "404"] == 1
    assert found["faregate_request_seconds_count", "getCheckout"] == 5
    assert found["faregate_request_seconds_sum", "getCheckout"] > 0
    assert found["faregate_problems_total", "unknown-checkout"] == 1


def test_undeclared_paths_create_no_labels(counted: TestClient) -> None:
    for number in range(5):
        counted.get(f"/nowhere/{number}")
    counted.delete("/metrics")

    found = counts(counted)

    assert found["faregate_requests_total", "none", "404"] == 5
    assert found["faregate_requests_total", "none", "405"] == 1
    assert not any("nowhere" in label for sample in found for label in sample)


def test_sold_out_is_counted(tmp_path: Path) -> None:
    clock = Clock(MORNING)
    with piste(tmp_path, clock) as client:
        refused = client.post(f"{new_url()}/items", json={"items": [ticket(n) for n in range(1, 40)]})
        found = counts(client)

    assert refused.json()["code"] == "sold-out"
    assert found["faregate_problems_total", "sold-out"] == 1


def test_held_places_are_reported(counted: TestClient) -> None:
    before = counts(counted)
    open_checkout(counted, *(day_ticket(number) for number in range(1, 4)))

    after = counts(counted)

    held = {name: after[name] - before[name] for name in after if name[0] == "faregate_places"}
    assert {name[1:]: places for name, places in held.items() if places} == {
        ("mountain-arven", "held"): 3,
        ("mountain-grat", "held"): 3,
    }


def test_codes_are_not_used_as_labels(counted: TestClient) -> None:
    url, _ = open_checkout(counted, day_ticket(1))
    enter(counted, url, "GIFT-100")

    assert "GIFT-100" not in counted.get("/metrics").text


def test_replayed_responses_are_counted(counted: TestClient) -> None:
    url, _ = open_checkout(counted, day_ticket(1))
    for _ in range(3):
        counted.patch(f"{url}/items/1/quantity", json={"delta": 1}, headers={"idempotency-key": "k"})

    assert counts(counted)["faregate_replays_total",] == 2


class SlowerStore(WrappedStore):
    """A store in which another writer is faster, twice."""

    def __init__(self, inner: Store) -> None:
        super().__init__(inner)
        self.lost = 0

    async def keep(self, save: Save) -> None:
        if save.row is not None and self.lost < 2:
            self.lost += 1
            raise Stale(save.row.id, save.row.revision)
        await super().keep(save)


def test_retries_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faregate_server.app, "open_store", lambda url: SlowerStore(open_store(url)))
    with running(tmp_path) as client:
        open_checkout(client, day_ticket(1))

        assert counts(client)["faregate_retries_total",] == 2


def test_a_client_that_disconnects_is_counted_as_499(counted: TestClient) -> None:
    reply = ask_in_vain(counted, "POST", f"{new_url()}/items", body=b'{"items"', disconnects=True)

    assert reply is None
    assert counts(counted)["faregate_requests_total", "addItems", "499"] == 1


def test_a_request_is_in_progress_while_it_is_answered(counted: TestClient) -> None:
    found = counts(counted)

    assert found["faregate_requests_in_progress",] == 1  # this request
    assert found["faregate_ready",] == 1
    assert found["process_resident_memory_bytes",] > 1_000_000


def test_requests_that_are_admitted_or_wait_are_reported(tmp_path: Path) -> None:
    with running(tmp_path, admission=AdmissionLimits()) as client:
        open_checkout(client, day_ticket(1))
        found = counts(client)

    steps = ("payment", "change", "opening")
    assert [found["faregate_waiting", step] for step in steps] == [0, 0, 0]
    assert found["faregate_admitted_in_progress",] == 0


def test_without_admission_no_queue_is_reported(counted: TestClient) -> None:
    assert "faregate_waiting" not in counted.get("/metrics").text


def test_durations_reach_beyond_every_time_out() -> None:
    limits = (
        AdmissionLimits().request_seconds,
        GATEWAY_SECONDS,
        BODY_SECONDS,
        PostgresqlLocation(database="x").timeout,
    )

    assert max(limits) < BUCKETS[-1]
    assert sum(bound >= max(limits) for bound in BUCKETS) >= 2


def test_runs_of_background_work_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faregate_http.background.READ_EVERY_SECONDS", 0.01)
    turns: set[tuple[str, ...]] = set()
    deadline = monotonic() + 20
    with running(tmp_path) as client:
        while len(turns) < 4 and monotonic() < deadline:
            turns = {tuple(labels) for name, *labels in counts(client) if name == "faregate_work_total"}

    assert turns == {("success", work) for work in ("payments", "tickets", "housekeeping", "sold counts")}


def test_deleted_rows_are_counted_by_kind() -> None:
    metrics = Metrics()
    for number in (2, 0, 3):
        metrics.deleted("checkouts", number)

    assert 'faregate_deleted_total{kind="checkouts"} 5.0' in metrics.text("")[0].decode()


def test_durations_fall_into_the_first_bucket_that_fits() -> None:
    metrics = Metrics()
    for seconds in (0.0, BUCKETS[0], BUCKETS[0] + 1e-9, BUCKETS[-1], BUCKETS[-1] + 1):
        metrics.answered(Observed("some-request"), seconds)

    text = metrics.text("")[0].decode()

    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if "_bucket" in line)
    assert lines[f'faregate_request_seconds_bucket{{le="{BUCKETS[0]}",operation="none"}}'] == "2.0"
    assert lines[f'faregate_request_seconds_bucket{{le="{BUCKETS[1]}",operation="none"}}'] == "3.0"
    assert lines[f'faregate_request_seconds_bucket{{le="{BUCKETS[-1]}",operation="none"}}'] == "4.0"
    assert lines['faregate_request_seconds_bucket{le="+Inf",operation="none"}'] == "5.0"


def test_openmetrics_are_written_on_request(counted: TestClient) -> None:
    answer = counted.get("/metrics", headers={"accept": "application/openmetrics-text; version=1.0.0"})

    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.text.endswith("# EOF\n")


def test_applications_count_separately(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        client.get("/nowhere")
        with TestClient(create_app(Settings(database=f"sqlite:///{tmp_path}/other.db"))) as other:
            found = counts(other)

    assert ("faregate_requests_total", "none", "404") not in found


def test_a_head_request_is_counted_as_its_get_operation(counted: TestClient) -> None:
    url, _ = open_checkout(counted, day_ticket(1))
    ask(counted, "HEAD", url)

    assert counts(counted)["faregate_requests_total", "getCheckout", "200"] == 1
