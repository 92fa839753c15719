"""VAT rates that change on a date. Decisions §4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

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


def rate_on(day: date, first: VatRate, changes: Sequence[RateChange]) -> VatRate:
    """Return the rate on *day*: *first*, or the rate of the last of *changes* by then; they are in order.

    >>> change = RateChange(since=date(2024, 1, 1), rate=VatRate.percent("8.1"))
    >>> [str(rate_on(date(year, 1, 1), VatRate.percent("7.7"), [change])) for year in (2023, 2024)]
    ['7.7 %', '8.1 %']
    """
    for change in reversed(changes):
        if change.since <= day:
            return change.rate
    return first
