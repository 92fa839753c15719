"""Whether a validity can be booked at an instant, and which obstacle is named if not. Decisions §8.4.

Zurich goes from 02:00 to 03:00 on 2026-03-29 and from 03:00 to 02:00 on 2026-10-25.
"""

from dataclasses import replace
from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from faregate.bookability import BookingDesk, Obstacle, running_days
from faregate.booking_rules import BookingRules, CutOff, StayRule
from faregate.calendars import Calendar, Days, EasterDay, Holiday, MonthDay, Season, Span
from faregate.catalogue import Catalogue, Product
from faregate.dates import DateRange, Duration, lasting
from faregate.errors import InvalidPeriod, UnknownEntry
from faregate.pools import Pool, PoolUse, TimeSlot
from unit.booking_shop import (
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

NOT_ON_SALE, TOO_LATE, TOO_EARLY = Obstacle.NOT_ON_SALE, Obstacle.TOO_LATE, Obstacle.TOO_EARLY
OUT_OF_SEASON, CLOSED = Obstacle.OUT_OF_SEASON, Obstacle.CLOSED
START_TIME, START_DAY, LENGTH = Obstacle.START_TIME, Obstacle.START_DAY, Obstacle.LENGTH

MONDAY = "2026-12-28"
LONG_BEFORE = "2026-01-01T00:00"
SANTIAGO, APIA = ZoneInfo("America/Santiago"), ZoneInfo("Pacific/Apia")


def found(
    rules: BookingRules,
    start: str = MONDAY,
    duration: Duration = DAY,
    *,
    now: str = LONG_BEFORE,
    zone: ZoneInfo = ZURICH,
    pools: tuple[Pool, ...] = (),
    holidays: tuple[Holiday, ...] = (),
) -> Obstacle | None:
    """What keeps a ticket under *rules* from being booked."""
    product = ticket(booking=rules, durations=[duration], pools=[PoolUse(pool.identifier) for pool in pools])
    catalogue = shop(product, pools=pools, holidays=holidays, timezone=zone.key)
    desk = BookingDesk(product, zone=zone, catalogue=catalogue, now=at(now, zone))
    return desk.obstacle(duration, lasting(duration, at(start, zone), zone))


def test_without_rules_everything_ahead_can_be_booked() -> None:
    assert found(BookingRules()) is None
    assert found(BookingRules(), duration=MONTH) is None
    assert found(BookingRules(), f"{MONDAY}T13:37", FOUR_HOURS) is None


EVERYTHING_AGAINST_IT = BookingRules(
    sale_starts=at("2026-12-15T00:00"),
    min_lead_days=20,
    max_lead_days=10,
    seasons=("summer",),
    closed=(Days(weekdays=frozenset({1})),),
    start_times=(time(10),),
    stays=(StayRule(min_days=2), StayRule(start_weekdays=frozenset({6}))),
)
PUT_RIGHT: list[tuple[Obstacle, dict[str, Any]]] = [
    (NOT_ON_SALE, {"sale_starts": None}),
    (TOO_LATE, {"min_lead_days": 0}),
    (TOO_EARLY, {"max_lead_days": None}),
    (OUT_OF_SEASON, {"seasons": ()}),
    (CLOSED, {"closed": ()}),
    (START_TIME, {"start_times": ()}),
    (START_DAY, {"stays": EVERYTHING_AGAINST_IT.stays[:1]}),
    (LENGTH, {"stays": ()}),
]


def test_the_first_obstacle_is_named_until_the_last_is_out_of_the_way() -> None:
    rules = EVERYTHING_AGAINST_IT

    for reason, change in PUT_RIGHT:
        assert found(rules, f"{MONDAY}T11:00", FOUR_HOURS, now="2026-12-10T00:00") is reason
        rules = replace(rules, **change)
    assert found(rules, f"{MONDAY}T11:00", FOUR_HOURS, now="2026-12-10T00:00") is None


def test_obstacles_stand_in_the_order_in_which_they_are_named() -> None:
    assert list(Obstacle) == [*[reason for reason, _ in PUT_RIGHT], Obstacle.SOLD_OUT]
    assert [reason.value for reason in Obstacle] == [
        *("not-on-sale", "too-late", "too-early", "out-of-season"),
        *("closed", "start-time", "start-day", "length", "sold-out"),
    ]


# ---------------------------------------------------------------- the sale


@pytest.mark.parametrize(
    ("now", "reason"),
    [
        ("2026-12-01T07:59:59", NOT_ON_SALE),
        ("2026-12-01T08:00:00", None),
        ("2026-12-20T17:59:59", None),
        ("2026-12-20T18:00:00", NOT_ON_SALE),
        pytest.param("2026-12-01T06:59:59Z", NOT_ON_SALE, id="whatever the zone of now"),
        pytest.param("2026-12-01T07:00:00Z", None, id="at 08:00 in Zurich"),
    ],
)
def test_a_sale_begins_at_its_first_second_and_is_over_at_its_end(now: str, reason: Obstacle | None) -> None:
    rules = BookingRules(sale_starts=at("2026-12-01T08:00"), sale_ends=at("2026-12-20T18:00"))

    assert found(rules, now=now) is reason


def test_a_sale_may_have_just_one_end() -> None:
    from_december = BookingRules(sale_starts=at("2026-12-01T00:00"))
    to_december = BookingRules(sale_ends=at("2026-12-01T00:00"))

    assert found(from_december, now="2026-11-30T23:59:59") is found(to_december, now="2026-12-01T00:00:00")
    assert found(from_december, now="2026-12-01T00:00:00") is found(to_december, now="2026-11-30T23:59:59")
    assert found(from_december, now="2026-12-01T00:00:00") is None


def test_a_sale_that_ends_in_the_hour_that_is_twice_ends_at_its_instant() -> None:
    """By the clock on the wall 02:10 the second time is before 02:30 the first."""
    rules = BookingRules(sale_ends=at("2026-10-25T02:30+02:00"))

    assert found(rules, now="2026-10-25T02:29:59+02:00") is None
    assert found(rules, now="2026-10-25T02:10:00+01:00") is NOT_ON_SALE


@pytest.mark.parametrize(
    ("start", "duration", "now", "reason"),
    [
        pytest.param(MONDAY, DAY, "2026-12-28T23:59:59", None, id="until its day is over"),
        pytest.param(MONDAY, DAY, "2026-12-29T00:00:00", TOO_LATE, id="and no longer"),
        pytest.param(MONDAY, THREE_DAYS, "2026-12-28T23:59:59", None, id="several days: until the first is"),
        pytest.param(MONDAY, THREE_DAYS, "2026-12-29T00:00:00", TOO_LATE, id="and not on the second"),
        pytest.param(MONDAY, MONTH, "2026-12-28T23:59:59", None, id="a month: on its first day"),
        pytest.param(MONDAY, MONTH, "2026-12-29T00:00:00", TOO_LATE, id="only"),
        pytest.param(
            f"{MONDAY}T09:00", FOUR_HOURS, "2026-12-28T08:59:59", None, id="hours: until they begin"
        ),
        pytest.param(
            f"{MONDAY}T09:00", FOUR_HOURS, "2026-12-28T09:00:00", TOO_LATE, id="at which it is over"
        ),
        pytest.param("2026-03-28", DAY, "2026-03-28T23:59:59", None, id="before a day of 23 hours"),
        pytest.param("2026-10-25", DAY, "2026-10-25T23:59:59", None, id="the end of a day of 25 hours"),
        pytest.param("2026-10-25", DAY, "2026-10-26T00:00:00", TOO_LATE, id="after it"),
    ],
)
def test_by_default_days_are_sold_until_the_first_is_over_and_hours_until_they_begin(
    start: str, duration: Duration, now: str, reason: Obstacle | None
) -> None:
    assert found(BookingRules(), start, duration, now=now) is reason


@pytest.mark.parametrize(
    ("zone", "start", "now", "reason"),
    [
        # 2024-09-08 begins at 01:00 in Santiago; the second before is 23:59:59 of the day before.
        (SANTIAGO, "2024-09-07", "2024-09-08T03:59:59Z", None),
        (SANTIAGO, "2024-09-07", "2024-09-08T04:00:00Z", TOO_LATE),
        # After 2011-12-29 came 2011-12-31 in Apia.
        (APIA, "2011-12-29", "2011-12-30T09:59:59Z", None),
        (APIA, "2011-12-29", "2011-12-30T10:00:00Z", TOO_LATE),
    ],
)
def test_a_day_is_over_when_the_next_that_exists_begins(
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
        pytest.param(CutOff(time(0), 3), MONDAY, DAY, "2026-12-24T23:59:59", None, id="days before"),
        pytest.param(CutOff(time(0), 3), MONDAY, DAY, "2026-12-25T00:00:00", TOO_LATE, id="from midnight"),
        pytest.param(
            CutOff(time(12)), f"{MONDAY}T14:00", FOUR_HOURS, "2026-12-28T11:59:59", None, id="hours, too"
        ),
        pytest.param(
            CutOff(time(12)),
            f"{MONDAY}T14:00",
            FOUR_HOURS,
            "2026-12-28T12:00:00",
            TOO_LATE,
            id="by the clock",
        ),
        pytest.param(
            CutOff(time(12)), f"{MONDAY}T09:00", FOUR_HOURS, "2026-12-28T11:59:59", None, id="while they run"
        ),
        pytest.param(CutOff(time(2, 30)), "2026-03-29", DAY, "2026-03-29T03:29:59", None, id="in the gap"),
        pytest.param(CutOff(time(2, 30)), "2026-03-29", DAY, "2026-03-29T03:30:00", TOO_LATE, id="it shifts"),
        pytest.param(
            CutOff(time(2, 30)), "2026-10-25", DAY, "2026-10-25T02:29:59+02:00", None, id="told twice: before"
        ),
        pytest.param(
            CutOff(time(2, 30)), "2026-10-25", DAY, "2026-10-25T02:30:00+02:00", TOO_LATE, id="the earlier"
        ),
        pytest.param(
            CutOff(time(2, 30)), "2026-10-25", DAY, "2026-10-25T02:10:00+01:00", TOO_LATE, id="for good"
        ),
        pytest.param(
            CutOff(time(12), 1), "2026-03-30", DAY, "2026-03-29T11:59:59", None, id="the day of 23 hours"
        ),
    ],
)
def test_a_cut_off_is_a_local_time(
    cut_off: CutOff, start: str, duration: Duration, now: str, reason: Obstacle | None
) -> None:
    assert found(BookingRules(cut_off=cut_off), start, duration, now=now) is reason


