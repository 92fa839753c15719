"""Pages of validity options. Decisions §8.6."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, time
from time import tzset

import pytest

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.errors import InvalidPeriod
from faregate.validity.offers import Cursor
from faregate.validity.options import MAX_DAYS, ValidityQuery
from support.booking.validity_questions import EVERYTHING, between, days_of, limited, options, sold
from support.shops.booking_shop import DAY, FOUR_HOURS, THREE_DAYS, TICKET, at, shop, ticket

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


@pytest.mark.parametrize("limit", [1, 2, 4, 5, 6, 14, 15, 16, 366])
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


def test_a_page_continues_after_its_cursor_even_if_that_option_is_gone() -> None:
    """Every second day is sold in between; the next page begins with the next option after the cursor."""
    query = replace(THREE_WEEKDAYS, limit=1, only_available=True)
    first = options(limited(), query)

    second = options(limited(), replace(query, after=first.next), taken=sold("2026-12-21", "2026-12-22"))

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
