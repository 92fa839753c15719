"""VAT rates that change on a date. Decisions §4."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from operator import attrgetter

from faregate._values import public_value
from faregate.arguments.checks import checked
from faregate.errors import InvalidRate
from faregate.tax.rates import VatRate


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidRate)
class RateChange:
    """The rate of goods or services supplied on or after the day *since*."""

    since: date
    rate: VatRate

    def __post_init__(self) -> None:
        if type(self.since) is not date:
            raise InvalidRate(f"since is {self.since!r}, expected a date without a time")


def rate_on(day: date, first: VatRate, changes: Iterable[RateChange]) -> VatRate:
    """Return the rate on *day*: that of the latest of *changes* by then, or *first* before all of them.

    >>> change = RateChange(since=date(2024, 1, 1), rate=VatRate.percent("8.1"))
    >>> [str(rate_on(date(year, 1, 1), VatRate.percent("7.7"), [change])) for year in (2023, 2024)]
    ['7.7 %', '8.1 %']

    Raises:
        InvalidRate: *day* is not a date.
    """
    if type(day) is not date:
        raise InvalidRate(f"day is {day!r}, expected a date: a datetime has a date only in a time zone")
    by_then = [change for change in changes if change.since <= day]
    return max(by_then, key=attrgetter("since")).rate if by_then else first