@pytest.mark.parametrize(
    ("minutes", "start", "duration", "now", "reason"),
    [
        (0, f"{MONDAY}T10:00", FOUR_HOURS, "2026-12-28T09:59:59", None),
        (0, f"{MONDAY}T10:00", FOUR_HOURS, "2026-12-28T10:00:00", TOO_LATE),
        (90, f"{MONDAY}T10:00", FOUR_HOURS, "2026-12-28T08:29:59", None),
        (90, f"{MONDAY}T10:00", FOUR_HOURS, "2026-12-28T08:30:00", TOO_LATE),
        pytest.param(90, MONDAY, DAY, "2026-12-27T22:29:59", None, id="before a day begins"),
        pytest.param(90, MONDAY, DAY, "2026-12-27T22:30:00", TOO_LATE, id="not before it ends"),
        pytest.param(60, "2026-03-29T03:00", FOUR_HOURS, "2026-03-29T00:59:59", None, id="elapsed minutes"),
        pytest.param(60, "2026-03-29T03:00", FOUR_HOURS, "2026-03-29T01:00:00", TOO_LATE, id="over the gap"),
        pytest.param(
            90, "2026-10-25T03:00", FOUR_HOURS, "2026-10-25T02:29:59+02:00", None, id="over the hour twice"
        ),
        pytest.param(
            90, "2026-10-25T03:00", FOUR_HOURS, "2026-10-25T02:30:00+01:00", TOO_LATE, id="once more"
        ),
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
        (0, 0, "2026-12-27T23:59:59", TOO_EARLY),
        (0, 0, "2026-12-28T00:00:00", None),
        (3, 3, "2026-12-25T12:00:00", None),
        pytest.param(2, None, "2026-12-26T22:59:59Z", None, id="days are those of the merchant"),
        pytest.param(2, None, "2026-12-26T23:00:00Z", TOO_LATE, id="not of UTC"),
    ],
)
def test_lead_days_are_counted_between_local_dates(
    least: int, most: int | None, now: str, reason: Obstacle | None
) -> None:
    assert found(BookingRules(min_lead_days=least, max_lead_days=most), now=now) is reason


