"""Large columns of prices, their memory, and refusals."""

import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from faregate.batch.insights import prices as price_columns
from faregate.batch.insights.distribution import (
    grouped_prices,
    price_distribution,
    price_distributions,
    quantiles,
)
from faregate.batch.insights.prices import MAX_CENTS, PriceHistogram, SortedPrices, ordered_prices
from faregate.errors import FaregateError, InvalidInput, InvalidWeights, NoObservations
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import OrderedPrices, QuantileMethod, quantile_position

MEGABYTE = 1_000_000
from_columns = PriceHistogram.from_columns


def column(*prices: int, dtype: type[np.generic] = np.int64) -> npt.NDArray[Any]:
    return np.array(prices, dtype)


def log_normal(count: int, *, most: int = 500_000) -> npt.NDArray[np.int64]:
    """Return log-normal prices like those of a shop; the last is the highest."""
    prices = np.exp(np.random.default_rng(11).normal(9, 0.6, count)).astype(np.int64)
    prices = np.minimum(prices, most - 1)
    prices[-1] = most - 1
    return prices


PRICES = log_normal(300_000)


@pytest.mark.parametrize("method", QuantileMethod)
def test_quantiles_of_many_prices_are_exact(method: QuantileMethod) -> None:
    ordered = np.sort(PRICES).tolist()
    asked = [Fraction(percent) for percent in (5, 25, 50, "66.62", 95, "99.9")]

    found = quantiles(PRICES, asked, method=method)

    for percent, value in zip(asked, found, strict=True):
        rank, numerator, denominator = quantile_position(len(ordered), percent, method=method)
        lower, upper = ordered[rank - 1], ordered[rank]
        assert value == lower + Fraction((upper - lower) * numerator, denominator)


@pytest.mark.parametrize("rows", [65_535, 65_536, 65_537, 131_073])
def test_prices_and_weights_are_counted_across_chunks(rows: int) -> None:
    prices, weights = PRICES[:rows] - 1000, np.arange(rows)

    found = from_columns(prices, weights=weights).distribution()

    assert found == PriceDistribution.from_counts(prices.tolist(), weights.tolist())


def test_histogram_uses_less_than_ten_megabytes() -> None:
    dearest = log_normal(2_000_000, most=MAX_CENTS)
    tracemalloc.start()

    quantiles(dearest, [25, 50, 75])

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * MEGABYTE


@pytest.mark.parametrize("factor", [5, 10**6], ids=["few for their range", "too far apart"])
def test_prices_far_apart_are_sorted(factor: int) -> None:
    prices = np.arange(100_000)[::-1] * factor

    ordered = ordered_prices(prices)

    assert isinstance(ordered, SortedPrices)
    assert (ordered.price_at(1), ordered.quantile(50)) == (0, Fraction(99_999 * factor, 2))


def test_only_the_distance_between_prices_limits_a_histogram() -> None:
    near_the_edge, beyond = from_columns(column(MAX_CENTS - 1)), from_columns(column(MAX_CENTS + 1))

    assert (near_the_edge + beyond).distribution().prices == (MAX_CENTS - 1, MAX_CENTS + 1)


@pytest.mark.parametrize("first", [0, 10**15, -(2**63)])
def test_empty_histogram_merges_with_any(first: int) -> None:
    some = from_columns(column(first, first + 3))
    for nothing in (from_columns(column()), from_columns(column(5, 900), weights=column(0, 0))):
        assert (nothing + some).distribution().prices == (first, first + 3)
        assert (some + nothing).n == (some - nothing).n == 2
        assert (nothing + nothing).n == 0


def test_groups_may_be_empty_and_their_prices_far_apart() -> None:
    prices, groups = column(-(2**63), 2**63 - 1, 5), column(2, 0, 2, dtype=np.uint8)

    assert [own.prices for own in price_distributions(prices, groups, count=4)] == [
        *((2**63 - 1,), (), (-(2**63), 5), ()),
    ]
    kept = grouped_prices(prices, groups, count=4)
    assert [own.n for own in kept] == [1, 0, 2, 0]
    assert kept[2].quantile(100) == 5
    assert price_distributions(column(), column(), count=0) == ()
    with pytest.raises(NoObservations):
        kept[1].quantile(50)


def test_sums_beyond_64_bits_are_exact() -> None:
    largest = 2**63 - 1
    heavy = from_columns(column(largest - 1, largest), weights=column(1, largest - 1))

    assert heavy.n == largest
    assert heavy.total == largest - 1 + largest * (largest - 1)
    assert SortedPrices(np.full(70_000, largest)).total == 70_000 * largest
    assert SortedPrices(np.full(70_000, -(2**63))).total == -70_000 * 2**63


