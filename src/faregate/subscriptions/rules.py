"""The renewal rules for subscriptions, and the text form of each. Decisions §7.1, §7.10."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias, assert_never

from faregate._values import union_member
from faregate.errors import InvalidPeriod

_MAX_DAYS = 36_525
_MAX_MONTHS, _MAX_YEARS = 1200, 100
_LAST_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@union_member
@dataclass(frozen=True, slots=True)
class EveryDays:
    """Renewal every ``days`` days (at most a century), counted from the day of the order.

    >>> str(EveryDays(30))
    'every-days:30'
    """

    days: int

    def __post_init__(self) -> None:
        _check("days", self.days, _MAX_DAYS)

    def __str__(self) -> str:
        return f"every-days:{self.days}"


@union_member
@dataclass(frozen=True, slots=True)
class Monthly:
    """Renewal every month, on the same day of the month as the order."""

    def __str__(self) -> str:
        return "monthly"


@union_member
@dataclass(frozen=True, slots=True)
class Yearly:
    """Renewal every year, on the anniversary of the order."""

    def __str__(self) -> str:
        return "yearly"


@union_member
@dataclass(frozen=True, slots=True)
class MonthlyOn:
    """Renewal on ``day`` of every month, regardless of the day of the order."""

    day: int

    def __post_init__(self) -> None:
        _check("day", self.day, 31)

    def __str__(self) -> str:
        return f"monthly-on:{self.day}"


@union_member
@dataclass(frozen=True, slots=True)
class YearlyOn:
    """Renewal on ``day`` of ``month`` every year, regardless of the day of the order.

    >>> str(YearlyOn(month=11, day=1))
    'yearly-on:11-01'
    """

    month: int
    day: int

    def __post_init__(self) -> None:
        _check("month", self.month, 12)
        _check("day", self.day, _LAST_DAYS[self.month - 1])

    def __str__(self) -> str:
        return f"yearly-on:{self.month:02}-{self.day:02}"


@union_member
@dataclass(frozen=True, slots=True)
class EveryMonths:
    """Renewal every ``months`` months (at most a century), on the same day of the month as the order.

    >>> str(EveryMonths(3))
    'every-months:3'
    """

    months: int

    def __post_init__(self) -> None:
        _check("months", self.months, _MAX_MONTHS)

    def __str__(self) -> str:
        return f"every-months:{self.months}"


@union_member
@dataclass(frozen=True, slots=True)
class EveryYears:
    """Renewal every ``years`` years (at most a century), on the same day as the order.

    >>> str(EveryYears(2))
    'every-years:2'
    """

    years: int

    def __post_init__(self) -> None:
        _check("years", self.years, _MAX_YEARS)

    def __str__(self) -> str:
        return f"every-years:{self.years}"


RenewalRule: TypeAlias = EveryDays | Monthly | Yearly | MonthlyOn | YearlyOn
"""The five rules that the interface can express, and with which products are sold."""

BillingRule: TypeAlias = RenewalRule | EveryMonths | EveryYears
"""All rules that give dates and periods."""


def _check(name: str, value: int, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise InvalidPeriod(f"{name} of a renewal rule is {value!r}, expected 1 to {most}")


_SOLD_FORMS = "every-days:30, monthly, yearly, monthly-on:15 or yearly-on:11-01"

_RULE = re.compile(
    r"every-days:(?P<days>\d{1,5})|(?P<monthly>monthly)|(?P<yearly>yearly)"
    r"|monthly-on:(?P<each>\d{1,2})|yearly-on:(?P<month>\d{2})-(?P<day>\d{2})"
    r"|every-months:(?P<months>\d{1,4})|every-years:(?P<years>\d{1,3})",
    re.ASCII,
)


def parse_rule(text: str) -> BillingRule:
    """Parse the text form of a renewal rule, as returned by ``str(rule)``.

    >>> parse_rule("yearly-on:11-01"), parse_rule("every-months:3")
    (YearlyOn(month=11, day=1), EveryMonths(months=3))

    Raises:
        InvalidPeriod: *text* is not in one of the seven forms, or a number in it is out of range.
    """
    return _parsed(text, f"every-months:3, every-years:2, {_SOLD_FORMS}")


def parse_sold_rule(text: str) -> RenewalRule:
    """Parse the text form of a renewal rule with which a product can be sold.

    >>> parse_sold_rule("yearly-on:11-01")
    YearlyOn(month=11, day=1)

    Raises:
        InvalidPeriod: *text* is not in one of the five forms, or a number in it is out of range.
    """
    return sold_rule(_parsed(text, _SOLD_FORMS))


def _parsed(text: str, forms: str) -> BillingRule:
    form = _RULE.fullmatch(text)
    if form is None:
        raise InvalidPeriod(f"{text!r} is not a renewal rule, expected one like {forms}")
    if form["days"]:
        return EveryDays(int(form["days"]))
    if form["months"]:
        return EveryMonths(int(form["months"]))
    if form["years"]:
        return EveryYears(int(form["years"]))
    if form["each"]:
        return MonthlyOn(int(form["each"]))
    if form["month"]:
        return YearlyOn(int(form["month"]), int(form["day"]))
    return Monthly() if form["monthly"] else Yearly()


def sold_rule(rule: BillingRule) -> RenewalRule:
    """Return *rule* if a product can be sold with it.

    >>> sold_rule(Monthly())
    Monthly()

    Raises:
        InvalidPeriod: *rule* is an ``EveryMonths`` or ``EveryYears``, for which the interface has no form.
    """
    if isinstance(rule, EveryMonths | EveryYears):
        raise InvalidPeriod(
            f"products cannot be sold with {rule}, because the interface's renewal has no form for it: "
            f"expected one like {_SOLD_FORMS}"
        )
    return rule


class StartConfiguration(Enum):
    """Starting point from which periods are counted: the day of the order, or a given date."""

    CURRENT_DAY = "CURRENT_DAY"
    RENEWAL_DATE = "RENEWAL_DATE"


class RenewalPeriod(Enum):
    """The unit of time between two renewals."""

    DAYS = "DAYS"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


class Renewal(NamedTuple):
    """A renewal rule split into the four keys used in JSON; keys that do not apply to it are None."""

    period: RenewalPeriod
    day: int | None = None
    month: int | None = None
    days_amount: int | None = None


def renewal_of(rule: RenewalRule) -> Renewal:
    """Return *rule* as a ``Renewal``, with None for the keys that do not apply to it.

    >>> renewal_of(YearlyOn(month=11, day=1))
    Renewal(period=<RenewalPeriod.YEARLY: 'YEARLY'>, day=1, month=11, days_amount=None)
    """
    match rule:
        case EveryDays(days):
            return Renewal(RenewalPeriod.DAYS, days_amount=days)
        case Monthly():
            return Renewal(RenewalPeriod.MONTHLY)
        case Yearly():
            return Renewal(RenewalPeriod.YEARLY)
        case MonthlyOn(day):
            return Renewal(RenewalPeriod.MONTHLY, day)
        case YearlyOn(month, day):
            return Renewal(RenewalPeriod.YEARLY, day, month)
        case _ as unreachable:
            assert_never(unreachable)


def start_configuration(rule: BillingRule) -> StartConfiguration:
    """Return the start from which *rule* counts periods: the day of the order, or a given date."""
    if isinstance(rule, MonthlyOn | YearlyOn):
        return StartConfiguration.RENEWAL_DATE
    return StartConfiguration.CURRENT_DAY
