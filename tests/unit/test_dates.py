"""Days, intervals and durations in zones whose clocks jump. Decisions §8.1 and §8.2.

What each zone does is in the tz database. Zurich: 2026-03-29 02:00 to 03:00, 2026-10-25 03:00 to 02:00.
Santiago: 2024-09-08 00:00 to 01:00, 2024-04-07 00:00 to 23:00 of the day before. Cairo: 2024-04-26 00:00
to 01:00. Havana: 2024-11-03 01:00 to 00:00. Toronto: 1919-03-30 23:30 to 00:30. Apia left out 2011-12-30.
"""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from faregate.dates import (
    DateRange,
    Duration,
    Interval,
    LastDay,
    in_utc,
    instant_of,
    lasting,
    local_instant,
    parse_interval,
    service_days,
    spans,
    start_of_day,
)
from faregate.errors import InvalidPeriod

ZURICH = ZoneInfo("Europe/Zurich")
APIA = ZoneInfo("Pacific/Apia")


def iso(interval: Interval) -> tuple[str, str]:
    return interval.start.isoformat(), interval.end.isoformat()


# ---------------------------------------------------------------- days


@pytest.mark.parametrize(
    ("start", "end", "days"),
    [
        (date(2026, 12, 27), date(2026, 12, 28), 1),
        (date(2026, 12, 27), date(2026, 12, 27), 0),
        (date(2028, 2, 28), date(2028, 3, 1), 2),
        (date(2026, 1, 1), date(2027, 1, 1), 365),
    ],
)
def test_the_end_of_a_date_range_is_not_in_it(start: date, end: date, days: int) -> None:
    assert DateRange(start, end).days == days


def test_the_first_day_of_an_interval_is_local() -> None:
    # 23:30 in UTC is half past midnight in Zurich.
    late = datetime(2026, 12, 26, 23, 30, tzinfo=UTC)

    assert Interval(late.astimezone(ZURICH), late.astimezone(ZURICH)).first_day == date(2026, 12, 27)


@pytest.mark.parametrize(
    ("zone", "day", "first"),
    [
        ("Europe/Zurich", date(2026, 12, 27), "2026-12-27T00:00:00+01:00"),
        ("Europe/Zurich", date(2026, 7, 1), "2026-07-01T00:00:00+02:00"),
        pytest.param("Europe/Zurich", date(2026, 3, 29), "2026-03-29T00:00:00+01:00", id="23 hours"),
        pytest.param("Europe/Zurich", date(2026, 10, 25), "2026-10-25T00:00:00+02:00", id="25 hours"),
        pytest.param("America/Santiago", date(2024, 9, 8), "2024-09-08T01:00:00-03:00", id="no midnight"),
        pytest.param("Africa/Cairo", date(2024, 4, 26), "2024-04-26T01:00:00+03:00", id="nor in Cairo"),
        pytest.param("America/Toronto", date(1919, 3, 31), "1919-03-31T00:30:00-04:00", id="half a midnight"),
        pytest.param(
            "America/Santiago", date(2024, 4, 7), "2024-04-07T00:00:00-04:00", id="after 23:00 twice"
        ),
        pytest.param("America/Havana", date(2024, 11, 3), "2024-11-03T00:00:00-04:00", id="two midnights"),
        pytest.param("Pacific/Apia", date(2011, 12, 29), "2011-12-29T00:00:00-10:00", id="before the gap"),
        pytest.param("Pacific/Apia", date(2011, 12, 31), "2011-12-31T00:00:00+14:00", id="after the gap"),
    ],
)
def test_a_day_starts_at_its_first_existing_instant(zone: str, day: date, first: str) -> None:
    start = start_of_day(day, ZoneInfo(zone))

    assert start is not None
    assert start.isoformat() == first


def test_a_day_that_the_zone_left_out_has_no_start() -> None:
    assert start_of_day(date(2011, 12, 30), APIA) is None


# ---------------------------------------------------------------- validities


