"""Days and local times in zones with clock changes. Decisions §8.1 and §8.2."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from faregate.dates.instants import (
    DateRange,
    Interval,
    in_utc,
    instant_of,
    local_instant,
    parse_interval,
    service_days,
    start_of_day,
)
from support.dates.zones import APIA, ZURICH


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        (date(2026, 12, 27), date(2026, 12, 28), 1),
        (date(2026, 12, 27), date(2026, 12, 27), 0),
    ],
)
def test_a_date_range_excludes_its_end(start: date, end: date, days: int) -> None:
    assert DateRange(start, end).days == days


def test_the_first_day_of_an_interval_is_local() -> None:
    # 23:30 in UTC is half past midnight in Zurich.
    late = datetime(2026, 12, 26, 23, 30, tzinfo=UTC)

    assert Interval(late.astimezone(ZURICH), late.astimezone(ZURICH)).first_day == date(2026, 12, 27)


@pytest.mark.parametrize(
    ("zone", "day", "first"),
    [
        pytest.param("America/Santiago", date(2024, 9, 8), "2024-09-08T01:00:00-03:00", id="no midnight"),
        pytest.param("America/Toronto", date(1919, 3, 31), "1919-03-31T00:30:00-04:00", id="half a midnight"),
        pytest.param("America/Havana", date(2024, 11, 3), "2024-11-03T00:00:00-04:00", id="two midnights"),
        pytest.param("Pacific/Apia", date(2011, 12, 31), "2011-12-31T00:00:00+14:00", id="after the gap"),
    ],
)
def test_a_day_starts_at_its_first_existing_instant(zone: str, day: date, first: str) -> None:
    start = start_of_day(day, ZoneInfo(zone))

    assert start is not None
    assert start.isoformat() == first


def test_a_day_skipped_by_its_zone_has_no_start() -> None:
    assert start_of_day(date(2011, 12, 30), APIA) is None


@pytest.mark.parametrize(
    ("start", "end", "first", "count"),
    [
        pytest.param("2026-12-27", "2026-12-27", date(2026, 12, 27), 1, id="a day"),
        pytest.param("2026-12-27T20:00", "2026-12-28T00:00", date(2026, 12, 27), 1, id="to midnight"),
        pytest.param("2026-12-27T20:00", "2026-12-28T00:00:01", date(2026, 12, 27), 2, id="a second past it"),
        pytest.param("2026-12-26T23:00Z", "2026-12-27T23:00Z", date(2026, 12, 27), 1, id="local days"),
    ],
)
def test_a_validity_covers_the_local_days_that_it_overlaps(
    start: str, end: str, first: date, count: int
) -> None:
    days = service_days(parse_interval(start, end, ZURICH))

    assert (days.start, days.days) == (first, count)


def test_a_day_that_begins_at_one_is_not_covered_by_the_day_before() -> None:
    santiago = ZoneInfo("America/Santiago")

    assert service_days(parse_interval("2024-09-07", "2024-09-07", santiago)).days == 1
    assert service_days(parse_interval("2024-09-07", "2024-09-08T01:00:01", santiago)).days == 2
    assert service_days(parse_interval("2011-12-29", "2011-12-29", APIA)).days == 1


@pytest.mark.parametrize(
    ("zone", "day", "at", "instant"),
    [
        ("Europe/Zurich", date(2026, 12, 27), time(8, 15, 30), "2026-12-27T08:15:30+01:00"),
        pytest.param("Europe/Zurich", date(2026, 3, 29), time(2), "2026-03-29T03:00:00+02:00", id="a gap"),
        pytest.param(
            "Europe/Zurich", date(2026, 10, 25), time(2, 30), "2026-10-25T02:30:00+02:00", id="twice"
        ),
        pytest.param(
            "Australia/Lord_Howe",
            date(2024, 10, 6),
            time(2, 15),
            "2024-10-06T02:45:00+11:00",
            id="half an hour",
        ),
        pytest.param(
            "Pacific/Apia", date(2011, 12, 30), time(12), "2011-12-31T12:00:00+14:00", id="a day left out"
        ),
    ],
)
def test_a_local_time_means_exactly_one_instant(zone: str, day: date, at: time, instant: str) -> None:
    assert local_instant(day, at, ZoneInfo(zone)).isoformat() == instant


def test_a_date_means_the_start_of_the_day_unless_it_is_an_end() -> None:
    day = date(2026, 12, 27)

    assert instant_of(day, ZURICH).isoformat() == "2026-12-27T00:00:00+01:00"
    assert instant_of(day, ZURICH, is_end=True).isoformat() == "2026-12-28T00:00:00+01:00"


def test_an_instant_in_utc_does_not_depend_on_the_machine() -> None:
    instant = in_utc(datetime(2026, 12, 27, 8, 30, tzinfo=ZURICH))

    assert instant.isoformat() == "2026-12-27T07:30:00+00:00"
    assert instant.tzinfo is UTC
