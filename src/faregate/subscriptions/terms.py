"""The terms of a subscription: its first period, its minimum term and the resulting dates. Decisions §7."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum

from faregate._values import public_value
from faregate.arguments.checks import Whole, checked, option
from faregate.dates.instants import DateRange, day_begins
from faregate.dates.months import MonthEnd, date_of
from faregate.dates.zones import AnyZone, local_date, time_zone
from faregate.errors import InvalidPeriod
from faregate.money.amounts import MinorUnits
from faregate.subscriptions.boundaries import series_of
from faregate.subscriptions.proration import DayCount, prorate
from faregate.subscriptions.rules import (
    BillingRule,
    Renewal,
    RenewalRule,
    StartConfiguration,
    renewal_of,
    sold_rule,
    start_configuration,
)
from faregate.subscriptions.schedule import renewal_date


def minimum_term_end(
    rule: BillingRule, *, anchor: date, minimal_run_periods: int, month_end: MonthEnd = MonthEnd.CLAMP
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


class FirstPeriod(Enum):
    """Treatment of the days between an order and the first renewal date given by the rule."""

    WAIT = "wait"
    """The subscription begins on the first renewal date; the days before it are free and not covered."""
    PRORATE = "prorate"
    """The subscription begins at once; the days before the first renewal date are charged pro rata."""
    FULL = "full"
    """The subscription begins at once; the days before the first renewal date cost a whole period."""
    FREE = "free"
    """The subscription begins at once; the days before the first renewal date are free."""


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidPeriod, minimal_run_periods=Whole(0))
class SubscriptionTerms:
    """The terms on which a subscription is sold; with ``has_pickup``, its cards are picked up, not sent.

    Raises:
        InvalidPeriod: ``minimal_run_periods`` is negative, no product can be sold with the rule
            (``EveryMonths``, ``EveryYears``), or ``first_period`` is not ``WAIT`` although the rule counts
            from the order and thus leaves no days before the first period.
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

    The first payment covers the days in ``first``: all of the period ``whole`` or, if the subscription begins
    before the first renewal date, a part of it. The subscription may end on ``earliest_end``.
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
        """The renewal rule split into the four keys of the HTTP interface."""
        return renewal_of(self.rule)


def subscription_configuration(
    rule: RenewalRule,
    *,
    ordered_at: datetime,
    zone: AnyZone,
    minimal_run_periods: int = 0,
    first_period: FirstPeriod = FirstPeriod.WAIT,
    has_pickup: bool = False,
) -> SubscriptionConfiguration:
    """Return a subscription ordered at *ordered_at*, with its dates in the time zone *zone*.

    >>> from datetime import datetime
    >>> from faregate.subscriptions.rules import YearlyOn
    >>> ordered = datetime.fromisoformat("2026-09-15T10:30:00+02:00")
    >>> found = subscription_configuration(YearlyOn(11, 1), ordered_at=ordered, zone="Europe/Zurich")
    >>> found.starts_on.isoformat(), found.next_billing_date.isoformat()
    ('2026-11-01T00:00:00+01:00', '2027-11-01T00:00:00+01:00')

    Raises:
        InvalidPeriod: *ordered_at* has no UTC offset, *minimal_run_periods* is negative, no product can be
            sold with *rule*, *first_period* is not ``WAIT`` although *rule* counts from the order, or a date
            is outside the years 1 to 9999.
        InvalidInput: the name of the zone is unknown.
    """
    first_period = option(FirstPeriod, first_period, "first_period")
    _check_first_period(sold_rule(rule), first_period)
    zone = time_zone(zone)
    ordered_on = local_date(ordered_at, zone)
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


def first_period_price(
    price: MinorUnits, configuration: SubscriptionConfiguration, *, convention: DayCount = DayCount.ACTUAL
) -> MinorUnits:
    """Return the amount of the first payment for a subscription that costs *price* per period.

    >>> from datetime import datetime
    >>> from faregate.subscriptions.rules import MonthlyOn
    >>> found = subscription_configuration(MonthlyOn(1), zone="Europe/Zurich",
    ...     ordered_at=datetime.fromisoformat("2026-11-21T10:30:00+01:00"), first_period=FirstPeriod.PRORATE)
    >>> first_period_price(9000, found)
    3000

    Raises:
        InvalidPeriod: the whole period has no days under *convention*.
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
    """Raise ``InvalidPeriod`` if *first_period* is not ``WAIT`` although *rule* counts from the order."""
    is_from_order = start_configuration(rule) is StartConfiguration.CURRENT_DAY
    if is_from_order and first_period is not FirstPeriod.WAIT:
        raise InvalidPeriod(
            f"first period {first_period.value!r} needs a rule with a given day, such as MonthlyOn(1): "
            f"{rule} counts from the order and has no days before its first period"
        )


def _check_run_periods(number: int) -> int:
    if type(number) is not int or number < 0:
        raise InvalidPeriod(f"expected at least 0 minimal run periods, got {number!r}")
    return number
