"""Comparisons of two price distributions: laws of intervals and shifts, then examples."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import factorial, floor, prod
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faregate.errors import FaregateError, InvalidInput, InvalidPercent, NoObservations
from faregate.insights import comparison
from faregate.insights.comparison import PriceInterval, QuantileShift, compare, quantile_interval
from faregate.insights.distribution import PriceDistribution
from support.oracles import order_intervals as oracle

from_prices = PriceDistribution.from_prices
samples = st.lists(st.integers(0, 9) | st.integers(-(10**30), 10**30), min_size=1, max_size=80)
percents = st.integers(0, 100) | st.fractions(0, 100, max_denominator=1000)
confidences = st.integers(50, 99) | st.fractions(50, Fraction("99.999"), max_denominator=1000)

# ---------------------------------------------------------------- intervals


@given(st.integers(1, 70), percents, confidences, st.sampled_from((1, 8, 24, 96)))
@example(6, 50, 100 - Fraction(200, 64), 96)  # each end misses with exactly the probability that is allowed
@example(6, Fraction(100, 3), 100 - 200 * Fraction(64, 729), 8)
@example(37, 50, 100 - 200 * Fraction(76, 20466723), 29)  # decided by less than the error of the weights
@example(15, Fraction(100, 3), 100 - 200 * Fraction(113854451093, 1434890700000), 13)
@example(40, 50, 95, 1)
def test_ranks_and_coverage_are_exact_at_any_initial_precision(
    n: int, percent: Fraction, confidence: Fraction, bits: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparison, "_BITS", bits)
        found = quantile_interval(from_prices(range(1, n + 1)), percent, confidence=confidence)

    exact = oracle.ranks(n, Fraction(percent) / 100, Fraction(confidence) / 100)
    if exact is None:
        assert found is None
        return
    lower, upper, coverage = exact
    assert found == PriceInterval(
        lower=lower,
        upper=upper,
        lower_rank=lower,
        upper_rank=upper,
        coverage=Fraction(floor(10**6 * coverage), 10**4),
    )


@pytest.mark.parametrize("percent", [1, 10, 25, 50, 75, Fraction("97.5")])
@pytest.mark.parametrize("n", [3_000, 100_000, 1_000_000])
def test_ranks_of_many_prices_keep_the_tails(n: int, percent: int | Fraction) -> None:
    found = quantile_interval(PriceDistribution.from_counts([5], [n]), percent)

    assert found is not None
    share, spread = float(percent) / 100, 12 * floor(n**0.5)
    low, high = max(found.lower_rank - spread, 0), min(found.upper_rank + spread, n)
    below = oracle.probability(n, share, low, found.lower_rank - 1)
    above = oracle.probability(n, share, found.upper_rank, high)
    nearest = oracle.probability(n, share, found.lower_rank, found.lower_rank)
    assert below <= 0.025 < below + nearest
    assert above <= 0.025 < above + oracle.probability(n, share, found.upper_rank - 1, found.upper_rank - 1)
    assert float(found.coverage) == pytest.approx(100 * (1 - below - above), abs=2e-4)


def drawn(n: int, prices: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to draw *n* times from *prices* prices, as counts."""
    if prices == 1:
        yield (n,)
        return
    for count in range(n + 1):
        yield from ((count, *rest) for rest in drawn(n - count, prices - 1))


@given(
    st.integers(1, 9),
    st.lists(st.integers(1, 6), min_size=2, max_size=3),
    st.integers(1, 99),
    st.integers(50, 95),
)
@example(6, [1, 1], 50, 95)
def test_coverage_is_at_least_nominal_with_ties(
    n: int, weights: list[int], percent: int, confidence: int
) -> None:
    """The probability of all samples of a discrete population whose interval contains its quantiles."""
    total, share = sum(weights), Fraction(percent, 100)
    through = [Fraction(sum(weights[: price + 1]), total) for price in range(len(weights))]
    quantiles = {
        next(price for price, part in enumerate(through) if part >= share),
        next(price for price, part in enumerate(through) if part > share),
    }
    for quantile in quantiles:
        covered, found = Fraction(), None
        for counts in drawn(n, len(weights)):
            sample = PriceDistribution.from_counts(range(len(weights)), counts)
            found = quantile_interval(sample, percent, confidence=confidence)
            if found is not None and found.lower <= quantile <= found.upper:
                orders = factorial(n) // prod(map(factorial, counts))
                chances = (Fraction(own, total) ** count for own, count in zip(weights, counts, strict=True))
                covered += orders * prod(chances, start=Fraction(1))
        assert found is None or 100 * covered >= found.coverage >= confidence


@given(samples, percents, confidences, confidences)
def test_an_interval_contains_its_quantile_and_widens_with_the_confidence(
    sample: list[int], percent: Fraction, one: Fraction, other: Fraction
) -> None:
    prices = from_prices(sample)
    narrow = quantile_interval(prices, percent, confidence=min(one, other))
    wide = quantile_interval(prices, percent, confidence=max(one, other))

    if narrow is not None:
        assert narrow.lower <= prices.quantile(percent) <= narrow.upper
    if wide is not None:
        assert narrow is not None
        assert wide.lower_rank <= narrow.lower_rank < narrow.upper_rank <= wide.upper_rank


