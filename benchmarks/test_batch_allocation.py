"""Allocation over many baskets under pytest-benchmark."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.basket_allocations import CONTENDERS, Contender

BASKETS = 100_000


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda own: own.name)
def test_amounts_shared_over_baskets(benchmark: BenchmarkFixture, contender: Contender) -> None:
    benchmark.group = f"an amount shared over each of {BASKETS:,} baskets"
    contender.check(BASKETS)

    benchmark(contender.prepare(BASKETS))
