"""The dates on which a subscription renews, in closed form from its anchor. Decisions §7.

Boundary *k* follows from the anchor and *k*, never from boundary *k - 1*: a subscription that began on a
31st renews on the 31st again in every long month. Boundary 0 is the anchor itself for rules that count from
the day of the order, and the first given date on or after the anchor for ``MonthlyOn`` and ``YearlyOn``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate._values import public_value
from faregate.arguments.checks import Whole, checked, option
from faregate.dates.instants import DateRange, day_begins, in_utc
from faregate.dates.months import MonthEnd, date_of
from faregate.errors import InvalidPeriod
from faregate.money.amounts import MinorUnits
from faregate.subscriptions.boundaries import dates, series_of
from faregate.subscriptions.proration import DayCount, prorate
from faregate.subscriptions.rules import (
    Renewal,
    RenewalRule,
    StartConfiguration,
    renewal_of,
    start_configuration,
)


@public_value
class BillingPeriod(NamedTuple):
    """The days from boundary ``number`` of a subscription to the next boundary."""

    number: int
    days: DateRange


def renewal_date(
    rule: RenewalRule, *, anchor: date, index: int, month_end: MonthEnd = MonthEnd.CLAMP
) -> date:
    """Return boundary *index*, negative before boundary 0. ``MonthEnd.OMIT`` counts only existing days.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import Monthly
    >>> [renewal_date(Monthly(), anchor=date(2024, 1, 31), index=k).isoformat() for k in (1, 2, 3)]
    ['2024-02-29', '2024-03-31', '2024-04-30']

    Raises:
        InvalidPeriod: *month_end* rejects the month, or the date is outside the years 1 to 9999.
    """
    return date_of(series_of(rule, anchor, month_end).boundary(index))


def renewal_dates(
    rule: RenewalRule, *, anchor: date, count: int, month_end: MonthEnd = MonthEnd.CLAMP
) -> tuple[date, ...]:
    """Return the first *count* boundaries: ``renewal_dates(...)[k] == renewal_date(..., index=k)``.

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
    rule: RenewalRule, *, anchor: date, after: date, month_end: MonthEnd = MonthEnd.CLAMP
) -> date:
    """Return the first boundary after a date, however far from the anchor.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import EveryDays
    >>> next_billing_date(EveryDays(14), anchor=date(2022, 2, 2), after=date(2022, 2, 25)).isoformat()
    '2022-03-02'

    Raises:
        InvalidPeriod: *month_end* rejects the month, or the date is after the year 9999.
    """
    return date_of(series_of(rule, anchor, month_end).next_after(after))


def billing_period(
    rule: RenewalRule, *, anchor: date, day: date, month_end: MonthEnd = MonthEnd.CLAMP
) -> BillingPeriod:
    """Return the period that contains *day*.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import Monthly
    >>> number, days = billing_period(Monthly(), anchor=date(2024, 1, 30), day=date(2024, 2, 29))
    >>> number, days.start.isoformat(), days.end.isoformat()
    (1, '2024-02-29', '2024-03-30')

    Raises:
        InvalidPeriod: *day* is before boundary 0, or a boundary does not exist.
    """
    series = series_of(rule, anchor, month_end)
    number = series.after(day) - 1
    if number < 0:
        begin = date_of(series.boundary(0))
        raise InvalidPeriod(f"{day} is before the first period, which begins on {begin}")
    start, end = date_of(series.boundary(number)), date_of(series.boundary(number + 1))
    return BillingPeriod(number, DateRange(start, end))


def minimum_term_end(
    rule: RenewalRule, *, anchor: date, minimal_run_periods: int, month_end: MonthEnd = MonthEnd.CLAMP
) -> date:
    """Return the earliest end of a subscription: *minimal_run_periods* whole periods after boundary 0.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import YearlyOn
    >>> minimum_term_end(YearlyOn(11, 1), anchor=date(2026, 9, 15), minimal_run_periods=2).isoformat()
    '2028-11-01'

    Raises:
        InvalidPeriod: the number of periods is negative, or the date does not exist.
    """
    periods = _check_run_periods(minimal_run_periods)
    return renewal_date(rule, anchor=anchor, index=periods, month_end=month_end)


# ---------------------------------------------------------------- the terms of a subscription


class FirstPeriod(Enum):
    """Treatment of the days from an order to the first given date."""

    WAIT = "wait"
    """The subscription begins on that date; the days before cost nothing."""
    PRORATE = "prorate"
    """The subscription begins at once; these days cost their part of a period."""
    FULL = "full"
    """The subscription begins at once; these days cost as much as a whole period."""
    FREE = "free"
    """The subscription begins at once; these days cost nothing."""


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidPeriod, minimal_run_periods=Whole(0))
class SubscriptionTerms:
    """Terms of a subscription; with ``has_pickup``, media are picked up instead of sent.

    Raises:
        InvalidPeriod: the number of periods is negative, or the first period is not ``WAIT`` although the
            rule counts from the order and has no days before it.
    """

    rule: RenewalRule
    first_period: FirstPeriod = FirstPeriod.WAIT
    minimal_run_periods: int = 0
    has_pickup: bool = False
    day_count: DayCount = DayCount.ACTUAL

    def __post_init__(self) -> None:
        _check_first_period(self.rule, self.first_period)


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionConfiguration:
    """An ordered subscription: its start, next billing date and earliest end.

    The first payment covers the days in ``first``: all of ``whole`` or, before the first given date, a part
    of it. The subscription may end on ``earliest_end``.
    """

    rule: RenewalRule
    first_period: FirstPeriod
    starts_on: datetime
    next_billing_date: datetime
    minimal_run_periods: int
    has_pickup: bool
    first: DateRange
    whole: DateRange
    earliest_end: date

    @property
    def start_configuration(self) -> StartConfiguration:
        """Starting point from which the periods are counted: the day of the order, or a given date."""
        return start_configuration(self.rule)

    @property
    def renewal(self) -> Renewal:
        """The rule with all four keys."""
        return renewal_of(self.rule)


