"""Booking rules at an instant, and the first obstacle to a booking. Decisions §8.4.

Clocks in Zurich go from 02:00 to 03:00 on 2026-03-29 and from 03:00 to 02:00 on 2026-10-25.
"""

from dataclasses import replace
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from faregate.catalogue.booking_rules import BookingRules, CutOff, StayRule
from faregate.catalogue.calendars import DayPattern, Holiday, MonthDay
from faregate.dates.durations import Duration
from faregate.errors import InvalidPeriod
from faregate.validity.bookability import BookingRulesCheck, Obstacle
from support.booking.obstacles import (
    APIA,
    CLOSED,
    LENGTH,
    MONDAY,
    NOT_ON_SALE,
    OUT_OF_SEASON,
    SANTIAGO,
    START_DAY,
    START_TIME,
    TOO_EARLY,
    TOO_LATE,
    found,
)
from support.shops.booking_shop import DAY, FOUR_HOURS, MONTH, ZURICH, at, shop, ticket


def test_without_rules_everything_in_the_future_can_be_booked() -> None:
    assert found(BookingRules()) is None
    assert found(BookingRules(), duration=MONTH) is None
    assert found(BookingRules(), f"{MONDAY}T13:37", FOUR_HOURS) is None


EVERYTHING_AGAINST_IT = BookingRules(
    sale_starts=at("2026-12-15T00:00"),
    cut_off=CutOff(time(), days_before=20),
    max_lead_days=10,
    seasons=("summer",),
    closed=(DayPattern(weekdays=frozenset({1})),),
    start_times=(time(10),),
    stays=(StayRule(min_days=2), StayRule(start_weekdays=frozenset({6}))),
)
PUT_RIGHT: list[tuple[Obstacle, dict[str, Any]]] = [
    (NOT_ON_SALE, {"sale_starts": None}),
    (TOO_LATE, {"cut_off": None}),
    (TOO_EARLY, {"max_lead_days": None}),
    (OUT_OF_SEASON, {"seasons": ()}),
    (CLOSED, {"closed": ()}),
    (START_TIME, {"start_times": ()}),
    (START_DAY, {"stays": EVERYTHING_AGAINST_IT.stays[:1]}),
    (LENGTH, {"stays": ()}),
]


def test_the_first_remaining_obstacle_is_named() -> None:
    rules = EVERYTHING_AGAINST_IT

    for reason, change in PUT_RIGHT:
        assert found(rules, f"{MONDAY}T11:00", FOUR_HOURS, now="2026-12-10T00:00") is reason
        rules = replace(rules, **change)
    assert found(rules, f"{MONDAY}T11:00", FOUR_HOURS, now="2026-12-10T00:00") is None


def test_obstacles_are_defined_in_the_order_in_which_they_are_named() -> None:
    assert list(Obstacle) == [*[reason for reason, _ in PUT_RIGHT], Obstacle.SOLD_OUT]
    assert [reason.value for reason in Obstacle] == [
        *("not-on-sale", "too-late", "too-early", "out-of-season"),
        *("closed", "start-time", "start-day", "length", "sold-out"),
    ]


@pytest.mark.parametrize(
    ("now", "reason"),
    [
        ("2026-12-01T07:59:59", NOT_ON_SALE),
        ("2026-12-01T08:00:00", None),
        ("2026-12-20T17:59:59", None),
        ("2026-12-20T18:00:00", NOT_ON_SALE),
    ],
)
def test_a_sale_includes_its_start_and_excludes_its_end(now: str, reason: Obstacle | None) -> None:
    rules = BookingRules(sale_starts=at("2026-12-01T08:00"), sale_ends=at("2026-12-20T18:00"))

    assert found(rules, now=now) is reason


def test_a_sale_that_ends_in_the_repeated_hour_ends_at_its_instant() -> None:
    """By wall-clock time, the second 02:10 is before the first 02:30."""
    rules = BookingRules(sale_ends=at("2026-10-25T02:30+02:00"))

    assert found(rules, now="2026-10-25T02:29:59+02:00") is None
    assert found(rules, now="2026-10-25T02:10:00+01:00") is NOT_ON_SALE


@pytest.mark.parametrize(
    ("start", "duration", "now", "reason"),
    [
        pytest.param(MONDAY, DAY, "2026-12-28T23:59:59", None, id="until its day is over"),
        pytest.param(MONDAY, DAY, "2026-12-29T00:00:00", TOO_LATE, id="and no longer"),
        pytest.param(
            f"{MONDAY}T09:00", FOUR_HOURS, "2026-12-28T08:59:59", None, id="hours: until they begin"
        ),
        pytest.param(
            f"{MONDAY}T09:00", FOUR_HOURS, "2026-12-28T09:00:00", TOO_LATE, id="at which it is over"
        ),
    ],
)
def test_by_default_days_sell_until_the_first_ends_and_hours_until_they_begin(
    start: str, duration: Duration, now: str, reason: Obstacle | None
) -> None:
    assert found(BookingRules(), start, duration, now=now) is reason


