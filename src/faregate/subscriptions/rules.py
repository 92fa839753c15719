"""The five renewal rules for subscriptions, and the text form of each. Decisions §7.1."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias, assert_never

from faregate._values import union_member
from faregate.errors import InvalidPeriod

_MAX_DAYS = 36_525
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


RenewalRule: TypeAlias = EveryDays | Monthly | Yearly | MonthlyOn | YearlyOn


def _check(name: str, value: int, most: int) -> None:
    if type(value) is not int or not 1 <= value <= most:
        raise InvalidPeriod(f"{name} of a renewal rule is {value!r}, expected 1 to {most}")


_RULE = re.compile(
    r"every-days:(?P<days>\d{1,5})|(?P<monthly>monthly)|(?P<yearly>yearly)"
    r"|monthly-on:(?P<each>\d{1,2})|yearly-on:(?P<month>\d{2})-(?P<day>\d{2})",
    re.ASCII,
)


def parse_rule(text: str) -> RenewalRule:
    """Parse the text form of a renewal rule, as returned by ``str(rule)``.

    >>> parse_rule("yearly-on:11-01")
    YearlyOn(month=11, day=1)

    Raises:
        InvalidPeriod: *text* is not in one of the five forms, or a number in it is out of range.
    """
    form = _RULE.fullmatch(text)
    if form is None:
        forms = "every-days:30, monthly, yearly, monthly-on:15 or yearly-on:11-01"
        raise InvalidPeriod(f"{text!r} is not a renewal rule, expected one like {forms}")
    if form["days"]:
        return EveryDays(int(form["days"]))
    if form["each"]:
        return MonthlyOn(int(form["each"]))
    if form["month"]:
        return YearlyOn(int(form["month"]), int(form["day"]))
    return Monthly() if form["monthly"] else Yearly()


# ---------------------------------------------------------------- keys of the interface


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


def start_configuration(rule: RenewalRule) -> StartConfiguration:
    """Return the starting point from which *rule* counts periods."""
    if isinstance(rule, MonthlyOn | YearlyOn):
        return StartConfiguration.RENEWAL_DATE
    return StartConfiguration.CURRENT_DAY
