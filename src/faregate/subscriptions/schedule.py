"""The dates on which a subscription renews, computed from its anchor, the day of the order. Decisions §7.

Boundary *k* is computed from the anchor and *k*, never from boundary *k - 1*: a subscription that began on
a 31st renews on the 31st in every month that has one. Boundary 0 is the anchor or, for ``MonthlyOn`` and
``YearlyOn``, the first date given by the rule on or after the anchor.
"""

from __future__ import annotations

from datetime import MAXYEAR, date
from typing import NamedTuple

from faregate._values import public_value
from faregate.dates.instants import DateRange, plain_date
from faregate.dates.months import MonthEnd, date_of, days_in_month
from faregate.errors import InvalidPeriod
from faregate.subscriptions.boundaries import dates, series_of
from faregate.subscriptions.rules import BillingRule, Monthly

# Looking up an enumeration member costs as much as the search for the date.
_CLAMP = MonthEnd.CLAMP

_DECEMBER = 12
_SHORTEST_MONTH = 28
"""Days that every month has."""


@public_value
class BillingPeriod(NamedTuple):
    """The days from boundary ``number`` of a subscription to the next boundary."""

    number: int
    days: DateRange


def renewal_date(
    rule: BillingRule, *, anchor: date, index: int, month_end: MonthEnd = MonthEnd.CLAMP
) -> date:
    """Return the date of period boundary *index*; a negative index counts back from boundary 0.

    With ``MonthEnd.OMIT``, months without the day are skipped and not counted.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import Monthly
    >>> [renewal_date(Monthly(), anchor=date(2024, 1, 31), index=k).isoformat() for k in (1, 2, 3)]
    ['2024-02-29', '2024-03-31', '2024-04-30']

    Raises:
        InvalidPeriod: *month_end* rejects the month, or the date is outside the years 1 to 9999.
    """
    return date_of(series_of(rule, anchor, month_end).boundary(index))


def renewal_dates(
    rule: BillingRule, *, anchor: date, count: int, month_end: MonthEnd = MonthEnd.CLAMP
) -> tuple[date, ...]:
    """Return the dates of the first *count* period boundaries, starting with boundary 0.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import YearlyOn
    >>> [day.isoformat() for day in renewal_dates(YearlyOn(11, 1), anchor=date(2026, 9, 15), count=2)]
    ['2026-11-01', '2027-11-01']

    Raises:
        InvalidPeriod: the count is negative, *month_end* rejects a month, or a date is after the year 9999.
    """
    if count < 0:
        raise InvalidPeriod(f"expected a count of at least 0, got {count}")
    return dates(series_of(rule, anchor, month_end), count) if count else ()


def next_billing_date(
    rule: BillingRule, *, anchor: date, after: date, month_end: MonthEnd = MonthEnd.CLAMP
) -> date:
    """Return the date of the first period boundary later than *after*.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import EveryDays
    >>> next_billing_date(EveryDays(14), anchor=date(2022, 2, 2), after=date(2022, 2, 25)).isoformat()
    '2022-03-02'

    Raises:
        InvalidPeriod: *month_end* rejects the month, or the date is after the year 9999.
    """
    # The usual rule: here in less than half the time.
    is_usual = month_end is _CLAMP and isinstance(rule, Monthly) and type(anchor) is type(after) is date
    if is_usual and anchor <= after and after.year < MAXYEAR:
        return _next_on(anchor.day, after)
    plain_date(after, "after")
    series = series_of(rule, anchor, month_end)
    return date_of(series.boundary(series.after(after)))


def _next_on(day: int, after: date) -> date:
    """Return the first date later than *after* on *day* of a month, or on the last day of a shorter month."""
    year, month = after.year, after.month
    if after.day >= day or after.day == days_in_month(year, month):
        year, month = (year, month + 1) if month < _DECEMBER else (year + 1, 1)
    return date(year, month, day if day <= _SHORTEST_MONTH else min(day, days_in_month(year, month)))


def billing_period(
    rule: BillingRule, *, anchor: date, day: date, month_end: MonthEnd = MonthEnd.CLAMP
) -> BillingPeriod:
    """Return the billing period that contains *day*.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import Monthly
    >>> number, days = billing_period(Monthly(), anchor=date(2024, 1, 30), day=date(2024, 2, 29))
    >>> number, days.start.isoformat(), days.end.isoformat()
    (1, '2024-02-29', '2024-03-30')

    Raises:
        InvalidPeriod: *day* is before the first period, or the start or end of the period does not exist.
    """
    plain_date(day, "day")
    series = series_of(rule, anchor, month_end)
    number = series.after(day) - 1
    if number < 0:
        begin = date_of(series.boundary(0))
        raise InvalidPeriod(f"{day} is before the first period, which begins on {begin}")
    start, end = date_of(series.boundary(number)), date_of(series.boundary(number + 1))
    return BillingPeriod(number, DateRange(start, end))