# ---------------------------------------------------------------- shifts


@given(samples, samples, st.lists(percents, min_size=1, max_size=3), confidences)
def test_swapping_the_distributions_reverses_every_shift(
    old: list[int], new: list[int], wanted: list[Fraction], confidence: Fraction
) -> None:
    there = compare(from_prices(old), from_prices(new), percents=wanted, confidence=confidence)
    back = compare(from_prices(new), from_prices(old), percents=wanted, confidence=confidence)

    assert there.mean_shift == -back.mean_shift == Fraction(sum(new), len(new)) - Fraction(sum(old), len(old))
    assert [each.percent for each in there.quantiles] == wanted
    for one, other in zip(there.quantiles, back.quantiles, strict=True):
        assert one.shift == -other.shift == from_prices(new).quantile(one.percent) - one.old
        assert one.is_clear == other.is_clear
        assert not one.is_clear or abs(one.shift) >= 1


@given(samples, st.integers(-(10**6), 10**6), percents)
def test_raised_prices_shift_by_the_amount_and_equal_prices_never_clearly(
    sample: list[int], raised: int, percent: Fraction
) -> None:
    found = compare(from_prices(sample), from_prices(price + raised for price in sample), percents=[percent])

    assert found.mean_shift == found.quantiles[0].shift == raised
    assert raised or not found.quantiles[0].is_clear


# ---------------------------------------------------------------- examples

OLD = from_prices(range(6000, 8000, 100))


@pytest.mark.parametrize(
    ("raised", "is_clear"),
    [(1000, True), (900, False), (-901, True)],
)
def test_a_shift_is_clear_if_the_intervals_have_no_price_in_common(raised: int, is_clear: bool) -> None:
    """Of 20 prices, ranks 6 and 15 are 65.00 and 74.00."""
    found = compare(OLD, from_prices(price + raised for price in range(6000, 8000, 100)), percents=[50])

    assert found.quantiles[0].old_interval == PriceInterval(
        lower=6500, upper=7400, lower_rank=6, upper_rank=15, coverage=Fraction("95.8610")
    )
    assert found.quantiles[0].is_clear is is_clear


def test_without_an_interval_no_shift_is_clear() -> None:
    few, many = from_prices([100] * 5), from_prices([900] * 50)

    assert compare(few, many, percents=[50]).quantiles == (
        QuantileShift(
            percent=50,
            old=Fraction(100),
            new=Fraction(900),
            old_interval=None,
            new_interval=quantile_interval(many, 50),
        ),
    )
    assert not compare(few, many, percents=[50]).quantiles[0].is_clear
    assert not compare(many, few, percents=[50]).quantiles[0].is_clear


@pytest.mark.parametrize(
    "percent",
    [
        0,
        100,
    ],
)
def test_the_extremes_of_a_population_have_no_interval(percent: int | Fraction) -> None:
    assert quantile_interval(PriceDistribution.from_counts([5], [10**6]), percent, confidence=50) is None


def test_an_empty_sample_has_no_interval() -> None:
    assert quantile_interval(PriceDistribution(), 50) is None


def test_an_interval_is_of_a_price_distribution() -> None:
    prices: Any = [5900, 6900]

    with pytest.raises(InvalidInput, match=r"^prices: expected a price distribution, got list: use "):
        quantile_interval(prices, 50)


INSTEAD = ": use PriceDistribution.from_prices"
NOT_A_LIST = "percents is 50, expected a list: write [int(...)] for a single value"
NOT_EXACT = "expected a percentage such as 50 or Fraction('97.5'), got "
BOUNDS = "confidence: expected at least 50 and below 100 percent, got "


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"old": [1, 2]}, InvalidInput, f"old: expected a price distribution, got list{INSTEAD}"),
        ({"new": None}, InvalidInput, f"new: expected a price distribution, got NoneType{INSTEAD}"),
        ({"old": PriceDistribution()}, NoObservations, "the price distribution is empty"),
        ({"new": PriceDistribution()}, NoObservations, "the price distribution is empty"),
        ({"percents": []}, InvalidPercent, "percents: expected at least one percentage"),
        ({"percents": 50}, InvalidPercent, NOT_A_LIST),
        ({"percents": [50, 0.5]}, InvalidPercent, f"{NOT_EXACT}0.5"),
        ({"percents": [101]}, InvalidPercent, "expected 0 to 100 percent, got 101"),
        ({"confidence": 0.95}, InvalidPercent, f"{NOT_EXACT}0.95"),
        ({"confidence": True}, InvalidPercent, f"{NOT_EXACT}True"),
        ({"confidence": 195}, InvalidPercent, "expected 0 to 100 percent, got 195"),
        ({"confidence": Fraction("0.95")}, InvalidPercent, f"{BOUNDS}19/20"),
        ({"confidence": 49}, InvalidPercent, f"{BOUNDS}49"),
        ({"confidence": 100}, InvalidPercent, f"{BOUNDS}100"),
    ],
)
def test_invalid_arguments_are_refused(
    changed: dict[str, Any], error: type[FaregateError], message: str
) -> None:
    arguments: dict[str, Any] = {"old": OLD, "new": OLD} | changed

    with pytest.raises(error) as caught:
        compare(**arguments)

    assert type(caught.value) is error
    assert str(caught.value) == message
