"""What can be booked: validities day by day, suggestions, the next one, price ranges. Decisions §8.5 to §8.9.

Today is Monday 21 December 2026 unless a test says otherwise.
"""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from time import tzset

import pytest

from faregate.bookability import Obstacle
from faregate.booking_rules import BookingRules, CutOff, StayRule
from faregate.calendars import Days, MonthDay, Season, Span
from faregate.catalogue import Catalogue, PriceModel, PriceRule
from faregate.dates import Duration
from faregate.errors import InvalidInput, InvalidPeriod, UnknownEntry
from faregate.offers import Cursor, PriceRange, ValidityOption
from faregate.pools import Counting, Pool, PoolSlot, PoolUse, Taken, TimeSlot
from faregate.validity import (
    MOST_DAYS,
    SuggestedValidities,
    Suggestion,
    ValidityOptions,
    ValidityQuery,
    coming_saturday,
    next_available,
    price_ranges,
    suggest_validities,
    validity_options,
)
from unit.booking_shop import (
    ADULT,
    CHILD,
    DAY,
    FAMILY,
    FOUR_HOURS,
    MONTH,
    MOUNTAIN,
    THREE_DAYS,
    TICKET,
    at,
    shop,
    ticket,
    variant,
)

NOW = at("2026-12-21T09:00")
TODAY = date(2026, 12, 21)
DAILY = shop(ticket())
EVERYTHING = ValidityQuery(TICKET)
TODAY_, TOMORROW, WEEKEND, NEXT = Suggestion


def on(*days: str) -> Days:
    """Those dates."""
    return Days(dates=tuple(Span(date.fromisoformat(day), date.fromisoformat(day)) for day in days))


def between(first: str, last: str) -> Days:
    return Days(dates=(Span(date.fromisoformat(first), date.fromisoformat(last)),))


def sold(*days: str, count: int = 9) -> dict[PoolSlot, Taken]:
    return {PoolSlot(MOUNTAIN, date.fromisoformat(day)): Taken(sold=count) for day in days}


def limited(
    *durations: Duration,
    size: int = 9,
    booking: BookingRules = BookingRules(),
    timezone: str = "Europe/Zurich",
) -> Catalogue:
    """A ticket that takes a place on the mountain each day."""
    product = ticket(durations=durations or (DAY,), pools=[PoolUse(MOUNTAIN)], booking=booking)
    return shop(product, pools=[Pool(identifier=MOUNTAIN, size=size)], timezone=timezone)


def options(
    catalogue: Catalogue = DAILY,
    query: ValidityQuery = EVERYTHING,
    *,
    taken: dict[PoolSlot, Taken] | None = None,
    now: datetime = NOW,
) -> ValidityOptions:
    return validity_options(query, catalogue=catalogue, capacity=taken or {}, now=now)


def days_of(found: ValidityOptions | list[ValidityOption]) -> list[str]:
    entries = found if isinstance(found, list) else found.options
    return [entry.validity.first_day.isoformat() for entry in entries]


# ---------------------------------------------------------------- the window


def test_a_window_is_31_days_from_today_unless_asked_for() -> None:
    found = days_of(options())

    assert (found[0], found[-1], len(found)) == ("2026-12-21", "2027-01-20", 31)


@pytest.mark.parametrize(
    ("first", "last", "begin", "end", "count"),
    [
        pytest.param(date(2027, 2, 1), None, "2027-02-01", "2027-03-03", 31, id="31 days from the first"),
        pytest.param(None, date(2026, 12, 24), "2026-12-21", "2026-12-24", 4, id="from today, the last in"),
        pytest.param(None, TODAY, "2026-12-21", "2026-12-21", 1, id="today alone"),
        pytest.param(date(2026, 12, 19), TODAY, "2026-12-19", "2026-12-21", 3, id="from the past"),
        pytest.param(date(2027, 1, 1), date(2028, 1, 1), "2027-01-01", "2028-01-01", 366, id="the most days"),
    ],
)
def test_a_window_has_both_its_ends(
    first: date | None, last: date | None, begin: str, end: str, count: int
) -> None:
    found = days_of(options(query=ValidityQuery(TICKET, first, last)))

    assert (found[0], found[-1], len(found)) == (begin, end, count)


