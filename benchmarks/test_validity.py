"""Calendars of a season under pytest-benchmark: one product at a time, a batch, and a whole season."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.season_calendars import SEASONS, check_season
from benchmarks.validity_calendars import (
    BATCH,
    SINGLES,
    WINDOWINGS,
    Windowing,
    places,
)

each_windowing = pytest.mark.parametrize("contender", WINDOWINGS, ids=lambda own: own.name)


@each_windowing
def test_windows_one_product_at_a_time(benchmark: BenchmarkFixture, contender: Windowing) -> None:
    benchmark.group = f"windows of {SINGLES} products, one at a time"

    benchmark(contender.singles())


@each_windowing
def test_windows_of_a_batch(benchmark: BenchmarkFixture, contender: Windowing) -> None:
    benchmark.group = f"windows of {BATCH} products at once"

    benchmark(contender.batch())


@pytest.mark.parametrize("name", SEASONS)
def test_season(benchmark: BenchmarkFixture, name: str) -> None:
    check_season()
    benchmark.group = "season"

    benchmark(SEASONS[name]())


@each_windowing
@pytest.mark.parametrize("products", [1, 9])
def test_contender_returns_the_exact_result(contender: Windowing, products: int) -> None:
    contender.check(places()[:, :products].copy())


@each_windowing
def test_contender_returns_the_exact_result_for_days_alone(contender: Windowing) -> None:
    contender.check(places()[:, 0].copy())