def test_lead_days_count_to_the_day_on_which_hours_begin() -> None:
    rules = BookingRules(min_lead_days=1)

    assert found(rules, "2026-12-28T00:30", FOUR_HOURS, now="2026-12-27T23:59:59") is None
    assert found(rules, "2026-12-28T23:30", FOUR_HOURS, now="2026-12-28T00:00:00") is TOO_LATE


def test_an_instant_without_its_offset_is_no_now() -> None:
    """It would be read in the zone of the machine."""
    now = datetime(2026, 12, 1)  # noqa: DTZ001

    with pytest.raises(InvalidPeriod, match=r"^2026-12-01T00:00:00 lacks its offset$"):
        BookingDesk(ticket(), zone=ZURICH, catalogue=shop(), now=now)


def test_today_is_the_day_of_the_zone() -> None:
    late = at("2026-12-21T23:30Z")

    assert BookingDesk(ticket(), zone=ZURICH, catalogue=shop(), now=late).today == date(2026, 12, 22)
    assert BookingDesk(ticket(), zone=SANTIAGO, catalogue=shop(), now=late).today == date(2026, 12, 21)


# ---------------------------------------------------------------- days on which it runs


@pytest.mark.parametrize(
    ("start", "duration", "reason"),
    [
        ("2026-11-30", DAY, OUT_OF_SEASON),
        ("2026-12-01", DAY, None),
        ("2027-01-01", DAY, None),
        ("2027-04-30", DAY, None),
        ("2027-05-01", DAY, OUT_OF_SEASON),
        pytest.param("2026-12-30", THREE_DAYS, None, id="over the new year"),
        pytest.param("2027-04-28", THREE_DAYS, None, id="to its last day"),
        pytest.param("2027-04-29", THREE_DAYS, OUT_OF_SEASON, id="past its last day"),
        pytest.param("2026-11-30", THREE_DAYS, OUT_OF_SEASON, id="from the day before it"),
        pytest.param("2027-04-30T20:00", FOUR_HOURS, None, id="to the end of its last day"),
        pytest.param("2027-04-30T20:01", FOUR_HOURS, OUT_OF_SEASON, id="a minute past it"),
    ],
)
def test_every_day_of_a_validity_is_in_season(
    start: str, duration: Duration, reason: Obstacle | None
) -> None:
    assert found(BookingRules(seasons=("winter",)), start, duration) is reason