@pytest.mark.parametrize(
    ("start", "end", "first", "last"),
    [
        pytest.param(
            "2026-12-27",
            "2026-12-27",
            "2026-12-27T00:00:00+01:00",
            "2026-12-28T00:00:00+01:00",
            id="one date",
        ),
        pytest.param(
            "2026-12-26",
            "2026-12-28",
            "2026-12-26T00:00:00+01:00",
            "2026-12-29T00:00:00+01:00",
            id="dates, the last one in",
        ),
        pytest.param(
            "2028-02-28",
            "2028-02-29",
            "2028-02-28T00:00:00+01:00",
            "2028-03-01T00:00:00+01:00",
            id="leap day",
        ),
        pytest.param(
            "2026-12-31",
            "2026-12-31",
            "2026-12-31T00:00:00+01:00",
            "2027-01-01T00:00:00+01:00",
            id="end of the year",
        ),
        pytest.param(
            "2026-12-27T08:00",
            "2026-12-27T12:00",
            "2026-12-27T08:00:00+01:00",
            "2026-12-27T12:00:00+01:00",
            id="local times without seconds",
        ),
        pytest.param(
            "2026-12-27T08:00:00.25",
            "2026-12-27T12:00:00",
            "2026-12-27T08:00:00.250000+01:00",
            "2026-12-27T12:00:00+01:00",
            id="a fraction of a second",
        ),
        pytest.param(
            "2026-12-27T07:00:00Z",
            "2026-12-27T13:00:00+02:00",
            "2026-12-27T08:00:00+01:00",
            "2026-12-27T12:00:00+01:00",
            id="offsets of elsewhere",
        ),
        pytest.param(
            "2026-12-27T08:00",
            "2026-12-27",
            "2026-12-27T08:00:00+01:00",
            "2026-12-28T00:00:00+01:00",
            id="from a time to the end of a date",
        ),
        pytest.param(
            "2026-12-27T00:00",
            "2026-12-28T00:00",
            "2026-12-27T00:00:00+01:00",
            "2026-12-28T00:00:00+01:00",
            id="midnight to midnight",
        ),
        pytest.param(
            "2026-12-27",
            "2026-12-27T23:59:59",
            "2026-12-27T00:00:00+01:00",
            "2026-12-28T00:00:00+01:00",
            id="the last second",
        ),
        pytest.param(
            "2026-12-27",
            "2026-12-27T23:59:59.999",
            "2026-12-27T00:00:00+01:00",
            "2026-12-28T00:00:00+01:00",
            id="within the last second",
        ),
        pytest.param(
            "2026-12-27",
            "2026-12-27T22:59:59Z",
            "2026-12-27T00:00:00+01:00",
            "2026-12-28T00:00:00+01:00",
            id="the last local second in UTC",
        ),
        pytest.param(
            "2026-12-27",
            "2026-12-27T23:59",
            "2026-12-27T00:00:00+01:00",
            "2026-12-27T23:59:00+01:00",
            id="the last minute is no last second",
        ),
        pytest.param(
            "2026-12-27T23:59:59",
            "2026-12-28",
            "2026-12-27T23:59:59+01:00",
            "2026-12-29T00:00:00+01:00",
            id="a start of 23:59:59 is just that",
        ),
        pytest.param(
            "2026-03-29",
            "2026-03-29",
            "2026-03-29T00:00:00+01:00",
            "2026-03-30T00:00:00+02:00",
            id="23 hours",
        ),
        pytest.param(
            "2026-10-25",
            "2026-10-25",
            "2026-10-25T00:00:00+02:00",
            "2026-10-26T00:00:00+01:00",
            id="25 hours",
        ),
        pytest.param(
            "2026-03-29T02:30",
            "2026-03-29T04:00",
            "2026-03-29T03:30:00+02:00",
            "2026-03-29T04:00:00+02:00",
            id="a time in the gap shifts forward",
        ),
        pytest.param(
            "2026-03-29T01:00",
            "2026-03-29T02:00",
            "2026-03-29T01:00:00+01:00",
            "2026-03-29T03:00:00+02:00",
            id="so does an end",
        ),
        pytest.param(
            "2026-10-25T02:30",
            "2026-10-25T02:45",
            "2026-10-25T02:30:00+02:00",
            "2026-10-25T02:45:00+02:00",
            id="a time that is twice is the earlier",
        ),
        pytest.param(
            "2026-10-25T02:30+02:00",
            "2026-10-25T02:30+01:00",
            "2026-10-25T02:30:00+02:00",
            "2026-10-25T02:30:00+01:00",
            id="unless the offset says otherwise",
        ),
    ],
)
def test_every_form_of_a_validity_is_read_as_instants(start: str, end: str, first: str, last: str) -> None:
    assert iso(parse_interval(start, end, ZURICH)) == (first, last)