def test_days_that_are_over_are_shown_but_cannot_be_booked() -> None:
    query = ValidityQuery(TICKET, date(2026, 12, 19), date(2026, 12, 22))

    assert [entry.obstacle for entry in options(query=query).options] == [
        Obstacle.TOO_LATE,
        Obstacle.TOO_LATE,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [
        (date(2027, 1, 2), date(2027, 1, 1), "expected 1 to 366 days, got 0 from 2027-01-02"),
        (None, date(2026, 12, 20), "expected 1 to 366 days, got 0 from 2026-12-21"),
        (None, date(2026, 12, 1), "expected 1 to 366 days, got -19 from 2026-12-21"),
        (date(2027, 1, 1), date(2028, 1, 2), "expected 1 to 366 days, got 367 from 2027-01-01"),
        (date(1899, 12, 31), None, "expected years from 1900 to 8999, got 1899-12-31"),
        (date(1, 1, 1), None, "expected years from 1900 to 8999, got 0001-01-01"),
        (date(8999, 12, 20), None, "expected years from 1900 to 8999, got 8999-12-20"),
        (date(9999, 12, 20), None, "from 9999-12-20 to None: date value out of range"),
        (date(9999, 12, 20), date.max, "from 9999-12-20 to 9999-12-31: date value out of range"),
    ],
)
def test_a_window_of_no_days_or_too_many_is_refused(first: date | None, last: date, message: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        options(query=ValidityQuery(TICKET, first, last))

    assert str(raised.value) == message
    assert MOST_DAYS == 366


# ---------------------------------------------------------------- what is asked for


def test_all_durations_and_variants_are_asked_for_unless_some_are() -> None:
    product = ticket(variant(ADULT), variant(CHILD, PriceRule(4000)), durations=[THREE_DAYS, DAY])
    catalogue = shop(product)

    def asked(query: ValidityQuery) -> list[tuple[str, tuple[int, ...]]]:
        found = options(catalogue, query._replace(last_day=TODAY)).options
        return [(str(entry.duration), tuple(unit.variant for unit in entry.units)) for entry in found]

    everything = ValidityQuery(TICKET)
    assert asked(everything) == [("P1D", (ADULT, CHILD)), ("P3D", (ADULT, CHILD))]
    assert asked(everything._replace(variants=(CHILD,))) == [("P1D", (CHILD,)), ("P3D", (CHILD,))]
    assert asked(everything._replace(variants=(CHILD, ADULT, CHILD))) == asked(everything)
    assert asked(everything._replace(durations=(THREE_DAYS,))) == [("P3D", (ADULT, CHILD))]
    assert asked(everything._replace(durations=(THREE_DAYS, DAY, DAY))) == asked(everything)


def test_a_duration_that_a_product_lists_twice_is_one() -> None:
    catalogue = shop(ticket(durations=[DAY, THREE_DAYS, DAY]))
    query = ValidityQuery(TICKET, last_day=TODAY)
    first = next_available(catalogue.product(TICKET), catalogue=catalogue, capacity={}, now=NOW)

    assert [entry.duration for entry in options(catalogue, query).options] == [DAY, THREE_DAYS]
    assert first is not None
    assert first.duration == DAY


def test_an_answer_has_the_durations_of_the_product_whatever_was_asked() -> None:
    catalogue = limited(THREE_DAYS, DAY)
    query = ValidityQuery(TICKET, durations=(DAY,))

    assert options(catalogue, query).durations == (THREE_DAYS, DAY)
    assert suggest_validities(query, catalogue=catalogue, capacity={}, now=NOW).durations == (THREE_DAYS, DAY)


def test_an_answer_tells_whether_places_are_limited() -> None:
    assert options(limited()).has_capacities
    assert not options(DAILY).has_capacities
    assert suggest(limited()).has_capacities
    assert not suggest(DAILY).has_capacities


def test_a_product_without_durations_has_no_validities() -> None:
    catalogue = shop(ticket(durations=[]))

    assert options(catalogue) == ValidityOptions((), False, ())
    assert suggest(catalogue) == SuggestedValidities((), False, (), None, None)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (ValidityQuery(99), "unknown product 99"),
        (ValidityQuery(TICKET, variants=(ADULT, 999)), "unknown variant '999 of product 11'"),
        (ValidityQuery(TICKET, durations=(DAY, MONTH)), "unknown duration 'P1M of product 11'"),
    ],
)
def test_what_the_product_does_not_have_is_refused(query: ValidityQuery, message: str) -> None:
    for ask in (validity_options, suggest_validities):
        with pytest.raises(UnknownEntry) as raised:
            ask(query, catalogue=DAILY, capacity={}, now=NOW)
        assert str(raised.value) == message