@pytest.mark.parametrize("keep", [from_columns, SortedPrices], ids=["histogram", "sorted"])
@pytest.mark.parametrize(
    ("kept", "price", "standing"),
    [
        *[(2**63 - 1, 2**63 - 2, (0, 0)), (2**63 - 1, 2**63, (1, 0)), (2**63 - 1, 2**64, (1, 0))],
        *[(-(2**63), -(2**63) - 1, (0, 0)), (-(2**63), -(2**63) + 1, (1, 0)), (-(2**63), -(2**70), (0, 0))],
    ],
)
def test_price_is_compared_exactly_beyond_64_bits(
    keep: Callable[[npt.NDArray[Any]], OrderedPrices], kept: int, price: int, standing: tuple[int, int]
) -> None:
    assert keep(column(kept)).standing(price) == standing


def test_more_prices_than_64_bits_can_count_are_refused() -> None:
    half = from_columns(column(5), weights=column(2**62))

    with pytest.raises(InvalidWeights, match=f"^expected at most {2**63 - 1} prices, got {2**63}$"):
        half + half
    assert (half - half).n == 0


ANY: Any = column(1, 2)
EXPECTED = "expected int64 [n], got"
SPAN = f"expected prices that span at most {MAX_CENTS} cents, got"
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: price_distribution(ANY * 1.0), f"prices: {EXPECTED} float64 [2]"),
    (lambda: price_distribution(ANY > 0), f"prices: {EXPECTED} bool [2]"),
    (lambda: from_columns(ANY.astype(np.uint64)), f"prices: {EXPECTED} uint64 [2]"),
    (lambda: quantiles(ANY.reshape(1, 2), []), f"prices: {EXPECTED} int64 [1, 2]"),
    (lambda: quantiles(ANY.tolist(), []), f"prices: {EXPECTED} list"),
    (lambda: from_columns(ANY.astype("M8[D]")), f"prices: {EXPECTED} datetime64[D] [2]"),
    (
        lambda: price_distribution(ANY, weights=column(1)),
        "weights: expected one for each of the 2 prices, got 1",
    ),
    (lambda: price_distribution(ANY, weights=ANY * 0.5), f"weights: {EXPECTED} float64 [2]"),
    (lambda: from_columns(column(-1, MAX_CENTS - 1)), f"{SPAN} -1 to {MAX_CENTS - 1}"),
    (
        lambda: from_columns(column(5)) + from_columns(column(MAX_CENTS + 5)),
        f"{SPAN} 5 to {MAX_CENTS + 5}",
    ),
    (
        lambda: grouped_prices(ANY, column(0), count=1),
        "groups: expected one for each of the 2 prices, got 1",
    ),
    (lambda: grouped_prices(ANY, ANY, count=2), "groups: expected 0 to 1, got 1 to 2"),
    (lambda: grouped_prices(ANY, -ANY, count=2), "groups: expected 0 to 1, got -2 to -1"),
    (lambda: price_distributions(ANY, ANY, count=-1), "count: expected an int of at least 0, got -1"),
]
WRONG_COUNTS: list[tuple[Callable[[], object], str]] = [
    (lambda: from_columns(ANY, weights=column(1, -2)), "expected weights of at least 0, got -2"),
    (
        lambda: price_distributions(ANY, ANY, count=3, weights=column(2**62, 2**62)),
        f"expected weights that add up to at most {2**63 - 1}, got {2**63}",
    ),
    (
        lambda: from_columns(column(5, 7)) - from_columns(column(7, 7)),
        "price 7: cannot subtract a count of 2 from 1",
    ),
    (
        lambda: from_columns(column(5, 7)) - from_columns(column(2)),
        "price 2: cannot subtract a count of 1 from 0",
    ),
]


@pytest.mark.parametrize(
    ("error", "ask", "message"),
    [(InvalidInput, *own) for own in REFUSED] + [(InvalidWeights, *own) for own in WRONG_COUNTS],
    ids=[message for _, message in REFUSED + WRONG_COUNTS],
)
def test_invalid_column_is_refused(
    error: type[FaregateError], ask: Callable[[], object], message: str
) -> None:
    with pytest.raises(error) as caught:
        ask()

    assert type(caught.value) is error
    assert str(caught.value) == message


def test_only_histograms_can_be_merged() -> None:
    other: Any = column(5)

    with pytest.raises(TypeError, match="unsupported operand"):
        from_columns(column(5)) + PriceDistribution()  # type: ignore[operator]
    with pytest.raises(TypeError, match="unsupported operand"):
        from_columns(column(5)) - other.tolist()


def test_column_is_not_changed() -> None:
    prices = column(7, 5, 6)
    prices.flags.writeable = False

    price_distribution(prices)
    grouped_prices(prices, prices, count=8)
    quantiles(prices, [50])

    assert prices.tolist() == [7, 5, 6]
    assert price_columns.range_of(prices) == (5, 7)