@pytest.mark.parametrize(
    ("zone", "start", "end", "first", "last"),
    [
        pytest.param(
            "America/Santiago",
            "2024-09-07",
            "2024-09-07",
            "2024-09-07T00:00:00-04:00",
            "2024-09-08T01:00:00-03:00",
            id="Santiago, 24 hours to 01:00",
        ),
        pytest.param(
            "America/Santiago",
            "2024-09-08",
            "2024-09-08",
            "2024-09-08T01:00:00-03:00",
            "2024-09-09T00:00:00-03:00",
            id="Santiago, 23 hours from 01:00",
        ),
        pytest.param(
            "America/Santiago",
            "2024-09-08T00:00",
            "2024-09-08T23:59:59",
            "2024-09-08T01:00:00-03:00",
            "2024-09-09T00:00:00-03:00",
            id="Santiago, a midnight that is not",
        ),
        pytest.param(
            "America/Santiago",
            "2024-04-06",
            "2024-04-06",
            "2024-04-06T00:00:00-03:00",
            "2024-04-07T00:00:00-04:00",
            id="Santiago, 25 hours",
        ),
        pytest.param(
            "Africa/Cairo",
            "2024-04-25",
            "2024-04-26",
            "2024-04-25T00:00:00+02:00",
            "2024-04-27T00:00:00+03:00",
            id="Cairo, over the jump",
        ),
        pytest.param(
            "Africa/Cairo",
            "2024-04-25",
            "2024-04-25T23:59:59",
            "2024-04-25T00:00:00+02:00",
            "2024-04-26T01:00:00+03:00",
            id="Cairo, up to the jump",
        ),
        pytest.param(
            "America/Toronto",
            "1919-03-30",
            "1919-03-30",
            "1919-03-30T00:00:00-05:00",
            "1919-03-31T00:30:00-04:00",
            id="Toronto, the day that ends at 23:30",
        ),
        pytest.param(
            "America/Toronto",
            "1919-03-30",
            "1919-03-30T23:59:59",
            "1919-03-30T00:00:00-05:00",
            "1919-03-31T00:30:00-04:00",
            id="Toronto, the last second is in the gap",
        ),
        pytest.param(
            "America/Toronto",
            "1919-03-30T23:45",
            "1919-03-31",
            "1919-03-31T00:45:00-04:00",
            "1919-04-01T00:00:00-04:00",
            id="Toronto, the gap shifts into the next day",
        ),
        pytest.param(
            "Pacific/Apia",
            "2011-12-29",
            "2011-12-29",
            "2011-12-29T00:00:00-10:00",
            "2011-12-31T00:00:00+14:00",
            id="Apia, the day before the one left out",
        ),
        pytest.param(
            "Pacific/Apia",
            "2011-12-29",
            "2011-12-31",
            "2011-12-29T00:00:00-10:00",
            "2012-01-01T00:00:00+14:00",
            id="Apia, over the day left out",
        ),
        pytest.param(
            "Pacific/Apia",
            "2011-12-30T12:00",
            "2011-12-31",
            "2011-12-31T12:00:00+14:00",
            "2012-01-01T00:00:00+14:00",
            id="Apia, a gap of a day shifts forward",
        ),
    ],
)
def test_validities_survive_clocks_that_jump_at_midnight(
    zone: str, start: str, end: str, first: str, last: str
) -> None:
    assert iso(parse_interval(start, end, ZoneInfo(zone))) == (first, last)


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-12-27", "2026-12-26"),
        ("2026-12-27T08:00", "2026-12-27T08:00"),
        ("2026-12-27T08:00", "2026-12-27T07:00"),
        ("2026-12-28", "2026-12-27T23:59:59"),
        ("2026-10-25T02:30+01:00", "2026-10-25T02:45+02:00"),
        ("2026-12-27T08:00+01:00", "2026-12-27T07:00Z"),
    ],
)
def test_a_validity_ends_after_it_starts(start: str, end: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        parse_interval(start, end, ZURICH)

    assert str(raised.value) == f"{end} is not after {start}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "today",
        "2026-12",
        "27.12.2026",
        "20261227",
        "2026-12-27 08:00",
        "2026-12-27T08",
        "2026-12-27T08:00z",
        "2026-12-27T08:00+01",
        "2026-12-27T08:00+01:60",
        "2026-12-27T08:00:00,5",
        "2026-12-27\n",
        "٢٠٢٦-12-27",
    ],
)
def test_no_other_form_is_accepted(text: str) -> None:
    for start, end in ((text, "2026-12-27"), ("2026-12-27", text)):
        with pytest.raises(InvalidPeriod) as raised:
            parse_interval(start, end, ZURICH)
        assert str(raised.value) == f"{text!r} is no date or date-time"


