"""The days of a product, its season, and the start and length of validities. Decisions §8.4.

Clocks in Zurich go from 02:00 to 03:00 on 2026-03-29 and from 03:00 to 02:00 on 2026-10-25.
"""

from datetime import date, time
from zoneinfo import ZoneInfo

import pytest

from faregate.catalogue.booking_rules import BookingRules, StayRule
from faregate.catalogue.calendars import Calendar, DayPattern, MonthDay, Season, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Pool, PoolUse, TimeSlot
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.dates.instants import DateRange
from faregate.validity.bookability import BookingRulesCheck, Obstacle, running_days
from support.booking.obstacles import (
    APIA,
    CLOSED,
    LENGTH,
    LONG_BEFORE,
    MONDAY,
    OUT_OF_SEASON,
    SANTIAGO,
    START_DAY,
    START_TIME,
    found,
)
from support.shops.booking_shop import (
    DAY,
    FOUR_HOURS,
    MONTH,
    MOUNTAIN,
    PARK,
    SUMMER,
    THREE_DAYS,
    WINTER,
    ZURICH,
    at,
    shop,
    ticket,
)


@pytest.mark.parametrize(
    ("start", "duration", "reason"),
    [
        ("2026-12-28T10:00", FOUR_HOURS, None),
        ("2026-12-28T12:00", FOUR_HOURS, START_TIME),
        ("2026-12-28T00:00", FOUR_HOURS, START_TIME),
        pytest.param("2026-12-28T00:00", DAY, None, id="days begin with the day"),
    ],
)
def test_hours_begin_at_one_of_the_start_times(
    start: str, duration: Duration, reason: Obstacle | None
) -> None:
    assert found(BookingRules(start_times=(time(14), time(10))), start, duration) is reason


def test_hours_begin_with_a_slot_of_the_pools_if_no_start_times_are_given() -> None:
    slots = (TimeSlot(time(8), time(10)), TimeSlot(time(10), time(12)))
    lift = Pool(identifier=MOUNTAIN, size=9, slots=slots)
    park = Pool(identifier=PARK, size=9, slots=(TimeSlot(time(9), time(17)),))

    def starting(hour: int, rules: BookingRules = BookingRules()) -> Obstacle | None:
        return found(rules, f"{MONDAY}T{hour:02}:00", FOUR_HOURS, pools=(lift, park))

    assert [starting(hour) for hour in (7, 8, 9, 10, 11)] == [START_TIME, None, None, None, START_TIME]
    assert starting(8, BookingRules(start_times=(time(7),))) is START_TIME
    assert starting(7, BookingRules(start_times=(time(7),))) is None


def test_of_two_repeated_times_only_the_earlier_is_a_start() -> None:
    rules = BookingRules(start_times=(time(2, 30),))

    assert found(rules, "2026-10-25T02:30+02:00", FOUR_HOURS) is None
    assert found(rules, "2026-10-25T02:30+01:00", FOUR_HOURS) is START_TIME


def test_a_start_time_skipped_by_the_clocks_is_not_a_start() -> None:
    assert found(BookingRules(start_times=(time(2, 30),)), "2026-03-29T03:30", FOUR_HOURS) is START_TIME


FROM_SATURDAY = StayRule(start_weekdays=frozenset({6}))
AT_CHRISTMAS = DayPattern(dates=(Span(MonthDay(12, 24), MonthDay(1, 3)),))


@pytest.mark.parametrize(
    ("rules", "start", "duration", "reason"),
    [
        pytest.param([FROM_SATURDAY], "2026-12-26", DAY, None, id="a Saturday"),
        pytest.param([FROM_SATURDAY], "2026-12-27", DAY, START_DAY, id="a Sunday"),
        pytest.param([StayRule(min_days=3)], MONDAY, Duration(days=2), LENGTH, id="a day short"),
        pytest.param([StayRule(min_days=3)], MONDAY, THREE_DAYS, None, id="just long enough"),
        pytest.param([StayRule(max_days=3)], MONDAY, Duration(days=4), LENGTH, id="a day more"),
        pytest.param([StayRule(min_days=2)], "2026-12-28T20:00", FOUR_HOURS, LENGTH, id="hours of one"),
        pytest.param(
            [StayRule(AT_CHRISTMAS, min_days=3)], "2026-12-24", DAY, LENGTH, id="from the first day"
        ),
        pytest.param([StayRule(AT_CHRISTMAS, min_days=3)], "2026-12-23", DAY, None, id="that starts before"),
        pytest.param([StayRule(AT_CHRISTMAS, min_days=3)], "2027-01-04", DAY, None, id="that starts after"),
        pytest.param([StayRule(min_days=3), FROM_SATURDAY], "2026-12-26", DAY, LENGTH, id="both must hold"),
        pytest.param([StayRule(min_days=3), FROM_SATURDAY], MONDAY, DAY, START_DAY, id="the day comes first"),
    ],
)
def test_a_stay_begins_on_its_weekdays_and_has_its_length(
    rules: list[StayRule], start: str, duration: Duration, reason: Obstacle | None
) -> None:
    assert found(BookingRules(stays=tuple(rules)), start, duration) is reason


