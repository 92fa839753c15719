"""Published ranks of the intervals of quantiles. SOURCES.md describes the sources."""

from __future__ import annotations

from fractions import Fraction

import pytest

from faregate.insights.comparison import PriceInterval, quantile_interval
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import Percent

# n; lower rank and coverage at 95 %; the same at 99 %
NAIR = """
6 1 96.9 - - | 26 8 97.1 7 99.1 | 46 16 97.4 14 99.5
7 1 98.1 - - | 27 8 98.1 7 99.4 | 47 17 96 15 99.2
8 1 99.2 1 99.2 | 28 9 96.4 7 99.6 | 48 17 97.1 15 99.4
9 2 96.1 1 99.6 | 29 9 97.6 8 99.2 | 49 18 95.6 16 99.1
10 2 97.9 1 99.8 | 30 10 95.7 8 99.5 | 50 18 96.7 16 99.3
11 2 98.8 1 99.9 | 31 10 97.1 8 99.7 | 51 19 95.1 16 99.5
12 3 96.1 2 99.4 | 32 10 98 9 99.3 | 52 19 96.4 17 99.2
13 3 97.8 2 99.7 | 33 11 96.5 9 99.5 | 53 19 97.3 17 99.5
14 3 98.7 2 99.8 | 34 11 97.6 10 99.1 | 54 20 96 18 99.1
15 4 96.5 3 99.3 | 35 12 95.9 10 99.4 | 55 20 97 18 99.4
16 4 97.9 3 99.6 | 36 12 97.1 10 99.6 | 56 21 95.6 18 99.5
17 5 95.1 3 99.8 | 37 13 95.3 11 99.2 | 57 21 96.7 19 99.2
18 5 96.9 4 99.2 | 38 13 96.6 11 99.5 | 58 22 95.2 19 99.5
19 5 98.1 4 99.6 | 39 13 97.6 12 99.1 | 59 22 96.4 20 99.1
20 6 95.9 4 99.7 | 40 14 96.2 12 99.4 | 60 22 97.3 20 99.4
21 6 97.3 5 99.3 | 41 14 97.2 12 99.6 | 61 23 96 21 99
22 6 98.3 5 99.6 | 42 15 95.6 13 99.2 | 62 23 97 21 99.3
23 7 96.5 5 99.7 | 43 15 96.8 13 99.5 | 63 24 95.7 21 99.5
24 7 97.7 6 99.3 | 44 16 95.1 14 99 | 64 24 96.7 22 99.2
25 8 95.7 6 99.6 | 45 16 96.4 14 99.3 | 65 25 95.4 22 99.4
"""
MEDIANS = [tuple(row.split()) for line in NAIR.strip().splitlines() for row in line.split(" | ")]
MISPRINTED = {("7", "98.1")}
"""The coverage of 1 to 7 is 1 - 2/128, which is 98.4 %."""


def interval(n: int, percent: Percent, confidence: Percent) -> PriceInterval | None:
    """Return the interval for the prices 1 to *n*, each of which is its own rank."""
    return quantile_interval(PriceDistribution.from_prices(range(1, n + 1)), percent, confidence=confidence)


@pytest.mark.parametrize(
    ("n", "confidence", "rank", "coverage"),
    [(row[0], 95, *row[1:3]) for row in MEDIANS] + [(row[0], 99, *row[3:5]) for row in MEDIANS],
)
def test_interval_of_a_median(n: str, confidence: int, rank: str, coverage: str) -> None:
    """INT-N1"""
    found = interval(int(n), 50, confidence)

    if rank == "-":
        assert found is None
        return
    assert found is not None
    assert (found.lower_rank, found.upper_rank) == (int(rank), int(n) + 1 - int(rank))
    if (n, coverage) not in MISPRINTED:
        assert abs(found.coverage - Fraction(coverage)) <= Fraction("0.0501")


@pytest.mark.parametrize(
    ("n", "rank"),
    [
        *((59, 1), (93, 2), (124, 3), (153, 4), (181, 5), (208, 6), (300, 9), (311, 10), (410, 14)),
        *((506, 18), (717, 27), (809, 31), (900, 35), (991, 39), (1012, 39), (1013, 40), (1036, 41)),
    ],
)
def test_lower_rank_of_percentile_5_and_upper_rank_of_percentile_95(n: int, rank: int) -> None:
    """INT-M11: a one-sided bound at 95 % is an end of an interval at 90 %."""
    low, high = interval(n, 5, 90), interval(n, 95, 90)

    assert low is not None
    assert high is not None
    assert (low.lower_rank, n + 1 - high.upper_rank) == (rank, rank)


@pytest.mark.parametrize(
    ("percent", "by_confidence"),
    [
        ("50", "2 4 5 6 7 10"),
        ("55", "3 4 6 7 8 12"),
        ("60", "3 5 6 8 10 14"),
        ("65", "4 6 7 10 11 17"),
        ("70", "4 7 9 11 13 20"),
        ("75", "5 9 11 14 17 25"),
        ("80", "7 11 14 18 21 31"),
        ("85", "9 15 19 25 29 43"),
        ("90", "14 22 29 38 44 66"),
        ("95", "28 45 59 77 90 135"),
        ("96", "34 57 74 96 113 170"),
        ("97", "46 76 99 129 152 227"),
        ("98", "69 114 149 194 228 342"),
        ("99", "138 230 299 390 459 688"),
        ("99.5", "277 460 598 781 919 1379"),
        ("99.9", "1386 2302 2995 3911 4603 6905"),
    ],
)
def test_fewest_prices_that_have_an_interval(percent: str, by_confidence: str) -> None:
    """INT-M13: the table has one-sided confidences; 95 % on each side is 90 % in all."""
    one_sided = ("75", "90", "95", "98", "99", "99.9")
    for side, n in zip(one_sided, map(int, by_confidence.split()), strict=True):
        confidence = 2 * Fraction(side) - 100
        for each in (Fraction(percent), 100 - Fraction(percent)):
            assert interval(n, each, confidence) is not None
            assert interval(n - 1, each, confidence) is None


@pytest.mark.parametrize(
    ("n", "percent", "lower", "upper", "coverage"),
    [
        (10**6, 10, 99412, 100589, "95.0198"),
        (10**6, 50, 499020, 500981, "95.0121"),
        (10**9, 10, 99981407, 100018595, "95.0001"),
        (10**9, 50, 499969010, 500030991, "95.0005"),
    ],
)
def test_interval_of_many_prices(n: int, percent: int, lower: int, upper: int, coverage: str) -> None:
    """INT-S1: a cost in proportion to n would be hours."""
    found = quantile_interval(PriceDistribution.from_counts([5], [n]), percent)

    assert found == PriceInterval(
        lower=5, upper=5, lower_rank=lower, upper_rank=upper, coverage=Fraction(coverage)
    )


def test_reference_limits_need_119_observations() -> None:
    """INT-R1"""
    for percent in (Fraction("2.5"), Fraction("97.5")):
        assert interval(119, percent, 90) is not None
        assert interval(118, percent, 90) is None