@pytest.mark.parametrize(
    "text",
    [
        "2026-02-29",
        "2026-13-01",
        "2026-12-27T08:60",
        "2026-12-27T23:59:60",
        "0000-01-01",
        pytest.param("0001-01-01", id="before the first year in UTC"),
    ],
)
def test_a_date_that_is_on_no_calendar_is_refused(text: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        parse_interval(text, "2026-12-27", ZURICH)

    assert str(raised.value).startswith(f"{text!r} is no date or date-time: ")


def test_the_last_day_of_the_calendar_has_no_end() -> None:
    with pytest.raises(InvalidPeriod, match=r"^'9999-12-31' is no date or date-time: "):
        parse_interval("9999-12-31", "9999-12-31", ZURICH)


@pytest.mark.parametrize(("start", "end"), [("2011-12-30", "2011-12-31"), ("2011-12-29", "2011-12-30")])
def test_a_date_that_the_zone_left_out_is_refused(start: str, end: str) -> None:
    with pytest.raises(InvalidPeriod, match=r"2011-12-30 does not exist in Pacific/Apia$"):
        parse_interval(start, end, APIA)


# ---------------------------------------------------------------- durations


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("PT4H", Duration(seconds=14_400)),
        ("P1D", Duration(days=1)),
        ("P3D", Duration(days=3)),
        ("P1M", Duration(months=1)),
        ("P1Y", Duration(months=12)),
        ("P1DT2H30M", Duration(days=1, seconds=9_000)),
        ("P2W", Duration(days=14)),
        ("PT90S", Duration(seconds=90)),
        ("P1Y1M1W1DT1H1M1S", Duration(months=13, days=8, seconds=3_661)),
        ("P0Y1D", Duration(days=1)),
        ("P100Y", Duration(months=1_200)),
        ("P36525D", Duration(days=36_525)),
        ("PT876600H", Duration(seconds=36_525 * 86_400)),
    ],
)
def test_durations_are_read_as_iso_8601_writes_them(text: str, duration: Duration) -> None:
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
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        Duration.parse(text)

    assert str(raised.value) == f"{text!r} is no ISO 8601 duration"


@pytest.mark.parametrize("text", ["P0D", "PT0S", "P0Y0M0DT0H", "P101Y", "P1201M", "P36526D", "PT876601H"])
def test_a_duration_is_more_than_nothing_and_at_most_a_century(text: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        Duration.parse(text)

    assert str(raised.value) == f"{text!r} is no time at all, or more than a century"


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (Duration(days=7), "P7D"),
        (Duration(months=11), "P11M"),
        (Duration(months=24), "P2Y"),
        (Duration(seconds=59), "PT59S"),
        (Duration(seconds=9_000), "PT2H30M"),
        (Duration(seconds=86_400), "PT24H"),
        (Duration(months=13, days=8, seconds=3_661), "P1Y1M8DT1H1M1S"),
    ],
)
def test_durations_print_in_their_largest_units(duration: Duration, text: str) -> None:
    assert str(duration) == text
    assert Duration.parse(text) == duration


# ---------------------------------------------------------------- how long a validity is


@pytest.mark.parametrize(
    ("duration", "start", "end"),
    [
        pytest.param("P1D", "2026-12-27", "2026-12-27", id="a day"),
        pytest.param("P3D", "2026-12-30", "2027-01-01", id="days over the new year"),
        pytest.param("P1W", "2026-12-21", "2026-12-27", id="a week is seven days"),
        pytest.param("P1D", "2026-03-29", "2026-03-29", id="a day of 23 hours"),
        pytest.param("PT23H", "2026-03-29", "2026-03-29", id="the same by the clock"),
        pytest.param("P1D", "2026-10-25", "2026-10-25", id="a day of 25 hours"),
        pytest.param("PT25H", "2026-10-25", "2026-10-25", id="the same by the clock again"),
        pytest.param("PT4H", "2026-12-27T08:00", "2026-12-27T12:00", id="hours"),
        pytest.param("PT4H", "2026-03-29T00:00", "2026-03-29T05:00", id="hours over the gap"),
        pytest.param("PT1H", "2026-10-25T02:30+02:00", "2026-10-25T02:30+01:00", id="the hour that is twice"),
        pytest.param("P1DT2H30M", "2026-12-27", "2026-12-28T02:30", id="days, then hours"),
        pytest.param("P1DT2H30M", "2026-03-28", "2026-03-29T03:30", id="days first, then hours over the gap"),
        pytest.param("P1D", "2026-12-26T23:00Z", "2026-12-27T23:00Z", id="a local day in UTC"),
        pytest.param("P1M", "2026-12-01", "2026-12-31", id="a month"),
        pytest.param("P1M", "2027-01-31", "2027-02-28", id="a month through the end of a short one"),
        pytest.param("P1Y", "2024-02-29", "2025-02-28", id="a year from the leap day"),
        pytest.param("P1M1D", "2026-12-01", "2027-01-01", id="a month, then a day"),
    ],
)
def test_a_validity_spans_its_duration(duration: str, start: str, end: str) -> None:
    assert spans(Duration.parse(duration), parse_interval(start, end, ZURICH), ZURICH)


