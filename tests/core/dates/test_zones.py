"""Time zones by name, and local dates of instants."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from faregate.dates.zones import local_date, time_zone
from faregate.errors import InvalidInput, InvalidPeriod


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
