"""Columns price every basket like the scalar function, under every rule and policy."""

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.basket.lines import LineColumns
from faregate.batch.columns import offsets as baskets
from support.baskets.strategies import ZURICH
from support.columns.priced_baskets import Baskets, priced_baskets, told_by_columns, told_by_scalar

# Few lines per step, so that most examples take several steps; and the real number.
steps = st.sampled_from([1, 7, 30, baskets.STEP_LINES])


@given(asked=priced_baskets(), step=steps)
def test_many_baskets_match_the_scalar_one_by_one(asked: Baskets, step: int) -> None:
    with patch.object(baskets, "STEP_LINES", step):
        found = told_by_columns(asked)

    assert found == told_by_scalar(asked)


@given(asked=priced_baskets(most_lines=60), step=steps)
def test_long_baskets_match_the_scalar_one_by_one(asked: Baskets, step: int) -> None:
    with patch.object(baskets, "STEP_LINES", step):
        found = told_by_columns(asked)

    assert found == told_by_scalar(asked)


@given(asked=priced_baskets(sizes=st.sampled_from([1, 2, 3, 5, 9, 0])), step=steps)
def test_a_bucket_of_baskets_matches_the_scalar_one_by_one(asked: Baskets, step: int) -> None:
    bucket = in_a_bucket(asked)

    with patch.object(baskets, "STEP_LINES", step):
        found = told_by_columns(asked, bucket)

    assert found == told_by_scalar(asked)


def in_a_bucket(asked: Baskets) -> LineColumns:
    """Return the lines of baskets of one size as matrices."""
    flat = LineColumns.of(asked.lines, zone=ZURICH)
    count = len(asked.lines)
    order = np.arange(flat.lines).reshape(count, -1).T if count else np.zeros((0, 0), np.int64)
    return flat.part(order, None)
