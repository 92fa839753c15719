"""Durations in ISO 8601, and the comparison of a validity with one. Decisions §8.2."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from faregate.dates.durations import Duration, has_duration
from faregate.dates.instants import Interval, parse_interval
from faregate.errors import InvalidPeriod
from support.dates.zones import ZURICH


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("PT4H", Duration(seconds=14_400)),
        ("P1D", Duration(days=1)),
        ("P1DT2H30M", Duration(days=1, seconds=9_000)),
        ("P2W", Duration(days=14)),
        ("P1Y1M1W1DT1H1M1S", Duration(months=13, days=8, seconds=3_661)),
        ("P100Y", Duration(months=1_200)),
        ("P36525D", Duration(days=36_525)),
    ],
)
def test_durations_are_parsed_from_iso_8601(text: str, duration: Duration) -> None:
    assert Duration.parse(text) == duration


@pytest.mark.parametrize(
    "text",
    [
        "",
        "P",
        "PT",
        "P1DT",
        "1D",
        "p1d",
        "-P1D",
        "P-1D",
        "P1.5D",
        "P1H",
        "PT1D",
        "P1D1Y",
        "P 1D",
        "P1D\n",
        "P1234567890D",
        "P٣D",
    ],
)
def test_an_invalid_duration_is_refused(text: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        Duration.parse(text)

    assert str(raised.value) == f"invalid ISO 8601 duration: {text!r}"


@pytest.mark.parametrize("text", ["P0D", "PT0S", "P0Y0M0DT0H", "P101Y", "P1201M", "P36526D", "PT876601H"])
def test_a_duration_is_longer_than_0_and_at_most_a_century(text: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        Duration.parse(text)

    assert str(raised.value) == f"expected a duration from one second to a century, got {text!r}"


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (Duration(months=24), "P2Y"),
        (Duration(seconds=9_000), "PT2H30M"),
        (Duration(seconds=86_400), "PT24H"),
        (Duration(months=13, days=8, seconds=3_661), "P1Y1M8DT1H1M1S"),
    ],
)
def test_durations_print_in_their_largest_units(duration: Duration, text: str) -> None:
    assert str(duration) == text
    assert Duration.parse(text) == duration


@pytest.mark.parametrize(
    ("duration", "start", "end"),
    [
        pytest.param("P1D", "2026-12-27", "2026-12-27", id="a day"),
        pytest.param("P1W", "2026-12-21", "2026-12-27", id="a week is seven days"),
        pytest.param("P1D", "2026-03-29", "2026-03-29", id="a day of 23 hours"),
        pytest.param("PT1H", "2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00", id="the hour shown twice"),
        pytest.param("P1DT2H30M", "2026-03-28", "2026-03-29T03:30", id="days first, then hours over the gap"),
        pytest.param("P1D", "2026-12-26T23:00Z", "2026-12-27T23:00Z", id="a local day in UTC"),
        pytest.param("P1M", "2027-01-31", "2027-02-28", id="a month through the end of a short one"),
        pytest.param("P1M1D", "2026-12-01", "2027-01-01", id="a month, then a day"),
    ],
)
def test_a_validity_spans_its_duration(duration: str, start: str, end: str) -> None:
    assert has_duration(Duration.parse(duration), parse_interval(start, end, ZURICH), ZURICH)


def test_instants_in_another_zone_span_a_local_day() -> None:
    start, end = datetime(2026, 12, 26, 23, tzinfo=UTC), datetime(2026, 12, 27, 23, tzinfo=UTC)

    assert has_duration(Duration(days=1), Interval(start, end), ZURICH)


@pytest.mark.parametrize(
    ("duration", "start", "end"),
    [
        pytest.param("P1D", "2026-12-27", "2026-12-28", id="too long"),
        pytest.param("P2D", "2026-12-27", "2026-12-27", id="too short"),
        pytest.param("P1D", "2026-12-27T08:00", "2026-12-28T08:00", id="24 hours are not a local day"),
        pytest.param("P1DT2H30M", "2026-12-27T08:00", "2026-12-28T10:30", id="days begin at midnight"),
        pytest.param("P1M", "2026-12-01", "2026-12-30", id="a month from the first ends with the month"),
    ],
)
def test_a_validity_of_another_length_does_not_span_it(duration: str, start: str, end: str) -> None:
    assert not has_duration(Duration.parse(duration), parse_interval(start, end, ZURICH), ZURICH)


def test_a_duration_past_the_end_of_the_calendar_spans_nothing() -> None:
    last = parse_interval("9999-12-30T00:00", "9999-12-31T00:00", ZURICH)

    assert has_duration(Duration(days=1), last, ZURICH)
    assert not has_duration(Duration(days=3), last, ZURICH)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("America/Santiago", "2024-09-07"),
        ("America/Santiago", "2024-09-08"),
        ("America/Toronto", "1919-03-31"),
        ("America/Havana", "2024-11-03"),
        ("Pacific/Apia", "2011-12-29"),
    ],
)
def test_one_local_date_spans_one_day_wherever_it_starts_and_ends(zone: str, day: str) -> None:
    local = ZoneInfo(zone)

    assert has_duration(Duration(days=1), parse_interval(day, day, local), local)


def test_a_day_with_two_midnights_starts_at_the_first() -> None:
    havana = ZoneInfo("America/Havana")
    # 00:00-05:00 is the second midnight, an hour into the day.
    late = parse_interval("2024-11-03T00:00:00-05:00", "2024-11-03", havana)

    assert not has_duration(Duration(days=1), late, havana)
    assert has_duration(Duration(seconds=24 * 3_600), late, havana)


def test_the_last_date_has_no_full_day() -> None:
    last = Interval(datetime(9999, 12, 31, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC))

    assert not has_duration(Duration(days=1), last, ZoneInfo("UTC"))
