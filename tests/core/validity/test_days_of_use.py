"""Blackout days, closed days, and periods with fewer days of use than days. Decisions §8.4."""

from dataclasses import replace
from datetime import UTC, date, datetime, tzinfo

import pytest

from faregate.catalogue.booking_rules import BookingRules, DaysOfUse
from faregate.catalogue.calendars import Calendar, DayPattern, Span
from faregate.dates.durations import Duration, validity_from
from faregate.errors import InvalidPeriod
from faregate.validity.bookability import Obstacle
from faregate.validity.days_of_use import usable_days
from faregate.validity.options import ValidityQuery, validity_options
from support.booking.obstacles import CLOSED, OUT_OF_SEASON, found
from support.shops.booking_shop import DAY, FOUR_HOURS, THREE_DAYS, ZURICH, at, shop, ticket

MONDAYS = (DayPattern(weekdays=frozenset({1})),)
WEEK, SEASON = Duration(days=7), Duration(months=4)
FIVE_OF_SEVEN = (DaysOfUse(WEEK, 5),)


@pytest.mark.parametrize(
    ("duration", "closed", "blacked_out"),
    [
        (SEASON, CLOSED, None),
        (THREE_DAYS, CLOSED, None),
        (DAY, CLOSED, CLOSED),
        (FOUR_HOURS, CLOSED, CLOSED),
    ],
)
def test_a_monday_closure_closes_a_season_pass_unless_it_is_a_blackout(
    duration: Duration, closed: Obstacle, blacked_out: Obstacle | None
) -> None:
    assert found(BookingRules(closed=MONDAYS), duration=duration) is closed
    assert found(BookingRules(blackouts=MONDAYS), duration=duration) is blacked_out
    assert found(BookingRules(blackouts=MONDAYS), "2026-12-29", duration) is None


def test_a_calendar_closes_the_starts_with_too_few_days() -> None:
    rules = BookingRules(blackouts=(DayPattern(dates=(Span(date(2027, 1, 9), date(2027, 1, 11)),)),))
    product = ticket(booking=replace(rules, days_of_use=FIVE_OF_SEVEN), durations=[WEEK])
    query = ValidityQuery(product.id, date(2027, 1, 2), date(2027, 1, 12))

    found = validity_options(query, catalogue=shop(product), capacity={}, now=at("2026-12-01T00:00"))

    closed = [option.validity.first_day.day for option in found.options if option.obstacle is CLOSED]
    assert closed == [5, 6, 7, 8, 9]  # the three days from 9 January on are among the seven


def test_out_of_season_comes_before_too_few_days() -> None:
    rules = BookingRules(seasons=("summer",), blackouts=(DayPattern(),))

    assert found(rules, duration=WEEK) is OUT_OF_SEASON


def test_usable_days_leave_out_blackouts_closed_days_and_days_out_of_season() -> None:
    """The winter season ends on 30 April 2027, a Friday."""
    rules = BookingRules(
        seasons=("winter",),
        closed=MONDAYS,
        blackouts=(DayPattern(weekdays=frozenset({3})),),
        days_of_use=(DaysOfUse(THREE_DAYS, 1),),
    )
    product = ticket(booking=rules, durations=[WEEK, THREE_DAYS])
    validity = validity_from(WEEK, at("2027-04-26"), ZURICH)

    usable = usable_days(validity, WEEK, product=product, calendar=shop(product).calendar)

    assert (usable.allowed, [str(day) for day in usable.days]) == (
        3,
        ["2027-04-27", "2027-04-29", "2027-04-30"],
    )


@pytest.mark.parametrize(("duration", "zone"), [(DAY, ZURICH), (WEEK, UTC)])
def test_a_period_of_another_duration_or_without_a_time_zone_is_refused(
    duration: Duration, zone: tzinfo
) -> None:
    product = ticket(durations=[DAY, WEEK])
    validity = validity_from(WEEK, datetime(2027, 1, 4, tzinfo=zone), ZURICH)
    start = validity.start.astimezone(zone)

    with pytest.raises(InvalidPeriod, match="in the merchant's time zone, got 2027-01-0"):
        usable_days(validity._replace(start=start), duration, product=product, calendar=Calendar())
