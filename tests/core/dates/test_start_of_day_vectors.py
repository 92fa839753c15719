"""Local dates of instants, and the first instant of a day without midnight. SOURCES.md has the sources."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from faregate.dates.instants import start_of_day
from faregate.dates.zones import local_date, time_zone
from faregate.errors import InvalidInput, InvalidPeriod

JUMPS = [
    # tz database; computed
    pytest.param("America/Santiago", date(2024, 9, 8), time(1, 0), id="VAL-T10-Santiago"),
    pytest.param("Africa/Cairo", date(2024, 4, 26), time(1, 0), id="VAL-T10-Cairo"),
    pytest.param("Asia/Beirut", date(2024, 3, 31), time(1, 0), id="VAL-T10-Beirut"),
    pytest.param("America/Havana", date(2024, 3, 10), time(1, 0), id="VAL-T10-Havana"),
    pytest.param("America/Asuncion", date(2024, 10, 6), time(1, 0), id="VAL-T10-Asuncion"),
    # test262, Temporal: the clock jumped from 23:30 to 00:30
    pytest.param("America/Toronto", date(1919, 3, 31), time(0, 30), id="VAL-T11-Toronto"),
]


@pytest.mark.parametrize(("zone", "day", "first"), JUMPS)
def test_day_without_midnight_starts_right_after_the_clock_change(zone: str, day: date, first: time) -> None:
    start = start_of_day(day, ZoneInfo(zone))

    assert start is not None
    assert (start.date(), start.time()) == (day, first)


@pytest.mark.parametrize(("zone", "day", "first"), JUMPS)
def test_start_of_day_survives_conversion_to_utc_and_back(zone: str, day: date, first: time) -> None:
    """A skipped midnight does not: converted to UTC and back, it changes."""
    local = ZoneInfo(zone)
    start = start_of_day(day, local)
    midnight = datetime.combine(day, time.min, local)

    assert start is not None
    assert start.astimezone(UTC).astimezone(local).time() == first
    assert midnight.time() == time.min != midnight.astimezone(UTC).astimezone(local).time()


@pytest.mark.parametrize("name", ["Europe/Zurih", "", "../etc", "Europe"])
def test_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(
        InvalidInput, match=r"^unknown time zone .*, expected a name such as 'Europe/Zurich'$"
    ):
        time_zone(name)


def test_zone_is_found_by_its_name() -> None:
    assert time_zone("Europe/Zurich") is ZoneInfo("Europe/Zurich")
    assert time_zone("UTC") is UTC


def test_a_repeated_hour_may_be_on_two_dates_in_another_zone() -> None:
    first = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Zurich"))

    found = [local_date(at, "Atlantic/Cape_Verde") for at in (first, first.replace(fold=1))]

    assert found == [date(2026, 10, 24), date(2026, 10, 25)]


def test_instant_beyond_the_calendar_of_a_zone_is_refused() -> None:
    with pytest.raises(InvalidPeriod, match=r"is outside the years 1 to 9999 in Asia/Tokyo$"):
        local_date(datetime.max.replace(tzinfo=UTC), "Asia/Tokyo")
