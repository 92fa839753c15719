"""A season of lists as arrays for faregate.batch, and its results in the types of the oracle."""

from typing import Any

import numpy as np
import numpy.typing as npt

from faregate.batch.validity.options import (
    NO_PRICE,
    UNLIMITED,
    SeasonCalendar,
    season_capacity,
    season_prices,
)
from support.columns.arrays import read_only
from support.oracles.seasons import Option, Season


def filled(rows: Any, none: int, dtype: Any, width: int) -> npt.NDArray[Any]:
    """Return rows of numbers with None as *none*, in *width* columns even without rows."""
    numbers = [[none if entry is None else entry for entry in row] for row in rows]
    return read_only(np.array(numbers, dtype).reshape(len(numbers), width))


def free_places(season: Season) -> npt.NDArray[np.int32]:
    return filled(season.free, UNLIMITED, np.int32, len(season.first_day_only))


def capacity_of(season: Season, lengths: list[int]) -> npt.NDArray[np.int32]:
    uses = filled(season.uses, 0, np.int32, len(season.first_day_only))
    first_day_only = read_only(np.array(season.first_day_only, np.bool_))
    capacity = season_capacity(free_places(season), uses, lengths=lengths, first_day_only=first_day_only)
    return read_only(capacity)


def prices_of(season: Season, lengths: list[int]) -> npt.NDArray[np.int64]:
    day_prices = filled(season.prices, NO_PRICE, np.int64, len(season.uses))
    prices = season_prices(day_prices, lengths=lengths, factors=season.factors, increment=season.increment)
    return read_only(prices)


def option_in(calendar: SeasonCalendar, index: int, day: int) -> Option:
    """Return one window of the calendar as the oracle represents it."""
    units: list[float] = [int(units[index, day]) for units in (calendar.capacity_min, calendar.capacity_max)]
    least, greatest = (float("inf") if own == UNLIMITED else own for own in units)
    prices = int(calendar.price_min[index, day]), int(calendar.price_max[index, day])
    return Option(
        capacity=None if (least, greatest) == (-1, -1) else (least, greatest),
        price=None if prices == (NO_PRICE, NO_PRICE) else prices,
        is_available=bool(calendar.is_available[index, day]),
    )
