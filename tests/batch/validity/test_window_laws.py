"""Every window compared with a list of Python ints, for any shape, dtype and memory order."""

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import given

from faregate.batch.validity.windows import NO_WINDOW, window_extremes, window_maximum, window_minimum
from support.columns.arrays import columns, lengths
from support.oracles.seasons import over_windows


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
    least, greatest = in_arrays(values, lengths, min), in_arrays(values, lengths, max)

    found = window_minimum(values, lengths), window_maximum(values, lengths)

    for own, expected in zip(found, (least, greatest), strict=True):
        assert own.dtype == values.dtype
        np.testing.assert_array_equal(own, expected, strict=True)


@given(columns(), lengths)
def test_extremes_equal_the_minimum_and_the_maximum(values: npt.NDArray[Any], lengths: list[int]) -> None:
    out = np.zeros((2, len(lengths), *values.shape), values.dtype)

    both = window_extremes(values, lengths), window_extremes(values, lengths, out=out)

    for minimum, maximum in (*both, out):
        np.testing.assert_array_equal(minimum, window_minimum(values, lengths), strict=True)
        np.testing.assert_array_equal(maximum, window_maximum(values, lengths), strict=True)


@given(columns(), lengths)
def test_results_are_new_arrays(values: npt.NDArray[Any], lengths: list[int]) -> None:
    both = window_extremes(values, lengths)

    for answer in (window_minimum(values, lengths), *both):
        assert answer.flags.writeable
        assert not np.shares_memory(answer, values)


@given(columns(), lengths)
def test_a_length_alone_gives_the_same_result(values: npt.NDArray[Any], lengths: list[int]) -> None:
    together = window_minimum(values, lengths)

    for length, answer in zip(lengths, together, strict=True):
        np.testing.assert_array_equal(window_minimum(values, [length])[0], answer)