@pytest.mark.parametrize(
    ("quantity", "limit", "message"),
    [
        (0, None, "expected at least 1, got quantity 0, limit None"),
        (-1, 5, "expected at least 1, got quantity -1, limit 5"),
        (1, 0, "expected at least 1, got quantity 1, limit 0"),
    ],
)
def test_quantity_and_limit_are_at_least_one(quantity: int, limit: int | None, message: str) -> None:
    for ask in (validity_options, suggest_validities):
        with pytest.raises(InvalidInput) as raised:
            ask(
                ValidityQuery(TICKET, quantity=quantity, limit=limit),
                catalogue=DAILY,
                capacity={},
                now=NOW,
            )
        assert str(raised.value) == message


def test_a_quantity_is_booked_together() -> None:
    taken = sold("2026-12-22", count=7)
    query = ValidityQuery(TICKET, last_day=date(2026, 12, 23), quantity=3)

    assert [entry.obstacle for entry in options(limited(), query, taken=taken).options] == [
        None,
        Obstacle.SOLD_OUT,
        None,
    ]


def test_only_what_is_available_if_so_asked() -> None:
    catalogue = limited(booking=BookingRules(closed=(on("2026-12-23"),)))
    query = ValidityQuery(TICKET, last_day=date(2026, 12, 25), only_available=True)

    found = options(catalogue, query, taken=sold("2026-12-22"))

    assert days_of(found) == ["2026-12-21", "2026-12-24", "2026-12-25"]
    assert found.next is None


def test_a_closed_day_closes_the_validities_that_reach_into_it() -> None:
    catalogue = limited(THREE_DAYS, booking=BookingRules(closed=(on("2026-12-25"),)))
    query = ValidityQuery(TICKET, last_day=date(2026, 12, 26))

    found = [entry.obstacle for entry in options(catalogue, query).options]

    assert found == [None, None, *[Obstacle.CLOSED] * 3, None]


@pytest.mark.parametrize(
    ("timezone", "first", "last", "starts"),
    [
        pytest.param(
            "America/Santiago",
            date(2024, 9, 7),
            date(2024, 9, 9),
            ["2024-09-07T00:00:00-04:00", "2024-09-08T01:00:00-03:00", "2024-09-09T00:00:00-03:00"],
            id="a day that begins at one",
        ),
        pytest.param(
            "Pacific/Apia",
            date(2011, 12, 29),
            date(2011, 12, 31),
            ["2011-12-29T00:00:00-10:00", "2011-12-31T00:00:00+14:00"],
            id="a day that does not exist",
        ),
    ],
)
def test_days_begin_when_they_do_in_the_zone_of_the_merchant(
    timezone: str, first: date, last: date, starts: list[str]
) -> None:
    found = options(
        limited(timezone=timezone), ValidityQuery(TICKET, first, last), now=at("2011-01-01T00:00Z")
    )

    assert [entry.validity.start.isoformat() for entry in found.options] == starts


# ---------------------------------------------------------------- pages

