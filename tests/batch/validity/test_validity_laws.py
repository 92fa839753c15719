"""Windows and decisions §8.3 to §8.5 for whole seasons, compared with an oracle window by window."""

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.validity.options import NO_PRICE, UNLIMITED, season
from faregate.batch.validity.windows import NO_WINDOW, window_extremes, window_maximum, window_minimum
from faregate.money.rounding import divide_rounded
from support.columns.arrays import columns, lengths, read_only, seasons
from support.columns.season_arrays import capacity_of, option_in, prices_of
from support.oracles.seasons import Season, option, over_windows


@given(seasons(), lengths)
def test_capacity_equals_the_oracle_for_each_window(own: Season, lengths: list[int]) -> None:
    capacity = capacity_of(own, lengths)

    assert capacity.dtype == np.int32
    assert capacity.shape == (len(lengths), own.days, len(own.uses))
    for (index, day, variant), found in np.ndenumerate(capacity):
        expected: int | None = NO_WINDOW
        if own.fits(day, lengths[index]):
            expected = own.capacity(variant, day, lengths[index])
        assert found == (UNLIMITED if expected is None else expected)


@given(seasons(), lengths)
def test_price_equals_the_oracle_for_each_window(own: Season, lengths: list[int]) -> None:
    prices = prices_of(own, lengths)

    assert prices.dtype == np.int64
    assert prices.shape == (len(lengths), own.days, len(own.uses))
    for (index, day, variant), found in np.ndenumerate(prices):
        expected: int | None = NO_WINDOW
        if own.fits(day, lengths[index]):
            expected = own.price(variant, day, lengths[index])
        assert found == (NO_PRICE if expected is None else expected)


@given(st.lists(st.integers(0, 10**7), min_size=1, max_size=9), st.data())
def test_price_is_rounded_like_the_scalar(day_prices: list[int], data: st.DataObject) -> None:
    days = len(day_prices)
    factors = data.draw(st.lists(st.integers(0, 2_000_000), min_size=days, max_size=days))
    increment = data.draw(st.integers(1, 1_000))
    whole = Season(
        free=[[]] * days,
        uses=[[]],
        first_day_only=[],
        prices=[[price] for price in day_prices],
        factors=factors,
        increment=increment,
        closed=[False] * days,
    )

    found = prices_of(whole, [days])[0, 0, 0]

    exact = sum(price * factor for price, factor in zip(day_prices, factors, strict=True))
    assert found == divide_rounded(exact, 1_000_000 * increment) * increment


@given(seasons(), lengths, st.integers(1, 10), st.data())
def test_calendar_equals_the_oracle_for_each_window(
    own: Season, lengths: list[int], quantity: int, data: st.DataObject
) -> None:
    starts = st.lists(st.integers(0, 3).map(bool), min_size=own.days, max_size=own.days)
    allowed = [data.draw(starts) for _ in lengths]

    calendar = season(
        capacity_of(own, lengths),
        prices_of(own, lengths),
        lengths=lengths,
        quantity=quantity,
        closed=read_only(np.array(own.closed, np.bool_)),
        start_allowed=read_only(np.array(allowed, np.bool_).reshape(len(lengths), own.days)),
    )

    for index, length in enumerate(lengths):
        for day in range(own.days):
            expected = option(own, day, length, quantity=quantity, start_allowed=allowed[index][day])
            assert option_in(calendar, index, day) == expected


def in_arrays(values: npt.NDArray[Any], lengths: list[int], choose: Any) -> npt.NDArray[Any]:
    """Return the oracle's values, column by column, in the shape and dtype of the result."""
    answer = np.full((len(lengths), *values.shape), NO_WINDOW, values.dtype)
    for column in np.ndindex(values.shape[1:]):
        windows = over_windows(values[:, *column].tolist(), lengths, choose)
        for index, row in enumerate(windows):
            for day, found in enumerate(row):
                if found is not None:
                    answer[index, day, *column] = found
    return answer


@given(columns(), lengths)
def test_each_window_has_its_minimum_and_its_maximum(values: npt.NDArray[Any], lengths: list[int]) -> None:
    expected = [in_arrays(values, lengths, choose) for choose in (min, max)]

    alone = window_minimum(values, lengths), window_maximum(values, lengths)
    both = window_extremes(values, lengths)

    for found in (alone, both):
        for answer, own in zip(found, expected, strict=True):
            np.testing.assert_array_equal(answer, own, strict=True)
            assert answer.flags.writeable
            assert not np.shares_memory(answer, values)
