"""Allocation of amounts, with shares worked out by hand. Decisions §2."""

import pytest

from faregate.errors import InvalidWeights
from faregate.money.allocation import (
    Allocation,
    AllocationMode,
    allocate,
    allocate_capped,
    allocate_in_turn,
    split_evenly,
)

LARGEST_REMAINDER, FIRST, LARGEST_WEIGHT = AllocationMode


@pytest.mark.parametrize(
    ("amount", "weights", "mode", "shares"),
    [
        # 14.29, 28.57, 57.14: floors 14, 28, 57, one unit over
        pytest.param(100, [1, 2, 4], LARGEST_REMAINDER, (14, 29, 57), id="largest remainder"),
        pytest.param(100, [1, 2, 4], FIRST, (15, 28, 57), id="first line"),
        pytest.param(100, [1, 2, 4], LARGEST_WEIGHT, (14, 28, 58), id="largest weight"),
        # 0.2, 0.6, 0.6, 0.6: two units over
        pytest.param(2, [1, 3, 3, 3], LARGEST_REMAINDER, (0, 1, 1, 0), id="ties to the lower index"),
        pytest.param(2, [1, 3, 3, 3], LARGEST_WEIGHT, (0, 1, 1, 0), id="equal weights to the lower index"),
        pytest.param(1, [0, 1, 1], FIRST, (0, 1, 0), id="first line with a weight"),
        pytest.param(1, [0, 2, 2], LARGEST_WEIGHT, (0, 1, 0), id="no weight, no share"),
        # a refund mirrors the charge
        pytest.param(-100, [1, 2, 4], LARGEST_REMAINDER, (-14, -29, -57), id="refund, largest remainder"),
    ],
)
def test_units_left_over_go_where_the_mode_says(
    amount: int, weights: list[int], mode: AllocationMode, shares: tuple[int, ...]
) -> None:
    assert allocate(amount, weights, mode=mode) == shares


@pytest.mark.parametrize("mode", AllocationMode)
@pytest.mark.parametrize("weights", [[], [0, 0], [1, 2]])
def test_an_amount_of_0_is_shared_by_any_weights(weights: list[int], mode: AllocationMode) -> None:
    assert allocate(0, weights, mode=mode) == (0,) * len(weights)


@pytest.mark.parametrize("mode", AllocationMode)
@pytest.mark.parametrize(
    ("amount", "weights", "message"),
    [
        (5, [], "cannot share 5 without a positive weight"),
        (5, [0, 0], "cannot share 5 without a positive weight"),
        (5, [2, -1], "negative weight in [2, -1]"),
        (5.0, [1], "expected an int amount and int weights, got 5.0 and [1]"),
        (True, [1], "expected an int amount and int weights, got True and [1]"),
        (5, [1, 0.5], "expected an int amount and int weights, got 5 and [1, 0.5]"),
    ],
)
def test_an_amount_needs_whole_weights_to_be_shared_by(
    amount: int, weights: list[int], message: str, mode: AllocationMode
) -> None:
    with pytest.raises(InvalidWeights) as raised:
        allocate(amount, weights, mode=mode)

    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("amount", "weights", "caps", "shares", "unapplied"),
    [
        # 50, 30, 20; then 90 by 3 and 2 is 54 and 36; then 50 for the last line
        pytest.param(100, [5, 3, 2], [10, 40, None], (10, 40, 50), 0, id="lines reach their caps in turn"),
        pytest.param(90, [1, 1, 1], [10, 10, None], (10, 10, 70), 0, id="two lines reach their caps at once"),
        # 4, 3, 3; then 7 by 1 and 1 is 4 and 3
        pytest.param(10, [1, 1, 1], [3, None, None], (3, 4, 3), 0, id="the odd unit moves on"),
        # 0.6, 0.6, 1.8; if the first were fixed at its 1, it would leave 2 by 1 and 3: 1 each
        pytest.param(
            3, [1, 1, 3], [1, None, None], (1, 0, 2), 0, id="a cap that is just met freezes nothing"
        ),
        pytest.param(10, [1, 0], [4, None], (4, 0), 6, id="room without a weight takes nothing"),
        pytest.param(-30, [1, 1], [10, 5], (-10, -5), -15, id="refund that does not fit"),
    ],
)
def test_no_line_exceeds_its_cap_and_the_others_take_the_remainder(
    amount: int, weights: list[int], caps: list[int | None], shares: tuple[int, ...], unapplied: int
) -> None:
    assert allocate_capped(amount, weights, caps) == Allocation(shares, unapplied)


@pytest.mark.parametrize(
    ("amount", "weights", "caps", "message"),
    [
        (5, [1, 1], [1], "expected a cap for each weight, got 2 weights, 1 caps"),
        (5, [1, 1], [None, -1], "expected caps of at least 0, got [None, -1]"),
        (5, [1, 1], [1.5, None], "expected caps of at least 0, got [1.5, None]"),
        (5, [0, 0], [1, 1], "cannot share 5 without a positive weight"),
    ],
)
def test_caps_match_the_weights(
    amount: int, weights: list[int], caps: list[int | None], message: str
) -> None:
    with pytest.raises(InvalidWeights) as raised:
        allocate_capped(amount, weights, caps)

    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("amount", "parts", "shares"),
    [
        (100, 3, (34, 33, 33)),
        (-100, 3, (-34, -33, -33)),
    ],
)
def test_equal_parts_differ_by_at_most_one_unit_the_larger_first(
    amount: int, parts: int, shares: tuple[int, ...]
) -> None:
    assert split_evenly(amount, parts) == shares


@pytest.mark.parametrize("parts", [0, -1])
def test_there_is_at_least_one_part(parts: int) -> None:
    with pytest.raises(InvalidWeights, match=f"^parts is {parts}, expected an int of at least 1$"):
        split_evenly(100, parts)


@pytest.mark.parametrize(
    ("amounts", "taken", "left"),
    [
        pytest.param([], [], [60, 40], id="nothing to take"),
        # 60 and 40, then 30 and 20: the same in proportion
        pytest.param([50, 30], [(30, 20), (18, 12)], [12, 8], id="each by what is left"),
        pytest.param([50, 0, 30], [(30, 20), (0, 0), (18, 12)], [12, 8], id="one of nothing between"),
        # 19.8 and 13.2, then 10.15 and 6.85 by 40 and 27
        pytest.param([33, 17], [(20, 13), (10, 7)], [30, 20], id="rounded once each"),
    ],
)
def test_each_amount_is_shared_by_what_earlier_ones_left(
    amounts: list[int], taken: list[tuple[int, ...]], left: list[int]
) -> None:
    assert allocate_in_turn(amounts, [60, 40]) == (taken, left)


def test_a_further_amount_is_refused_when_no_weight_is_left() -> None:
    with pytest.raises(InvalidWeights, match=r"^cannot share 1 without a positive weight$"):
        allocate_in_turn([100, 1], [60, 40])
