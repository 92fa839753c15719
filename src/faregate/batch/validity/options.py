"""Capacity, price and availability of a season, for every first day and duration.

Decisions §8.3 to §8.5. Days and durations are whole service days, counted from the first day of the arrays.
Pools of time slots are not included. ``season_prices`` sums the prices of days; replace its results where a
whole window has a price of its own. Arguments are not changed.

A ticket that uses 2 units of a pool, over three days:

>>> capacity = season_capacity(
...     np.array([[8], [7], [1]], np.int32), np.array([[2]], np.int32), lengths=[1, 2]
... )
>>> prices = season_prices(np.array([[6900], [6900], [7900]], np.int64), lengths=[1, 2])
>>> calendar = season(capacity, prices, lengths=[1, 2])
>>> calendar.capacity_max
array([[ 4,  3,  0],
       [ 3,  0, -1]], dtype=int32)
>>> calendar.price_min
array([[ 6900,  6900,  7900],
       [13800, 14800,    -1]])
>>> calendar.is_available
array([[ True,  True, False],
       [ True, False, False]])
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.batch.columns.checks import require_array, require_at_least
from faregate.batch.columns.views import columns_html
from faregate.batch.validity.windows import NO_WINDOW, Integer, write_windows
from faregate.errors import InvalidAmount, InvalidInput

UNLIMITED = 2**31 - 1
"""Capacity of a pool or variant without a limit."""

NO_PRICE = NO_WINDOW
"""Price of a day on which a variant is not sold, and of every window with such a day."""

_MILLION = 1_000_000
_GREATEST = 2**63 - 1


class SeasonCalendar(NamedTuple):
    """Values for every duration and first day of a season: ``[durations, days]`` each.

    ``capacity_min`` and ``capacity_max`` (int32) cover the limited variants; both are ``UNLIMITED`` if no
    variant has a limit. ``price_min`` and ``price_max`` (int64) cover the variants with capacity for
    the quantity, or all variants if none has it. A variant without a price for a window is left out. All
    four are -1 if no variant is left, or if the window runs past the last day.
    """

    capacity_min: npt.NDArray[np.int32]
    capacity_max: npt.NDArray[np.int32]
    price_min: npt.NDArray[np.int64]
    price_max: npt.NDArray[np.int64]
    is_available: npt.NDArray[np.bool_]

    def _repr_html_(self) -> str:
        return columns_html(self)


def season(
    capacity: npt.NDArray[np.int32],
    prices: npt.NDArray[np.int64],
    *,
    lengths: Sequence[int],
    quantity: int = 1,
    closed: npt.NDArray[np.bool_] | None = None,
    start_allowed: npt.NDArray[np.bool_] | None = None,
) -> SeasonCalendar:
    """Return each window's capacity and price range, and whether *quantity* units can be booked.

    A window is available if it is within the season, has no closed day, may start on its first day, and has
    capacity for *quantity* units of at least one variant. Decisions §8.3 to §8.5.

    Args:
        capacity: int32 ``[durations, days, variants]``, as from ``season_capacity``.
        prices: int64 ``[durations, days, variants]``, from ``season_prices`` or elsewhere; -1 where a
            variant is not sold for that window.
        lengths: the durations in days for which both arrays were computed.
        quantity: the number of units requested.
        closed: bool ``[days]``, true on days without service.
        start_allowed: bool ``[durations, days]``, true where start days, sale period and cut-off time
            permit the window.

    Raises:
        InvalidInput: an array has the wrong dtype or shape, or a number below -1; the arrays have no variant;
            a length or the quantity is below 1.
    """
    require_at_least(1, "lengths", lengths)
    require_at_least(1, "quantity", [quantity])
    require_array("capacity", capacity, np.int32, durations=len(lengths), days=None, variants=None)
    durations, days, variants = capacity.shape
    if not variants:
        raise InvalidInput("capacity: expected at least one variant")
    if closed is None:
        closed = np.zeros(days, np.bool_)
    if start_allowed is None:
        start_allowed = np.ones((durations, days), np.bool_)
    require_array("prices", prices, np.int64, durations=durations, days=days, variants=variants)
    require_array("closed", closed, np.bool_, days=days)
    require_array("start_allowed", start_allowed, np.bool_, durations=durations, days=days)
    for name, least in (("capacity", capacity.min(initial=0)), ("prices", prices.min(initial=0))):
        require_at_least(-1, name, [int(least)])
    units = _without(capacity, prices < 0)
    lowest, highest = _limited_range(units)
    most = units.max(axis=2)
    wanted = min(quantity, UNLIMITED)
    is_served = most >= wanted
    counted = _without(prices, units < np.where(is_served, wanted, 0)[:, :, np.newaxis])
    open_throughout = _days_until(closed) >= _column(lengths, days)
    return SeasonCalendar(
        capacity_min=lowest,
        capacity_max=highest,
        price_min=_least_known(counted),
        price_max=counted.max(axis=2),
        is_available=open_throughout & start_allowed & is_served,
    )


def _without(numbers: npt.NDArray[Integer], left_out: npt.NDArray[np.bool_]) -> npt.NDArray[Integer]:
    known = numbers.copy(order="K")
    np.copyto(known, -1, where=left_out)
    return known


def _limited_range(
    units: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    lowest = _least_known(units)
    # UNLIMITED + 1 wraps around to the lowest int32, so any limited capacity is higher.
    highest = (units + 1).max(axis=2) - 1
    return lowest, np.where(lowest == UNLIMITED, lowest, highest)


def _least_known(numbers: npt.NDArray[Integer]) -> npt.NDArray[Integer]:
    """Return the minimum over the last axis, ignoring -1, the highest number when read as unsigned."""
    least: npt.NDArray[Integer] = numbers.view(f"u{numbers.itemsize}").min(axis=2).view(numbers.dtype)
    return least


def _days_until(blocked: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """Return, for each day, the length of the run of days not *blocked* that begins with it."""
    days = len(blocked)
    day = np.arange(days).reshape(-1, *[1] * (blocked.ndim - 1))
    following = np.where(blocked, day, days)[::-1]
    return np.minimum.accumulate(following)[::-1] - day


def _column(lengths: Sequence[int], days: int) -> npt.NDArray[np.intp]:
    """Return *lengths* as ``[durations, 1]``, each limited to the number of *days* plus 1."""
    return np.array([min(length, days + 1) for length in lengths], np.intp)[:, np.newaxis]


# ---------------------------------------------------------------- capacity


def season_capacity(
    free: npt.NDArray[np.int32],
    uses: npt.NDArray[np.int32],
    *,
    lengths: Sequence[int],
    first_day_only: npt.NDArray[np.bool_] | None = None,
) -> npt.NDArray[np.int32]:
    """Return each variant's capacity for every window: the lowest ``free // uses`` of its days and pools.

    Args:
        free: int32 ``[days, pools]``, free units of each pool, at least 0; ``UNLIMITED`` (2**31 - 1) for a
            pool without a limit.
        uses: int32 ``[variants, pools]``, units of each pool that one ticket of a variant takes, or 0.
        lengths: the durations in days, in any order.
        first_day_only: bool ``[pools]``, true for pools in which only the first day of a window counts; by
            default every day counts in all pools.

    Returns:
        int32 ``[durations, days, variants]``: ``UNLIMITED`` where the variant uses no limited pool,
        -1 where the window runs past the last day.

    Raises:
        InvalidInput: an array has the wrong dtype or shape, a number is negative, or a length is below 1.
    """
    require_array("free", free, np.int32, days=None, pools=None)
    days, pools = free.shape
    once = np.zeros(pools, np.bool_) if first_day_only is None else first_day_only
    require_array("uses", uses, np.int32, variants=None, pools=pools)
    require_array("first_day_only", once, np.bool_, pools=pools)
    require_at_least(1, "lengths", lengths)
    for name, numbers in (("free", free), ("uses", uses)):
        require_at_least(0, name, [int(numbers.min(initial=0))])
    # Days are adjacent in memory, and all operations below run along them.
    capacity = np.empty((len(lengths), len(uses), days), np.int32).transpose(0, 2, 1)
    write_windows(np.minimum, _units_per_day(free, uses, np.flatnonzero(~once)), lengths, out=capacity)
    if once.any():
        np.minimum(capacity, _units_per_day(free, uses, np.flatnonzero(once)), out=capacity)
    return capacity


def _units_per_day(
    free: npt.NDArray[np.int32], uses: npt.NDArray[np.int32], pools: npt.NDArray[np.intp]
) -> npt.NDArray[np.int32]:
    """Return how many units of each variant fit into *pools* on each day: ``[days, variants]``."""
    units = np.full((len(uses), len(free)), UNLIMITED, np.int32)
    for pool in pools:
        available = free[:, pool]
        users = np.flatnonzero(uses[:, pool])
        fitting = available // uses[users, pool, np.newaxis]
        fitting[:, available == UNLIMITED] = UNLIMITED
        units[users] = np.minimum(units[users], fitting)
    return units.T


# ---------------------------------------------------------------- prices


def season_prices(
    day_prices: npt.NDArray[np.int64],
    *,
    lengths: Sequence[int],
    factors: Sequence[int] = (_MILLION,),
    increment: int = 1,
) -> npt.NDArray[np.int64]:
    """Return the price of each variant for every window: the sum of its day prices times their factors.

    The sum is exact and rounded once, half up, to a multiple of *increment*.

    >>> day_prices = np.array([[1000], [2000], [3000]], np.int64)
    >>> season_prices(day_prices, lengths=[3], factors=[1_000_000, 950_000, 855_500])[0, 0]
    array([5467])

    Args:
        day_prices: int64 ``[days, variants]`` in minor units; ``NO_PRICE`` (-1) on days on which a variant
            is not sold.
        lengths: the durations in days, in any order.
        factors: parts per million of the price of the first, second, ... day; later days use the last factor.
        increment: the rounding increment in minor units.

    Returns:
        int64 ``[durations, days, variants]``: -1 where the window runs past the last day, or has a day
        without a price.

    Raises:
        InvalidInput: *day_prices* has the wrong dtype or shape, or a length, a factor or the increment is out
            of range.
        InvalidAmount: a price is below -1, or the sums might not fit int64. The highest price times the sum
            of the longest duration's factors, plus ``10**6 * increment``, must be below ``2**63 * g``, where
            *g* is the greatest common divisor of ``10**6`` and the factors. A year of prices up to 25
            billion, at factors up to a million, fits with any *g*.
    """
    require_array("day_prices", day_prices, np.int64, days=None, variants=None)
    require_at_least(1, "lengths", lengths)
    require_at_least(0, "factors", factors)
    require_at_least(1, "increment", [increment])
    if not factors:
        raise InvalidInput("factors: expected at least one")
    common = gcd(_MILLION, *factors)
    longest = max((length for length in lengths if length <= len(day_prices)), default=1)
    weights = [factors[min(day, len(factors) - 1)] // common for day in range(longest)]
    divisor = _MILLION // common * increment
    _check_amounts(day_prices, weights, divisor)
    # As in season_capacity, days are adjacent in memory.
    by_variant = np.ascontiguousarray(day_prices.T)
    prices = _rounded_sums(by_variant, lengths, weights, divisor=divisor, increment=increment)
    prices = prices.transpose(0, 2, 1)
    unsold = day_prices < 0
    if unsold.any():
        too_long = _days_until(unsold) < _column(lengths, len(unsold))[:, :, np.newaxis]
        np.copyto(prices, NO_PRICE, where=too_long)
    return prices


def _check_amounts(day_prices: npt.NDArray[np.int64], weights: Sequence[int], divisor: int) -> None:
    least, greatest = int(day_prices.min(initial=0)), int(day_prices.max(initial=1))
    if least < NO_PRICE:
        raise InvalidAmount(f"day_prices: expected at least {NO_PRICE}, got {least}")
    if greatest * sum(weights) + divisor > _GREATEST:
        raise InvalidAmount(f"day_prices: sums of {len(weights)} days at up to {greatest} may not fit int64")


def _rounded_sums(
    prices: npt.NDArray[np.int64],
    lengths: Sequence[int],
    weights: Sequence[int],
    *,
    divisor: int,
    increment: int,
) -> npt.NDArray[np.int64]:
    """Return the rounded sums as ``[durations, variants, days]`` from prices ``[variants, days]``.

    All days are first summed at the last weight; the differences for the first days are then added.
    """
    variants, days = prices.shape
    result = np.empty((len(lengths), variants, days), np.int64)
    last = weights[-1]
    totals = np.zeros((variants, days + 1), np.int64)
    np.cumsum(prices * last, axis=1, out=totals[:, 1:])
    first_days = np.full_like(prices, divisor // 2)
    counted = 0
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        length = lengths[index]
        starts = max(days - length + 1, 0)
        result[index, :, starts:] = NO_WINDOW
        if not starts:
            continue
        for day in range(counted, length):
            if weights[day] != last:
                first_days[:, : days - day] += prices[:, day:] * (weights[day] - last)
        counted = length
        sums = result[index, :, :starts]
        np.subtract(totals[:, length:], totals[:, :starts], out=sums)
        sums += first_days[:, :starts]
        if divisor > 1:
            sums //= divisor
            sums *= increment
    return result
