"""Suggested validities, the gaps between bookable days, and the next validity. Decisions §8.7, §8.9."""

from datetime import date, datetime, time
from fractions import Fraction

import pytest

from faregate.catalogue.booking_rules import BookingRules, StayRule
from faregate.catalogue.calendars import DayPattern, MonthDay, Season, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.dates.durations import Duration
from faregate.money.currency import currency
from faregate.validity.offers import Cursor, ValidityOption
from faregate.validity.options import (
    SuggestedValidities,
    Suggestion,
    ValidityQuery,
    next_available,
)
from support.booking.validity_questions import (
    DAILY,
    NEXT,
    NOW,
    PAST,
    TODAY,
    TODAY_,
    TOMORROW,
    WEEKEND,
    between,
    closed,
    limited,
    on,
    sold,
    suggest,
)
from support.shops.booking_shop import (
    DAY,
    FOUR_HOURS,
    THREE_DAYS,
    TICKET,
    at,
    shop,
    ticket,
)

FRANCS = currency("CHF")


def picked(found: SuggestedValidities) -> list[tuple[Suggestion, str]]:
    assert all(entry.option.is_available for entry in found.options)
    return [(entry.suggestion, entry.option.validity.first_day.isoformat()[5:]) for entry in found.options]


@pytest.mark.parametrize(
    ("now", "catalogue", "expected"),
    [
        pytest.param(
            "2026-12-21T09:00",
            DAILY,
            [(TODAY_, "12-21"), (TOMORROW, "12-22"), (WEEKEND, "12-26")],
            id="on a Monday",
        ),
        pytest.param(
            "2026-12-26T09:00",
            DAILY,
            [(TODAY_, "12-26"), (TOMORROW, "12-27"), (WEEKEND, "01-02")],
            id="on a Saturday this weekend has begun",
        ),
        pytest.param(
            "2026-12-21T23:00:00Z",
            DAILY,
            [(TODAY_, "12-22"), (TOMORROW, "12-23"), (WEEKEND, "12-26")],
            id="in local time",
        ),
        pytest.param(
            "2026-12-21T09:00",
            closed(between("2026-12-21", "2026-12-22")),
            [(NEXT, "12-23"), (WEEKEND, "12-26")],
            id="neither today nor tomorrow",
        ),
        pytest.param(
            "2026-12-21T09:00",
            closed(between("2026-12-21", "2026-12-31")),
            [(NEXT, "01-01"), (WEEKEND, "01-02")],
            id="not this year: the first weekend after the first day",
        ),
        pytest.param(
            "2026-12-21T09:00",
            closed(between("2026-12-21", "2027-01-01")),
            [(NEXT, "01-02"), (WEEKEND, "01-09")],
            id="the first day is a Saturday, and the next weekend comes after it",
        ),
        pytest.param("2026-12-21T09:00", closed(DayPattern()), [], id="never"),
    ],
)
def test_today_tomorrow_a_weekend_and_the_first_day_are_suggested(
    now: str, catalogue: Catalogue, expected: list[tuple[Suggestion, str]]
) -> None:
    assert picked(suggest(catalogue, now=at(now))) == expected


def test_the_earliest_suggestions_are_kept_if_fewer_are_requested() -> None:
    assert len(suggest().options) == 3
    assert picked(suggest(query=ValidityQuery(TICKET, limit=2))) == [(TODAY_, "12-21"), (TOMORROW, "12-22")]
    assert len(suggest(query=ValidityQuery(TICKET, limit=366)).options) == 3


def test_suggestions_are_for_the_current_season() -> None:
    catalogue = shop(ticket(booking=BookingRules(seasons=("winter",))))

    assert picked(suggest(catalogue, now=at("2027-04-30T09:00"))) == [(TODAY_, "04-30")]


def test_out_of_season_suggestions_are_for_the_next_season() -> None:
    catalogue = shop(ticket(booking=BookingRules(seasons=("summer",))))

    found = suggest(catalogue)

    assert picked(found) == [(NEXT, "06-15"), (WEEKEND, "06-19")]
    assert found.days_until_next == (date(2027, 6, 15) - TODAY).days
    assert found.mean_gap_days == 1


