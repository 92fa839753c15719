"""Subscriptions for tests of the renewal core, and an independent calculation of their boundaries.

The walk goes from month to month and takes month lengths from the standard library: it uses no closed form
and no code of faregate.
"""

from calendar import monthrange
from collections.abc import Iterator
from datetime import MAXYEAR, MINYEAR, date, timedelta
from itertools import islice
from typing import NamedTuple
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from faregate.dates.months import MonthEnd
from faregate.subscriptions.rules import (
    BillingRule,
    EveryDays,
    EveryMonths,
    EveryYears,
    Monthly,
    MonthlyOn,
    RenewalRule,
    Yearly,
    YearlyOn,
)
from support.baskets.strategies import members

DAY = timedelta(days=1)


class Subscription(NamedTuple):
    rule: BillingRule
    anchor: date
    month_end: MonthEnd = MonthEnd.CLAMP


def walk(subscription: Subscription) -> Iterator[date | None]:
    """Yield every boundary from number 0 to the end of the calendar, None where it is rejected."""
    rule, anchor, month_end = subscription
    if isinstance(rule, EveryDays):
        yield from _every(rule.days, anchor)
        return
    day = rule.day if isinstance(rule, MonthlyOn | YearlyOn) else anchor.day
    for year, month in _months(rule, anchor, month_end):
        found = _fall(day, year, month, month_end)
        if found == "omitted":
            continue
        if not isinstance(found, date):
            yield None
        elif found >= anchor:
            yield found


def walked(subscription: Subscription, count: int) -> list[date | None]:
    return list(islice(walk(subscription), count))


def _every(days: int, anchor: date) -> Iterator[date]:
    day = anchor
    while True:
        yield day
        if (date.max - day).days < days:
            return
        day += timedelta(days=days)


def _months(rule: BillingRule, anchor: date, month_end: MonthEnd) -> Iterator[tuple[int, int]]:
    """Yield the months, from the anchor's, in which a boundary may lie."""
    year, month = anchor.year, anchor.month
    if month_end is MonthEnd.FORWARD:  # from the previous month, which may reach into it
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    while year <= MAXYEAR:
        if year >= MINYEAR and _is_in(rule, anchor, year, month):
            yield year, month
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)


def _is_in(rule: BillingRule, anchor: date, year: int, month: int) -> bool:
    if isinstance(rule, EveryMonths):
        return ((year - anchor.year) * 12 + month - anchor.month) % rule.months == 0
    if isinstance(rule, EveryYears):
        return month == anchor.month and (year - anchor.year) % rule.years == 0
    if isinstance(rule, YearlyOn):
        return month == rule.month
    return not isinstance(rule, Yearly) or month == anchor.month


def _fall(day: int, year: int, month: int, month_end: MonthEnd) -> date | str:
    length = monthrange(year, month)[1]
    if day <= length:
        return date(year, month, day)
    if month_end is MonthEnd.CLAMP:
        return date(year, month, length)
    if month_end is MonthEnd.FORWARD:
        return date(year, month, length) + DAY
    return "omitted" if month_end is MonthEnd.OMIT else "rejected"


@st.composite
def ends_of_months(draw: st.DrawFn, years: st.SearchStrategy[int]) -> date:
    year, month = draw(years), draw(st.sampled_from((1, 2, 2, 2, 3, 4, 7, 8, 11, 12)))
    length = monthrange(year, month)[1]
    return date(year, month, draw(st.sampled_from((1, 15, length - 2, length - 1, length, length))))


# Leap years, centuries that are not leap years, and 2000 and 2400, which are.
_turns = st.sampled_from((1896, 1900, 1996, 2000, 2004, 2096, 2100, 2396, 2400))
anchors = st.one_of(
    ends_of_months(st.integers(2019, 2030)),
    ends_of_months(_turns),
    st.dates(date(2019, 1, 1), date(2030, 12, 31)),
    st.dates(date(1, 1, 1), date(9000, 12, 31)),
)
given_days = st.sampled_from((1, 15, 28, 29, 29, 30, 30, 31, 31)) | st.integers(1, 31)
rules: st.SearchStrategy[RenewalRule] = st.one_of(
    st.just(Monthly()),
    st.just(Yearly()),
    given_days.map(MonthlyOn),
    st.dates(date(2024, 1, 1), date(2024, 12, 31)).map(lambda day: YearlyOn(day.month, day.day)),
    st.just(YearlyOn(2, 29)),
    st.builds(EveryDays, st.sampled_from((1, 7, 30, 365)) | st.integers(1, 36_525)),
)
billing_rules: st.SearchStrategy[BillingRule] = st.one_of(
    rules,
    rules,
    st.builds(EveryMonths, st.sampled_from((1, 2, 3, 6, 7, 12, 13)) | st.integers(1, 24)),
    st.builds(EveryYears, st.integers(1, 4)),
)
long_rules = st.builds(EveryMonths, st.integers(1, 1200)) | st.builds(EveryYears, st.integers(1, 100))
month_ends = members(MonthEnd)
kept_month_ends = st.sampled_from((MonthEnd.CLAMP, MonthEnd.FORWARD, MonthEnd.OMIT))
subscriptions = st.builds(Subscription, billing_rules | long_rules, anchors, month_ends)
"""Subscriptions under any policy; most rejected boundaries come early."""
kept_subscriptions = st.builds(Subscription, billing_rules, anchors, kept_month_ends)
"""Subscriptions whose boundaries all exist within the calendar."""
zones = st.sampled_from(
    [
        ZoneInfo(name)
        for name in (
            *("Europe/Zurich", "UTC", "America/Santiago", "Pacific/Apia", "Asia/Beirut", "Africa/Cairo"),
            *("America/Havana", "Australia/Lord_Howe", "America/Toronto", "Pacific/Kiritimati"),
        )
    ]
)
