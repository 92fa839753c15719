"""Laws of local days and of the forms of a validity. Decisions §8.1."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from hypothesis import example, given
from hypothesis import strategies as st

from faregate.dates.durations import Duration
from faregate.dates.instants import parse_interval, start_of_day

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SANTIAGO, CAIRO, APIA, TORONTO = map(
    ZoneInfo, ("America/Santiago", "Africa/Cairo", "Pacific/Apia", "America/Toronto")
)
zones = st.sampled_from(
    [
        *(SANTIAGO, CAIRO, APIA, TORONTO),
        *map(ZoneInfo, ("Europe/Zurich", "UTC", "America/Havana", "Asia/Beirut", "Australia/Lord_Howe")),
    ]
)
days = st.dates(date(1975, 1, 1), date(2035, 12, 31))


def first_instant(day: date, zone: ZoneInfo) -> datetime | None:
    """Return the earliest minute on *day* in *zone*, by trying each in turn."""
    instant = datetime.combine(day, time.min, UTC) - 16 * timedelta(hours=1)
    last = instant + 2 * DAY
    # Hours first: in all zones and years used here, every local hour has an instant.
    while instant < last and instant.astimezone(zone).date() < day:
        instant += timedelta(hours=1)
    instant -= timedelta(hours=1)
    while instant < last and instant.astimezone(zone).date() < day:
        instant += MINUTE
    return instant if instant.astimezone(zone).date() == day else None


@given(days, zones)
@example(date(2024, 9, 8), SANTIAGO)
@example(date(2024, 4, 26), CAIRO)
@example(date(2011, 12, 30), APIA)
def test_a_day_starts_at_its_first_existing_instant(day: date, zone: ZoneInfo) -> None:
    start = start_of_day(day, zone)

    assert (start and start.astimezone(UTC)) == first_instant(day, zone)


@given(days, st.integers(0, 400), zones)
def test_date_ranges_include_both_ends_and_equal_their_instants(
    first: date, length: int, zone: ZoneInfo
) -> None:
    last = first + length * DAY
    start, end = start_of_day(first, zone), start_of_day(last + DAY, zone)
    if start is None or end is None or start_of_day(last, zone) is None:
        return  # a day that does not exist is refused below

    interval = parse_interval(first.isoformat(), last.isoformat(), zone)

    assert interval == (start, end)
    assert interval.first_day == first
    assert parse_interval(start.isoformat(), end.isoformat(), zone) == interval
    assert parse_interval(start.isoformat(), f"{last}T23:59:59", zone) == interval
    from_utc, to_utc = (
        instant.astimezone(UTC).isoformat().replace("+00:00", "Z") for instant in (start, end)
    )
    assert parse_interval(from_utc, to_utc, zone) == interval


@given(st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1)), zones)  # noqa: DTZ001
def test_a_skipped_time_shifts_forward_and_a_repeated_one_is_the_earlier(
    local: datetime, zone: ZoneInfo
) -> None:
    local = local.replace(microsecond=0)
    if local.time() == time(23, 59, 59):
        local -= MINUTE

    start = parse_interval(local.isoformat(), "2031-01-01T00:00:00Z", zone).start

    candidates = [local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)]
    exists = [instant for instant in candidates if instant.astimezone(zone).replace(tzinfo=None) == local]
    expected = min(exists) if exists else candidates[0]
    assert start.astimezone(UTC) == expected
    assert start.astimezone(zone).replace(tzinfo=None) >= local


@given(st.integers(0, 1200), st.integers(0, 36_525), st.integers(0, 36_525 * 86_400))
def test_a_printed_duration_parses_to_the_same_duration(
    months: int, calendar_days: int, seconds: int
) -> None:
    duration = Duration(months, calendar_days, seconds or 1)

    assert Duration.parse(str(duration)) == duration
