"""Validity options day by day: the window, other parts of a query, and pages. Decisions §8.5, §8.6.

Today is Monday 21 December 2026 unless a test sets another day.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time
from time import tzset

import pytest

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.catalogue.price_rules import PriceRule
from faregate.errors import InvalidInput, InvalidPeriod, UnknownEntry
from faregate.money.currency import currency
from faregate.validity.offers import Cursor
from faregate.validity.options import (
    MAX_DAYS,
    SuggestedValidities,
    ValidityOptions,
    ValidityQuery,
    next_available,
    suggest_validities,
    validity_options,
)
from support.booking.validity_questions import (
    DAILY,
    EVERYTHING,
    NOW,
    TODAY,
    between,
    days_of,
    limited,
    on,
    options,
    sold,
    suggest,
)
from support.shops.booking_shop import (
    ADULT,
    CHILD,
    DAY,
    FOUR_HOURS,
    MONTH,
    THREE_DAYS,
    TICKET,
    at,
    shop,
    ticket,
    variant,
)

FRANCS = currency("CHF")


def test_the_default_window_is_31_days_from_today() -> None:
    found = days_of(options())

    assert (found[0], found[-1], len(found)) == ("2026-12-21", "2027-01-20", 31)


@pytest.mark.parametrize(
    ("first", "last", "begin", "end", "count"),
    [
        pytest.param(date(2027, 2, 1), None, "2027-02-01", "2027-03-03", 31, id="31 days from the first"),
        pytest.param(date(2026, 12, 19), TODAY, "2026-12-19", "2026-12-21", 3, id="from the past"),
        pytest.param(date(2027, 1, 1), date(2028, 1, 1), "2027-01-01", "2028-01-01", 366, id="the most days"),
    ],
)
def test_a_window_includes_both_its_ends(
    first: date | None, last: date | None, begin: str, end: str, count: int
) -> None:
    found = days_of(options(query=ValidityQuery(TICKET, first, last)))

    assert (found[0], found[-1], len(found)) == (begin, end, count)


@pytest.mark.parametrize(
    ("first", "last", "message"),
    [
        (date(2027, 1, 2), date(2027, 1, 1), "expected a window of 1 to 366 days, got 0 from 2027-01-02"),
        (None, date(2026, 12, 20), "expected a window of 1 to 366 days, got 0 from 2026-12-21"),
        (date(2027, 1, 1), date(2028, 1, 2), "expected a window of 1 to 366 days, got 367 from 2027-01-01"),
        (date(1899, 12, 31), None, "expected years from 1900 to 8999, got 1899-12-31"),
        (date(8999, 12, 20), None, "expected years from 1900 to 8999, got 8999-12-20"),
        (date(9999, 12, 20), date.max, "from 9999-12-20 to 9999-12-31: date value out of range"),
    ],
)
def test_a_window_of_no_days_or_too_many_is_refused(first: date | None, last: date, message: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        options(query=ValidityQuery(TICKET, first, last))

    assert str(raised.value) == message
    assert MAX_DAYS == 366


def test_all_durations_and_variants_are_returned_by_default() -> None:
    product = ticket(variant(ADULT), variant(CHILD, PriceRule(4000)), durations=[THREE_DAYS, DAY])
    catalogue = shop(product)

    def asked(query: ValidityQuery) -> list[tuple[str, tuple[int, ...]]]:
        found = options(catalogue, replace(query, last_day=TODAY)).options
        return [(str(entry.duration), tuple(unit.variant for unit in entry.units)) for entry in found]

    everything = ValidityQuery(TICKET)
    assert asked(everything) == [("P1D", (ADULT, CHILD)), ("P3D", (ADULT, CHILD))]
    assert asked(replace(everything, variants=(CHILD,))) == [("P1D", (CHILD,)), ("P3D", (CHILD,))]
    assert asked(replace(everything, variants=(CHILD, ADULT, CHILD))) == asked(everything)
    assert asked(replace(everything, durations=(THREE_DAYS,))) == [("P3D", (ADULT, CHILD))]
    assert asked(replace(everything, durations=(THREE_DAYS, DAY, DAY))) == asked(everything)


def test_a_duration_that_a_product_lists_twice_counts_once() -> None:
    catalogue = shop(ticket(durations=[DAY, THREE_DAYS, DAY]))
    query = ValidityQuery(TICKET, last_day=TODAY)
    first = next_available(catalogue.product(TICKET), catalogue=catalogue, capacity={}, now=NOW)

    assert [entry.duration for entry in options(catalogue, query).options] == [DAY, THREE_DAYS]
    assert first is not None
    assert first.duration == DAY


def test_a_result_always_has_all_durations_of_the_product() -> None:
    catalogue = limited(THREE_DAYS, DAY)
    query = ValidityQuery(TICKET, durations=(DAY,))

    assert options(catalogue, query).durations == (THREE_DAYS, DAY)
    assert suggest_validities(query, catalogue=catalogue, capacity={}, now=NOW).durations == (THREE_DAYS, DAY)


def test_a_product_without_durations_has_no_validities() -> None:
    catalogue = shop(ticket(durations=[]))

    assert options(catalogue) == ValidityOptions(
        options=(), has_capacities=False, durations=(), currency=FRANCS
    )
    assert suggest(catalogue) == SuggestedValidities(
        options=(),
        has_capacities=False,
        durations=(),
        days_until_next=None,
        mean_gap_days=None,
        currency=FRANCS,
    )


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (ValidityQuery(99), "unknown product 99"),
        (ValidityQuery(TICKET, variants=(ADULT, 999)), "unknown variant 999 of product 11"),
        (ValidityQuery(TICKET, durations=(DAY, MONTH)), "unknown duration 'P1M' of product 11"),
    ],
)
def test_unknown_durations_and_variants_of_the_product_are_refused(
    query: ValidityQuery, message: str
) -> None:
    for ask in (validity_options, suggest_validities):
        with pytest.raises(UnknownEntry) as raised:
            ask(query, catalogue=DAILY, capacity={}, now=NOW)
        assert str(raised.value) == message


@pytest.mark.parametrize(
    ("quantity", "limit", "message"),
    [
        (0, None, "expected a quantity and a limit of at least 1, got quantity 0 and limit None"),
        (-1, 5, "expected a quantity and a limit of at least 1, got quantity -1 and limit 5"),
        (1, 0, "expected a quantity and a limit of at least 1, got quantity 1 and limit 0"),
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


def test_only_available_validities_are_returned_on_request() -> None:
    catalogue = limited(booking=BookingRules(closed=(on("2026-12-23"),)))
    query = ValidityQuery(TICKET, last_day=date(2026, 12, 25), only_available=True)

    found = options(catalogue, query, taken=sold("2026-12-22"))

    assert days_of(found) == ["2026-12-21", "2026-12-24", "2026-12-25"]
    assert found.next is None


HOURLY = shop(
    ticket(
        durations=[FOUR_HOURS, DAY, THREE_DAYS],
        booking=BookingRules(start_times=(time(9), time(11), time(14))),
    )
)
THREE_WEEKDAYS = ValidityQuery(TICKET, last_day=date(2026, 12, 23))


def paged(catalogue: Catalogue, query: ValidityQuery, *stocks: dict[PoolSlot, PoolUsage]) -> list[Cursor]:
    """Return the cursors of all pages, with one stock per page; the last stock repeats."""
    cursors: list[Cursor] = []
    after, page = None, 0
    while page == 0 or after is not None:
        taken = stocks[min(page, len(stocks) - 1)] if stocks else {}
        found = options(catalogue, replace(query, after=after), taken=taken)
        assert len(found.options) <= (query.limit or MAX_DAYS)
        assert found.next is None or found.next == found.options[-1].cursor
        assert found.next is None or after is None or found.next > after  # or pages never end
        cursors += [entry.cursor for entry in found.options]
        after, page = found.next, page + 1
    return cursors


@pytest.mark.parametrize("limit", [1, 14, 15, 16])
def test_the_pages_together_are_the_whole_list(limit: int) -> None:
    whole = [entry.cursor for entry in options(HOURLY, THREE_WEEKDAYS).options]

    assert len(whole) == 15
    assert paged(HOURLY, replace(THREE_WEEKDAYS, limit=limit)) == whole


def test_there_is_a_next_page_only_if_there_is_something_on_it() -> None:
    assert options(query=replace(THREE_WEEKDAYS, limit=2)).next == Cursor(at("2026-12-22T00:00"), DAY)
    assert options(query=replace(THREE_WEEKDAYS, limit=3)).next is None
    # Two more days follow, but both are closed.
    rules = BookingRules(closed=(between("2026-12-22", "2026-12-31"),))
    query = replace(THREE_WEEKDAYS, limit=1)
    assert options(limited(booking=rules), replace(query, only_available=True)).next is None
    assert options(limited(booking=rules), query).next is not None


@pytest.mark.parametrize(
    ("after", "days"),
    [
        pytest.param(Cursor(at("2026-12-22T10:30"), DAY), ["23"], id="between two options"),
        pytest.param(Cursor(at("2026-12-22T00:00"), FOUR_HOURS), ["22", "23"], id="a shorter duration"),
        pytest.param(Cursor(at("2026-12-21T23:00Z"), DAY), ["23"], id="from another zone"),
    ],
)
def test_a_cursor_is_a_position_in_the_order(after: Cursor, days: list[str]) -> None:
    found = options(query=replace(THREE_WEEKDAYS, after=after))

    assert days_of(found) == [f"2026-12-{day}" for day in days]


def test_a_cursor_without_a_utc_offset_is_refused() -> None:
    after = Cursor(datetime(2026, 12, 22), DAY)  # noqa: DTZ001

    with pytest.raises(InvalidPeriod, match=r"^2026-12-22T00:00:00 has no UTC offset$"):
        options(query=replace(THREE_WEEKDAYS, after=after))


@pytest.fixture
def far_east_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the machine's clock 14 hours ahead of UTC and a day ahead of Honolulu."""
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    tzset()
    yield
    monkeypatch.undo()
    tzset()


@pytest.mark.usefixtures("far_east_machine")
def test_a_page_continues_wherever_the_machine_is() -> None:
    catalogue = limited(DAY, THREE_DAYS, timezone="Pacific/Honolulu")
    query = replace(EVERYTHING, first_day=date(2027, 1, 1), last_day=date(2027, 1, 2), limit=1)

    first = options(catalogue, query)
    second = options(catalogue, replace(query, after=first.next))

    assert [
        (page.options[0].validity.first_day.day, page.options[0].duration) for page in (first, second)
    ] == [
        (1, DAY),
        (1, THREE_DAYS),
    ]
