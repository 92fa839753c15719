"""Laws of suggestions, obstacles, the next validity and price ranges. Decisions §8.4, §8.7, §8.9."""

from dataclasses import replace
from datetime import UTC, date, timedelta
from fractions import Fraction
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.catalogue import Catalogue
from faregate.dates.durations import validity_from
from faregate.dates.instants import DateRange
from faregate.validity.bookability import Obstacle, running_days, start_times
from faregate.validity.offers import PriceRange, ValidityOption
from faregate.validity.options import (
    Suggestion,
    ValidityQuery,
    coming_saturday,
    next_available,
    price_ranges,
    suggest_validities,
)
from support.booking.drawn_questions import all_on, desk_of, options
from support.booking.strategies import DURATIONS, ONE_DAY, Situation, asked, instants, seasonal, situations
from support.effort import share_of
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


@settings(max_examples=share_of(20))
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


OVER = (Obstacle.NOT_ON_SALE, Obstacle.TOO_LATE)


@given(asked())
def test_a_validity_is_available_iff_it_has_no_obstacle_and_has_places(
    drawn: tuple[Situation, ValidityQuery],
) -> None:
    situation, query = drawn
    for option in options(situation, query):
        in_the_way = desk_of(situation).obstacle(option.duration, option.validity)
        has_places = any(unit.left is None or unit.left >= query.quantity for unit in option.units)

        assert option.is_available is (option.obstacle is None) is (in_the_way is None and has_places)
        assert option.obstacle is (in_the_way or (None if has_places else Obstacle.SOLD_OUT))


def one_at_a_time(rules: BookingRules) -> list[BookingRules]:
    """Return each rule alone, with the cut-off and the start times, which always apply."""
    base = BookingRules(cut_off=rules.cut_off, start_times=rules.start_times)
    alone = [base]
    alone += [replace(base, closed=(days,)) for days in rules.closed]
    for rule in rules.stays:
        alone.append(replace(base, stays=(replace(rule, start_weekdays=frozenset()),)))
        alone.append(replace(base, stays=(replace(rule, min_days=1, max_days=None),)))
    for name in ("seasons", "sale_starts", "sale_ends", "min_lead_days", "max_lead_days"):
        alone.append(replace(base, **{name: getattr(rules, name)}))
    return alone


@given(situations(), st.data())
def test_the_obstacle_named_is_the_first_of_those_of_each_rule_alone(
    situation: Situation, data: DataObject
) -> None:
    rules = situation.product.booking
    together, *alone = [desk_of(situation, some) for some in (rules, *one_at_a_time(rules))]
    for _ in range(8):
        duration = data.draw(st.sampled_from(DURATIONS))
        validity = validity_from(
            duration, data.draw(instants(situation.zone, situation.anchor)), situation.zone
        )
        found = {desk.obstacle(duration, validity) for desk in alone} - {None}

        named = together.obstacle(duration, validity)

        assert named is next((reason for reason in Obstacle if reason in found), None)


@given(situations(), st.data())
def test_a_start_time_is_wrong_iff_it_is_not_among_the_starts_of_its_day(
    situation: Situation, data: DataObject
) -> None:
    times = replace(BookingRules(), start_times=situation.product.booking.start_times)
    product = replace(situation.product, booking=times)
    desk = desk_of(situation, times, now=situation.now - 30 * ONE_DAY)
    for _ in range(8):
        duration = data.draw(st.sampled_from(DURATIONS))
        validity = validity_from(
            duration, data.draw(instants(situation.zone, situation.anchor)), situation.zone
        )
        starts = desk.starts_on(validity.first_day, duration)

        named = desk.obstacle(duration, validity)

        may_begin_whenever = not start_times(product, situation.catalogue)
        is_a_start = validity.start.astimezone(UTC) in [start.astimezone(UTC) for start in starts]
        assert (named is None) is (is_a_start or may_begin_whenever)
        assert named in {None, Obstacle.START_TIME}


@given(asked(), st.integers(0, 10**6))
def test_a_sale_that_has_begun_only_closes_with_time(
    drawn: tuple[Situation, ValidityQuery], seconds: int
) -> None:
    situation, query = drawn
    rules = replace(situation.product.booking, sale_starts=None, max_lead_days=None)
    later = situation.now.astimezone(UTC) + timedelta(seconds=seconds)
    now_selling, then_selling = desk_of(situation, rules), desk_of(situation, rules, now=later)

    for option in options(situation, query):
        now_found = now_selling.obstacle(option.duration, option.validity)
        then_found = then_selling.obstacle(option.duration, option.validity)

        assert now_found is None or then_found is not None
        assert now_found not in OVER or then_found in OVER