def test_instants_of_another_zone_span_a_local_day() -> None:
    start, end = datetime(2026, 12, 26, 23, tzinfo=UTC), datetime(2026, 12, 27, 23, tzinfo=UTC)

    assert spans(Duration(days=1), Interval(start, end), ZURICH)


@pytest.mark.parametrize(
    ("duration", "start", "end"),
    [
        pytest.param("P1D", "2026-12-27", "2026-12-28", id="too long"),
        pytest.param("P2D", "2026-12-27", "2026-12-27", id="too short"),
        pytest.param("PT24H", "2026-03-29", "2026-03-29", id="23 hours are no 24"),
        pytest.param("P1D", "2026-12-27T08:00", "2026-12-28T08:00", id="24 hours are no local day"),
        pytest.param("P1D", "2026-12-27", "2026-12-27T23:59", id="a minute short"),
        pytest.param("P1DT2H30M", "2026-12-27T08:00", "2026-12-28T10:30", id="days begin at midnight"),
        pytest.param("P1DT2H30M", "2026-03-28", "2026-03-29T02:15", id="fifteen minutes off over the gap"),
        pytest.param("P1M", "2026-12-01", "2026-12-30", id="a month from the first ends with the month"),
        pytest.param("P1M1D", "2026-12-01", "2026-12-31", id="months, then days"),
    ],
)
def test_a_validity_of_another_length_does_not_span_it(duration: str, start: str, end: str) -> None:
    assert not spans(Duration.parse(duration), parse_interval(start, end, ZURICH), ZURICH)


def test_a_duration_past_the_end_of_the_calendar_spans_nothing() -> None:
    last = parse_interval("9999-12-30T00:00", "9999-12-31T00:00", ZURICH)

    assert spans(Duration(days=1), last, ZURICH)
    assert not spans(Duration(days=3), last, ZURICH)


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("America/Santiago", "2024-09-07"),
        ("America/Santiago", "2024-09-08"),
        ("America/Santiago", "2024-04-06"),
        ("Africa/Cairo", "2024-04-25"),
        ("Africa/Cairo", "2024-04-26"),
        ("America/Toronto", "1919-03-30"),
        ("America/Toronto", "1919-03-31"),
        ("America/Havana", "2024-11-03"),
        ("Pacific/Apia", "2011-12-28"),
        ("Pacific/Apia", "2011-12-29"),
        ("Pacific/Apia", "2011-12-31"),
    ],
)
def test_one_local_date_spans_one_day_wherever_it_starts_and_ends(zone: str, day: str) -> None:
    local = ZoneInfo(zone)

    assert spans(Duration(days=1), parse_interval(day, day, local), local)


def test_a_day_with_two_midnights_starts_at_the_first() -> None:
    havana = ZoneInfo("America/Havana")
    # 00:00 at -05:00 is the second midnight, an hour into the day.
    late = parse_interval("2024-11-03T00:00:00-05:00", "2024-11-03", havana)

    assert not spans(Duration(days=1), late, havana)
    assert spans(Duration(seconds=24 * 3_600), late, havana)


def test_no_day_ends_after_the_last_date_there_is() -> None:
    last = Interval(datetime(9999, 12, 31, tzinfo=UTC), datetime(9999, 12, 31, 23, tzinfo=UTC))

    assert not spans(Duration(days=1), last, ZoneInfo("UTC"))


# ---------------------------------------------------------------- from a start and a duration


def aware(text: str, zone: ZoneInfo = ZURICH) -> datetime:
    instant = datetime.fromisoformat(text)
    return instant if instant.tzinfo else instant.replace(tzinfo=zone)