HOURLY = shop(
    ticket(
        durations=[FOUR_HOURS, DAY, THREE_DAYS],
        booking=BookingRules(start_times=(time(9), time(11), time(14))),
    )
)
THREE_WEEKDAYS = ValidityQuery(TICKET, last_day=date(2026, 12, 23))


def paged(catalogue: Catalogue, query: ValidityQuery, *stocks: dict[PoolSlot, Taken]) -> list[Cursor]:
    """All pages, under one stock after the other, then under the last."""
    cursors: list[Cursor] = []
    after, page = None, 0
    while page == 0 or after is not None:
        taken = stocks[min(page, len(stocks) - 1)] if stocks else {}
        found = options(catalogue, query._replace(after=after), taken=taken)
        assert len(found.options) <= (query.limit or MOST_DAYS)
        assert found.next is None or found.next == found.options[-1].cursor
        assert found.next is None or after is None or found.next > after  # else it would never end
        cursors += [entry.cursor for entry in found.options]
        after, page = found.next, page + 1
    return cursors


@pytest.mark.parametrize("limit", [1, 2, 4, 5, 6, 14, 15, 16, 366])
def test_pages_put_together_are_the_whole_list(limit: int) -> None:
    whole = [entry.cursor for entry in options(HOURLY, THREE_WEEKDAYS).options]

    assert len(whole) == 15
    assert paged(HOURLY, THREE_WEEKDAYS._replace(limit=limit)) == whole


def test_there_is_a_next_page_only_if_there_is_something_on_it() -> None:
    assert options(query=THREE_WEEKDAYS._replace(limit=2)).next == Cursor(at("2026-12-22T00:00"), DAY)
    assert options(query=THREE_WEEKDAYS._replace(limit=3)).next is None
    # Two more days follow, but neither is available.
    rules = BookingRules(closed=(between("2026-12-22", "2026-12-31"),))
    query = THREE_WEEKDAYS._replace(limit=1)
    assert options(limited(booking=rules), query._replace(only_available=True)).next is None
    assert options(limited(booking=rules), query).next is not None


def test_a_page_goes_on_after_the_option_it_names_even_if_that_is_gone() -> None:
    """With every second day sold in between, the next page begins with what is left after the cursor."""
    query = THREE_WEEKDAYS._replace(limit=1, only_available=True)
    first = options(limited(), query)

    second = options(limited(), query._replace(after=first.next), taken=sold("2026-12-21", "2026-12-22"))

    assert days_of(first) == ["2026-12-21"]
    assert days_of(second) == ["2026-12-23"]
    assert second.next is None


@pytest.mark.parametrize(
    ("after", "days"),
    [
        pytest.param(Cursor(at("2026-12-01T00:00"), DAY), ["21", "22", "23"], id="before the window"),
        pytest.param(Cursor(at("2026-12-22T10:30"), DAY), ["23"], id="between two options"),
        pytest.param(Cursor(at("2026-12-22T00:00"), FOUR_HOURS), ["22", "23"], id="a shorter duration"),
        pytest.param(Cursor(at("2026-12-22T00:00"), THREE_DAYS), ["23"], id="a longer duration"),
        pytest.param(Cursor(at("2026-12-21T23:00Z"), DAY), ["23"], id="from another zone"),
        pytest.param(Cursor(at("2026-12-23T00:00"), DAY), [], id="the last option"),
        pytest.param(Cursor(at("2027-12-23T00:00"), DAY), [], id="after the window"),
    ],
)
def test_a_cursor_is_a_place_in_the_order(after: Cursor, days: list[str]) -> None:
    found = options(query=THREE_WEEKDAYS._replace(after=after))

    assert days_of(found) == [f"2026-12-{day}" for day in days]


def test_a_cursor_without_its_offset_is_refused() -> None:
    after = Cursor(datetime(2026, 12, 22), DAY)  # noqa: DTZ001

    with pytest.raises(InvalidPeriod, match=r"^2026-12-22T00:00:00 lacks its offset$"):
        options(query=THREE_WEEKDAYS._replace(after=after))