@pytest.mark.parametrize(
    ("zone", "start", "now", "reason"),
    [
        # In Apia, 2011-12-29 was followed by 2011-12-31.
        (APIA, "2011-12-29", "2011-12-30T09:59:59Z", None),
        (APIA, "2011-12-29", "2011-12-30T10:00:00Z", TOO_LATE),
    ],
)
def test_a_day_ends_when_the_next_existing_day_begins(
    zone: ZoneInfo, start: str, now: str, reason: Obstacle | None
) -> None:
    assert found(BookingRules(), start, now=now, zone=zone) is reason


@pytest.mark.parametrize(
    ("cut_off", "start", "duration", "now", "reason"),
    [
        pytest.param(CutOff(time(12)), MONDAY, DAY, "2026-12-28T11:59:59", None, id="before noon"),
        pytest.param(CutOff(time(12)), MONDAY, DAY, "2026-12-28T12:00:00", TOO_LATE, id="at noon"),
        pytest.param(CutOff(time(18), 1), MONDAY, DAY, "2026-12-27T17:59:59", None, id="the evening before"),
        pytest.param(CutOff(time(18), 1), MONDAY, DAY, "2026-12-27T18:00:00", TOO_LATE, id="at six"),
        pytest.param(
            CutOff(time(12)), f"{MONDAY}T09:00", FOUR_HOURS, "2026-12-28T11:59:59", None, id="while they run"
        ),
        pytest.param(CutOff(time(2, 30)), "2026-03-29", DAY, "2026-03-29T03:29:59", None, id="in the gap"),
        pytest.param(CutOff(time(2, 30)), "2026-03-29", DAY, "2026-03-29T03:30:00", TOO_LATE, id="it shifts"),
    ],
)
def test_a_cut_off_is_a_local_time(
    cut_off: CutOff, start: str, duration: Duration, now: str, reason: Obstacle | None
) -> None:
    assert found(BookingRules(cut_off=cut_off), start, duration, now=now) is reason


@pytest.mark.parametrize(
    ("minutes", "start", "duration", "now", "reason"),
    [
        (90, f"{MONDAY}T10:00", FOUR_HOURS, "2026-12-28T08:29:59", None),
        (90, f"{MONDAY}T10:00", FOUR_HOURS, "2026-12-28T08:30:00", TOO_LATE),
        pytest.param(90, MONDAY, DAY, "2026-12-27T22:29:59", None, id="before a day begins"),
        pytest.param(90, MONDAY, DAY, "2026-12-27T22:30:00", TOO_LATE, id="not before it ends"),
    ],
)
def test_a_cut_off_is_minutes_before_the_start(
    minutes: int, start: str, duration: Duration, now: str, reason: Obstacle | None
) -> None:
    assert found(BookingRules(cut_off=CutOff(minutes_before=minutes)), start, duration, now=now) is reason


@pytest.mark.parametrize(
    ("least", "most", "now", "reason"),
    [
        (0, None, "2026-12-28T23:59:59", None),
        (2, None, "2026-12-26T23:59:59", None),
        (2, None, "2026-12-27T00:00:00", TOO_LATE),
        (0, 10, "2026-12-17T23:59:59", TOO_EARLY),
        (0, 10, "2026-12-18T00:00:00", None),
    ],
)
def test_lead_days_are_counted_between_local_dates(
    least: int, most: int | None, now: str, reason: Obstacle | None
) -> None:
    assert found(BookingRules(min_lead_days=least, max_lead_days=most), now=now) is reason


HOLIDAYS = DayPattern(is_holiday=True)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (BookingRules(closed=(HOLIDAYS,)), CLOSED),
        (BookingRules(blackouts=(HOLIDAYS,)), CLOSED),
        (BookingRules(stays=(StayRule(when=HOLIDAYS, min_days=2),)), LENGTH),
        (BookingRules(stays=(StayRule(when=HOLIDAYS, max_days=1),)), None),
    ],
)
def test_a_rule_for_holidays_uses_the_calendar(rules: BookingRules, reason: Obstacle | None) -> None:
    assert found(rules, holidays=(Holiday(MonthDay(12, 28)),)) is reason
    assert found(rules, holidays=(Holiday(MonthDay(12, 29)),)) is None


def test_a_current_time_without_a_utc_offset_is_refused() -> None:
    """It would be interpreted in the time zone of the machine."""
    now = datetime(2026, 12, 1)  # noqa: DTZ001

    with pytest.raises(InvalidPeriod, match=r"^2026-12-01T00:00:00 has no UTC offset$"):
        BookingRulesCheck(ticket(), zone=ZURICH, catalogue=shop(), now=now)


def test_today_is_the_local_day_in_the_zone() -> None:
    late = at("2026-12-21T23:30Z")

    assert BookingRulesCheck(ticket(), zone=ZURICH, catalogue=shop(), now=late).today == date(2026, 12, 22)
    assert BookingRulesCheck(ticket(), zone=SANTIAGO, catalogue=shop(), now=late).today == date(2026, 12, 21)
