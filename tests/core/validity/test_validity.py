"""Validity options day by day: the window and the other parts of a query. Decisions §8.5, §8.6.

Today is Monday 21 December 2026 unless a test sets another day.
"""

from dataclasses import replace
from datetime import date

import pytest

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.price_rules import PriceRule
from faregate.errors import InvalidInput, InvalidPeriod, UnknownEntry
from faregate.money.currency import currency
from faregate.validity.bookability import Obstacle
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
    days_of,
    limited,
    on,
    options,
    sold,
    suggest,
)
from support.shops.booking_shop import ADULT, CHILD, DAY, MONTH, THREE_DAYS, TICKET, shop, ticket, variant

FRANCS = currency("CHF")


def test_the_default_window_is_31_days_from_today() -> None:
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
def test_a_window_includes_both_its_ends(
    first: date | None, last: date | None, begin: str, end: str, count: int
) -> None:
    found = days_of(options(query=ValidityQuery(TICKET, first, last)))

    assert (found[0], found[-1], len(found)) == (begin, end, count)


def test_past_days_are_shown_but_cannot_be_booked() -> None:
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
        (date(2027, 1, 2), date(2027, 1, 1), "expected a window of 1 to 366 days, got 0 from 2027-01-02"),
        (None, date(2026, 12, 20), "expected a window of 1 to 366 days, got 0 from 2026-12-21"),
        (None, date(2026, 12, 1), "expected a window of 1 to 366 days, got -19 from 2026-12-21"),
        (date(2027, 1, 1), date(2028, 1, 2), "expected a window of 1 to 366 days, got 367 from 2027-01-01"),
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
    assert MAX_DAYS == 366


def test_a_window_may_end_with_the_last_supported_day() -> None:
    found = days_of(
        options(query=replace(EVERYTHING, first_day=date(8999, 12, 30), last_day=date(8999, 12, 31)))
    )

    assert found == ["8999-12-30", "8999-12-31"]


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


def test_a_result_says_whether_places_are_limited() -> None:
    assert options(limited()).has_capacities
    assert not options(DAILY).has_capacities
    assert suggest(limited()).has_capacities
    assert not suggest(DAILY).has_capacities


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
        (ValidityQuery(TICKET, variants=(ADULT, 999)), "unknown variant '999 of product 11'"),
        (ValidityQuery(TICKET, durations=(DAY, MONTH)), "unknown duration 'P1M of product 11'"),
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


def test_a_quantity_is_booked_together() -> None:
    taken = sold("2026-12-22", count=7)
    query = ValidityQuery(TICKET, last_day=date(2026, 12, 23), quantity=3)

    assert [entry.obstacle for entry in options(limited(), query, taken=taken).options] == [
        None,
        Obstacle.SOLD_OUT,
        None,
    ]


def test_only_available_validities_are_returned_on_request() -> None:
    catalogue = limited(booking=BookingRules(closed=(on("2026-12-23"),)))
    query = ValidityQuery(TICKET, last_day=date(2026, 12, 25), only_available=True)

    found = options(catalogue, query, taken=sold("2026-12-22"))

    assert days_of(found) == ["2026-12-21", "2026-12-24", "2026-12-25"]
    assert found.next is None
