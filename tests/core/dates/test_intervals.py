"""The forms in which a validity can be written. Decisions §8.1."""

from zoneinfo import ZoneInfo

import pytest

from faregate.dates.instants import parse_interval
from faregate.errors import InvalidPeriod
from support.dates.zones import APIA, CAIRO, SANTIAGO, TORONTO, ZURICH, iso


@pytest.mark.parametrize(
    ("written", "instants"),
    [
        # one date
        ("2026-12-27/2026-12-27", "2026-12-27T00:00:00+01:00/2026-12-28T00:00:00+01:00"),
        # local times without seconds
        ("2026-12-27T08:00/2026-12-27T12:00", "2026-12-27T08:00:00+01:00/2026-12-27T12:00:00+01:00"),
        # a fraction of a second
        (
            "2026-12-27T08:00:00.25/2026-12-27T12:00:00",
            "2026-12-27T08:00:00.250000+01:00/2026-12-27T12:00:00+01:00",
        ),
        # offsets of another zone
        (
            "2026-12-27T07:00:00Z/2026-12-27T13:00:00+02:00",
            "2026-12-27T08:00:00+01:00/2026-12-27T12:00:00+01:00",
        ),
        # the last second
        ("2026-12-27/2026-12-27T23:59:59", "2026-12-27T00:00:00+01:00/2026-12-28T00:00:00+01:00"),
        # within the last second
        ("2026-12-27/2026-12-27T23:59:59.999", "2026-12-27T00:00:00+01:00/2026-12-28T00:00:00+01:00"),
        # the last local second in UTC
        ("2026-12-27/2026-12-27T22:59:59Z", "2026-12-27T00:00:00+01:00/2026-12-28T00:00:00+01:00"),
        # the last minute is not the last second
        ("2026-12-27/2026-12-27T23:59", "2026-12-27T00:00:00+01:00/2026-12-27T23:59:00+01:00"),
        # a start of 23:59:59 is exact
        ("2026-12-27T23:59:59/2026-12-28", "2026-12-27T23:59:59+01:00/2026-12-29T00:00:00+01:00"),
        # a time in the gap shifts forward
        ("2026-03-29T02:30/2026-03-29T04:00", "2026-03-29T03:30:00+02:00/2026-03-29T04:00:00+02:00"),
        # a time shown twice is the earlier
        ("2026-10-25T02:30/2026-10-25T02:45", "2026-10-25T02:30:00+02:00/2026-10-25T02:45:00+02:00"),
        # unless the offset says otherwise
        (
            "2026-10-25T02:30+02:00/2026-10-25T02:30+01:00",
            "2026-10-25T02:30:00+02:00/2026-10-25T02:30:00+01:00",
        ),
    ],
)
def test_every_form_of_a_validity_is_read_as_instants(written: str, instants: str) -> None:
    start, end = written.split("/")

    assert iso(parse_interval(start, end, ZURICH)) == instants


@pytest.mark.parametrize(
    ("zone", "written", "instants"),
    [
        # Santiago, 24 hours to 01:00
        (SANTIAGO, "2024-09-07/2024-09-07", "2024-09-07T00:00:00-04:00/2024-09-08T01:00:00-03:00"),
        # Santiago, 23 hours from 01:00
        (SANTIAGO, "2024-09-08/2024-09-08", "2024-09-08T01:00:00-03:00/2024-09-09T00:00:00-03:00"),
        # Santiago, a skipped midnight
        (
            SANTIAGO,
            "2024-09-08T00:00/2024-09-08T23:59:59",
            "2024-09-08T01:00:00-03:00/2024-09-09T00:00:00-03:00",
        ),
        # Cairo, up to the jump
        (CAIRO, "2024-04-25/2024-04-25T23:59:59", "2024-04-25T00:00:00+02:00/2024-04-26T01:00:00+03:00"),
        # Toronto, the day that ends at 23:30
        (TORONTO, "1919-03-30/1919-03-30", "1919-03-30T00:00:00-05:00/1919-03-31T00:30:00-04:00"),
        # Toronto, the last second is in the gap
        (TORONTO, "1919-03-30/1919-03-30T23:59:59", "1919-03-30T00:00:00-05:00/1919-03-31T00:30:00-04:00"),
        # Toronto, the gap shifts into the next day
        (TORONTO, "1919-03-30T23:45/1919-03-31", "1919-03-31T00:45:00-04:00/1919-04-01T00:00:00-04:00"),
        # Apia, the day before the skipped day
        (APIA, "2011-12-29/2011-12-29", "2011-12-29T00:00:00-10:00/2011-12-31T00:00:00+14:00"),
        # Apia, a gap of a day shifts forward
        (APIA, "2011-12-30T12:00/2011-12-31", "2011-12-31T12:00:00+14:00/2012-01-01T00:00:00+14:00"),
    ],
)
def test_validities_survive_clocks_that_jump_at_midnight(zone: ZoneInfo, written: str, instants: str) -> None:
    start, end = written.split("/")

    assert iso(parse_interval(start, end, zone)) == instants


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-12-27", "2026-12-26"),
        ("2026-12-27T08:00", "2026-12-27T08:00"),
        ("2026-12-28", "2026-12-27T23:59:59"),
        ("2026-10-25T02:30+01:00", "2026-10-25T02:45+02:00"),
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
def test_other_forms_are_refused(text: str) -> None:
    for start, end in ((text, "2026-12-27"), ("2026-12-27", text)):
        with pytest.raises(InvalidPeriod) as raised:
            parse_interval(start, end, ZURICH)
        assert str(raised.value) == f"invalid date or date-time: {text!r}"


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
def test_a_date_that_does_not_exist_is_refused(text: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        parse_interval(text, "2026-12-27", ZURICH)

    assert str(raised.value).startswith(f"invalid date or date-time: {text!r} (")


def test_the_last_day_of_the_calendar_is_refused_because_it_has_no_end() -> None:
    with pytest.raises(InvalidPeriod, match=r"^invalid date or date-time: '9999-12-31' \("):
        parse_interval("9999-12-31", "9999-12-31", ZURICH)


@pytest.mark.parametrize(("start", "end"), [("2011-12-30", "2011-12-31"), ("2011-12-29", "2011-12-30")])
def test_a_date_skipped_by_its_zone_is_refused(start: str, end: str) -> None:
    with pytest.raises(InvalidPeriod, match=r"2011-12-30 does not exist in Pacific/Apia$"):
        parse_interval(start, end, APIA)
