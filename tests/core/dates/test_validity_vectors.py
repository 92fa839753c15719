"""Start and end of a ticket's validity. SOURCES.md describes the sources.

If a source ends with the last second of a day, the validity here ends an instant later.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from faregate.dates.durations import Duration, LastDay, validity_from
from faregate.dates.instants import Interval, parse_interval, start_of_day

BERLIN = ZoneInfo("Europe/Berlin")
LONDON = ZoneInfo("Europe/London")
VANCOUVER = ZoneInfo("America/Vancouver")
SECOND = timedelta(seconds=1)


def valid(duration: str, start: str, zone: ZoneInfo = BERLIN) -> Interval:
    return validity_from(Duration.parse(duration), datetime.fromisoformat(start).replace(tzinfo=zone), zone)


def last_second(interval: Interval) -> datetime:
    return (interval.end.astimezone(UTC) - SECOND).astimezone(interval.start.tzinfo)


@pytest.mark.parametrize(
    ("duration", "start", "end"),
    [
        # pretix
        pytest.param("P1D", "2023-02-09T10:30", "2023-02-09T23:59:59+01:00", id="VAL-T1-1-day"),
        pytest.param("P3D", "2023-02-09T10:30", "2023-02-11T23:59:59+01:00", id="VAL-T1-3-days"),
        pytest.param("P1M", "2023-02-09", "2023-03-08T23:59:59+01:00", id="VAL-T2-1-month"),
        pytest.param("P12M", "2023-01-01", "2023-12-31T23:59:59+01:00", id="VAL-T2-12-months"),
        pytest.param("P1M", "2024-01-31", "2024-02-29T23:59:59+01:00", id="VAL-T4-1-month-from-31"),
        pytest.param("P12M", "2023-03-01", "2024-02-29T23:59:59+01:00", id="VAL-T4-12-months-to-leap-day"),
        pytest.param("P12M", "2024-03-01", "2025-02-28T23:59:59+01:00", id="VAL-T4-12-months-from-March"),
        pytest.param("P12M", "2024-02-29", "2025-02-28T23:59:59+01:00", id="VAL-T4-12-months-from-leap-day"),
        pytest.param("P12M", "2024-01-31", "2025-01-30T23:59:59+01:00", id="VAL-T4-12-months-from-31"),
        pytest.param("P2D", "2023-03-25", "2023-03-26T23:59:59+02:00", id="VAL-T5"),
        # decisions §8.2, computed: 26 and a half hours later
        pytest.param("P1DT2H30M", "2023-10-28", "2023-10-29T02:29:59+02:00", id="VAL-T7"),
    ],
)
def test_last_second_of_a_validity(duration: str, start: str, end: str) -> None:
    assert last_second(valid(duration, start)).isoformat() == end


@pytest.mark.parametrize(
    ("duration", "first", "last"),
    [
        pytest.param("P1D", "2023-02-09", "2023-02-09T23:59:59", id="VAL-T1-1-day"),
        pytest.param("P3D", "2023-02-09", "2023-02-11T23:59:59", id="VAL-T1-3-days"),
        pytest.param("P1M", "2024-01-31", "2024-02-29T23:59:59", id="VAL-T4"),
        pytest.param("P2D", "2023-03-25", "2023-03-26T23:59:59", id="VAL-T5"),
    ],
)
def test_an_end_at_the_last_second_means_the_whole_day(duration: str, first: str, last: str) -> None:
    assert parse_interval(first, last, BERLIN) == parse_interval(first, last[:10], BERLIN)
    assert parse_interval(first, last, BERLIN) == valid(duration, first)


@pytest.mark.parametrize(
    ("last_day", "end"),
    [
        # pretix: a pass is valid through the last day of February
        pytest.param(LastDay.THROUGH, "2023-03-01T00:00:00+01:00", id="VAL-T8-pretix"),
        # Stripe and Lago: the period ends when that day begins
        pytest.param(LastDay.EXCLUSIVE, "2023-02-28T00:00:00+01:00", id="VAL-T8-Stripe-Lago"),
    ],
)
def test_month_from_the_31st_ends_before_or_after_the_last_of_february(last_day: LastDay, end: str) -> None:
    start = datetime(2023, 1, 31, tzinfo=BERLIN)

    assert validity_from(Duration(months=1), start, BERLIN, last_day=last_day).end.isoformat() == end


@pytest.mark.parametrize(
    ("zone", "day", "first"),
    [
        # tz database; computed
        pytest.param("America/Santiago", "2024-09-08", "01:00", id="VAL-T10-Santiago"),
        pytest.param("Africa/Cairo", "2024-04-26", "01:00", id="VAL-T10-Cairo"),
        pytest.param("Asia/Beirut", "2024-03-31", "01:00", id="VAL-T10-Beirut"),
        pytest.param("America/Havana", "2024-03-10", "01:00", id="VAL-T10-Havana"),
        pytest.param("America/Asuncion", "2024-10-06", "01:00", id="VAL-T10-Asuncion"),
        # test262, Temporal
        pytest.param("America/Toronto", "1919-03-31", "00:30", id="VAL-T11-Toronto"),
    ],
)
def test_ticket_for_a_day_without_midnight_is_valid_from_its_first_instant(
    zone: str, day: str, first: str
) -> None:
    local = ZoneInfo(zone)
    today = valid("P1D", f"{day}T12:00", local)
    before = validity_from(Duration(days=1), today.start - timedelta(days=1), local)

    assert today.start.isoformat()[:16] == f"{day}T{first}"
    assert today.start == before.end == start_of_day(today.first_day, local)
    assert parse_interval(day, day, local) == today


def test_hours_elapse_across_a_clock_change() -> None:
    """VAL-T13: test262, the second of its two rows."""
    day_later = valid("PT24H", "2000-04-02T01:00", VANCOUVER)

    assert day_later.end.isoformat() == "2000-04-03T02:00:00-07:00"


def test_all_day_is_from_midnight_to_midnight() -> None:
    """VAL-T14: OCTO, example of its OpenAPI document."""
    all_day = parse_interval("2022-06-30", "2022-06-30", LONDON)

    assert all_day == valid("P1D", "2022-06-30", LONDON)
    assert [instant.isoformat() for instant in all_day] == [
        "2022-06-30T00:00:00+01:00",
        "2022-07-01T00:00:00+01:00",
    ]
