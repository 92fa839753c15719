"""The calendar of a season by the letter of decisions §8.3 to §8.5, one window after another.

faregate.batch is not used: None means no limit, no price or no window, whatever the arrays contain.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import NamedTuple


def over_windows(
    values: Sequence[int], lengths: Sequence[int], choose: Callable[[Iterable[int]], int]
) -> list[list[int | None]]:
    """Apply ``choose`` (min or max) to every window of *values*, for each length and first day."""
    return [
        [
            choose(values[day : day + length]) if day + length <= len(values) else None
            for day in range(len(values))
        ]
        for length in lengths
    ]


@dataclass(frozen=True, slots=True)
class Season:
    """``free[day][pool]``, None: unlimited; ``uses[variant][pool]``; ``prices[day][variant]``, or None."""

    free: Sequence[Sequence[int | None]]
    uses: Sequence[Sequence[int]]
    first_day_only: Sequence[bool]
    prices: Sequence[Sequence[int | None]]
    factors: Sequence[int]
    increment: int
    closed: Sequence[bool]

    @property
    def days(self) -> int:
        return len(self.free)

    def fits(self, day: int, length: int) -> bool:
        return day + length <= self.days

    def capacity(self, variant: int, day: int, length: int) -> int | None:
        """Return the units that fit into a window within the season; None: unlimited."""
        units = []
        for pool, use in enumerate(self.uses[variant]):
            counted = 1 if self.first_day_only[pool] else length
            for service_day in range(day, day + counted):
                places = self.free[service_day][pool]
                if use and places is not None:
                    units.append(places // use)
        return min(units, default=None)

    def price(self, variant: int, day: int, length: int) -> int | None:
        """Return the list price of a window within the season; None: one of its days has no price."""
        exact = Fraction(0)
        for number in range(length):
            own = self.prices[day + number][variant]
            if own is None:
                return None
            exact += Fraction(own * self.factors[min(number, len(self.factors) - 1)], 1_000_000)
        return floor(exact / self.increment + Fraction(1, 2)) * self.increment


class Option(NamedTuple):
    """One window; ``None`` without a result, ``inf`` in ranges without a limit."""

    capacity: tuple[float, float] | None
    price: tuple[int, int] | None
    is_available: bool


def option(season: Season, day: int, length: int, *, quantity: int, start_allowed: bool) -> Option:
    """Return the option of decisions §8.3 to §8.5, over the variants that have a price for the window."""
    if not season.fits(day, length):
        return Option(None, None, is_available=False)
    units: list[tuple[float, int]] = []
    for variant in range(len(season.uses)):
        price = season.price(variant, day, length)
        fitting = season.capacity(variant, day, length)
        if price is not None:
            units.append((float("inf") if fitting is None else fitting, price))
    if not units:
        return Option(None, None, is_available=False)
    limited = [fitting for fitting, _ in units if fitting != float("inf")] or [float("inf")]
    prices = [price for fitting, price in units if fitting >= quantity] or [price for _, price in units]
    return Option(
        capacity=(min(limited), max(limited)),
        price=(min(prices), max(prices)),
        is_available=start_allowed
        and not any(season.closed[day : day + length])
        and any(fitting >= quantity for fitting, _ in units),
    )
