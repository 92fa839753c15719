"""The north-star basket under pytest-benchmark, one group per number of lines."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks.north_star import CONTENDERS
from benchmarks.workload import EXPECTED_GROSS_AND_NET, EXPECTED_OF_10, SIZES, Contender, reference


@pytest.mark.parametrize("contender", CONTENDERS, ids=lambda contender: contender.name)
@pytest.mark.parametrize("lines", SIZES)
def test_price(benchmark: BenchmarkFixture, lines: int, contender: Contender[Any, Any]) -> None:
    difference = contender.difference(lines)  # raises if a contender declared exact is not
    benchmark.group = f"{lines:4} lines"
    benchmark.extra_info.update(difference._asdict())

    benchmark(contender.call(lines))


def test_reference_matches_independent_totals() -> None:
    assert reference(10).totals == EXPECTED_OF_10
    for lines, expected in EXPECTED_GROSS_AND_NET.items():
        totals = reference(lines).totals
        assert (totals.total_gross, totals.total_net) == expected
