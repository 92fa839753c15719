"""Capacities from other sources; those marked "computed" were worked out by hand.

Pools mtn and park have 5, 2, 9 and 3, 4, 0 units free on days 0, 1 and 2. An adult takes 1 unit of mtn, a
family 4 of mtn, a combo ticket 1 of each.
"""

import numpy as np
import numpy.typing as npt
import pytest

from faregate.batch.validity.options import SeasonCalendar, season, season_capacity

FREE = np.array([[5, 3], [2, 4], [9, 0]], np.int32)
USES = np.array([[1, 0], [4, 0], [1, 1]], np.int32)  # adult, family, combo


def calendar(capacity: npt.NDArray[np.int32], length: int) -> SeasonCalendar:
    return season(capacity, np.full(capacity.shape, 100, np.int64), lengths=[length])


@pytest.mark.parametrize(
    ("day", "length", "units", "least", "greatest"),
    [
        pytest.param(0, 1, [5, 1, 3], 1, 5, id="CAP-C1"),  # computed
        pytest.param(1, 1, [2, 0, 2], 0, 2, id="CAP-C2-day1"),  # computed
        pytest.param(0, 2, [2, 0, 2], 0, 2, id="CAP-C2-days0-1"),  # computed
    ],
)
def test_capacity_of_pools_that_variants_share(
    day: int, length: int, units: list[int], least: int, greatest: int
) -> None:
    capacity = season_capacity(FREE, USES, lengths=[length])
    shown = calendar(capacity, length)

    assert capacity[0, day].tolist() == units
    assert (shown.capacity_min[0, day], shown.capacity_max[0, day]) == (least, greatest)


def test_stays_that_do_not_overlap_do_not_add_up() -> None:
    """CAP-C4 (chobbledotcom/tickets, pull request 994).

    Two units per day; one guest holds the first day, another the second. A sum over both stays would give 0.
    """
    free = np.array([[2 - 1], [2 - 1]], np.int32)

    capacity = season_capacity(free, np.array([[1]], np.int32), lengths=[2])

    assert capacity[0, 0].tolist() == [1]
    assert calendar(capacity, 2).is_available[0, 0]