def starts(
    day: date,
    duration: Duration,
    product: Product,
    *,
    zone: ZoneInfo = ZURICH,
    catalogue: Catalogue | None = None,
) -> list[str]:
    desk = BookingRulesCheck(product, zone=zone, catalogue=catalogue or shop(product), now=at(LONG_BEFORE))
    return [start.isoformat() for start in desk.starts_on(day, duration)]


def test_days_begin_at_the_first_instant_of_their_day() -> None:
    product = ticket(booking=BookingRules(start_times=(time(9),)))

    assert starts(date(2026, 12, 28), DAY, product) == ["2026-12-28T00:00:00+01:00"]
    assert starts(date(2026, 12, 28), MONTH, product) == ["2026-12-28T00:00:00+01:00"]
    assert starts(date(2026, 12, 28), Duration(days=1, seconds=60), product) == ["2026-12-28T00:00:00+01:00"]
    assert starts(date(2024, 9, 8), DAY, product, zone=SANTIAGO) == ["2024-09-08T01:00:00-03:00"]


def test_hours_begin_with_the_day_by_default() -> None:
    assert starts(date(2026, 12, 28), FOUR_HOURS, ticket()) == ["2026-12-28T00:00:00+01:00"]
    assert starts(date(2024, 9, 8), FOUR_HOURS, ticket(), zone=SANTIAGO) == ["2024-09-08T01:00:00-03:00"]


def test_slots_of_two_pools_that_begin_together_are_one_start() -> None:
    pools = [
        Pool(identifier=MOUNTAIN, size=1, slots=(TimeSlot(time(10), time(12)), TimeSlot(time(8), time(10)))),
        Pool(identifier=PARK, size=1, slots=(TimeSlot(time(8), time(12)),)),
    ]
    product = ticket(pools=[PoolUse(MOUNTAIN), PoolUse(PARK)])

    assert starts(date(2026, 12, 28), FOUR_HOURS, product, catalogue=shop(product, pools=pools)) == [
        "2026-12-28T08:00:00+01:00",
        "2026-12-28T10:00:00+01:00",
    ]


def test_a_skipped_start_time_is_omitted_and_a_repeated_one_is_the_earlier() -> None:
    product = ticket(booking=BookingRules(start_times=(time(1, 59), time(2), time(2, 59), time(3))))

    assert starts(date(2026, 3, 29), FOUR_HOURS, product) == [
        "2026-03-29T01:59:00+01:00",
        "2026-03-29T03:00:00+02:00",
    ]
    assert starts(date(2026, 10, 25), FOUR_HOURS, product) == [
        "2026-10-25T01:59:00+02:00",
        "2026-10-25T02:00:00+02:00",
        "2026-10-25T02:59:00+02:00",
        "2026-10-25T03:00:00+01:00",
    ]


@pytest.mark.parametrize("duration", [DAY, MONTH, FOUR_HOURS], ids=str)
@pytest.mark.parametrize("times", [(), (time(10),)])
def test_nothing_begins_on_a_day_skipped_by_its_zone(duration: Duration, times: tuple[time, ...]) -> None:
    product = ticket(booking=BookingRules(start_times=times))

    assert starts(date(2011, 12, 30), duration, product, zone=APIA) == []
    assert len(starts(date(2011, 12, 31), duration, product, zone=APIA)) == 1