# ---------------------------------------------------------------- suggestions


def suggest(
    catalogue: Catalogue = DAILY,
    query: ValidityQuery = EVERYTHING,
    *,
    taken: dict[PoolSlot, Taken] | None = None,
    now: datetime = NOW,
) -> SuggestedValidities:
    return suggest_validities(query, catalogue=catalogue, capacity=taken or {}, now=now)


def picked(found: SuggestedValidities) -> list[tuple[Suggestion, str]]:
    assert all(entry.option.is_available for entry in found.options)
    return [(entry.suggestion, entry.option.validity.first_day.isoformat()[5:]) for entry in found.options]


def closed(*days: Days) -> Catalogue:
    return shop(ticket(booking=BookingRules(closed=days)))


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
            "2026-12-25T09:00", DAILY, [(TODAY_, "12-25"), (TOMORROW, "12-26")], id="on a Friday: once each"
        ),
        pytest.param(
            "2026-12-26T09:00",
            DAILY,
            [(TODAY_, "12-26"), (TOMORROW, "12-27"), (WEEKEND, "01-02")],
            id="on a Saturday this weekend has begun",
        ),
        pytest.param(
            "2026-12-27T09:00",
            DAILY,
            [(TODAY_, "12-27"), (TOMORROW, "12-28"), (WEEKEND, "01-02")],
            id="on a Sunday the next week's",
        ),
        pytest.param(
            "2026-12-21T23:59:59",
            DAILY,
            [(TODAY_, "12-21"), (TOMORROW, "12-22"), (WEEKEND, "12-26")],
            id="until the day is over",
        ),
        pytest.param(
            "2026-12-21T23:00:00Z",
            DAILY,
            [(TODAY_, "12-22"), (TOMORROW, "12-23"), (WEEKEND, "12-26")],
            id="in local time",
        ),
        pytest.param(
            "2026-12-21T11:59:59",
            shop(ticket(booking=BookingRules(cut_off=CutOff(time(12))))),
            [(TODAY_, "12-21"), (TOMORROW, "12-22"), (WEEKEND, "12-26")],
            id="before the cut-off",
        ),
        pytest.param(
            "2026-12-21T12:00:00",
            shop(ticket(booking=BookingRules(cut_off=CutOff(time(12))))),
            [(TOMORROW, "12-22"), (WEEKEND, "12-26")],
            id="after the cut-off",
        ),
        pytest.param(
            "2026-12-21T09:00",
            closed(between("2026-12-21", "2026-12-22")),
            [(NEXT, "12-23"), (WEEKEND, "12-26")],
            id="neither today nor tomorrow",
        ),
        pytest.param(
            "2026-12-21T09:00",
            closed(between("2026-12-21", "2026-12-27")),
            [(NEXT, "12-28"), (WEEKEND, "01-02")],
            id="not this week: the first weekend after the first day",
        ),
        pytest.param(
            "2026-12-21T09:00",
            closed(on("2026-12-26")),
            [(TODAY_, "12-21"), (TOMORROW, "12-22"), (WEEKEND, "01-02")],
            id="this weekend is not bookable",
        ),
        pytest.param(
            "2026-12-26T09:00",
            closed(on("2026-12-26")),
            [(TOMORROW, "12-27"), (WEEKEND, "01-02")],
            id="on a Saturday, but not today",
        ),
        pytest.param(
            "2026-12-21T09:00",
            closed(between("2026-12-21", "2027-01-01")),
            [(NEXT, "01-02"), (WEEKEND, "01-09")],
            id="the first day is a Saturday, and the next weekend comes after it",
        ),
        pytest.param(
            "2026-12-21T09:00",
            closed(between("2026-12-21", "2026-12-25")),
            [(WEEKEND, "12-26"), (WEEKEND, "01-02")],
            id="the first day is the coming Saturday",
        ),
        pytest.param("2026-12-21T09:00", closed(Days()), [], id="never"),
    ],
)
def test_suggested_are_today_tomorrow_a_weekend_and_the_first_day(
    now: str, catalogue: Catalogue, expected: list[tuple[Suggestion, str]]
) -> None:
    assert picked(suggest(catalogue, now=at(now))) == expected