def test_a_product_of_two_seasons_runs_in_both() -> None:
    rules = BookingRules(seasons=("winter", "summer"))

    assert [found(rules, day) for day in ("2027-04-30", "2027-05-15", "2027-06-15", "2027-10-01")] == [
        None,
        OUT_OF_SEASON,
        None,
        OUT_OF_SEASON,
    ]


def test_a_season_that_the_catalogue_does_not_have_is_an_error() -> None:
    with pytest.raises(UnknownEntry, match=r"^unknown season 'spring'$"):
        found(BookingRules(seasons=("spring",)))


@pytest.mark.parametrize(
    ("start", "duration", "reason"),
    [
        ("2026-12-29", DAY, None),
        ("2026-12-30", DAY, CLOSED),
        ("2026-12-31", DAY, None),
        pytest.param("2026-12-28", THREE_DAYS, CLOSED, id="its last day"),
        pytest.param("2026-12-29", THREE_DAYS, CLOSED, id="a day within"),
        pytest.param("2026-12-30", THREE_DAYS, CLOSED, id="its first day"),
        pytest.param("2026-12-31", THREE_DAYS, None, id="none of them"),
        pytest.param("2026-12-29T20:00", FOUR_HOURS, None, id="up to midnight"),
        pytest.param("2026-12-29T20:01", FOUR_HOURS, CLOSED, id="a minute into it"),
    ],
)
def test_a_closed_day_closes_every_validity_it_is_in(
    start: str, duration: Duration, reason: Obstacle | None
) -> None:
    one_day = Days(dates=(Span(date(2026, 12, 30), date(2026, 12, 30)),))

    assert found(BookingRules(closed=(one_day,)), start, duration) is reason


