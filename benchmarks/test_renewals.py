"""Renewal dates under pytest-benchmark: one subscription, its next date, and a million."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.renewal_columns import BATCHES, ROWS, Batch
from benchmarks.renewal_dates import NEXT, SERIES, Contender, expected_next, expected_series

each_batch = pytest.mark.parametrize("contender", BATCHES, ids=lambda own: own.name)
each_age = pytest.mark.parametrize("is_same", [True, False], ids=["one for all", "each its own"])


@pytest.mark.parametrize("contender", SERIES, ids=lambda own: own.name)
def test_dates_of_one_subscription(benchmark: BenchmarkFixture, contender: Contender) -> None:
    benchmark.group = "24 monthly dates from a 31st"
    contender.check(expected_series())

    benchmark(contender.run)


@pytest.mark.parametrize("contender", NEXT, ids=lambda own: own.name)
def test_next_date(benchmark: BenchmarkFixture, contender: Contender) -> None:
    benchmark.group = "next date after seven and a half years"
    contender.check(expected_next())

    benchmark(contender.run)


@each_batch
@each_age
def test_months_after_many_starts(benchmark: BenchmarkFixture, contender: Batch, *, is_same: bool) -> None:
    benchmark.group = f"{ROWS:,} starts, {'the same' if is_same else 'each its own'} number of months later"
    contender.check(is_same=is_same)

    benchmark(contender.call(is_same=is_same))