@pytest.mark.parametrize(
    ("start", "duration", "reason"),
    [
        ("2026-11-30", DAY, OUT_OF_SEASON),
        ("2026-12-01", DAY, None),
        ("2027-05-01", DAY, OUT_OF_SEASON),
        pytest.param("2027-04-28", THREE_DAYS, None, id="to its last day"),
        pytest.param("2027-04-29", THREE_DAYS, OUT_OF_SEASON, id="past its last day"),
        pytest.param("2027-04-30T20:00", FOUR_HOURS, None, id="to the end of its last day"),
    ],
)
def test_every_day_of_a_validity_must_be_in_season(
    start: str, duration: Duration, reason: Obstacle | None
) -> None:
    assert found(BookingRules(seasons=("winter",)), start, duration) is reason


@pytest.mark.parametrize(
    ("start", "duration", "reason"),
    [
        ("2026-12-29", DAY, None),
        ("2026-12-30", DAY, CLOSED),
        pytest.param("2026-12-29", THREE_DAYS, CLOSED, id="a day within"),
        pytest.param("2026-12-29T20:00", FOUR_HOURS, None, id="up to midnight"),
        pytest.param("2026-12-29T20:01", FOUR_HOURS, CLOSED, id="a minute into it"),
    ],
)
def test_a_closed_day_closes_every_validity_it_is_in(
    start: str, duration: Duration, reason: Obstacle | None
) -> None:
    one_day = DayPattern(dates=(Span(date(2026, 12, 30), date(2026, 12, 30)),))

    assert found(BookingRules(closed=(one_day,)), start, duration) is reason


def test_out_of_season_takes_precedence_over_closed_on_any_day() -> None:
    closed_at_the_end = BookingRules(
        seasons=("winter",), closed=(DayPattern(dates=(Span(MonthDay(4, 30), MonthDay(5, 2)),)),)
    )

    assert found(closed_at_the_end, "2027-04-30") is CLOSED
    assert found(closed_at_the_end, "2027-04-30", THREE_DAYS) is OUT_OF_SEASON
    assert found(closed_at_the_end, "2027-05-01") is OUT_OF_SEASON


YEARS_OFF = Season(identifier="jubilee", spans=(Span(date(2027, 7, 1), date(2027, 7, 10)),))
CALENDAR = Calendar(seasons=(WINTER, SUMMER, YEARS_OFF))


def running(today: date, *seasons: str) -> DateRange | None:
    return running_days(ticket(booking=BookingRules(seasons=seasons)), CALENDAR, today)


@pytest.mark.parametrize(
    ("today", "first", "end"),
    [
        pytest.param(date(2026, 12, 1), date(2026, 12, 1), date(2027, 5, 1), id="its first day"),
        pytest.param(date(2027, 4, 30), date(2027, 4, 30), date(2027, 5, 1), id="its last day"),
        pytest.param(date(2027, 5, 1), date(2027, 12, 1), date(2028, 5, 1), id="the next winter"),
    ],
)
def test_the_current_season_or_else_the_next_is_used(today: date, first: date, end: date) -> None:
    assert running(today, "winter") == DateRange(first, end)


@pytest.mark.parametrize("seasons", [("summer", "jubilee"), ("jubilee", "summer")])
def test_of_current_seasons_the_one_that_ends_last_is_used(seasons: tuple[str, ...]) -> None:
    assert running(date(2027, 7, 5), *seasons) == DateRange(date(2027, 7, 5), date(2027, 10, 1))


def test_a_product_without_a_season_runs_for_a_year() -> None:
    assert running(date(2026, 12, 21)) == DateRange(date(2026, 12, 21), date(2027, 12, 22))


@pytest.mark.parametrize(
    ("today", "first", "end"),
    [
        (date(2026, 12, 21), date(2026, 12, 21), date(2027, 12, 22)),
        (date(2025, 12, 21), date(2026, 1, 1), date(2027, 1, 2)),
    ],
)
def test_a_season_of_several_years_is_limited_to_one_year(today: date, first: date, end: date) -> None:
    years = Season(identifier="years", spans=(Span(date(2026, 1, 1), date(2029, 12, 31)),))
    product = ticket(booking=BookingRules(seasons=("years",)))

    assert running_days(product, Calendar(seasons=(years,)), today) == DateRange(first, end)


def test_a_season_that_does_not_recur_has_no_running_days_afterwards() -> None:
    assert running(date(2027, 7, 10), "jubilee") == DateRange(date(2027, 7, 10), date(2027, 7, 11))
    assert running(date(2027, 7, 11), "jubilee") is None
