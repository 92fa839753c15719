"""Limits of exact numbers and of int64, many baskets, and large baskets."""

import tracemalloc
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from faregate.basket.policy import PercentRounding, PriceBasis, SubscriptionBasis, TotalsPolicy
from faregate.batch.columns import offsets as baskets
from faregate.batch.money import layouts
from faregate.batch.totals.pipeline import checkout_totals, vat_breakdown
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    DiscountKind,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
)
from faregate.errors import InvalidAmount
from faregate.money.rounding import divide_rounded
from faregate.tax.rates import Tie, VatLevel, VatRate, net_from_gross
from support.columns.lines import (
    MANY_RULES,
    NORTH_STAR,
    assert_priced_as_the_scalar,
    columns,
    in_a_bucket,
    ints,
    like_north_star,
)
from support.columns.numbers import MOST

PRODUCTS = 94_906_265  # the largest number whose square is below 2**53
LARGE = [PRODUCTS + off for off in (-1, 0, 1)]
LARGE += [2**31 + off for off in (-3, -2, -1, 0)] + [2**power - 1 for power in (32, 33, 53)]
LARGE += [2**53 + 1, 2**62, 2**62 + 2**61]
RULES: dict[str, Any] = {
    "automatic": [AutomaticDiscount(id=1, kind=Absolute(777))],
    "promo_codes": [
        PromoCode(code="ODD", kind=Percentage.percent("33.3333")),
        PromoCode(code="BUNDLE", kind=FixedPrice(100, 2)),
        PromoCode(code="EACH", kind=PerUnit(2**70)),
    ],
}


