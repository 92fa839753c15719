"""Laws of allocation: an amount is shared by weight without loss. Decisions §2."""

from hypothesis import given
from hypothesis import strategies as st

from faregate.money.allocation import Allocation, AllocationMode, allocate, allocate_capped, split_evenly
from support.baskets.strategies import amounts, members, weights
from support.oracles.naive_readings import hamilton, hamilton_capped

modes = members(AllocationMode)
signed = st.one_of(amounts, amounts.map(lambda amount: -amount))
positive_weights = weights.filter(any)


@st.composite
def capped(draw: st.DrawFn) -> tuple[int, list[int], list[int | None]]:
    """Draw an amount, weights, and caps that bind for some lines and are missing for others."""
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


@given(amounts, positive_weights, modes)
def test_a_negative_amount_mirrors_the_positive_one(amount: int, by: list[int], mode: AllocationMode) -> None:
    assert allocate(-amount, by, mode=mode) == tuple(-share for share in allocate(amount, by, mode=mode))


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


@given(capped())
def test_capped_allocation_freezes_capped_lines_and_repeats(
    case: tuple[int, list[int], list[int | None]],
) -> None:
    amount, by, caps = case

    expected, unapplied = hamilton_capped(amount, by, [amount if cap is None else cap for cap in caps])

    assert allocate_capped(amount, by, caps) == Allocation(tuple(expected), unapplied)


@given(capped())
def test_a_negative_capped_amount_mirrors_the_positive_one(
    case: tuple[int, list[int], list[int | None]],
) -> None:
    amount, by, caps = case
    found = allocate_capped(amount, by, caps)

    mirrored = Allocation(tuple(-share for share in found.shares), -found.unapplied)
    assert allocate_capped(-amount, by, caps) == mirrored


@given(signed, st.integers(1, 200))
def test_split_is_allocation_by_equal_weights(amount: int, parts: int) -> None:
    assert split_evenly(amount, parts) == allocate(amount, [1] * parts)
