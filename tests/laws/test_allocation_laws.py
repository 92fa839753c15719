"""Decisions §2: an amount is shared out by weight, and nothing of it is lost."""

from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from faregate.errors import InvalidWeights
from faregate.money.allocation import AllocationMode, allocate, allocate_capped, split
from laws.oracles import hamilton, hamilton_capped
from strategies import amounts, members, weights

modes = members(AllocationMode)
signed = st.one_of(amounts, amounts.map(lambda amount: -amount))
positive_weights = weights.filter(any)


@st.composite
def within_the_weights(draw: st.DrawFn) -> tuple[int, list[int]]:
    """An amount up to the sum of its weights."""
    drawn = draw(positive_weights)
    return draw(st.integers(0, sum(drawn))), drawn


@st.composite
def capped(draw: st.DrawFn) -> tuple[int, list[int], list[int | None]]:
    """An amount, weights, and caps that bind for some lines and are missing for others."""
    drawn = draw(
        st.lists(st.one_of(st.integers(0, 5), st.integers(0, 12_000)), min_size=1, max_size=20).filter(any)
    )
    amount = draw(st.integers(0, sum(drawn) + 10))
    cap = st.one_of(st.none(), st.integers(0, 2 + 2 * amount // len(drawn)))
    return amount, drawn, draw(st.lists(cap, min_size=len(drawn), max_size=len(drawn)))


@given(signed, positive_weights, modes)
def test_shares_sum_to_the_amount(amount: int, by: list[int], mode: AllocationMode) -> None:
    shares = allocate(amount, by, mode=mode)

    assert sum(shares) == amount
    assert len(shares) == len(by)


@given(signed, positive_weights)
def test_largest_remainder_is_hamilton(amount: int, by: list[int]) -> None:
    expected = [share if amount >= 0 else -share for share in hamilton(abs(amount), by)]

    assert list(allocate(amount, by)) == expected


@given(st.integers(0, 300), st.lists(st.integers(0, 3), min_size=2, max_size=12).filter(any))
def test_equal_remainders_go_to_the_lower_index(amount: int, by: list[int]) -> None:
    shares = allocate(amount, by)

    for weight in set(by):
        of_equals = [share for share, other in zip(shares, by, strict=True) if other == weight]
        assert of_equals == sorted(of_equals, reverse=True)


@given(signed, positive_weights, modes)
def test_no_weight_gets_no_share(amount: int, by: list[int], mode: AllocationMode) -> None:
    shares = allocate(amount, by, mode=mode)

    assert all(share == 0 for share, weight in zip(shares, by, strict=True) if not weight)


@given(signed, positive_weights, modes)
@example(9, [5, 6, 4], AllocationMode.FIRST)  # the first share is 3 exactly and gets the spare unit
def test_every_share_is_within_one_unit_of_the_exact_one(
    amount: int, by: list[int], mode: AllocationMode
) -> None:
    off_by = max(
        abs(share - Fraction(amount * weight, sum(by)))
        for share, weight in zip(allocate(amount, by, mode=mode), by, strict=True)
    )

    # A largest remainder is above 0, so it raises no exact share; the other modes may, by the whole unit.
    assert off_by < 1 if mode is AllocationMode.LARGEST_REMAINDER else off_by <= 1


@given(within_the_weights())
def test_an_amount_up_to_the_weights_gives_no_share_above_its_weight(case: tuple[int, list[int]]) -> None:
    amount, by = case

    assert all(share <= weight for share, weight in zip(allocate(amount, by), by, strict=True))


@given(amounts, positive_weights, modes)
def test_a_negative_amount_mirrors_the_positive_one(amount: int, by: list[int], mode: AllocationMode) -> None:
    assert allocate(-amount, by, mode=mode) == tuple(-share for share in allocate(amount, by, mode=mode))


@given(signed, positive_weights, st.integers(2, 10**9), modes)
def test_scaling_all_weights_changes_nothing(
    amount: int, by: list[int], factor: int, mode: AllocationMode
) -> None:
    assert allocate(amount, [weight * factor for weight in by], mode=mode) == allocate(amount, by, mode=mode)


@given(amounts, positive_weights)
def test_no_line_is_raised_before_one_with_a_larger_remainder(amount: int, by: list[int]) -> None:
    exact = [Fraction(amount * weight, sum(by)) for weight in by]

    shares = allocate(amount, by)

    raised = [part % 1 for share, part in zip(shares, exact, strict=True) if share > part]
    floored = [part % 1 for share, part in zip(shares, exact, strict=True) if share <= part]
    assert not raised or not floored or min(raised) >= max(floored)


@given(amounts, st.lists(amounts, min_size=1, unique=True).filter(any))
def test_lines_of_different_weight_get_the_same_in_any_order(amount: int, by: list[int]) -> None:
    # Where two remainders are equal the index decides, and it may.
    total = sum(by)
    assume(len({amount * weight % total for weight in by}) == len(by))
    shares = dict(zip(by, allocate(amount, by), strict=True))

    reordered = sorted(by)

    assert dict(zip(reordered, allocate(amount, reordered), strict=True)) == shares


@given(amounts, positive_weights)
def test_mode_first_gives_the_odd_units_to_the_first_lines_with_a_weight(amount: int, by: list[int]) -> None:
    shares = allocate(amount, by, mode=AllocationMode.FIRST)

    above = [share - amount * weight // sum(by) for share, weight in zip(shares, by, strict=True) if weight]
    assert above == sorted(above, reverse=True)


@given(amounts, positive_weights)
def test_mode_largest_weight_gives_the_odd_units_to_the_largest_weights(amount: int, by: list[int]) -> None:
    shares = allocate(amount, by, mode=AllocationMode.LARGEST_WEIGHT)

    above = {index: shares[index] - amount * weight // sum(by) for index, weight in enumerate(by)}
    by_weight = sorted(above, key=lambda index: (-by[index], index))
    assert [above[index] for index in by_weight] == sorted(above.values(), reverse=True)


@given(st.lists(st.just(0), max_size=5), signed.filter(bool), modes)
def test_an_amount_without_any_weight_is_refused(by: list[int], amount: int, mode: AllocationMode) -> None:
    with pytest.raises(InvalidWeights):
        allocate(amount, by, mode=mode)


@given(st.lists(st.just(0), max_size=5), modes)
def test_nothing_can_be_shared_without_any_weight(by: list[int], mode: AllocationMode) -> None:
    assert allocate(0, by, mode=mode) == (0,) * len(by)


@given(signed, positive_weights, st.integers(-5, -1), modes)
def test_a_negative_weight_is_refused(amount: int, by: list[int], weight: int, mode: AllocationMode) -> None:
    with pytest.raises(InvalidWeights):
        allocate(amount, [*by, weight], mode=mode)


# ---------------------------------------------------------------- under caps


@given(capped())
def test_capped_shares_and_the_unapplied_rest_sum_to_the_amount(
    case: tuple[int, list[int], list[int | None]],
) -> None:
    amount, by, caps = case

    shares, unapplied = allocate_capped(amount, by, caps)

    assert sum(shares) + unapplied == amount
    assert unapplied >= 0
    assert all(share >= 0 for share in shares)


@given(capped())
def test_no_capped_share_is_above_its_cap(case: tuple[int, list[int], list[int | None]]) -> None:
    amount, by, caps = case

    shares, _ = allocate_capped(amount, by, caps)

    assert all(cap is None or share <= cap for share, cap in zip(shares, caps, strict=True))
    assert all(share == 0 for share, weight in zip(shares, by, strict=True) if not weight)


@given(capped())
def test_something_stays_unapplied_only_if_every_weighted_line_is_at_its_cap(
    case: tuple[int, list[int], list[int | None]],
) -> None:
    amount, by, caps = case

    shares, unapplied = allocate_capped(amount, by, caps)

    room = [cap is None or share < cap for share, cap, weight in zip(shares, caps, by, strict=True) if weight]
    assert not (unapplied and any(room))


@given(capped())
def test_capped_allocation_freezes_and_repeats(case: tuple[int, list[int], list[int | None]]) -> None:
    amount, by, caps = case

    expected, unapplied = hamilton_capped(amount, by, [amount if cap is None else cap for cap in caps])

    assert allocate_capped(amount, by, caps) == (tuple(expected), unapplied)


@given(capped())
def test_a_line_over_its_cap_without_caps_is_at_its_cap_with_them(
    case: tuple[int, list[int], list[int | None]],
) -> None:
    amount, by, caps = case
    free = allocate(amount, by)

    shares, _ = allocate_capped(amount, by, caps)

    over = [index for index, cap in enumerate(caps) if cap is not None and free[index] > cap]
    assert [shares[index] for index in over] == [caps[index] for index in over]


@given(signed, positive_weights)
def test_allocation_under_no_caps_is_plain_allocation(amount: int, by: list[int]) -> None:
    shares = allocate(amount, by)

    assert allocate_capped(amount, by, [None] * len(by)) == (shares, 0)
    assert allocate_capped(amount, by, [abs(share) for share in shares]) == (shares, 0)


@given(capped())
def test_a_negative_capped_amount_mirrors_the_positive_one(
    case: tuple[int, list[int], list[int | None]],
) -> None:
    amount, by, caps = case
    shares, unapplied = allocate_capped(amount, by, caps)

    assert allocate_capped(-amount, by, caps) == (tuple(-share for share in shares), -unapplied)


@given(capped(), st.integers(-5, -1))
def test_a_negative_cap_and_a_missing_cap_are_refused(
    case: tuple[int, list[int], list[int | None]], cap: int
) -> None:
    amount, by, caps = case

    with pytest.raises(InvalidWeights):
        allocate_capped(amount, by, [*caps[:-1], cap])
    with pytest.raises(InvalidWeights):
        allocate_capped(amount, by, caps[:-1])


# ---------------------------------------------------------------- equal parts


@given(signed, st.integers(1, 200))
def test_split_is_allocation_by_equal_weights(amount: int, parts: int) -> None:
    assert split(amount, parts) == allocate(amount, [1] * parts)


@given(signed, st.integers(-3, 0))
def test_split_into_no_parts_is_refused(amount: int, parts: int) -> None:
    with pytest.raises(InvalidWeights):
        split(amount, parts)
