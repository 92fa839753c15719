"""A season of calendars: 365 days, 20 variants of 5 pools and 21 durations, from capacity and day prices.

Printed by ``python -m benchmarks.validity_calendars``; arrays and lists must agree before timing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from operator import add
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.batch.validity.options import UNLIMITED, SeasonCalendar, season, season_capacity, season_prices

DAYS = 365
DURATIONS = range(1, 22)
VARIANTS = 20
QUANTITY = 2
INCREMENT = 5
FACTORS = (1_000_000, 950_000, 900_000, 850_000, 800_000)


class Shop(NamedTuple):
    """Lists of Python ints; a pool without a limit has ``UNLIMITED`` units."""

    free: list[list[int]]
    uses: list[list[int]]
    prices: list[list[int]]
    closed: list[bool]
    start_allowed: list[list[bool]]


Options = list[list[tuple[int, int, int, int, bool]]]
"""Lowest and highest capacity and price, and availability, for each duration and day."""


@cache
def shop() -> Shop:
    """Return five pools, the last one unlimited; each variant uses one to three, one variant none."""
    random = Random(365)
    uses = [[0] * 5 for _ in range(VARIANTS)]
    for variant, own in enumerate(uses[1:]):
        for pool in random.sample(range(5), 1 + variant % 3):
            own[pool] = random.randint(1, 4)
    return Shop(
        free=[[*(random.randint(0, 40) for _ in range(4)), UNLIMITED] for _ in range(DAYS)],
        uses=uses,
        prices=[[random.randint(1_000, 9_000) for _ in range(VARIANTS)] for _ in range(DAYS)],
        closed=[random.random() < 0.03 for _ in range(DAYS)],
        start_allowed=[[random.random() < 0.9 for _ in range(DAYS)] for _ in DURATIONS],
    )


class Columns(NamedTuple):
    """The shop's data as arrays."""

    free: npt.NDArray[np.int32]
    uses: npt.NDArray[np.int32]
    prices: npt.NDArray[np.int64]
    closed: npt.NDArray[np.bool_]
    start_allowed: npt.NDArray[np.bool_]


def columns() -> Columns:
    dtypes = (np.int32, np.int32, np.int64, np.bool_, np.bool_)
    return Columns(*(np.array(rows, dtype) for rows, dtype in zip(shop(), dtypes, strict=True)))


def in_arrays(given: Columns) -> SeasonCalendar:
    return season(
        season_capacity(given.free, given.uses, lengths=DURATIONS),
        season_prices(given.prices, lengths=DURATIONS, factors=FACTORS, increment=INCREMENT),
        lengths=DURATIONS,
        quantity=QUANTITY,
        closed=given.closed,
        start_allowed=given.start_allowed,
    )


def options_of(calendar: SeasonCalendar) -> Options:
    """Return the options of the windows that fit."""
    return [
        list(zip(*(part[index, : DAYS - length + 1].tolist() for part in calendar), strict=True))
        for index, length in enumerate(DURATIONS)
    ]


def in_lists(given: Shop) -> Options:
    """Apply the same rule in loops, building each window from one that is a day shorter."""
    units = [[_units(free, uses) for free in given.free] for uses in given.uses]
    sums = [[0] * (DAYS + 1) for _ in given.uses]
    is_open = [True] * (DAYS + 1)
    least = [[UNLIMITED] * (DAYS + 1) for _ in given.uses]
    options: Options = []
    for length, allowed in zip(DURATIONS, given.start_allowed, strict=True):
        factor = FACTORS[min(length, len(FACTORS)) - 1]
        last = length - 1
        is_open = [own and not shut for own, shut in zip(is_open, given.closed[last:], strict=False)]
        for variant in range(VARIANTS):
            least[variant] = list(map(min, least[variant], units[variant][last:]))
            more = [day[variant] * factor for day in given.prices[last:]]
            sums[variant] = list(map(add, sums[variant], more))
        may_start = [own and may for own, may in zip(is_open, allowed, strict=False)]
        windows = zip(zip(*least, strict=True), zip(*sums, strict=True), may_start, strict=True)
        options.append([_option(fitting, exact, is_open=own) for fitting, exact, own in windows])
    return options


def _units(free: list[int], uses: list[int]) -> int:
    return min(
        (places // use for places, use in zip(free, uses, strict=True) if use and places != UNLIMITED),
        default=UNLIMITED,
    )


def _option(
    fitting: tuple[int, ...], exact: tuple[int, ...], *, is_open: bool
) -> tuple[int, int, int, int, bool]:
    step = 1_000_000 * INCREMENT
    prices = [(2 * own + step) // (2 * step) * INCREMENT for own in exact]
    limited = [units for units in fitting if units != UNLIMITED] or [UNLIMITED]
    counted = [price for price, units in zip(prices, fitting, strict=True) if units >= QUANTITY] or prices
    return min(limited), max(limited), min(counted), max(counted), is_open and max(fitting) >= QUANTITY


def check_season() -> None:
    """Raise ValueError unless the arrays and the lists give the same result."""
    if options_of(in_arrays(columns())) != in_lists(shop()):
        raise ValueError("faregate, season: not the exact answer")


SEASONS: dict[str, Callable[[], Callable[[], object]]] = {
    "faregate": lambda: partial(in_arrays, columns()),
    "plain Python": lambda: partial(in_lists, shop()),
}
