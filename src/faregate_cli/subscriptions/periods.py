"""Renewals of a subscription: its periods, its first payment and its price. Decisions §7."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from faregate.dates.instants import DateRange, day_begins
from faregate.dates.months import MonthEnd
from faregate.money.amounts import Money
from faregate.subscriptions.proration import DayCount, proration
from faregate.subscriptions.rules import RenewalRule
from faregate.subscriptions.terms import SubscriptionConfiguration, first_period_price

_WHOLE = Fraction(1)


class Period(NamedTuple):
    """A numbered range of days, and the instants at which it begins and ends.

    Whole periods are numbered from 1, so a minimal run of n periods ends with period n. Period 0 covers the
    days before the first date of the renewal rule.
    """

    number: int
    days: DateRange
    starts_on: datetime
    ends_on: datetime


class Subscription(NamedTuple):
    """A subscription, its day-count convention, and the price of a whole period, if known."""

    configuration: SubscriptionConfiguration
    day_count: DayCount
    price: Money | None

    @property
    def has_stub(self) -> bool:
        """True if the first payment is for less than a whole period."""
        return self.configuration.first != self.configuration.whole

    @property
    def first_share(self) -> Fraction:
        """The share of a whole period that the first payment covers."""
        if not self.has_stub:
            return _WHOLE  # also if the convention counts no days in the period
        first, whole = self.configuration.first, self.configuration.whole
        return proration(part=first, whole=whole, convention=self.day_count)

    @property
    def first_payment(self) -> Money | None:
        """The amount of the first payment, or None if the price is unknown."""
        if self.price is None:
            return None
        amount = first_period_price(self.price.amount, self.configuration, convention=self.day_count)
        return replace(self.price, amount=amount)


class Renewals(NamedTuple):
    """The periods of a subscription with a given renewal rule, if it is ordered at ``ordered_at``.

    Days begin in the time zone ``zone``. ``subscription`` is None unless the month-end mode is clamp; with
    other modes, only dates are known.
    """

    rule: RenewalRule
    ordered_at: datetime
    zone: ZoneInfo
    month_end: MonthEnd
    whole_periods: tuple[Period, ...]
    subscription: Subscription | None

    @property
    def periods(self) -> tuple[Period, ...]:
        """The whole periods, preceded by period 0 if the first payment is for less than a whole period."""
        if self.subscription is None or not self.subscription.has_stub:
            return self.whole_periods
        first = self.subscription.configuration.first
        return (*periods_between((first.start, first.end), self.zone, number=0), *self.whole_periods)


def periods_between(boundaries: Sequence[date], zone: ZoneInfo, *, number: int = 1) -> tuple[Period, ...]:
    """Return a period from each boundary to the next one, numbered from *number*."""
    dated = [(day, day_begins(day, zone)) for day in boundaries]
    return tuple(
        Period(position, DateRange(start, end), starts_on, ends_on)
        for position, ((start, starts_on), (end, ends_on)) in enumerate(pairwise(dated), start=number)
    )