@pytest.mark.parametrize("code", range(3))
@pytest.mark.parametrize("large", LARGE)
def test_baskets_of_any_price_match_the_scalar(large: int, code: int) -> None:
    lines = columns(
        3, 3, 3,
        unit_price=ints(large - 2, 1, 1, 1000, 999, 1, large // 2, large // 4, large // 8),
        rate=ints(81_000, 26_000, 1_000_000, 81_000, 81_000, 0, 101, 999_999, 77_777),
    )  # fmt: skip

    assert_priced_as_the_scalar(lines, **RULES | {"promo_codes": RULES["promo_codes"][code : code + 1]})


@pytest.mark.parametrize("basis", PriceBasis)
@pytest.mark.parametrize("tie", Tie)
@pytest.mark.parametrize("level", VatLevel)
@pytest.mark.parametrize("rounding", PercentRounding)
def test_largest_sums_are_exact_under_every_policy(
    basis: PriceBasis, tie: Tie, level: VatLevel, rounding: PercentRounding
) -> None:
    sums = [2**power + off for power in (31, 32, 33, 34) for off in (-1, -2, -12_345)]
    prices = [price for total in sums for price in (total - 7, 7)]
    lines = columns(*[2] * len(sums), unit_price=ints(*prices), rate=ints(*[999_999, 999_998] * len(sums)))
    codes = [PromoCode(code="P", kind=Percentage(parts_per_million=499_999))]
    policy = TotalsPolicy(price_basis=basis, tie=tie, vat_level=level, percent_rounding=rounding)

    assert_priced_as_the_scalar(lines, promo_codes=codes, policy=policy)


def later(*prices: int, is_subscription: tuple[bool, ...] = (True, True, True)) -> dict[str, Any]:
    return {"recurring_price": ints(*prices), "is_subscription": np.array(is_subscription)}


@pytest.mark.parametrize(
    "changed",
    [
        {"quantity": ints(2**31, 1, 1)},
        {"quantity": ints(2**30, 2**30, 1), "unit_price": ints(0, 0, 1000)},
        {"quantity": ints(2**62, 1, 1), "unit_price": ints(1, 1, 1)},
        {"quantity": ints(2**62, 2**62, 1), "unit_price": ints(0, 0, 1000)},
        {"floor_price": ints(2**62, 0, 0), "quantity": ints(8, 1, 1)},
        {"floor_price": ints(2**30, 2**30, 0)},
        {"quantity": ints(2**31, 1, 1), "is_subscription": np.array([True, False, True])},
        later(2**62, 1, 1, is_subscription=(True, False, True)),
        later(2**30, 2**30, 1),
        later(2**52 + 12_345, 2**51 + 77, 2**52 + 1),
    ],
)
@pytest.mark.parametrize("basis", SubscriptionBasis)
def test_any_number_in_a_basket_may_be_large(changed: dict[str, Any], basis: SubscriptionBasis) -> None:
    policy = TotalsPolicy(subscription_basis=basis)

    assert_priced_as_the_scalar(columns(2, 1, **changed), **NORTH_STAR, policy=policy)


@pytest.mark.parametrize("least", [4_000_001, 40_000_001, 90_000_001])
def test_ties_are_exact_up_to_the_largest_sum(least: int) -> None:
    weights = least + np.arange(20) * 15_838
    weights[-1] += 2 - weights.sum() % 4
    lines = columns(20, unit_price=weights)
    # With odd weights and an odd half of their sum, every remainder is that half.
    half = [PromoCode(code="HALF", kind=Absolute(int(weights.sum()) // 2))]

    totals = checkout_totals(lines, promo_codes=half)

    assert totals.lines.promo_code_discount.tolist() == [
        weight // 2 + (place < 10) for place, weight in enumerate(weights.tolist())
    ]


@pytest.mark.parametrize(
    "kind",
    [
        PerUnit(2**40),
        FixedPrice(2**40),
        FixedPrice(2**40, 2**40),
        FixedPrice(2**40, 2),
        FixedPrice(1, 2),
        BuyXGetY(2**70, 2**70),
        BuyXGetY(1, 2**40, rewards=Scope(lines=frozenset({12}))),
        BuyXGetY(2**31, 2**31),
        BuyXGetY(1, 1, at_most=2**40),
    ],
)
@pytest.mark.parametrize("quantity", [2**30, 2**32, 2**62])
def test_very_large_numbers_of_units_match_the_scalar(kind: DiscountKind, quantity: int) -> None:
    lines = columns(13, unit_price=ints(*[0] * 12, 1000), quantity=ints(*[quantity] * 12, 1))

    assert_priced_as_the_scalar(lines, promo_codes=[PromoCode(code="UNITS", kind=kind)])


@pytest.mark.parametrize(
    ("sizes", "changed", "row", "figure"),
    [
        ((0, 1, 1), {"unit_price": ints(1, 2**62), "quantity": ints(1, 2)}, 2, 2**63),
        ((0, 1, 1), {"unit_price": ints(1, MOST), "quantity": ints(1, MOST)}, 2, MOST**2),
        ((1, 2), {"unit_price": ints(1, 2**62, 2**62)}, 1, 2**63),  # each line fits
    ],
)
def test_figure_beyond_int64_is_refused_with_its_row(
    sizes: tuple[int, ...], changed: dict[str, Any], row: int, figure: int
) -> None:
    with pytest.raises(InvalidAmount, match=rf"^row {row}: {figure} does not fit int64$"):
        checkout_totals(columns(*sizes, **changed))


def test_refused_row_is_numbered_among_all_baskets() -> None:
    lines = columns(1, 0, 2, 1, unit_price=ints(1, 1, 1, 2**62), quantity=ints(1, 1, 1, 2))

    with (
        patch.object(baskets, "STEP_LINES", 1),
        pytest.raises(InvalidAmount, match=r"^row 3: 9223372036854775808 does not fit int64$"),
    ):
        checkout_totals(lines)


def test_tax_that_pushes_a_figure_beyond_int64_is_refused() -> None:
    lines = columns(1, unit_price=ints(2**62), rate=ints(1_000_000))

    with pytest.raises(InvalidAmount, match=r"^row 0: 9223372036854775808 does not fit int64$"):
        checkout_totals(lines, policy=TotalsPolicy(price_basis=PriceBasis.NET))


def test_largest_figure_that_fits_is_exact() -> None:
    totals = checkout_totals(columns(1, unit_price=ints(MOST), rate=ints(0)))

    assert totals.total_gross.tolist() == totals.total_net.tolist() == [MOST]


@pytest.mark.parametrize(
    "sizes",
    [(3, 0, 24, 25, 1, 300, 2), *([size] * 3 for size in (23, 24, 25, 59, 60, 61, 127, 128, 129, 200))],
)
def test_baskets_of_any_length_match_the_scalar(sizes: Sequence[int]) -> None:
    assert_priced_as_the_scalar(like_north_star(*sizes), **MANY_RULES)


def test_basket_of_very_many_lines_is_one_basket() -> None:
    count = 200_000
    prices, rates = np.arange(count) % 1000, np.arange(count) % 3 * 26_000
    lines = columns(1, count, 1, unit_price=np.pad(prices, 1), rate=np.pad(rates, 1))

    totals = checkout_totals(lines, **NORTH_STAR)

    list_price = sum(prices.tolist())
    off_the_first_two = 1
    discount = off_the_first_two + divide_rounded(list_price - off_the_first_two, 10)
    own = totals.lines.total_gross[1:-1]
    net = sum(
        net_from_gross(int(own[rates == rate].sum()), VatRate(parts_per_million=rate))
        for rate in (0, 26_000, 52_000)
    )
    assert totals.total_gross.tolist() == [0, list_price - discount, 0]
    assert totals.total_net.tolist() == [0, net, 0]
    assert np.abs(totals.lines.total_net[1:-1] * (1_000_000 + rates) - own * 1_000_000).max() <= 2_000_000


@pytest.mark.parametrize("is_matrix", [False, True])
def test_very_many_baskets_may_be_empty(is_matrix: bool) -> None:
    flat = columns(*[0] * 70_000)

    totals = checkout_totals(in_a_bucket(flat) if is_matrix else flat, **MANY_RULES, donation=100)

    assert totals.total_gross.tolist() == [100] * 70_000
    assert not totals.list_price_gross.any()


def test_many_rates_of_long_baskets_are_listed_one_by_one() -> None:
    count = 300
    lines = columns(
        *[count] * 2, unit_price=np.arange(2 * count) * 7 % 997, rate=np.tile(np.arange(count) // 2 * 500, 2)
    )

    totals = checkout_totals(lines, **NORTH_STAR)
    vat = vat_breakdown(lines, totals.lines)

    assert_priced_as_the_scalar(lines, **NORTH_STAR)
    assert vat.rates.tolist() == [place * 500 for place in range(count // 2)]
    assert np.array_equal(vat.gross.sum(axis=0), totals.total_gross)


def test_many_rates_use_no_memory_per_pair_of_rate_and_basket() -> None:
    count = 20_000
    lines = columns(*[1] * count, rate=np.arange(count) % 2000 * 500)

    tracemalloc.start()
    checkout_totals(lines, **NORTH_STAR)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 100 * 2**20  # an int64 for each pair: 320 MB


def test_baskets_too_long_to_sort_match_the_scalar() -> None:
    with patch.object(layouts, "EXACT_INTS", 2**20):
        assert_priced_as_the_scalar(like_north_star(*[70] * 3), **MANY_RULES, donation=1)


def test_basket_beyond_int64_is_named_among_baskets_too_long_to_sort() -> None:
    lines = columns(
        70, 1, unit_price=np.append(np.full(70, 1000), 2**62), quantity=np.append(np.ones(70, np.int64), 2)
    )

    with (
        patch.object(layouts, "EXACT_INTS", 2**20),
        pytest.raises(InvalidAmount, match=r"^row 1: 9223372036854775808 does not fit int64$"),
    ):
        checkout_totals(lines, **NORTH_STAR)
