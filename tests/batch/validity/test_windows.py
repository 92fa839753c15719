"""Windows over a year of days, and refusals."""

from typing import Any

import numpy as np
import pytest

from faregate.batch.validity.windows import NO_WINDOW, window_extremes, window_maximum, window_minimum
from faregate.errors import InvalidInput

DAYS = 365


@pytest.mark.parametrize("lengths", [range(1, 31), [365, 1, 7, 180, 90, 366], [2, 64, 3, 65, 2]])
@pytest.mark.parametrize("shape", [(DAYS,), (DAYS, 40)], ids=str)
def test_year_agrees_with_a_sliding_view(shape: tuple[int, ...], lengths: range | list[int]) -> None:
    values = np.random.default_rng(8).integers(0, 500, shape, dtype=np.int32)

    both = window_extremes(values, lengths)

    for length, least, greatest in zip(lengths, *both, strict=True):
        starts = max(DAYS - length + 1, 0)
        assert (least[starts:] == NO_WINDOW).all()
        assert (greatest[starts:] == NO_WINDOW).all()
        if starts:
            windows = np.lib.stride_tricks.sliding_window_view(values, length, axis=0)
            np.testing.assert_array_equal(least[:starts], windows.min(axis=-1))
            np.testing.assert_array_equal(greatest[:starts], windows.max(axis=-1))


def test_length_far_beyond_the_season_has_no_window() -> None:
    assert window_minimum(np.array([1, 2], np.int32), [10**30]).tolist() == [[NO_WINDOW, NO_WINDOW]]


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ([1, 2, 3], "list"),
        (np.array(3, np.int32), r"int32 \[\]"),
        (np.zeros(3), r"float64 \[3\]"),
        (np.zeros((3, 2), np.uint32), r"uint32 \[3, 2\]"),
        (np.zeros(3, np.int16), r"int16 \[3\]"),
    ],
)
@pytest.mark.parametrize("function", [window_minimum, window_maximum, window_extremes])
def test_arrays_other_than_int32_and_int64_are_refused_with_dtype_and_shape(
    function: Any, values: object, named: str
) -> None:
    with pytest.raises(InvalidInput, match=rf"values: expected int32 or int64 \[days, ...\], got {named}"):
        function(values, [1])


@pytest.mark.parametrize("function", [window_minimum, window_maximum, window_extremes])
def test_invalid_lengths_are_refused_together(function: Any) -> None:
    with pytest.raises(InvalidInput) as refused:
        function(np.zeros(3, np.int32), [1, 0, 2, -4, True, 1.5])

    assert refused.value.messages == tuple(
        f"lengths: expected an int of at least 1, got {length}" for length in (0, -4, True, 1.5)
    )