def from_start(duration: str, start: str, zone: ZoneInfo = ZURICH) -> tuple[str, str]:
    return iso(lasting(Duration.parse(duration), aware(start, zone), zone))


@pytest.mark.parametrize(
    ("duration", "start", "first", "last"),
    [
        pytest.param(
            "P1D", "2026-12-27", "2026-12-27T00:00:00+01:00", "2026-12-28T00:00:00+01:00", id="a day"
        ),
        pytest.param(
            "P1D",
            "2026-12-27T23:59:59",
            "2026-12-27T00:00:00+01:00",
            "2026-12-28T00:00:00+01:00",
            id="its own",
        ),
        pytest.param(
            "P1D", "2026-12-26T23:00Z", "2026-12-27T00:00:00+01:00", "2026-12-28T00:00:00+01:00", id="local"
        ),
        pytest.param(
            "P3D", "2026-12-30", "2026-12-30T00:00:00+01:00", "2027-01-02T00:00:00+01:00", id="three days"
        ),
        pytest.param(
            "P1D", "2026-03-29", "2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00", id="23 hours"
        ),
        pytest.param(
            "PT24H", "2026-03-29", "2026-03-29T00:00:00+01:00", "2026-03-30T01:00:00+02:00", id="24 of them"
        ),
        pytest.param(
            "PT4H", "2026-12-27T08:15", "2026-12-27T08:15:00+01:00", "2026-12-27T12:15:00+01:00", id="hours"
        ),
        pytest.param(
            "PT4H",
            "2026-12-27T08:15:00.5",
            "2026-12-27T08:15:00.500000+01:00",
            "2026-12-27T12:15:00.500000+01:00",
            id="a fraction of a second",
        ),
        pytest.param(
            "PT1H",
            "2026-03-29T02:30",
            "2026-03-29T03:30:00+02:00",
            "2026-03-29T04:30:00+02:00",
            id="from a gap",
        ),
        pytest.param(
            "PT1H",
            "2026-10-25T02:30",
            "2026-10-25T02:30:00+02:00",
            "2026-10-25T02:30:00+01:00",
            id="told twice",
        ),
        pytest.param(
            "PT1H",
            "2026-10-25T02:30+01:00",
            "2026-10-25T02:30:00+01:00",
            "2026-10-25T03:30:00+01:00",
            id="the second time",
        ),
        pytest.param(
            "P1DT2H30M",
            "2026-12-27T10:00",
            "2026-12-27T00:00:00+01:00",
            "2026-12-28T02:30:00+01:00",
            id="days, then hours",
        ),
        pytest.param(
            "P1DT3H",
            "2026-03-28",
            "2026-03-28T00:00:00+01:00",
            "2026-03-29T04:00:00+02:00",
            id="hours that elapse over the gap",
        ),
        pytest.param(
            "P1DT3H",
            "2026-10-24",
            "2026-10-24T00:00:00+02:00",
            "2026-10-25T02:00:00+01:00",
            id="and over the hour that is twice",
        ),
        pytest.param(
            "P1M1DT1H", "2027-01-30", "2027-01-30T00:00:00+01:00", "2027-03-02T01:00:00+01:00", id="all of it"
        ),
        pytest.param(
            "P1M", "2026-12-15", "2026-12-15T00:00:00+01:00", "2027-01-15T00:00:00+01:00", id="over new year"
        ),
        pytest.param(
            "P1M", "2026-11-30", "2026-11-30T00:00:00+01:00", "2026-12-30T00:00:00+01:00", id="into December"
        ),
        pytest.param(
            "P1Y", "2026-12-31", "2026-12-31T00:00:00+01:00", "2027-12-31T00:00:00+01:00", id="a year"
        ),
        pytest.param(
            "P100Y", "2024-02-29", "2024-02-29T00:00:00+01:00", "2124-02-29T00:00:00+01:00", id="a century"
        ),
    ],
)
def test_a_duration_lasts_from_its_start(duration: str, start: str, first: str, last: str) -> None:
    assert from_start(duration, start) == (first, last)