def subscription_configuration(
    rule: RenewalRule,
    *,
    ordered_at: datetime,
    zone: ZoneInfo,
    minimal_run_periods: int = 0,
    first_period: FirstPeriod = FirstPeriod.WAIT,
    has_pickup: bool = False,
) -> SubscriptionConfiguration:
    """Return the dates of a subscription ordered at *ordered_at*, by the days of *zone*; months are clamped.

    >>> from datetime import datetime
    >>> from zoneinfo import ZoneInfo
    >>> from faregate.subscriptions.rules import YearlyOn
    >>> ordered, zurich = datetime.fromisoformat("2026-09-15T10:30:00+02:00"), ZoneInfo("Europe/Zurich")
    >>> found = subscription_configuration(YearlyOn(11, 1), ordered_at=ordered, zone=zurich)
    >>> found.starts_on.isoformat(), found.next_billing_date.isoformat()
    ('2026-11-01T00:00:00+01:00', '2027-11-01T00:00:00+01:00')

    Raises:
        InvalidPeriod: *ordered_at* has no UTC offset, the number of periods is negative, the first period is
            not ``WAIT`` although *rule* counts from the order, or a date is outside the years 1 to 9999.
    """
    first_period = option(FirstPeriod, first_period, "first_period")
    _check_first_period(rule, first_period)
    ordered_on = _local_day(ordered_at, zone)
    series = series_of(rule, ordered_on, MonthEnd.CLAMP)
    first_boundary = date_of(series.boundary(0))
    # Boundary -1 begins the whole period to which the days until the first given date belong.
    is_ahead = first_boundary > ordered_on and first_period is not FirstPeriod.WAIT
    start, end = (date_of(series.boundary(number)) for number in ((-1, 0) if is_ahead else (0, 1)))
    begins = ordered_on if is_ahead else first_boundary
    return SubscriptionConfiguration(
        rule=rule,
        first_period=first_period,
        starts_on=day_begins(begins, zone),
        next_billing_date=day_begins(end, zone),
        minimal_run_periods=minimal_run_periods,
        has_pickup=has_pickup,
        first=DateRange(begins, end),
        whole=DateRange(start, end),
        earliest_end=date_of(series.boundary(_check_run_periods(minimal_run_periods))),
    )


def _local_day(instant: datetime, zone: ZoneInfo) -> date:
    try:
        return in_utc(instant).astimezone(zone).date()
    except OverflowError:
        raise InvalidPeriod(f"{instant.isoformat()} is outside the years of {zone.key}") from None


def first_period_price(
    price: MinorUnits, configuration: SubscriptionConfiguration, *, convention: DayCount = DayCount.ACTUAL
) -> MinorUnits:
    """Return the first payment if a whole period costs *price*.

    >>> from datetime import datetime
    >>> from zoneinfo import ZoneInfo
    >>> from faregate.subscriptions.rules import MonthlyOn
    >>> found = subscription_configuration(MonthlyOn(1), zone=ZoneInfo("Europe/Zurich"),
    ...     ordered_at=datetime.fromisoformat("2026-11-21T10:30:00+01:00"), first_period=FirstPeriod.PRORATE)
    >>> first_period_price(9000, found)
    3000

    Raises:
        InvalidPeriod: the whole has no days by *convention*.
    """
    convention = option(DayCount, convention, "convention")
    is_whole = configuration.first == configuration.whole
    match configuration.first_period:
        case FirstPeriod.PRORATE if not is_whole:
            return prorate(price, part=configuration.first, whole=configuration.whole, convention=convention)
        case FirstPeriod.FREE if not is_whole:
            return 0
        case _:
            return price


def _check_first_period(rule: RenewalRule, first_period: FirstPeriod) -> None:
    """Refuse a price for days before the first period if the rule has no such days."""
    is_from_order = start_configuration(rule) is StartConfiguration.CURRENT_DAY
    if is_from_order and first_period is not FirstPeriod.WAIT:
        raise InvalidPeriod(
            f"first period {first_period.value!r} needs a rule with a given day, such as MonthlyOn(1): "
            f"{rule} counts from the order and has no days before its first period"
        )


def _check_run_periods(number: int) -> int:
    if type(number) is not int or number < 0:
        raise InvalidPeriod(f"expected at least 0 run periods, got {number!r}")
    return number
