"""Laws of the validity options in a calendar and of their pages. Decisions §8.2 to §8.6."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from faregate.catalogue.calendars import DayPattern
from faregate.dates.durations import Duration, has_duration, validity_from
from faregate.dates.instants import DateRange, Interval, service_days, start_of_day
from faregate.validity.capacity import fits_capacity, free_units, pool_demand
from faregate.validity.offers import CapacityRange, Cursor, PriceRange, ValidityOption
from faregate.validity.options import ValidityOptions, ValidityQuery
from support.baskets.strategies import upto
from support.booking.drawn_questions import Stock, ask, desk_of, options, place, places
from support.booking.strategies import (
    ANCHORS,
    DURATIONS,
    ONE_DAY,
    Situation,
    asked,
    stocks,
)


@given(st.sampled_from(ANCHORS), st.integers(-400, 400), st.integers(1, 40))
def test_days_last_from_day_to_day(anchor: tuple[str, date], offset: int, count: int) -> None:
    zone, first = ZoneInfo(anchor[0]), anchor[1] + offset * ONE_DAY
    start, end = start_of_day(first, zone), start_of_day(first + count * ONE_DAY, zone)
    if start is None or end is None:
        return  # covered by the examples in the unit tests

    validity = validity_from(Duration(days=count), start + timedelta(hours=13), zone)

    assert validity == (start, end)
    assert service_days(validity) == DateRange(first, first + count * ONE_DAY)
    assert has_duration(Duration(days=count), validity, zone)


@given(asked())
def test_options_are_in_strict_order_and_span_their_durations(drawn: tuple[Situation, ValidityQuery]) -> None:
    situation, query = drawn

    found = options(situation, query)

    assert all(one < other for one, other in pairwise(places(found)))
    for option in found:
        first, last = query.first_day, query.last_day
        assert first is not None
        assert last is not None
        assert first <= option.validity.first_day <= last
        assert has_duration(option.duration, option.validity, situation.zone)
        assert option.validity.end.astimezone(UTC) > option.validity.start.astimezone(UTC)


@given(asked())
def test_options_are_all_the_starts_that_have_a_price(drawn: tuple[Situation, ValidityQuery]) -> None:
    situation, query = drawn
    query = replace(query, only_available=False)
    assert query.first_day is not None
    assert query.last_day is not None
    days = [query.first_day + n * ONE_DAY for n in range((query.last_day - query.first_day).days + 1)]
    product = situation.product
    every = {
        place(Cursor(start, duration))
        for day in days
        for duration in query.durations or product.durations
        for start in desk_of(situation).starts_on(day, duration)
    }

    found = places(options(situation, query))

    assert set(found) <= every
    # If one of the variants has a price for every validity, no option is missing.
    chosen = [entry for entry in product.variants if not query.variants or entry.id in query.variants]
    if any(rule.duration is None and rule.when == DayPattern() for entry in chosen for rule in entry.prices):
        priced = {entry for entry in every if not entry[1].months}
        assert {entry for entry in found if not entry[1].months} == priced


@given(asked())
def test_only_available_leaves_out_unavailable_validities(drawn: tuple[Situation, ValidityQuery]) -> None:
    situation, query = drawn

    everything = options(situation, replace(query, only_available=False))

    available = tuple(option for option in everything if option.is_available)
    assert options(situation, replace(query, only_available=True)) == available


@given(asked(), st.integers(0, 12))
def test_adjacent_windows_add_up_to_one_window(drawn: tuple[Situation, ValidityQuery], split: int) -> None:
    situation, query = drawn
    assert query.first_day is not None
    assert query.last_day is not None
    middle = min(query.first_day + split * ONE_DAY, query.last_day)

    first = options(situation, replace(query, last_day=middle))
    second = options(situation, replace(query, first_day=middle + ONE_DAY)) if middle < query.last_day else ()

    assert first + second == options(situation, query)


@given(asked())
def test_durations_requested_separately_are_those_requested_together(
    drawn: tuple[Situation, ValidityQuery],
) -> None:
    situation, query = drawn

    apart = [
        option
        for duration in query.durations or situation.product.durations
        for option in options(situation, replace(query, durations=(duration,)))
    ]

    assert tuple(sorted(apart, key=lambda option: place(option.cursor))) == options(situation, query)


@given(asked())
def test_a_variant_is_offered_the_same_alone_as_among_others(drawn: tuple[Situation, ValidityQuery]) -> None:
    situation, query = drawn
    query = replace(query, only_available=False, variants=())

    alone = {
        (place(option.cursor), unit.variant): unit
        for variant in situation.product.variants
        for option in options(situation, replace(query, variants=(variant.id,)))
        for unit in option.units
    }

    together = {
        (place(option.cursor), unit.variant): unit
        for option in options(situation, query)
        for unit in option.units
    }
    assert alone == together


@given(asked())
def test_price_bounds_hold_for_every_variant_that_fits_and_are_attained(
    drawn: tuple[Situation, ValidityQuery],
) -> None:
    situation, query = drawn
    for option in options(situation, query):
        fitting = [unit.price for unit in option.units if unit.left is None or unit.left >= query.quantity]
        shown = fitting or [unit.price for unit in option.units]

        assert option.price == PriceRange(min(shown), max(shown))


@given(asked())
def test_capacity_bounds_hold_for_every_limited_variant_and_are_attained(
    drawn: tuple[Situation, ValidityQuery],
) -> None:
    situation, query = drawn
    found = ask(situation, query)
    for option in found.options:
        left = [unit.left for unit in option.units if unit.left is not None]

        assert option.capacity == (CapacityRange(min(left), max(left)) if left else None)
        assert found.has_capacities or option.capacity is None
        assert all((unit.left is None) is (unit.bottleneck is None) for unit in option.units)
        most = [unit for unit in option.units if option.bottleneck == unit.bottleneck]
        assert any(unit.left is None or unit.left == max(left) for unit in most)


@given(asked())
def test_as_many_units_as_are_left_are_feasible_and_one_more_is_not(
    drawn: tuple[Situation, ValidityQuery],
) -> None:
    """A calendar shows the same units as a checkout, which counts them in another way."""
    situation, query = drawn

    def fits(variant: int, validity: Interval, count: int) -> bool:
        wanted = pool_demand([(variant, validity)] * count, catalogue=situation.catalogue)
        free = {
            slot: free_units(slot, catalogue=situation.catalogue, capacity=situation.taken) for slot in wanted
        }
        return fits_capacity(wanted, free).ok

    for option in options(situation, query)[:6]:
        for unit in option.units:
            if unit.left is None:
                assert fits(unit.variant, option.validity, 1000)
            else:
                assert fits(unit.variant, option.validity, unit.left)
                assert not fits(unit.variant, option.validity, unit.left + 1)
                assert unit.bottleneck in pool_demand(
                    [(unit.variant, option.validity)], catalogue=situation.catalogue
                )


def all_pages(
    situation: Situation, query: ValidityQuery, stocks_in_turn: Sequence[Stock]
) -> list[ValidityOptions]:
    """Return all pages, each with the stock at its time."""
    pages: list[ValidityOptions] = []
    after: Cursor | None = None
    while not pages or after is not None:
        taken = stocks_in_turn[len(pages) % len(stocks_in_turn)]
        pages.append(ask(situation, replace(query, after=after), taken))
        before, after = after, pages[-1].next
        assert before is None or after is None or place(before) < place(after)  # or pages never end
    return pages


@given(asked(), st.integers(1, 9), st.data())
def test_pages_neither_skip_nor_repeat_while_stock_changes(
    drawn: tuple[Situation, ValidityQuery], limit: int, data: DataObject
) -> None:
    situation, query = drawn
    query = replace(query, only_available=False)
    changing = [data.draw(stocks(situation.catalogue.pools, situation.anchor)) for _ in range(3)]

    pages = all_pages(situation, replace(query, limit=limit), changing)

    assert [at for page in pages for at in places(page.options)] == places(options(situation, query))


@given(asked(), st.data())
def test_a_cursor_is_followed_by_everything_after_it(
    drawn: tuple[Situation, ValidityQuery], data: DataObject
) -> None:
    """A cursor need not be an existing option, and its start can be in any time zone."""
    situation, query = drawn
    whole: tuple[ValidityOption, ...] = options(situation, query)
    day = situation.anchor + data.draw(st.integers(-6, 16)) * ONE_DAY
    start = datetime.combine(day, datetime.min.time(), UTC) + data.draw(upto(96)) * timedelta(minutes=15)
    if data.draw(upto(1)) and whole:
        index = data.draw(upto(len(whole) - 1))
        start = whole[index].validity.start.astimezone(UTC)
    after = Cursor(start, data.draw(st.sampled_from(DURATIONS)))

    found = options(situation, replace(query, after=after))

    assert found == whole[bisect_right(places(whole), place(after)) :]
