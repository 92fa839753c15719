"""Laws of suggestions, the next validity and price ranges in a season. Decisions §8.7, §8.9."""

from datetime import date
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from faregate.catalogue.catalogue import Catalogue
from faregate.dates.instants import DateRange
from faregate.validity.bookability import running_days
from faregate.validity.offers import PriceRange, ValidityOption
from faregate.validity.options import (
    Suggestion,
    ValidityQuery,
    coming_saturday,
    next_available,
    price_ranges,
    suggest_validities,
)
from support.booking.drawn_questions import all_on
from support.booking.strategies import ONE_DAY, Situation, seasonal, situations
from support.shops.booking_shop import TICKET

SATURDAY = 5


def bookable_days(situation: Situation, days: DateRange | None) -> dict[date, ValidityOption]:
    """Return the first bookable option of each day, taken from the whole list."""
    found: dict[date, ValidityOption] = {}
    for option in all_on(situation, days) if days else ():
        if option.is_available:
            found.setdefault(option.validity.first_day, option)
    return found


def season(situation: Situation) -> DateRange | None:
    return running_days(situation.product, situation.catalogue.calendar, situation.today)


@given(situations())
def test_the_season_is_the_current_or_the_next_one(situation: Situation) -> None:
    calendar, today = situation.catalogue.calendar, situation.today
    names = situation.product.booking.seasons
    year_and_more = [today + n * ONE_DAY for n in range(400)]
    running = [day for day in year_and_more if any(calendar.is_in_season(name, day) for name in names)]

    found = season(situation)

    if not names:
        assert found == DateRange(today, today + 366 * ONE_DAY)
    elif found is None:
        assert not running
    else:
        assert found.start == running[0]
        assert {found.start + n * ONE_DAY for n in range(found.days)} <= set(running)


@given(seasonal, st.integers(1, 5))
def test_suggestions_are_bookable_validities_of_the_season_and_say_why(
    situation: Situation, limit: int
) -> None:
    today = situation.today
    bookable = bookable_days(situation, season(situation))
    days = sorted(bookable)

    found = suggest_validities(
        ValidityQuery(TICKET, limit=limit),
        catalogue=situation.catalogue,
        capacity=situation.taken,
        now=situation.now,
    )

    saturdays = [day for day in days[1:] if day.weekday() == SATURDAY]
    reasons = {
        Suggestion.NEXT: days[:1],
        Suggestion.WEEKEND: [*saturdays[:1], coming_saturday(today)],
        Suggestion.TOMORROW: [today + ONE_DAY],
        Suggestion.TODAY: [today],
    }
    expected = {day: why for why, wanted in reasons.items() for day in wanted if day in bookable}
    assert [(entry.option, entry.suggestion) for entry in found.options] == [
        (bookable[day], expected[day]) for day in sorted(expected)
    ][:limit]
    assert found.days_until_next == ((days[0] - today).days if days else None)
    gaps = [(second - first).days for first, second in pairwise(days)]
    assert found.mean_gap_days == (Fraction(sum(gaps), len(gaps)) if gaps else None)


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)))
def test_the_coming_saturday_is_within_six_days(today: date) -> None:
    saturday = coming_saturday(today)

    assert saturday.isoweekday() == 6
    assert 0 <= (saturday - today).days <= 6


@given(situations())
def test_the_next_validity_is_the_first_bookable_one_within_a_year(situation: Situation) -> None:
    year = DateRange(situation.today, situation.today + 366 * ONE_DAY)
    catalogue: Catalogue = situation.catalogue

    found = next_available(
        situation.product, catalogue=catalogue, capacity=situation.taken, now=situation.now
    )

    assert found == next((option for option in all_on(situation, year) if option.is_available), None)


@given(seasonal)
def test_price_ranges_cover_what_can_be_booked_in_the_season(situation: Situation) -> None:
    days = season(situation)
    prices: dict[int, list[int]] = {}
    for option in all_on(situation, days) if days else ():
        for unit in option.units if option.is_available else ():
            if unit.left is None or unit.left >= 1:
                prices.setdefault(unit.variant, []).append(unit.price)

    found = price_ranges(
        situation.product, catalogue=situation.catalogue, capacity=situation.taken, now=situation.now
    )

    assert found == {variant: PriceRange(min(amounts), max(amounts)) for variant, amounts in prices.items()}
