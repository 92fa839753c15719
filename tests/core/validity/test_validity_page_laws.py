"""Laws of pages: together they are the list of options, even while stock changes. Decisions §8.6."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from faregate.validity.offers import Cursor, ValidityOption
from faregate.validity.options import ValidityOptions, ValidityQuery
from support.baskets.strategies import upto
from support.booking.drawn_questions import Stock, ask, options, place, places
from support.booking.strategies import DURATIONS, ONE_DAY, Situation, asked, stocks


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


@given(asked(), st.integers(1, 9))
def test_the_pages_together_are_the_whole_list(drawn: tuple[Situation, ValidityQuery], limit: int) -> None:
    situation, query = drawn

    pages = all_pages(situation, replace(query, limit=limit), [situation.taken])

    assert sum((page.options for page in pages), ()) == options(situation, query)
    assert all(len(page.options) == limit for page in pages[:-1])
    assert len(pages[-1].options) <= limit
    assert len(pages) == 1 or pages[-1].options  # a next page is never empty


@given(asked(), st.integers(1, 9), st.data())
def test_pages_neither_skip_nor_repeat_while_stock_changes(
    drawn: tuple[Situation, ValidityQuery], limit: int, data: DataObject
) -> None:
    situation, query = drawn
    query = replace(query, only_available=False)
    changing = [data.draw(stocks(situation.catalogue.pools, situation.anchor)) for _ in range(3)]

    pages = all_pages(situation, replace(query, limit=limit), changing)

    assert [at for page in pages for at in places(page.options)] == places(options(situation, query))


@given(asked(), st.integers(1, 4), st.data())
def test_pages_of_available_options_never_go_back_while_stock_changes(
    drawn: tuple[Situation, ValidityQuery], limit: int, data: DataObject
) -> None:
    situation, query = drawn
    query = replace(query, only_available=True)
    changing = [data.draw(stocks(situation.catalogue.pools, situation.anchor)) for _ in range(3)]

    pages = all_pages(situation, replace(query, limit=limit), changing)

    seen = [at for page in pages for at in places(page.options)]
    assert all(one < other for one, other in pairwise(seen))
    assert all(option.is_available for page in pages for option in page.options)
    whatever_the_stock = set.intersection(
        *(set(places(options(situation, query, taken))) for taken in changing)
    )
    assert whatever_the_stock <= set(seen)


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
