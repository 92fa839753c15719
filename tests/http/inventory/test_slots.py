"""Days and time slots convert to text and back, and the texts sort by time."""

from datetime import date, time, timedelta

from hypothesis import given
from hypothesis import strategies as st

from faregate.catalogue.pools import PoolSlot
from faregate_http.inventory.slots import bounds_of, slot_of, text_of

MINUTES = st.integers(0, 24 * 60 - 1).map(lambda minute: time(minute // 60, minute % 60))
SLOTS = st.builds(PoolSlot, st.just("run"), st.dates(), st.none() | MINUTES)
DAY = timedelta(days=1)


@given(SLOTS)
def test_a_slot_is_restored_from_its_text(slot: PoolSlot) -> None:
    assert slot_of(slot.pool, text_of(slot)) == slot


@given(SLOTS, SLOTS)
def test_texts_sort_by_day_and_then_by_start(one: PoolSlot, other: PoolSlot) -> None:
    first, second = ((slot.day, slot.start is not None, slot.start or time.min) for slot in (one, other))

    assert (text_of(one) < text_of(other)) == (first < second)


@given(SLOTS, st.dates(max_value=date.max - 3 * DAY), st.integers(0, 3))
def test_the_bounds_enclose_exactly_the_slots_of_the_days(slot: PoolSlot, first: date, days: int) -> None:
    last = first + days * DAY
    lower, upper = bounds_of(first, last)

    assert (lower <= text_of(slot) <= upper) == (first <= slot.day <= last)