def test_the_earliest_suggestions_are_kept_where_fewer_are_asked_for() -> None:
    assert len(suggest().options) == 3
    assert picked(suggest(query=ValidityQuery(TICKET, limit=2))) == [(TODAY_, "12-21"), (TOMORROW, "12-22")]
    assert len(suggest(query=ValidityQuery(TICKET, limit=366)).options) == 3


def test_suggestions_are_of_the_season_that_is_on() -> None:
    catalogue = shop(ticket(booking=BookingRules(seasons=("winter",))))

    assert picked(suggest(catalogue, now=at("2027-04-30T09:00"))) == [(TODAY_, "04-30")]


def test_out_of_season_suggestions_are_of_the_next() -> None:
    catalogue = shop(ticket(booking=BookingRules(seasons=("summer",))))

    found = suggest(catalogue)

    assert picked(found) == [(NEXT, "06-15"), (WEEKEND, "06-19")]
    assert found.days_until_next == (date(2027, 6, 15) - TODAY).days
    assert found.mean_gap_days == 1


def test_the_season_that_is_on_is_not_left_for_the_next_because_it_is_sold_out() -> None:
    catalogue = limited(booking=BookingRules(seasons=("winter", "summer")))
    taken = sold("2027-04-29", "2027-04-30")

    assert suggest(catalogue, taken=taken, now=at("2027-04-29T09:00")) == SuggestedValidities(
        (), True, (DAY,), None, None
    )


JUBILEE = Season(identifier="jubilee", spans=(Span(date(2026, 7, 1), date(2026, 7, 10)),))
PAST = shop(ticket(booking=BookingRules(seasons=("jubilee",))), seasons=[JUBILEE])


def test_what_never_runs_again_is_not_suggested() -> None:
    assert suggest(PAST) == SuggestedValidities((), False, (DAY,), None, None)


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


def test_of_the_hours_of_a_day_the_first_that_can_be_booked_is_suggested() -> None:
    slots = tuple(TimeSlot(time(hour), time(hour + 4)) for hour in (8, 12, 16))
    catalogue = shop(
        ticket(durations=[FOUR_HOURS], pools=[PoolUse(MOUNTAIN)]),
        pools=[Pool(identifier=MOUNTAIN, size=9, slots=slots)],
    )
    taken = {PoolSlot(MOUNTAIN, date(2026, 12, 22), time(8)): Taken(held=9)}

    found = suggest(catalogue, taken=taken)

    assert [entry.option.validity.start.isoformat()[:16] for entry in found.options] == [
        "2026-12-21T12:00",  # it is nine o'clock
        "2026-12-22T12:00",  # the morning is held by others
        "2026-12-26T08:00",
    ]


def test_a_quantity_is_suggested_where_all_of_it_fits() -> None:
    taken = sold("2026-12-21", count=7)

    assert picked(suggest(limited(), ValidityQuery(TICKET, quantity=2), taken=taken))[0] == (TODAY_, "12-21")
    assert picked(suggest(limited(), ValidityQuery(TICKET, quantity=3), taken=taken))[0] == (
        TOMORROW,
        "12-22",
    )


def test_suggestions_are_for_the_variants_asked_for() -> None:
    product = ticket(
        variant(ADULT, uses=[(MOUNTAIN, 1)]),
        variant(FAMILY, uses=[(MOUNTAIN, 4)]),
        pools=[PoolUse(MOUNTAIN)],
    )
    catalogue = shop(product, pools=[Pool(identifier=MOUNTAIN, size=9)])
    taken = sold("2026-12-21", count=6)

    assert picked(suggest(catalogue, taken=taken))[0] == (TODAY_, "12-21")
    assert picked(suggest(catalogue, ValidityQuery(TICKET, variants=(FAMILY,)), taken=taken))[0] == (
        TOMORROW,
        "12-22",
    )


