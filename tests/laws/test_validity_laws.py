"""Decisions §8.2 to §8.9: what a calendar of validities shows agrees with itself, whatever is for sale."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from faregate.bookability import BookingDesk, Obstacle, running_days, start_times
from faregate.booking_rules import BookingRules
from faregate.capacity import demand, feasible, free_places
from faregate.catalogue import Catalogue
from faregate.dates import (
    DateRange,
    Duration,
    Interval,
    LastDay,
    lasting,
    service_days,
    spans,
    start_of_day,
)
from faregate.offers import CapacityRange, Cursor, PriceRange, ValidityOption
from faregate.pools import PoolSlot, Taken
from faregate.validity import (
    Suggestion,
    ValidityOptions,
    ValidityQuery,
    coming_saturday,
    next_available,
    price_ranges,
    suggest_validities,
    validity_options,
)
from laws.booking_strategies import (
    ANCHORS,
    DURATIONS,
    ONE_DAY,
    Situation,
    asked,
    fewer,
    instants,
    seasonal,
    situations,
    stocks,
)
from strategies import upto
from unit.booking_shop import TICKET

Stock = dict[PoolSlot, Taken]
SATURDAY = 5
OVER = (Obstacle.NOT_ON_SALE, Obstacle.TOO_LATE)


def ask(situation: Situation, query: ValidityQuery, taken: Stock | None = None) -> ValidityOptions:
    return validity_options(
        query,
        catalogue=situation.catalogue,
        capacity=situation.taken if taken is None else taken,
        now=situation.now,
    )


def options(
    situation: Situation, query: ValidityQuery, taken: Stock | None = None
) -> tuple[ValidityOption, ...]:
    return ask(situation, query, taken).options


def all_on(situation: Situation, days: DateRange) -> Iterator[ValidityOption]:
    """Everything that begins on *days*, a few weeks at a time."""
    for n in range(0, days.days, 30):
        first = days.start + n * ONE_DAY
        last = min(first + 30 * ONE_DAY, days.end) - ONE_DAY
        yield from options(situation, ValidityQuery(TICKET, first, last))


def desk_of(
    situation: Situation, rules: BookingRules | None = None, *, now: datetime | None = None
) -> BookingDesk:
    """A desk that knows the situation, or other *rules* in it or at another instant."""
    product = situation.product
    return BookingDesk(
        product if rules is None else replace(product, booking=rules),
        zone=situation.zone,
        catalogue=situation.catalogue,
        now=now or situation.now,
    )


def place(cursor: Cursor) -> tuple[datetime, Duration]:
    """Where it is in the order of all instants, whatever the clocks show."""
    return cursor.start.astimezone(UTC), cursor.duration


def places(found: Sequence[ValidityOption]) -> list[tuple[datetime, Duration]]:
    return [place(option.cursor) for option in found]


# ---------------------------------------------------------------- how long a validity lasts


@given(st.sampled_from(ANCHORS), st.integers(-400, 400), st.integers(1, 40))
def test_days_last_from_day_to_day(anchor: tuple[str, date], offset: int, count: int) -> None:
    zone, first = ZoneInfo(anchor[0]), anchor[1] + offset * ONE_DAY
    start, end = start_of_day(first, zone), start_of_day(first + count * ONE_DAY, zone)
    if start is None or end is None:
        return  # the examples of the unit tests

    validity = lasting(Duration(days=count), start + timedelta(hours=13), zone)

    assert validity == (start, end)
    assert service_days(validity) == (first, first + count * ONE_DAY)
    assert spans(Duration(days=count), validity, zone)


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.integers(1, 60))
def test_months_last_to_the_same_day_of_a_month_or_to_either_end_of_the_last(
    first: date, months: int
) -> None:
    zone = ZoneInfo("Europe/Zurich")
    begin = start_of_day(first, zone)
    assert begin is not None

    through, exclusive = (
        lasting(Duration(months=months), begin, zone, last_day=last_day).end.date()
        for last_day in (LastDay.THROUGH, LastDay.EXCLUSIVE)
    )

    year, month = divmod(12 * first.year + first.month - 1 + months, 12)
    if exclusive == through:
        assert through == date(year, month + 1, first.day)
    else:
        assert through - exclusive == ONE_DAY
        assert (exclusive.year, exclusive.month, through.day) == (year, month + 1, 1)
        assert exclusive.day < first.day


@given(situations(), st.integers(0, 200_000), st.integers(1, 200_000))
def test_hours_elapse(situation: Situation, offset: int, seconds: int) -> None:
    start = situation.now + timedelta(seconds=offset)

    validity = lasting(Duration(seconds=seconds), start, situation.zone)

    assert validity.start.astimezone(UTC) == start.astimezone(UTC)
    assert validity.end.astimezone(UTC) - validity.start.astimezone(UTC) == timedelta(seconds=seconds)


# ---------------------------------------------------------------- the list of validities


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
        assert spans(option.duration, option.validity, situation.zone)
        assert option.validity.end.astimezone(UTC) > option.validity.start.astimezone(UTC)


@given(asked())
def test_options_are_all_the_starts_that_have_a_price(drawn: tuple[Situation, ValidityQuery]) -> None:
    situation, query = drawn
    query = query._replace(only_available=False)
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
    # Where a variant asked for has a price for everything, nothing is missing.
    chosen = [entry for entry in product.variants if not query.variants or entry.id in query.variants]
    if any(rule.duration is None and not any(rule.when) for entry in chosen for rule in entry.prices):
        priced = {entry for entry in every if not entry[1].months}
        assert {entry for entry in found if not entry[1].months} == priced


@given(asked())
def test_only_available_leaves_out_the_rest(drawn: tuple[Situation, ValidityQuery]) -> None:
    situation, query = drawn

    everything = options(situation, query._replace(only_available=False))

    available = tuple(option for option in everything if option.is_available)
    assert options(situation, query._replace(only_available=True)) == available


@given(asked(), st.integers(0, 12))
def test_windows_put_together_are_one(drawn: tuple[Situation, ValidityQuery], split: int) -> None:
    situation, query = drawn
    assert query.first_day is not None
    assert query.last_day is not None
    middle = min(query.first_day + split * ONE_DAY, query.last_day)

    first = options(situation, query._replace(last_day=middle))
    second = options(situation, query._replace(first_day=middle + ONE_DAY)) if middle < query.last_day else ()

    assert first + second == options(situation, query)


@given(asked())
def test_durations_asked_for_apart_are_those_asked_for_together(
    drawn: tuple[Situation, ValidityQuery],
) -> None:
    situation, query = drawn

    apart = [
        option
        for duration in query.durations or situation.product.durations
        for option in options(situation, query._replace(durations=(duration,)))
    ]

    assert tuple(sorted(apart, key=lambda option: place(option.cursor))) == options(situation, query)


@given(asked())
def test_a_variant_is_offered_alone_as_among_others(drawn: tuple[Situation, ValidityQuery]) -> None:
    situation, query = drawn
    query = query._replace(only_available=False, variants=())

    alone = {
        (place(option.cursor), unit.variant): unit
        for variant in situation.product.variants
        for option in options(situation, query._replace(variants=(variant.id,)))
        for unit in option.units
    }

    together = {
        (place(option.cursor), unit.variant): unit
        for option in options(situation, query)
        for unit in option.units
    }
    assert alone == together


# ---------------------------------------------------------------- prices and places


@given(asked())
def test_price_bounds_hold_for_every_variant_of_which_a_unit_fits_and_are_attained(
    drawn: tuple[Situation, ValidityQuery],
) -> None:
    situation, query = drawn
    for option in options(situation, query):
        fitting = [unit.price for unit in option.units if unit.left is None or unit.left >= 1]
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
    """What a calendar shows is what a checkout then finds, which counts the places in another way."""
    situation, query = drawn

    def fits(variant: int, validity: Interval, count: int) -> bool:
        wanted = demand([(variant, validity)] * count, catalogue=situation.catalogue)
        free = {
            slot: free_places(slot, catalogue=situation.catalogue, capacity=situation.taken)
            for slot in wanted
        }
        return feasible(wanted, free).ok

    for option in options(situation, query)[:6]:
        for unit in option.units:
            if unit.left is None:
                assert fits(unit.variant, option.validity, 1000)
            else:
                assert fits(unit.variant, option.validity, unit.left)
                assert not fits(unit.variant, option.validity, unit.left + 1)
                assert unit.bottleneck in demand(
                    [(unit.variant, option.validity)], catalogue=situation.catalogue
                )


@given(asked(), st.data())
def test_more_stock_takes_nothing_away(drawn: tuple[Situation, ValidityQuery], data: DataObject) -> None:
    situation, query = drawn
    query = query._replace(only_available=False)
    more = data.draw(fewer(situation.taken))

    before, after = options(situation, query), options(situation, query, more)

    assert places(before) == places(after)
    for less, plenty in zip(before, after, strict=True):
        assert plenty.is_available or not less.is_available
        assert less.obstacle == plenty.obstacle or less.obstacle is Obstacle.SOLD_OUT
        assert less.capacity is None if plenty.capacity is None else less.capacity is not None
        if less.capacity is not None and plenty.capacity is not None:
            assert less.capacity.min <= plenty.capacity.min
            assert less.capacity.max <= plenty.capacity.max


@given(asked(), st.integers(1, 6))
def test_what_can_be_booked_for_many_can_be_booked_for_fewer(
    drawn: tuple[Situation, ValidityQuery], quantity: int
) -> None:
    situation, query = drawn
    query = query._replace(only_available=False)

    for_fewer = options(situation, query._replace(quantity=quantity))
    for_many = options(situation, query._replace(quantity=quantity + 1))

    for few, many in zip(for_fewer, for_many, strict=True):
        assert few.is_available or not many.is_available
        assert (few.units, few.price, few.capacity) == (many.units, many.price, many.capacity)


# ---------------------------------------------------------------- obstacles


@given(asked())
def test_a_validity_is_available_iff_nothing_is_in_its_way_and_there_are_places(
    drawn: tuple[Situation, ValidityQuery],
) -> None:
    situation, query = drawn
    for option in options(situation, query):
        in_the_way = desk_of(situation).obstacle(option.duration, option.validity)
        has_places = any(unit.left is None or unit.left >= query.quantity for unit in option.units)

        assert option.is_available is (option.obstacle is None) is (in_the_way is None and has_places)
        assert option.obstacle is (in_the_way or (None if has_places else Obstacle.SOLD_OUT))


def one_at_a_time(rules: BookingRules) -> list[BookingRules]:
    """Each rule alone; what always holds, until when it is sold and when it starts, stays."""
    base = BookingRules(cut_off=rules.cut_off, start_times=rules.start_times)
    alone = [base]
    alone += [replace(base, closed=(days,)) for days in rules.closed]
    for rule in rules.stays:
        alone.append(replace(base, stays=(rule._replace(start_weekdays=frozenset()),)))
        alone.append(replace(base, stays=(rule._replace(min_days=1, max_days=None),)))
    for name in ("seasons", "sale_starts", "sale_ends", "min_lead_days", "max_lead_days"):
        alone.append(replace(base, **{name: getattr(rules, name)}))
    return alone


@given(situations(), st.data())
def test_the_obstacle_named_is_the_first_of_those_that_its_rules_make_alone(
    situation: Situation, data: DataObject
) -> None:
    rules = situation.product.booking
    together, *alone = [desk_of(situation, some) for some in (rules, *one_at_a_time(rules))]
    for _ in range(8):
        duration = data.draw(st.sampled_from(DURATIONS))
        validity = lasting(duration, data.draw(instants(situation.zone, situation.anchor)), situation.zone)
        found = {desk.obstacle(duration, validity) for desk in alone} - {None}

        named = together.obstacle(duration, validity)

        assert named is next((reason for reason in Obstacle if reason in found), None)


@given(situations(), st.data())
def test_hours_begin_at_the_wrong_time_iff_they_are_not_among_the_starts_of_their_day(
    situation: Situation, data: DataObject
) -> None:
    times = replace(BookingRules(), start_times=situation.product.booking.start_times)
    product = replace(situation.product, booking=times)
    desk = desk_of(situation, times, now=situation.now - 30 * ONE_DAY)
    for _ in range(8):
        duration = data.draw(st.sampled_from(DURATIONS))
        validity = lasting(duration, data.draw(instants(situation.zone, situation.anchor)), situation.zone)
        starts = desk.starts_on(validity.first_day, duration)

        named = desk.obstacle(duration, validity)

        may_begin_whenever = not start_times(product, situation.catalogue)
        is_a_start = validity.start.astimezone(UTC) in [start.astimezone(UTC) for start in starts]
        assert (named is None) is (is_a_start or may_begin_whenever)
        assert named in {None, Obstacle.START_TIME}


@given(asked(), st.integers(0, 10**6))
def test_time_only_closes_a_sale_that_has_begun(drawn: tuple[Situation, ValidityQuery], seconds: int) -> None:
    situation, query = drawn
    rules = replace(situation.product.booking, sale_starts=None, max_lead_days=None)
    later = situation.now.astimezone(UTC) + timedelta(seconds=seconds)
    now_selling, then_selling = desk_of(situation, rules), desk_of(situation, rules, now=later)

    for option in options(situation, query):
        now_found = now_selling.obstacle(option.duration, option.validity)
        then_found = then_selling.obstacle(option.duration, option.validity)

        assert now_found is None or then_found is not None
        assert now_found not in OVER or then_found in OVER


# ---------------------------------------------------------------- pages


def all_pages(
    situation: Situation, query: ValidityQuery, stocks_in_turn: Sequence[Stock]
) -> list[ValidityOptions]:
    """One page after the other, each as the stock then is."""
    pages: list[ValidityOptions] = []
    after: Cursor | None = None
    while not pages or after is not None:
        taken = stocks_in_turn[len(pages) % len(stocks_in_turn)]
        pages.append(ask(situation, query._replace(after=after), taken))
        before, after = after, pages[-1].next
        assert before is None or after is None or place(before) < place(after)  # else it would never end
    return pages


@given(asked(), st.integers(1, 9))
def test_pages_put_together_are_the_whole_list(drawn: tuple[Situation, ValidityQuery], limit: int) -> None:
    situation, query = drawn

    pages = all_pages(situation, query._replace(limit=limit), [situation.taken])

    assert sum((page.options for page in pages), ()) == options(situation, query)
    assert all(len(page.options) == limit for page in pages[:-1])
    assert len(pages[-1].options) <= limit
    assert len(pages) == 1 or pages[-1].options  # a next page has something on it


@given(asked(), st.integers(1, 9), st.data())
def test_pages_neither_skip_nor_repeat_while_stock_changes(
    drawn: tuple[Situation, ValidityQuery], limit: int, data: DataObject
) -> None:
    situation, query = drawn
    query = query._replace(only_available=False)
    changing = [data.draw(stocks(situation.catalogue.pools, situation.anchor)) for _ in range(3)]

    pages = all_pages(situation, query._replace(limit=limit), changing)

    assert [at for page in pages for at in places(page.options)] == places(options(situation, query))


@given(asked(), st.integers(1, 4), st.data())
def test_pages_of_what_is_available_never_go_back_while_stock_changes(
    drawn: tuple[Situation, ValidityQuery], limit: int, data: DataObject
) -> None:
    situation, query = drawn
    query = query._replace(only_available=True)
    changing = [data.draw(stocks(situation.catalogue.pools, situation.anchor)) for _ in range(3)]

    pages = all_pages(situation, query._replace(limit=limit), changing)

    seen = [at for page in pages for at in places(page.options)]
    assert all(one < other for one, other in pairwise(seen))
    assert all(option.is_available for page in pages for option in page.options)
    whatever_the_stock = set.intersection(
        *(set(places(options(situation, query, taken))) for taken in changing)
    )
    assert whatever_the_stock <= set(seen)


@given(asked(), st.data())
def test_what_follows_a_cursor_is_all_that_is_after_it(
    drawn: tuple[Situation, ValidityQuery], data: DataObject
) -> None:
    """Whether an option is there or not, and in whatever zone its start is written."""
    situation, query = drawn
    whole: tuple[ValidityOption, ...] = options(situation, query)
    day = situation.anchor + data.draw(st.integers(-6, 16)) * ONE_DAY
    start = datetime.combine(day, datetime.min.time(), UTC) + data.draw(upto(96)) * timedelta(minutes=15)
    if data.draw(upto(1)) and whole:
        index = data.draw(upto(len(whole) - 1))
        start = whole[index].validity.start.astimezone(UTC)
    after = Cursor(start, data.draw(st.sampled_from(DURATIONS)))

    found = options(situation, query._replace(after=after))

    assert found == whole[bisect_right(places(whole), place(after)) :]


# ---------------------------------------------------------------- suggestions, the next, price ranges


def bookable_days(situation: Situation, days: DateRange | None) -> dict[date, ValidityOption]:
    """The first option of each day that can be booked, out of the whole list."""
    found: dict[date, ValidityOption] = {}
    for option in all_on(situation, days) if days else ():
        if option.is_available:
            found.setdefault(option.validity.first_day, option)
    return found


def season(situation: Situation) -> DateRange | None:
    return running_days(situation.product, situation.catalogue.calendar, situation.today)


@given(situations())
def test_the_season_is_one_that_today_is_in_or_the_next_to_come(situation: Situation) -> None:
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
def test_the_next_validity_is_the_first_of_the_year_that_can_be_booked(situation: Situation) -> None:
    year = DateRange(situation.today, situation.today + 366 * ONE_DAY)
    catalogue: Catalogue = situation.catalogue

    found = next_available(
        situation.product, catalogue=catalogue, capacity=situation.taken, now=situation.now
    )

    assert found == next((option for option in all_on(situation, year) if option.is_available), None)


@given(seasonal)
def test_price_ranges_are_those_of_what_can_be_booked_in_the_season(situation: Situation) -> None:
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
