"""Metrics of requests and background work in the Prometheus format.

The counts are plain integers, updated only on the event loop. A counter of the client library would take a
lock, and four such counters would account for a tenth of the time spent on a gate price request.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from prometheus_client import CollectorRegistry, GCCollector, Metric, PlatformCollector, ProcessCollector
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

from faregate_http.admission.decisions import Load, Step
from faregate_http.protocol.observed import CLIENT_GONE, Observed
from faregate_http.schemas.payment_status import PaymentState
from faregate_server.database_load import DatabaseLoad

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 15.0, 30.0, 60.0)
"""Upper bounds of the buckets for request durations in seconds, beyond the longest time-out."""

_OF_DATABASE = {
    "in_use": "Connections in use.",
    "limit": "Maximum number of connections.",
    "waiting": "Operations that wait for a connection.",
}

_OPEN_METRICS = "application/openmetrics-text"


class Places(NamedTuple):
    """The held and the sold units of a capacity pool, from today on."""

    pool: str
    held: int
    sold: int


class _Durations:
    """The number of requests in each duration bucket, and the total duration of all requests."""

    __slots__ = ("counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0

    def add(self, others: _Durations) -> None:
        self.counts = [own + other for own, other in zip(self.counts, others.counts, strict=True)]
        self.seconds += others.seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Return the upper bound of each bucket, with the number of requests that took at most that long."""
        bounds = [*map(str, BUCKETS), "+Inf"]
        return [(bound, float(number)) for bound, number in zip(bounds, accumulate(self.counts), strict=True)]


class Metrics(Collector):
    """The metrics of one application since it was created."""

    def __init__(self) -> None:
        self.in_progress = 0
        self.is_ready = True
        self.places: tuple[Places, ...] | None = None
        self.load: Load | None = None
        self.database: DatabaseLoad | None = None
        self.payments: Mapping[PaymentState, int] = {}
        self._durations: dict[tuple[str, int], _Durations] = {}
        self._problems: Counter[str] = Counter()
        self._retries = 0
        self._replays = 0
        self._short_holds = 0
        self._work: Counter[tuple[str, bool]] = Counter()
        self._deleted: Counter[str] = Counter()
        self._registry = CollectorRegistry()
        self._registry.register(self)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self._registry)

    def answered(self, request: Observed, seconds: float) -> None:
        """Count *request*, which took *seconds*."""
        answer = request.operation, request.status or CLIENT_GONE
        durations = self._durations.get(answer)
        if durations is None:
            durations = self._durations[answer] = _Durations()
        durations.counts[bisect_left(BUCKETS, seconds)] += 1
        durations.seconds += seconds
        if request.problem:
            self._problems[request.problem] += 1
        self._short_holds += request.is_scarce
        if request.retries or request.is_replay:
            self._retries += request.retries
            self._replays += request.is_replay

    def worked(self, work: str, *, succeeded: bool) -> None:
        """Count one run of the background task *work*."""
        self._work[work, succeeded] += 1

    def deleted(self, kind: str, number: int) -> None:
        """Count *number* deleted rows of *kind*."""
        self._deleted[kind] += number

    def text(self, accept: str) -> tuple[bytes, str]:
        """Return all metrics in the format that the header *accept* requests, and the media type."""
        # The rest of the header is not passed on: the client library fails on invalid versions.
        encode, media_type = choose_encoder(_OPEN_METRICS if _OPEN_METRICS in accept else "")
        return encode(self._registry), media_type

    def describe(self) -> Iterable[Metric]:
        """Return nothing, because the metrics are known only when they are collected."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Yield all metrics as objects of the Prometheus client library."""
        yield from self._of_requests()
        yield from self._of_admission()
        yield from self._of_places()
        yield from self._of_database()
        yield from self._of_payments()
        turns = CounterMetricFamily("faregate_work", "Runs of background tasks.", labels=("work", "outcome"))
        for (work, succeeded), number in sorted(self._work.items()):
            turns.add_metric((work, "success" if succeeded else "failure"), number)
        yield turns
        deleted = CounterMetricFamily("faregate_deleted", "Rows deleted by housekeeping.", labels=("kind",))
        for kind, number in sorted(self._deleted.items()):
            deleted.add_metric((kind,), number)
        yield deleted
        yield GaugeMetricFamily("faregate_ready", "Last result of /health/ready: 1 is ready.", self.is_ready)

    def _of_requests(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(
            "faregate_requests", "Completed requests.", labels=("operation", "status")
        )
        by_operation: defaultdict[str, _Durations] = defaultdict(_Durations)
        for (operation, status), durations in sorted(self._durations.items()):
            requests.add_metric((operation, str(status)), sum(durations.counts))
            by_operation[operation].add(durations)
        yield requests
        seconds = HistogramMetricFamily(
            "faregate_request_seconds", "Duration of requests.", labels=("operation",)
        )
        for operation, durations in by_operation.items():
            seconds.add_metric((operation,), durations.buckets(), durations.seconds)
        yield seconds
        problems = CounterMetricFamily(
            "faregate_problems", "Refused requests by problem code.", labels=("code",)
        )
        for code, number in sorted(self._problems.items()):
            problems.add_metric((code,), number)
        yield problems
        yield CounterMetricFamily("faregate_retries", "Retries after a concurrent write.", self._retries)
        yield CounterMetricFamily(
            "faregate_short_holds",
            "Changes of checkouts that expire sooner because capacity is scarce.",
            self._short_holds,
        )
        yield CounterMetricFamily(
            "faregate_replays", "Responses replayed for an Idempotency-Key.", self._replays
        )
        yield GaugeMetricFamily("faregate_requests_in_progress", "Requests in progress.", self.in_progress)

    def _of_admission(self) -> Iterator[Metric]:
        if self.load is None:
            return
        yield GaugeMetricFamily(
            "faregate_admitted_in_progress", "Admitted requests in progress.", self.load.in_progress
        )
        waiting = GaugeMetricFamily("faregate_waiting", "Requests that wait for a place.", labels=("step",))
        for step in Step:
            waiting.add_metric((step.name.lower(),), self.load.waiting[step])
        yield waiting

    def _of_database(self) -> Iterator[Metric]:
        if self.database is None:
            return
        for name, number in self.database._asdict().items():
            yield GaugeMetricFamily(f"faregate_database_{name}", _OF_DATABASE[name], number)

    def _of_payments(self) -> Iterator[Metric]:
        ended = CounterMetricFamily("faregate_payments", "Ended payments.", labels=("outcome",))
        for state in PaymentState:
            if state is not PaymentState.PENDING:
                ended.add_metric((state.value.lower(),), self.payments.get(state, 0))
        yield ended
        orders = sum(self.payments.get(state, 0) for state in (PaymentState.AUTHORIZED, PaymentState.SETTLED))
        yield CounterMetricFamily("faregate_orders", "Orders.", orders)

    def _of_places(self) -> Iterator[Metric]:
        if self.places is None:
            return
        taken = GaugeMetricFamily("faregate_places", "Units taken from today on.", labels=("pool", "state"))
        for pool, held, sold in self.places:
            taken.add_metric((pool, "held"), held)
            taken.add_metric((pool, "sold"), sold)
        yield taken
