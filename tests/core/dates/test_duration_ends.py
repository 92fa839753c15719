"""The validity of a duration from its start, across clock changes. Decisions §8.2."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from faregate.dates.durations import Duration, LastDay, validity_from
from faregate.errors import InvalidPeriod
from support.dates.zones import APIA, HAVANA, SANTIAGO, ZURICH, iso


def aware(text: str, zone: ZoneInfo = ZURICH) -> datetime:
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo else instant.replace(tzinfo=zone)


def from_start(duration: str, start: str, zone: ZoneInfo = ZURICH) -> str:
    return iso(validity_from(Duration.parse(duration), aware(start, zone), zone))


@pytest.mark.parametrize(
    ("duration", "start", "instants"),
    [
        # its own
        ("P1D", "2026-12-27T23:59:59", "2026-12-27T00:00:00+01:00/2026-12-28T00:00:00+01:00"),
        # 24 hours
        ("PT24H", "2026-03-29", "2026-03-29T00:00:00+01:00/2026-03-30T01:00:00+02:00"),
        # from a gap
        ("PT1H", "2026-03-29T02:30", "2026-03-29T03:30:00+02:00/2026-03-29T04:30:00+02:00"),
        # a time shown twice
        ("PT1H", "2026-10-25T02:30", "2026-10-25T02:30:00+02:00/2026-10-25T02:30:00+01:00"),
        # days, then hours
        ("P1DT2H30M", "2026-12-27T10:00", "2026-12-27T00:00:00+01:00/2026-12-28T02:30:00+01:00"),
        # hours that elapse over the gap
        ("P1DT3H", "2026-03-28", "2026-03-28T00:00:00+01:00/2026-03-29T04:00:00+02:00"),
        # all of it
        ("P1M1DT1H", "2027-01-30", "2027-01-30T00:00:00+01:00/2027-03-02T01:00:00+01:00"),
        # a century
        ("P100Y", "2024-02-29", "2024-02-29T00:00:00+01:00/2124-02-29T00:00:00+01:00"),
    ],
)
def test_a_duration_lasts_from_its_start(duration: str, start: str, instants: str) -> None:
    assert from_start(duration, start) == instants


@pytest.mark.parametrize(
    ("duration", "start", "through", "exclusive"),
    [
        ("P1M", "2027-01-29", "2027-03-01", "2027-02-28"),
        ("P1M", "2028-01-30", "2028-03-01", "2028-02-29"),
        ("P3M", "2027-01-31", "2027-05-01", "2027-04-30"),
        ("P1Y", "2028-02-29", "2029-03-01", "2029-02-28"),
        ("P1M2D", "2027-01-31", "2027-03-03", "2027-03-02"),
    ],
)
def test_the_last_day_option_decides_where_a_shorter_month_ends(
    duration: str, start: str, through: str, exclusive: str
) -> None:
    length, begin = Duration.parse(duration), aware(start)

    ends = [validity_from(length, begin, ZURICH, last_day=last_day).end for last_day in LastDay]

    assert ends == [aware(through), aware(exclusive)]
    assert validity_from(length, begin, ZURICH).end == aware(through)


@pytest.mark.parametrize(
    ("zone", "duration", "start", "instants"),
    [
        # to a day that begins at one
        (SANTIAGO, "P1D", "2024-09-07T12:00", "2024-09-07T00:00:00-04:00/2024-09-08T01:00:00-03:00"),
        # an hour of it
        (SANTIAGO, "P1DT1H", "2024-09-07", "2024-09-07T00:00:00-04:00/2024-09-08T02:00:00-03:00"),
        # from the first of two midnights
        (HAVANA, "P1D", "2024-11-03T00:30-05:00", "2024-11-03T00:00:00-04:00/2024-11-04T00:00:00-05:00"),
        # to the day after the one left out
        (APIA, "P1D", "2011-12-29", "2011-12-29T00:00:00-10:00/2011-12-31T00:00:00+14:00"),
        # a month to the day left out
        (APIA, "P1M", "2011-11-30", "2011-11-30T00:00:00-10:00/2011-12-31T00:00:00+14:00"),
    ],
)
def test_days_begin_and_end_at_existing_instants(
    zone: ZoneInfo, duration: str, start: str, instants: str
) -> None:
    assert from_start(duration, start, zone) == instants


def test_a_validity_is_in_the_requested_zone() -> None:
    interval = validity_from(Duration(days=1), datetime(2026, 12, 27, 12, tzinfo=UTC), ZURICH)

    assert interval.start.tzinfo is interval.end.tzinfo is ZURICH


def test_a_start_without_a_utc_offset_is_refused() -> None:
    with pytest.raises(InvalidPeriod, match=r"^2026-12-27T08:00:00 has no UTC offset$"):
        validity_from(Duration(days=1), datetime(2026, 12, 27, 8), ZURICH)  # noqa: DTZ001


def test_a_validity_outside_the_years_of_its_zone_is_refused() -> None:
    with pytest.raises(InvalidPeriod, match=r"^P1D from 0001-01-01T00:00:00"):
        validity_from(Duration(days=1), datetime.min.replace(tzinfo=UTC), ZoneInfo("America/Denver"))


@pytest.mark.parametrize(
    "duration",
    [
        Duration(days=10**10),
        Duration(months=10**9),
        Duration(seconds=10**15),
    ],
    ids=str,
)
def test_nothing_lasts_past_the_end_of_the_calendar(duration: Duration) -> None:
    start = datetime(9999, 12, 30, tzinfo=UTC)

    with pytest.raises(InvalidPeriod) as raised:
        validity_from(duration, start, ZURICH)

    assert str(raised.value).startswith(f"{duration} from 9999-12-30T00:00:00+00:00: ")