def test_suggestions_do_not_ask_for_a_window_or_a_page() -> None:
    query = ValidityQuery(
        TICKET, date(2027, 3, 1), date(2027, 2, 1), after=Cursor(at("2027-01-01T00:00"), DAY)
    )

    assert suggest(query=query) == suggest()


@pytest.mark.parametrize(
    ("open_days", "until", "gap"),
    [
        ([], None, None),
        (["2026-12-21"], 0, None),
        (["2026-12-23"], 2, None),
        (["2026-12-23", "2026-12-25"], 2, Fraction(2)),
        (["2026-12-23", "2026-12-24", "2026-12-30"], 2, Fraction(7, 2)),
        (["2026-12-22", "2026-12-23", "2026-12-24", "2026-12-26"], 1, Fraction(4, 3)),
    ],
)
def test_gaps_tell_how_the_days_lie_on_which_something_can_be_booked(
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

    # From the 21st to the 3rd; the 21st and 22nd, and the 1st to the 3rd.
    assert found.mean_gap_days == Fraction(13, 4)


@pytest.mark.parametrize(
    ("today", "saturday"),
    [(21, 26), (22, 26), (23, 26), (24, 26), (25, 26), (26, 26), (27, 33), (28, 33)],
)
def test_the_coming_saturday_is_of_this_week_until_it_is_sunday(today: int, saturday: int) -> None:
    first = date(2026, 12, 1)

    assert coming_saturday(first + timedelta(days=today - 1)) == first + timedelta(days=saturday - 1)


# ---------------------------------------------------------------- the next one


def upcoming(
    catalogue: Catalogue, *, taken: dict[PoolSlot, Taken] | None = None, now: datetime = NOW
) -> ValidityOption | None:
    return next_available(catalogue.product(TICKET), catalogue=catalogue, capacity=taken or {}, now=now)


def test_the_next_validity_is_the_first_that_can_be_booked() -> None:
    catalogue = limited(THREE_DAYS, DAY, booking=BookingRules(closed=(on("2026-12-21"),)))

    found = upcoming(catalogue, taken=sold("2026-12-22"))

    assert found is not None
    assert (found.validity.first_day, found.duration) == (date(2026, 12, 23), DAY)


def test_the_next_validity_may_be_in_the_next_season() -> None:
    found = upcoming(shop(ticket(booking=BookingRules(seasons=("summer",)))))

    assert found is not None
    assert found.validity.first_day == date(2027, 6, 15)


@pytest.mark.parametrize(("only_day", "is_found"), [(date(2027, 12, 21), True), (date(2027, 12, 22), False)])
def test_the_next_validity_is_looked_for_366_days_from_today(only_day: date, is_found: bool) -> None:
    season = Season(identifier="once", spans=(Span(only_day, only_day),))
    catalogue = shop(ticket(booking=BookingRules(seasons=("once",))), seasons=[season])

    assert (upcoming(catalogue) is not None) is is_found


def test_there_is_no_next_validity_of_what_is_never_sold() -> None:
    assert upcoming(closed(Days())) is None
    assert upcoming(shop(ticket(durations=[]))) is None


# ---------------------------------------------------------------- price ranges


def ranges(
    catalogue: Catalogue, *, taken: dict[PoolSlot, Taken] | None = None, now: datetime = NOW
) -> dict[int, PriceRange]:
    return price_ranges(catalogue.product(TICKET), catalogue=catalogue, capacity=taken or {}, now=now)


def priced(
    *, booking: BookingRules = BookingRules(seasons=("winter",)), counting: Counting = Counting.EACH_DAY
) -> Catalogue:
    """Dearer on Saturdays, and half for children."""
    saturdays = Days(weekdays=frozenset({6}))
    product = ticket(
        variant(ADULT, PriceRule(8000), PriceRule(9500, when=saturdays)),
        variant(CHILD, PriceRule(4000), PriceRule(5000, when=saturdays)),
        variant(FAMILY, PriceRule(20000), uses=[(MOUNTAIN, 4)]),
        price_model=PriceModel.CALENDAR,
        pools=[PoolUse(MOUNTAIN, counting)],
        booking=booking,
    )
    return shop(product, pools=[Pool(identifier=MOUNTAIN, size=9)])


def test_price_ranges_are_over_what_can_be_booked() -> None:
    assert ranges(priced()) == {
        ADULT: PriceRange(8000, 9500),
        CHILD: PriceRange(4000, 5000),
        FAMILY: PriceRange(20000, 20000),
    }


def test_a_price_for_a_day_that_cannot_be_booked_is_in_no_range() -> None:
    no_saturdays = BookingRules(seasons=("winter",), closed=(Days(weekdays=frozenset({6})),))

    assert ranges(priced(booking=no_saturdays))[ADULT] == PriceRange(8000, 8000)


def test_a_variant_that_fits_nowhere_has_no_range() -> None:
    """On the last two days of the winter, a Thursday and a Friday, there are three places and none."""
    taken = {**sold("2027-04-29", count=6), **sold("2027-04-30")}

    assert ranges(priced(), taken=taken, now=at("2027-04-29T09:00")) == {
        ADULT: PriceRange(8000, 8000),
        CHILD: PriceRange(4000, 4000),
    }


def test_price_ranges_are_of_the_next_season_if_none_is_on() -> None:
    dear_winter = Days(seasons=frozenset({"winter"}))
    product = ticket(
        variant(ADULT, PriceRule(8000), PriceRule(12000, when=dear_winter)),
        price_model=PriceModel.CALENDAR,
        booking=BookingRules(seasons=("winter", "summer")),
    )
    catalogue = shop(product)

    assert ranges(catalogue)[ADULT] == PriceRange(12000, 12000)
    assert ranges(catalogue, now=at("2027-05-01T09:00"))[ADULT] == PriceRange(8000, 8000)


def test_price_ranges_are_over_all_durations() -> None:
    product = ticket(
        variant(ADULT, PriceRule(8000, DAY), PriceRule(21000, THREE_DAYS)), durations=[THREE_DAYS, DAY]
    )

    assert ranges(shop(product)) == {ADULT: PriceRange(8000, 21000)}


def test_there_is_no_range_where_there_is_nothing_to_book() -> None:
    assert ranges(closed(Days())) == {}
    assert ranges(PAST) == {}


def test_the_last_place_of_a_day_is_in_its_range() -> None:
    taken = {**sold("2027-04-29", count=8), **sold("2027-04-30")}

    assert ranges(priced(), taken=taken, now=at("2027-04-29T09:00")) == {
        ADULT: PriceRange(8000, 8000),
        CHILD: PriceRange(4000, 4000),
    }


def test_a_window_may_end_with_the_last_day_that_counts() -> None:
    found = days_of(
        options(query=EVERYTHING._replace(first_day=date(8999, 12, 30), last_day=date(8999, 12, 31)))
    )

    assert found == ["8999-12-30", "8999-12-31"]


@pytest.fixture
def far_east_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose clock is 14 hours ahead of UTC, and a day ahead of Honolulu."""
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    tzset()
    yield
    monkeypatch.undo()
    tzset()


@pytest.mark.usefixtures("far_east_machine")
def test_a_page_goes_on_wherever_the_machine_is() -> None:
    catalogue = limited(DAY, THREE_DAYS, timezone="Pacific/Honolulu")
    query = EVERYTHING._replace(first_day=date(2027, 1, 1), last_day=date(2027, 1, 2), limit=1)

    first = options(catalogue, query)
    second = options(catalogue, query._replace(after=first.next))

    assert [
        (page.options[0].validity.first_day.day, page.options[0].duration) for page in (first, second)
    ] == [
        (1, DAY),
        (1, THREE_DAYS),
    ]
