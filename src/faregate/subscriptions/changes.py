"""The price of a plan change during a billing period. Decisions §7.11.

The value of a plan on a day is its price for the unused days of the period around that day, rounded once. The
credit is the value of the old plan, the charge that of the new one. Two changes on one day therefore cost as
much as one, to the cent: the value of the plan between them is charged and credited.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import Enum

from faregate._values import public_value
from faregate.arguments.checks import Whole, checked, require
from faregate.dates.instants import DateRange, plain_date
from faregate.dates.months import MonthEnd, date_of
from faregate.errors import InvalidPeriod
from faregate.money.amounts import MinorUnits
from faregate.subscriptions.boundaries import series_of
from faregate.subscriptions.proration import DayCount, prorate
from faregate.subscriptions.rules import BillingRule


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidPeriod, price=Whole(0))
class Plan:
    """The price of each period of a subscription, paid in advance, and the rule that gives the periods."""

    price: MinorUnits
    rule: BillingRule


class ChangeTime(Enum):
    """The day from which a new plan applies."""

    AT_ONCE = "at-once"
    """The day of the change. The unused days of the old plan, from this day on, are credited."""
    NEXT_BOUNDARY = "next-boundary"
    """The day after the old plan's current period, so that nothing is credited."""


class AnchorChange(Enum):
    """The anchor from which the periods of a new plan are counted."""

    KEEP = "keep"
    """The anchor of the subscription: renewals stay on their day, and a first part of a period is charged."""
    BEGIN_ANEW = "begin-anew"
    """The first day of the new plan: a rule that counts from the order begins with a whole period."""


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidPeriod)
class ChangePolicy:
    """The time, the anchor and the day count of plan changes."""

    time: ChangeTime = ChangeTime.AT_ONCE
    anchor: AnchorChange = AnchorChange.KEEP
    day_count: DayCount = DayCount.ACTUAL


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeQuote:
    """The credit and the charge of a plan change, and the days that each of them is for.

    ``anchor`` is that of the new plan; store it with the plan. The next payment is due on ``charged.end``.
    """

    credit: MinorUnits
    charge: MinorUnits
    credited: DateRange
    charged: DateRange
    anchor: date

    @property
    def effective_on(self) -> date:
        """The first day of the new plan, on which the amount is due."""
        return self.charged.start

    @property
    def amount(self) -> MinorUnits:
        """The charge less the credit; the customer gets a negative amount back."""
        return self.charge - self.credit


def change_quote(
    old: Plan, new: Plan, *, anchor: date, on: date, policy: ChangePolicy | None = None
) -> ChangeQuote:
    """Return the credit and the charge for a change from *old* to *new* on the day *on*.

    *anchor* is that of the subscription. Credit and charge are each rounded once, half away from zero. A
    period begins with its boundary, so a change on a boundary credits the whole period that begins then. The
    days from the anchor to the first date of a ``MonthlyOn`` or ``YearlyOn`` count as a part of the period
    that ends then, as with ``FirstPeriod.PRORATE``. Months without the day are clamped.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import Monthly
    >>> basic, premium = Plan(price=1000, rule=Monthly()), Plan(price=2000, rule=Monthly())
    >>> quote = change_quote(basic, premium, anchor=date(2026, 4, 1), on=date(2026, 4, 16))
    >>> quote.credit, quote.charge, quote.amount
    (500, 1000, 500)

    Raises:
        InvalidPeriod: an argument is of the wrong type, *on* is before *anchor*, a period has no days under
            the day count, or a date is outside the years 1 to 9999.
    """
    policy = ChangePolicy() if policy is None else policy
    for name, kind, value in (("old", Plan, old), ("new", Plan, new), ("policy", ChangePolicy, policy)):
        require(kind, value, name, InvalidPeriod)
    if plain_date(on, "on") < plain_date(anchor, "anchor"):
        raise InvalidPeriod(f"the change on {on} is before the anchor {anchor} of the subscription")
    running = _period(old.rule, anchor=anchor, day=on)
    start = on if policy.time is ChangeTime.AT_ONCE else running.end
    new_anchor = anchor if policy.anchor is AnchorChange.KEEP else start
    following = _period(new.rule, anchor=new_anchor, day=start)
    credited, charged = DateRange(start, running.end), DateRange(start, following.end)
    return ChangeQuote(
        credit=prorate(old.price, part=credited, whole=running, convention=policy.day_count),
        charge=prorate(new.price, part=charged, whole=following, convention=policy.day_count),
        credited=credited,
        charged=charged,
        anchor=new_anchor,
    )


def _period(rule: BillingRule, *, anchor: date, day: date) -> DateRange:
    """Return the period around *day*, even before boundary 0; *day* is not before *anchor*."""
    series = series_of(rule, anchor, MonthEnd.CLAMP)
    end = series.after(day)
    return DateRange(date_of(series.boundary(end - 1)), date_of(series.boundary(end)))
