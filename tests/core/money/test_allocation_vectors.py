"""Allocations of other libraries and shops. SOURCES.md describes the sources."""

import pytest

from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import Absolute, Percentage, PromoCode
from faregate.discounts.promo_codes import AppliedCode, RejectedCode
from faregate.errors import InvalidWeights
from faregate.money.allocation import Allocation, AllocationMode, allocate, allocate_capped
from faregate.money.currency import currency
from faregate.totals.pipeline import checkout_totals
from support.baskets.as_written import all_cents, basket, cents

HAMILTON = AllocationMode.LARGEST_REMAINDER
FIRST = AllocationMode.FIRST
LARGEST_WEIGHT = AllocationMode.LARGEST_WEIGHT

SHARED = [
    # all peers
    pytest.param(1000, [1000, 1000, 1000], (334, 333, 333), id="ALLOC-A1"),
    # brick/money README
    pytest.param(100, [2, 3, 1], (33, 50, 17), id="ALLOC-A2"),
    # Sylius, integer distributor specification: differs, see the alternatives below
    pytest.param(300, [4300, 1400, 2300], (161, 53, 86), id="ALLOC-A4"),
    # Vendure, prorate.spec
    pytest.param(93, [10, 20, 10, 30, 50, 20, 10, 40], (5, 10, 5, 15, 24, 10, 5, 19), id="ALLOC-A5"),
    # brick/money README
    pytest.param(98765, [48, 41, 11], (47407, 40494, 10864), id="ALLOC-A7"),
    # Solidus, distributed_amount specification
    pytest.param(cents("15.00"), [20, 30, 100], all_cents("2.00", "3.00", "10.00"), id="ALLOC-A20-15"),
    pytest.param(cents("30.00"), [100, 50, 50], all_cents("15.00", "7.50", "7.50"), id="ALLOC-A20-30"),
]


@pytest.mark.parametrize(("amount", "weights", "shares"), SHARED)
def test_largest_remainders_get_the_units_left_over(
    amount: int, weights: list[int], shares: tuple[int, ...]
) -> None:
    assert allocate(amount, weights) == shares


@pytest.mark.parametrize(
    ("mode", "amount", "weights", "shares"),
    [
        # brick/money README: FloorToFirst, FloorToLargestRatio
        pytest.param(FIRST, 100, [2, 3, 1], (34, 50, 16), id="ALLOC-A2-first"),
        pytest.param(LARGEST_WEIGHT, 100, [2, 3, 1], (33, 51, 16), id="ALLOC-A2-largest-weight"),
        # Sylius, integer distributor specification: the remainder goes to the first
        pytest.param(FIRST, 300, [4300, 1400, 2300], (162, 52, 86), id="ALLOC-A4-first"),
        # brick/money README: FloorToFirst
        pytest.param(FIRST, 98765, [48, 41, 11], (47408, 40493, 10864), id="ALLOC-A7-first"),
    ],
)
def test_another_mode_gives_the_result_of_another_library(
    mode: AllocationMode, amount: int, weights: list[int], shares: tuple[int, ...]
) -> None:
    assert allocate(amount, weights, mode=mode) == shares
    assert allocate(amount, weights) != shares


@pytest.mark.parametrize(
    ("mode", "shares"),
    [
        # brick/money README: CHF 987.65 paid in steps of 0.05
        pytest.param(HAMILTON, all_cents("474.05", "404.95", "108.65"), id="ALLOC-A8"),
        pytest.param(FIRST, all_cents("474.10", "404.95", "108.60"), id="ALLOC-A8-first"),
    ],
)
def test_steps_of_cash_are_allocated_like_any_other_unit(
    mode: AllocationMode, shares: tuple[int, ...]
) -> None:
    step = currency("CHF").cash_increment

    steps = allocate(cents("987.65") // step, [48, 41, 11], mode=mode)

    assert tuple(share * step for share in steps) == shares


@pytest.mark.parametrize("mode", AllocationMode)
def test_weights_of_0_are_refused_in_every_mode(mode: AllocationMode) -> None:
    """ALLOC-A13: Vendure gives 5 and 5, Sylius 0 and 0; dinero.js throws an error, like faregate."""
    with pytest.raises(InvalidWeights):
        allocate(10, [0, 0], mode=mode)


def test_weights_of_0_are_refused_under_caps() -> None:
    """ALLOC-A13."""
    with pytest.raises(InvalidWeights):
        allocate_capped(10, [0, 0], [None, None])


def test_discount_on_a_free_basket_is_refused_without_an_error() -> None:
    """ALLOC-A13 in a checkout."""
    code = PromoCode(code="TEN", kind=Absolute(cents("0.10")))

    totals = checkout_totals(basket("0.00", "0.00"), promo_codes=[code])

    assert totals.promo_codes == (RejectedCode(code, RejectionReason.NOT_APPLICABLE),)
    assert totals.total_gross == 0


CAPPED = [
    # Sylius, MinimumPriceDistributorSpec
    pytest.param(1200, [1000, 2000, 5000, 3000], [1000, 100, 0, 400], (700, 100, 0, 400), id="ALLOC-A14"),
    # Sylius, feature "minimum price specified"
    pytest.param(2700, [10000, 4000, 4000], [1000, 4000, 4000], (1000, 850, 850), id="ALLOC-A16"),
    pytest.param(
        3600, [10000, 4000, 3000, 1000], [1000, 1000, None, None], (1000, 1000, 1200, 400), id="ALLOC-A17"
    ),
]


@pytest.mark.parametrize(("amount", "weights", "caps", "shares"), CAPPED)
def test_an_amount_beyond_a_cap_goes_to_the_other_lines(
    amount: int, weights: list[int], caps: list[int | None], shares: tuple[int, ...]
) -> None:
    assert allocate_capped(amount, weights, caps) == Allocation(shares, unapplied=0)


@pytest.mark.parametrize(("amount", "weights", "caps", "shares"), CAPPED)
def test_cart_discount_leaves_every_line_its_floor_price(
    amount: int, weights: list[int], caps: list[int | None], shares: tuple[int, ...]
) -> None:
    lines = [
        line._replace(unit_price=price, floor_price=0 if cap is None else price - cap)
        for line, price, cap in zip(basket(*["0.00"] * len(weights)), weights, caps, strict=True)
    ]

    totals = checkout_totals(lines, promo_codes=[PromoCode(code="OFF", kind=Absolute(amount))])

    assert tuple(line.promo_code_discount for line in totals.lines) == shares


def test_percentage_over_a_floor_price_is_taken_from_the_other_line() -> None:
    """ALLOC-A19: Sylius, feature "minimum price specified"."""
    lines = basket("50.00 floor 45.00", "20.00")

    totals = checkout_totals(lines, promo_codes=[PromoCode(code="P20", kind=Percentage.percent(20))])

    (applied,) = totals.promo_codes
    assert isinstance(applied, AppliedCode)
    assert applied.shares == all_cents("5.00", "9.00")
    assert applied.unapplied == 0
    assert totals.total_gross == cents("56.00")