def test_it_may_be_closed_on_weekdays_and_holidays() -> None:
    rules = BookingRules(closed=(Days(weekdays=frozenset({3})), Days(is_holiday=True)))
    christmas = (Holiday(MonthDay(12, 25)), Holiday(EasterDay(1)))

    week = [found(rules, f"2026-12-{day}", holidays=christmas) for day in range(22, 29)]

    assert week == [None, CLOSED, None, CLOSED, None, None, None]
    assert found(rules, "2027-03-29", holidays=christmas) is CLOSED


def test_out_of_season_comes_before_closed_whichever_day_comes_first() -> None:
    closed_at_the_end = BookingRules(
        seasons=("winter",), closed=(Days(dates=(Span(MonthDay(4, 30), MonthDay(5, 2)),)),)
    )

    assert found(closed_at_the_end, "2027-04-30") is CLOSED
    assert found(closed_at_the_end, "2027-04-30", THREE_DAYS) is OUT_OF_SEASON
    assert found(closed_at_the_end, "2027-05-01") is OUT_OF_SEASON


# ---------------------------------------------------------------- start and length


@pytest.mark.parametrize(
    ("start", "duration", "reason"),
    [
        ("2026-12-28T10:00", FOUR_HOURS, None),
        ("2026-12-28T14:00", FOUR_HOURS, None),
        ("2026-12-28T10:00:01", FOUR_HOURS, START_TIME),
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


def test_of_two_times_that_look_the_same_only_the_earlier_is_a_start() -> None:
    rules = BookingRules(start_times=(time(2, 30),))

    assert found(rules, "2026-10-25T02:30+02:00", FOUR_HOURS) is None
    assert found(rules, "2026-10-25T02:30+01:00", FOUR_HOURS) is START_TIME


def test_a_start_time_that_the_clocks_skip_is_no_start() -> None:
    assert found(BookingRules(start_times=(time(2, 30),)), "2026-03-29T03:30", FOUR_HOURS) is START_TIME


WEEK = Duration(days=7)
FROM_SATURDAY = StayRule(start_weekdays=frozenset({6}))
AT_CHRISTMAS = Days(dates=(Span(MonthDay(12, 24), MonthDay(1, 3)),))


@pytest.mark.parametrize(
    ("rules", "start", "duration", "reason"),
    [
        pytest.param([FROM_SATURDAY], "2026-12-26", DAY, None, id="a Saturday"),
        pytest.param([FROM_SATURDAY], "2026-12-27", DAY, START_DAY, id="a Sunday"),
        pytest.param([FROM_SATURDAY], "2026-12-26", WEEK, None, id="only the first day counts"),
        pytest.param([StayRule(min_days=3)], MONDAY, Duration(days=2), LENGTH, id="a day short"),
        pytest.param([StayRule(min_days=3)], MONDAY, THREE_DAYS, None, id="just long enough"),
        pytest.param([StayRule(max_days=3)], MONDAY, THREE_DAYS, None, id="just short enough"),
        pytest.param([StayRule(max_days=3)], MONDAY, Duration(days=4), LENGTH, id="a day more"),
        pytest.param([StayRule(min_days=2)], "2026-12-28T20:01", FOUR_HOURS, None, id="hours of two days"),
        pytest.param([StayRule(min_days=2)], "2026-12-28T20:00", FOUR_HOURS, LENGTH, id="hours of one"),
        pytest.param(
            [StayRule(AT_CHRISTMAS, min_days=3)], "2026-12-24", DAY, LENGTH, id="from the first day"
        ),
        pytest.param([StayRule(AT_CHRISTMAS, min_days=3)], "2027-01-03", DAY, LENGTH, id="to the last day"),
        pytest.param([StayRule(AT_CHRISTMAS, min_days=3)], "2026-12-23", DAY, None, id="that starts before"),
        pytest.param([StayRule(AT_CHRISTMAS, min_days=3)], "2027-01-04", DAY, None, id="that starts after"),
        pytest.param([StayRule(min_days=3), FROM_SATURDAY], "2026-12-26", DAY, LENGTH, id="both must hold"),
        pytest.param([StayRule(min_days=3), FROM_SATURDAY], MONDAY, DAY, START_DAY, id="the day comes first"),
        pytest.param([FROM_SATURDAY, StayRule(min_days=3)], MONDAY, DAY, START_DAY, id="in whatever order"),
        pytest.param([FROM_SATURDAY, StayRule(min_days=3)], "2026-12-26", THREE_DAYS, None, id="both hold"),
    ],
)
def test_a_stay_begins_on_its_weekdays_and_has_its_length(
    rules: list[StayRule], start: str, duration: Duration, reason: Obstacle | None
) -> None:
    assert found(BookingRules(stays=tuple(rules)), start, duration) is reason


def test_a_stay_may_be_longer_where_it_begins_on_a_holiday() -> None:
    rules = BookingRules(stays=(StayRule(Days(is_holiday=True), min_days=3),))
    christmas = Holiday(MonthDay(12, 25))

    assert found(rules, "2026-12-25", holidays=(christmas,)) is LENGTH
    assert found(rules, "2026-12-26", holidays=(christmas,)) is None


# ---------------------------------------------------------------- when validities begin


def starts(
    day: date,
    duration: Duration,
    product: Product,
    *,
    zone: ZoneInfo = ZURICH,
    catalogue: Catalogue | None = None,
) -> list[str]:
    desk = BookingDesk(product, zone=zone, catalogue=catalogue or shop(product), now=at(LONG_BEFORE))
    return [start.isoformat() for start in desk.starts_on(day, duration)]


def test_days_begin_at_the_first_instant_of_their_day() -> None:
    product = ticket(booking=BookingRules(start_times=(time(9),)))

    assert starts(date(2026, 12, 28), DAY, product) == ["2026-12-28T00:00:00+01:00"]
    assert starts(date(2026, 12, 28), MONTH, product) == ["2026-12-28T00:00:00+01:00"]
    assert starts(date(2026, 12, 28), Duration(days=1, seconds=60), product) == ["2026-12-28T00:00:00+01:00"]
    assert starts(date(2024, 9, 8), DAY, product, zone=SANTIAGO) == ["2024-09-08T01:00:00-03:00"]


def test_hours_begin_with_the_day_if_nothing_says_when() -> None:
    assert starts(date(2026, 12, 28), FOUR_HOURS, ticket()) == ["2026-12-28T00:00:00+01:00"]
    assert starts(date(2024, 9, 8), FOUR_HOURS, ticket(), zone=SANTIAGO) == ["2024-09-08T01:00:00-03:00"]


def test_hours_begin_at_each_start_time_once_in_order() -> None:
    product = ticket(booking=BookingRules(start_times=(time(14), time(9), time(14))))

    assert starts(date(2026, 12, 28), FOUR_HOURS, product) == [
        "2026-12-28T09:00:00+01:00",
        "2026-12-28T14:00:00+01:00",
    ]


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


def test_a_start_time_in_a_gap_is_left_out_and_one_told_twice_is_the_earlier() -> None:
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
def test_nothing_begins_on_a_day_that_the_zone_left_out(duration: Duration, times: tuple[time, ...]) -> None:
    product = ticket(booking=BookingRules(start_times=times))

    assert starts(date(2011, 12, 30), duration, product, zone=APIA) == []
    assert len(starts(date(2011, 12, 31), duration, product, zone=APIA)) == 1


# ---------------------------------------------------------------- the season that is on, or the next

YEARS_OFF = Season(identifier="jubilee", spans=(Span(date(2027, 7, 1), date(2027, 7, 10)),))
CALENDAR = Calendar(seasons=(WINTER, SUMMER, YEARS_OFF))


def running(today: date, *seasons: str) -> DateRange | None:
    return running_days(ticket(booking=BookingRules(seasons=seasons)), CALENDAR, today)


@pytest.mark.parametrize(
    ("today", "first", "end"),
    [
        pytest.param(date(2026, 12, 1), date(2026, 12, 1), date(2027, 5, 1), id="its first day"),
        pytest.param(date(2026, 12, 31), date(2026, 12, 31), date(2027, 5, 1), id="before the new year"),
        pytest.param(date(2027, 1, 1), date(2027, 1, 1), date(2027, 5, 1), id="after it"),
        pytest.param(date(2027, 4, 30), date(2027, 4, 30), date(2027, 5, 1), id="its last day"),
        pytest.param(date(2027, 5, 1), date(2027, 12, 1), date(2028, 5, 1), id="the next winter"),
        pytest.param(date(2026, 11, 30), date(2026, 12, 1), date(2027, 5, 1), id="tomorrow"),
    ],
)
def test_the_season_that_is_on_or_else_the_next(today: date, first: date, end: date) -> None:
    assert running(today, "winter") == DateRange(first, end)


def test_of_several_seasons_the_one_that_is_on_or_comes_first() -> None:
    assert running(date(2027, 5, 1), "winter", "summer") == DateRange(date(2027, 6, 15), date(2027, 10, 1))
    assert running(date(2027, 10, 1), "summer", "winter") == DateRange(date(2027, 12, 1), date(2028, 5, 1))


@pytest.mark.parametrize("seasons", [("summer", "jubilee"), ("jubilee", "summer")])
def test_of_seasons_that_are_on_together_the_one_that_ends_last(seasons: tuple[str, ...]) -> None:
    assert running(date(2027, 7, 5), *seasons) == DateRange(date(2027, 7, 5), date(2027, 10, 1))


def test_what_has_no_season_runs_for_a_year() -> None:
    assert running(date(2026, 12, 21)) == DateRange(date(2026, 12, 21), date(2027, 12, 22))


@pytest.mark.parametrize(
    ("today", "first", "end"),
    [
        (date(2026, 12, 21), date(2026, 12, 21), date(2027, 12, 22)),
        (date(2025, 12, 21), date(2026, 1, 1), date(2027, 1, 2)),
        (date(2029, 6, 1), date(2029, 6, 1), date(2030, 1, 1)),
    ],
)
def test_of_a_season_of_years_it_is_at_most_one(today: date, first: date, end: date) -> None:
    years = Season(identifier="years", spans=(Span(date(2026, 1, 1), date(2029, 12, 31)),))
    product = ticket(booking=BookingRules(seasons=("years",)))

    assert running_days(product, Calendar(seasons=(years,)), today) == DateRange(first, end)


def test_what_does_not_come_again_runs_no_more() -> None:
    assert running(date(2027, 7, 10), "jubilee") == DateRange(date(2027, 7, 10), date(2027, 7, 11))
    assert running(date(2027, 7, 11), "jubilee") is None