@pytest.mark.parametrize(
    ("duration", "start", "through", "exclusive"),
    [
        ("P1M", "2027-01-28", "2027-02-28", "2027-02-28"),
        ("P1M", "2027-01-29", "2027-03-01", "2027-02-28"),
        ("P1M", "2027-01-31", "2027-03-01", "2027-02-28"),
        ("P1M", "2028-01-29", "2028-02-29", "2028-02-29"),
        ("P1M", "2028-01-30", "2028-03-01", "2028-02-29"),
        ("P2M", "2027-01-31", "2027-03-31", "2027-03-31"),
        ("P3M", "2027-01-31", "2027-05-01", "2027-04-30"),
        ("P1Y", "2028-02-29", "2029-03-01", "2029-02-28"),
        ("P4Y", "2028-02-29", "2032-02-29", "2032-02-29"),
        ("P1M2D", "2027-01-31", "2027-03-03", "2027-03-02"),
        ("P11M", "2027-01-31", "2027-12-31", "2027-12-31"),
        ("P10M", "2027-01-31", "2027-12-01", "2027-11-30"),
        ("P3D", "2027-01-31", "2027-02-03", "2027-02-03"),
    ],
)
def test_a_month_without_that_day_ends_as_is_asked(
    duration: str, start: str, through: str, exclusive: str
) -> None:
    length, begin = Duration.parse(duration), aware(start)

    ends = [lasting(length, begin, ZURICH, last_day=last_day).end for last_day in LastDay]

    assert ends == [aware(through), aware(exclusive)]
    assert lasting(length, begin, ZURICH).end == aware(through)


@pytest.mark.parametrize(
    ("zone", "duration", "start", "first", "last"),
    [
        pytest.param(
            "America/Santiago",
            "P1D",
            "2024-09-07T12:00",
            "2024-09-07T00:00:00-04:00",
            "2024-09-08T01:00:00-03:00",
            id="to a day that begins at one",
        ),
        pytest.param(
            "America/Santiago",
            "P1D",
            "2024-09-08T12:00",
            "2024-09-08T01:00:00-03:00",
            "2024-09-09T00:00:00-03:00",
            id="the day that begins at one",
        ),
        pytest.param(
            "America/Santiago",
            "P1DT1H",
            "2024-09-07",
            "2024-09-07T00:00:00-04:00",
            "2024-09-08T02:00:00-03:00",
            id="an hour of it",
        ),
        pytest.param(
            "America/Havana",
            "P1D",
            "2024-11-03T00:30-05:00",
            "2024-11-03T00:00:00-04:00",
            "2024-11-04T00:00:00-05:00",
            id="from the first of two midnights",
        ),
        pytest.param(
            "Pacific/Apia",
            "P1D",
            "2011-12-29",
            "2011-12-29T00:00:00-10:00",
            "2011-12-31T00:00:00+14:00",
            id="to the day after the one left out",
        ),
        pytest.param(
            "Pacific/Apia",
            "P1DT1H",
            "2011-12-29",
            "2011-12-29T00:00:00-10:00",
            "2011-12-31T01:00:00+14:00",
            id="an hour of that",
        ),
        pytest.param(
            "Pacific/Apia",
            "P1M",
            "2011-11-30",
            "2011-11-30T00:00:00-10:00",
            "2011-12-31T00:00:00+14:00",
            id="a month to the day left out",
        ),
    ],
)
def test_days_begin_and_end_where_they_exist(
    zone: str, duration: str, start: str, first: str, last: str
) -> None:
    assert from_start(duration, start, ZoneInfo(zone)) == (first, last)


def test_a_validity_is_in_the_zone_asked_for() -> None:
    interval = lasting(Duration(days=1), datetime(2026, 12, 27, 12, tzinfo=UTC), ZURICH)

    assert interval.start.tzinfo is interval.end.tzinfo is ZURICH


def test_a_start_without_its_offset_is_refused() -> None:
    with pytest.raises(InvalidPeriod, match=r"^2026-12-27T08:00:00 lacks its offset$"):
        lasting(Duration(days=1), datetime(2026, 12, 27, 8), ZURICH)  # noqa: DTZ001


def test_a_validity_in_no_year_of_its_zone_is_refused() -> None:
    with pytest.raises(InvalidPeriod, match=r"^P1D from 0001-01-01T00:00:00"):
        lasting(Duration(days=1), datetime.min.replace(tzinfo=UTC), ZoneInfo("America/Denver"))


@pytest.mark.parametrize(
    "duration",
    [
        Duration(days=2),
        Duration(days=10**10),
        Duration(months=1),
        Duration(months=10**9),
        Duration(seconds=2 * 86_400),
        Duration(seconds=10**15),
        Duration(days=1, seconds=86_400),
    ],
    ids=str,
)
def test_nothing_lasts_past_the_end_of_the_calendar(duration: Duration) -> None:
    start = datetime(9999, 12, 30, tzinfo=UTC)

    with pytest.raises(InvalidPeriod) as raised:
        lasting(duration, start, ZURICH)

    assert str(raised.value).startswith(f"{duration} from 9999-12-30T00:00:00+00:00: ")