def test_a_sold_out_current_season_is_not_replaced_by_the_next() -> None:
    catalogue = limited(booking=BookingRules(seasons=("winter", "summer")))
    taken = sold("2027-04-29", "2027-04-30")

    assert suggest(catalogue, taken=taken, now=at("2027-04-29T09:00")) == SuggestedValidities(
        options=(),
        has_capacities=True,
        durations=(DAY,),
        days_until_next=None,
        mean_gap_days=None,
        currency=FRANCS,
    )


def test_products_that_never_run_again_have_no_suggestions() -> None:
    assert suggest(PAST) == SuggestedValidities(
        options=(),
        has_capacities=False,
        durations=(DAY,),
        days_until_next=None,
        mean_gap_days=None,
        currency=FRANCS,
    )


def test_a_day_is_suggested_once_with_the_shortest_duration_that_can_be_booked() -> None:
    catalogue = limited(
        THREE_DAYS, DAY, booking=BookingRules(stays=(StayRule(on("2026-12-22"), min_days=3),))
    )

    def durations(*asked: Duration) -> list[Duration]:
        found = suggest(catalogue, ValidityQuery(TICKET, durations=asked))
        return [entry.option.duration for entry in found.options]

    assert durations() == [DAY, THREE_DAYS, DAY]
    assert durations(THREE_DAYS) == [THREE_DAYS] * 3
    assert durations(DAY) == [DAY] * 2


def test_suggestions_ignore_the_window_and_the_page() -> None:
    query = ValidityQuery(
        TICKET, date(2027, 3, 1), date(2027, 2, 1), after=Cursor(at("2027-01-01T00:00"), DAY)
    )

    assert suggest(query=query) == suggest()


@pytest.mark.parametrize(
    ("open_days", "until", "gap"),
    [
        ([], None, None),
        (["2026-12-23", "2026-12-30"], 2, Fraction(7)),
        (["2026-12-22", "2026-12-23", "2026-12-24", "2026-12-26"], 1, Fraction(4, 3)),
    ],
)
def test_gaps_describe_the_spacing_of_bookable_days(
    open_days: list[str], until: int | None, gap: Fraction | None
) -> None:
    december = [date(2026, 12, day).isoformat() for day in range(1, 32)]
    rules = BookingRules(
        seasons=("december",), closed=(on(*[day for day in december if day not in open_days]),)
    )
    season = Season(identifier="december", spans=(Span(MonthDay(12, 1), MonthDay(12, 31)),))

    found = suggest(shop(ticket(booking=rules), seasons=[season]))

    assert (found.days_until_next, found.mean_gap_days) == (until, gap)


def test_gaps_count_days_and_not_the_hours_or_durations_of_a_day() -> None:
    rules = BookingRules(
        start_times=(time(10), time(14)), closed=(between("2026-12-23", "2026-12-31"),), max_lead_days=13
    )

    found = suggest(shop(ticket(durations=[FOUR_HOURS, DAY], booking=rules)))

    # The days from the 21st to the 3rd: the 21st, the 22nd, and the 1st to the 3rd.
    assert found.mean_gap_days == Fraction(13, 4)


def upcoming(
    catalogue: Catalogue, *, taken: dict[PoolSlot, PoolUsage] | None = None, now: datetime = NOW
) -> ValidityOption | None:
    return next_available(catalogue.product(TICKET), catalogue=catalogue, capacity=taken or {}, now=now)


def test_the_next_validity_is_the_first_that_can_be_booked() -> None:
    catalogue = limited(THREE_DAYS, DAY, booking=BookingRules(closed=(on("2026-12-21"),)))

    found = upcoming(catalogue, taken=sold("2026-12-22"))

    assert found is not None
    assert (found.validity.first_day, found.duration) == (date(2026, 12, 23), DAY)


@pytest.mark.parametrize(("only_day", "is_found"), [(date(2027, 12, 21), True), (date(2027, 12, 22), False)])
def test_the_next_validity_is_searched_for_up_to_366_days_ahead(only_day: date, is_found: bool) -> None:
    season = Season(identifier="once", spans=(Span(only_day, only_day),))
    catalogue = shop(ticket(booking=BookingRules(seasons=("once",))), seasons=[season])

    assert (upcoming(catalogue) is not None) is is_found


def test_a_product_that_is_never_sold_has_no_next_validity() -> None:
    assert upcoming(closed(DayPattern())) is None
    assert upcoming(shop(ticket(durations=[]))) is None
