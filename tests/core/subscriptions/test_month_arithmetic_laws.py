"""Months, years and local days compared with ``whenever``, which clamps months, over 40,000 cases."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from whenever import Date, Instant, ZonedDateTime

from faregate.dates.months import MonthEnd, add_months
from faregate.subscriptions.rules import EveryDays, Monthly, RenewalRule, Yearly
from faregate.subscriptions.schedule import renewal_date
from faregate.subscriptions.terms import subscription_configuration
from support.effort import share_of

pytestmark = pytest.mark.search
CASES = share_of(40_000)
DAY = timedelta(days=1)
ZONES = (
    "Europe/Zurich",
    "America/Santiago",
    "Asia/Beirut",
    "Africa/Cairo",
    "America/Havana",
    "America/Toronto",
)


def drawn_day(random: Random, last_year: int = 9999) -> date:
    """Draw any day, half the time one of the last four of a month."""
    day = date.fromordinal(random.randint(40, date(last_year, 12, 31).toordinal()))
    return day if random.random() < 0.5 else day.replace(day=1) - random.randint(1, 4) * DAY


def test_months_are_added_as_in_whenever() -> None:
    random, compared = Random(1), 0

    while compared < CASES:
        day, months = drawn_day(random), random.randint(-1200, 1200)
        year = (12 * day.year + day.month - 1 + months) // 12
        if not 1 <= year <= 9999:
            continue
        expected = Date(day.year, day.month, day.day).add(months=months).to_stdlib()
        assert add_months(day, months) == expected, (day, months)
        if expected.day == day.day:
            assert add_months(day, months, month_end=MonthEnd.REJECT) == expected
        compared += 1


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        (Monthly(), lambda start, count: start.add(months=count)),
        (Yearly(), lambda start, count: start.add(years=count)),
        (EveryDays(10), lambda start, count: start.add(days=10 * count)),
        (EveryDays(14), lambda start, count: start.add(weeks=2 * count)),
    ],
    ids=["months", "years", "days", "weeks"],
)
def test_a_boundary_is_the_anchor_plus_a_number_of_units(
    rule: RenewalRule, later: Callable[[Date, int], Date]
) -> None:
    random = Random(2)

    for _ in range(CASES // 4):
        anchor, index = drawn_day(random, 9800), random.randint(0, 190)
        start = Date(anchor.year, anchor.month, anchor.day)
        expected = later(start, index).to_stdlib()
        assert renewal_date(rule, anchor=anchor, index=index) == expected, (anchor, index)


def first_instant(day: Date, zone: str) -> datetime:
    return ZonedDateTime(day.year, day.month, day.day, 12, tz=zone).start_of("day").to_instant().to_stdlib()


@pytest.mark.parametrize("name", ZONES)
def test_subscription_dates_match_the_starts_of_days_in_whenever(name: str) -> None:
    random, zone = Random(3), ZoneInfo(name)
    first, last = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in (1985, 2035))

    for _ in range(share_of(1_200)):
        ordered_at = datetime.fromtimestamp(random.randint(first, last), UTC)
        local = Instant(ordered_at).to_tz(name).date()
        found = subscription_configuration(Monthly(), ordered_at=ordered_at, zone=zone)
        assert found.starts_on.astimezone(UTC) == first_instant(local, name)
        assert found.next_billing_date.astimezone(UTC) == first_instant(local.add(months=1), name)