# ---------------------------------------------------------------- the days of a validity


@pytest.mark.parametrize(
    ("start", "end", "first", "count"),
    [
        pytest.param("2026-12-27", "2026-12-27", date(2026, 12, 27), 1, id="a day"),
        pytest.param("2026-12-27", "2026-12-29", date(2026, 12, 27), 3, id="days"),
        pytest.param("2026-12-27T08:00", "2026-12-27T12:00", date(2026, 12, 27), 1, id="hours"),
        pytest.param("2026-12-27T20:00", "2026-12-28T00:00", date(2026, 12, 27), 1, id="to midnight"),
        pytest.param("2026-12-27T20:00", "2026-12-28T00:00:01", date(2026, 12, 27), 2, id="a second past it"),
        pytest.param("2026-12-27T23:59:59.5", "2026-12-28T00:00", date(2026, 12, 27), 1, id="half a second"),
        pytest.param("2026-03-29", "2026-03-29", date(2026, 3, 29), 1, id="23 hours"),
        pytest.param("2026-10-25", "2026-10-25", date(2026, 10, 25), 1, id="25 hours"),
        pytest.param("2026-12-26T23:00Z", "2026-12-27T23:00Z", date(2026, 12, 27), 1, id="local days"),
    ],
)
def test_a_validity_touches_the_local_days_it_has_an_instant_of(
    start: str, end: str, first: date, count: int
) -> None:
    days = service_days(parse_interval(start, end, ZURICH))

    assert (days.start, days.days) == (first, count)


def test_a_day_that_begins_at_one_is_not_touched_by_the_one_before() -> None:
    santiago = ZoneInfo("America/Santiago")

    assert service_days(parse_interval("2024-09-07", "2024-09-07", santiago)).days == 1
    assert service_days(parse_interval("2024-09-07", "2024-09-08T01:00:01", santiago)).days == 2
    assert service_days(parse_interval("2011-12-29", "2011-12-29", APIA)).days == 1


@pytest.mark.parametrize(
    ("zone", "day", "at", "instant"),
    [
        ("Europe/Zurich", date(2026, 12, 27), time(8, 15, 30), "2026-12-27T08:15:30+01:00"),
        pytest.param("Europe/Zurich", date(2026, 3, 29), time(2), "2026-03-29T03:00:00+02:00", id="a gap"),
        pytest.param("Europe/Zurich", date(2026, 3, 29), time(3), "2026-03-29T03:00:00+02:00", id="its end"),
        pytest.param(
            "Europe/Zurich", date(2026, 10, 25), time(2, 30), "2026-10-25T02:30:00+02:00", id="twice"
        ),
        pytest.param("Europe/Zurich", date(2026, 10, 25), time(3), "2026-10-25T03:00:00+01:00", id="after"),
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
def test_a_local_time_is_one_instant(zone: str, day: date, at: time, instant: str) -> None:
    assert local_instant(day, at, ZoneInfo(zone)).isoformat() == instant


def test_a_date_means_its_beginning_unless_it_is_an_end() -> None:
    day = date(2026, 12, 27)

    assert instant_of(day, ZURICH).isoformat() == "2026-12-27T00:00:00+01:00"
    assert instant_of(day, ZURICH, is_end=True).isoformat() == "2026-12-28T00:00:00+01:00"


def test_a_time_that_the_clocks_of_its_zone_skip_is_as_much_later() -> None:
    skipped = datetime(2026, 3, 29, 2, 30, tzinfo=ZURICH)

    assert instant_of(skipped, ZURICH).isoformat() == "2026-03-29T03:30:00+02:00"


def test_hours_span_as_many_hours_even_if_they_are_days() -> None:
    three_days = parse_interval("2026-12-27T10:00", "2026-12-30T10:00", ZURICH)

    assert spans(Duration(seconds=72 * 3600), three_days, ZURICH)
    assert not spans(Duration(days=3), three_days, ZURICH)


def test_an_instant_in_utc_is_in_utc_wherever_the_machine_is() -> None:
    instant = in_utc(datetime(2026, 12, 27, 8, 30, tzinfo=ZURICH))

    assert instant.isoformat() == "2026-12-27T07:30:00+00:00"
    assert instant.tzinfo is UTC
