"""Price distributions under pytest-benchmark: a column of prices, and groups of a frame."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.price_distributions import CONTENDERS, SIZES, Contender, engine_calls

ROWS = SIZES[0]


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda own: own.name)
def test_quantiles_of_a_column(benchmark: BenchmarkFixture, contender: Contender) -> None:
    benchmark.group = f"six quantiles of {ROWS:,} prices"

    benchmark(contender.prepare(ROWS))


@pytest.mark.parametrize("way", [0, 1], ids=["faregate.frames.insights", "its own quantiles"])
@pytest.mark.parametrize("engine", ["duckdb", "pandas", "polars"])
def test_quantiles_of_groups(benchmark: BenchmarkFixture, engine: str, way: int) -> None:
    benchmark.group = f"quantiles of groups, {ROWS:,} rows, {engine}"

    benchmark(engine_calls(ROWS)[engine][way])
