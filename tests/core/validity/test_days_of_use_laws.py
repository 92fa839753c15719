"""Laws of blackout days and days of use, compared with a day-by-day reading. Decisions §8.4."""

from collections.abc import Set as AbstractSet
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from faregate.catalogue.booking_rules import BookingRules, DaysOfUse
from faregate.catalogue.calendars import DayPattern, Span
from faregate.catalogue.price_rules import PriceRule
from faregate.dates.durations import Duration, validity_from
from faregate.dates.instants import Interval
from faregate.validity.bookability import BookingRulesCheck, Obstacle
from faregate.validity.days_of_use import usable_days
from support.oracles.days_of_use import days_left
from support.shops.booking_shop import ZURICH, at, shop, ticket, variant

FIRST = date(2027, 3, 22)  # a Monday; clocks change on the Sunday
NOW = at("2027-03-01T00:00")

_lengths = st.integers(1, 10)
_dates = st.frozensets(st.integers(0, 10).map(lambda n: FIRST + timedelta(days=n)))
_weekdays = st.frozensets(st.integers(1, 7), max_size=3)


def patterns(dates: AbstractSet[date], weekdays: AbstractSet[int]) -> tuple[DayPattern, ...]:
    """Return patterns for *dates* and for *weekdays*; without any, none, as an empty pattern is every day."""
    spans = tuple(Span(day, day) for day in sorted(dates))
    by_date = (DayPattern(dates=spans),) if dates else ()
    return (*by_date, DayPattern(weekdays=frozenset(weekdays))) if weekdays else by_date


def obstacle(rules: BookingRules, duration: Duration) -> tuple[Obstacle | None, tuple[int, tuple[date, ...]]]:
    """Return the obstacle to a period from ``FIRST`` on, and its usable days."""
    product = ticket(variant(101, PriceRule(8000)), durations=[duration], booking=rules)
    catalogue = shop(product)
    desk = BookingRulesCheck(product, zone=ZURICH, catalogue=catalogue, now=NOW)
    validity: Interval = validity_from(duration, at(FIRST.isoformat()), ZURICH)
    usable = usable_days(validity, duration, product=product, calendar=catalogue.calendar)
    return desk.obstacle(duration, validity), usable


@given(_lengths, st.integers(1, 10), _dates, _weekdays)
def test_a_period_is_closed_if_and_only_if_it_has_too_few_days_of_use(
    length: int, wanted: int, dates: AbstractSet[date], weekdays: AbstractSet[int]
) -> None:
    duration, days = Duration(days=length), min(wanted, length)
    rules = BookingRules(
        blackouts=patterns(dates, weekdays), days_of_use=(DaysOfUse(Duration(days=length), days),)
    )

    found, usable = obstacle(rules, duration)

    left = days_left(FIRST, length, dates, weekdays)
    assert usable == (min(days, len(left)), tuple(left))
    assert found is (Obstacle.CLOSED if len(left) < days else None)


@given(_lengths, _dates, _weekdays)
def test_without_a_limit_one_day_is_enough_and_all_may_be_used(
    length: int, dates: AbstractSet[date], weekdays: AbstractSet[int]
) -> None:
    left = days_left(FIRST, length, dates, weekdays)
    rules = BookingRules(blackouts=patterns(dates, weekdays))

    found, usable = obstacle(rules, Duration(days=length))

    assert usable == (len(left), tuple(left))
    assert found is (None if left else Obstacle.CLOSED)


@given(_lengths, _dates, _weekdays)
def test_a_closed_day_closes_what_a_blackout_day_leaves_open(
    length: int, dates: AbstractSet[date], weekdays: AbstractSet[int]
) -> None:
    days = patterns(dates, weekdays)

    closed, usable = obstacle(BookingRules(closed=days), Duration(days=length))
    blacked_out, same = obstacle(BookingRules(blackouts=days), Duration(days=length))

    assert usable == same
    assert (closed is None) == (usable[0] == length)
    assert blacked_out is None or closed is Obstacle.CLOSED
