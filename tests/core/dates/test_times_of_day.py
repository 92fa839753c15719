"""Times of day on the clocks of a zone. Decisions §3.5."""

from datetime import UTC, datetime, time, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.dates.times_of_day import TimeOfDay
from faregate.errors import InvalidInput, InvalidPeriod

ZURICH = ZoneInfo("Europe/Zurich")
MORNING, NIGHT = TimeOfDay(time(2), time(3)), TimeOfDay(time(22), time(2))

instants = st.integers(-(2**29), 2**32).map(lambda second: datetime.fromtimestamp(second, UTC))
zones = st.sampled_from(["Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Apia", "UTC"])
times = st.times().map(lambda time: time.replace(fold=0)) | st.builds(time, st.integers(0, 23))
ranges = st.tuples(times, times).filter(lambda pair: pair[0] != pair[1]).map(lambda pair: TimeOfDay(*pair))


@pytest.mark.parametrize(
    ("times", "shown", "is_met"),
    [
        (TimeOfDay(time(17), time(19)), "17:00:00", True),
        (TimeOfDay(time(17), time(19)), "18:59:59.999999", True),
        (TimeOfDay(time(17), time(19)), "19:00:00", False),
        (TimeOfDay(time(17), time(19)), "16:59:59.999999", False),
        (NIGHT, "22:00:00", True),
        (NIGHT, "00:00:00", True),
        (NIGHT, "02:00:00", False),
        (NIGHT, "21:59:59", False),
        (TimeOfDay(time(22), time(0)), "23:59:59.999999", True),
        (TimeOfDay(time(22), time(0)), "00:00:00", False),
    ],
)
def test_the_start_is_included_and_the_end_is_not(times: TimeOfDay, shown: str, is_met: bool) -> None:
    assert times.includes(datetime.fromisoformat(f"2026-12-27T{shown}+01:00"), ZURICH) is is_met
    assert times.includes(datetime.fromisoformat(f"2026-12-27T{shown}+00:00"), "UTC") is is_met


def test_a_time_that_clocks_show_twice_counts_twice_and_a_skipped_time_never() -> None:
    autumn, spring = (datetime(*day, tzinfo=UTC) for day in ((2026, 10, 25), (2026, 3, 29)))

    def minutes(midnight: datetime) -> int:
        return sum(MORNING.includes(midnight + timedelta(minutes=n), ZURICH) for n in range(240))

    assert (minutes(autumn), minutes(spring)) == (120, 0)


@given(ranges, instants, zones)
def test_clocks_decide(times: TimeOfDay, instant: datetime, zone: str) -> None:
    clock = instant.astimezone(ZoneInfo(zone)).strftime("%H:%M:%S.%f")
    start, end = (each.strftime("%H:%M:%S.%f") for each in (times.start, times.end))
    shown = [start <= clock < end] if start < end else [start <= clock, clock < end]

    assert times.includes(instant, zone) is any(shown)


@given(ranges, instants, zones)
def test_a_range_and_its_reverse_share_every_day(times: TimeOfDay, instant: datetime, zone: str) -> None:
    reverse = TimeOfDay(times.end, times.start)

    assert times.includes(instant, zone) is not reverse.includes(instant, zone)


@given(ranges, instants, zones, st.integers(-14 * 60, 14 * 60))
def test_the_offset_of_the_instant_changes_nothing(
    times: TimeOfDay, instant: datetime, zone: str, minutes: int
) -> None:
    moved = instant.astimezone(timezone(timedelta(minutes=minutes)))

    assert times.includes(moved, zone) is times.includes(instant, zone)


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (time(17), time(17), "two different times, got 17:00:00 twice"),
        (time(17, tzinfo=UTC), time(19), "expected a local time"),
        (time(17), time(19, fold=1), "expected a local time"),
        ("17:00", time(19), "expected a local time such as time\\(17\\), got '17:00'"),
        (time(17), None, "got None"),
    ],
)
def test_other_ranges_are_refused(start: Any, end: Any, message: str) -> None:
    with pytest.raises(InvalidPeriod, match=message):
        TimeOfDay(start, end)


def test_instants_need_an_offset_and_a_known_zone_in_the_calendar() -> None:
    with pytest.raises(InvalidPeriod, match="UTC offset"):
        NIGHT.includes(datetime.fromisoformat("2026-12-27"), ZURICH)
    with pytest.raises(InvalidPeriod, match="outside the years 1 to 9999"):
        NIGHT.includes(datetime(9999, 12, 31, 23, 59, tzinfo=UTC), ZURICH)
    with pytest.raises(InvalidInput, match="unknown time zone 'Mars'"):
        NIGHT.includes(datetime(2026, 12, 27, tzinfo=UTC), "Mars")
