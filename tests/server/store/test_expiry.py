"""The holds of an expired checkout are free from that millisecond on, without a sweep."""

import asyncio

import pytest

from faregate_http.store.contract import Hold, SlotCount, SoldOut, Stale, Store
from support.stores.capacity import DAY, LATER, NOW, POOL, a_hold, a_holder, ask, held

NEXT_DAY = "2026-12-28"


async def test_a_hold_ends_at_the_exact_millisecond(store: Store) -> None:
    await store.save(a_holder("first"), None, [a_hold(10)])
    assert await held(store, at=LATER - 1) == 10
    assert await held(store, at=LATER) == 0

    too_early, in_time = (a_holder("second", at=at, expires_at=LATER + 9) for at in (LATER - 1, LATER))
    with pytest.raises(SoldOut):
        await store.save(too_early, None, [a_hold(1)])
    assert await held(store, at=LATER - 1) == 10
    await store.save(in_time, None, [a_hold(10)])
    assert await held(store, at=LATER) == 10
    assert await held(store, at=LATER + 9) == 0


@pytest.mark.parametrize("holds", [None, [a_hold(10)]], ids=["unsaid", "the same"])
async def test_an_extended_checkout_keeps_its_holds(store: Store, holds: list[Hold] | None) -> None:
    await store.save(a_holder("first"), None, [a_hold(10)])
    await store.save(a_holder("first", revision=2, expires_at=LATER + 5), None, holds)

    assert await held(store, at=LATER + 4) == 10
    with pytest.raises(SoldOut):
        await store.save(a_holder("second", at=LATER + 4, expires_at=LATER + 99), None, [a_hold(1)])
    await store.save(a_holder("second", at=LATER + 5, expires_at=LATER + 99), None, [a_hold(1)])


async def test_a_shortened_checkout_releases_its_holds_earlier(store: Store) -> None:
    await store.save(a_holder("first"), None, [a_hold(10)])
    await store.save(a_holder("first", revision=2, expires_at=NOW + 5))

    assert await held(store, at=NOW + 5) == 0


async def test_holds_of_a_closed_checkout_are_sold_and_do_not_expire(store: Store) -> None:
    await store.save(a_holder("first"), None, [a_hold(10)])
    await store.save(a_holder("first", revision=2, is_closed=True))

    assert await store.taken([POOL], DAY, DAY, at=LATER) == [SlotCount(POOL, DAY, 10, 0)]
    assert await store.taken([POOL], DAY, DAY, at=LATER, without="first") == [SlotCount(POOL, DAY, 10, 0)]
    with pytest.raises(SoldOut):
        await store.save(a_holder("second", at=LATER), None, [a_hold(1)])
    assert await store.release_expired(LATER) == 0
    assert await store.taken([POOL], DAY, DAY, at=LATER) == [SlotCount(POOL, DAY, 10, 0)]


async def test_expired_holds_are_released_by_the_next_save_with_holds(
    database_url: str, store: Store
) -> None:
    await store.save(a_holder("first"), None, [a_hold(10), a_hold(2, slot=NEXT_DAY)])
    await store.save(a_holder("second"), None, [a_hold(1, pool="parking")])
    await store.save(a_holder("third", at=LATER, expires_at=LATER + 9), None, [a_hold(1, pool="school")])

    assert ask(database_url, "SELECT checkout_id, pool, slot, units FROM holds") == [
        ("third", "school", DAY, 1)
    ]
    assert ask(database_url, "SELECT id FROM checkouts WHERE has_holds") == [("third",)]
    assert ask(database_url, "SELECT pool FROM capacity WHERE held > 0") == [("school",)]


@pytest.mark.parametrize("holds", [None, [a_hold(10)], []], ids=["unsaid", "the same", "none"])
async def test_a_change_based_on_holds_released_since_is_stale(
    store: Store, holds: list[Hold] | None
) -> None:
    """Otherwise the checkout would continue without the units it promises."""

    await store.save(a_holder("slow"), None, [a_hold(10)])
    await store.save(a_holder("quick", at=LATER, expires_at=LATER + 9), None, [a_hold(10)])

    with pytest.raises(Stale):
        await store.save(a_holder("slow", revision=2, at=LATER - 1, expires_at=LATER + 99), None, holds)
    expired = await store.checkout("slow")
    assert expired == a_holder("slow", revision=2)
    assert await held(store, at=LATER) == 10


async def test_a_late_change_keeps_expired_holds_that_nobody_has_taken(store: Store) -> None:
    await store.save(a_holder("slow"), None, [a_hold(10)])
    await store.save(a_holder("slow", revision=2, at=LATER + 3, expires_at=LATER + 99), None, [a_hold(9)])

    assert await held(store, at=LATER + 3) == 9


async def test_any_number_of_expired_checkouts_makes_room(store: Store) -> None:
    hold = a_hold(1, size=180)
    await asyncio.gather(*(store.save(a_holder(f"c{number}"), None, [hold]) for number in range(180)))
    late = [a_holder(f"late {number}", at=LATER, expires_at=LATER + 9) for number in range(3)]
    holds = [a_hold(60, size=180)]
    outcomes = await asyncio.gather(*(store.save(row, None, holds) for row in late), return_exceptions=True)

    assert outcomes == [None] * 3
    assert await held(store, at=LATER) == 180
    with pytest.raises(SoldOut):
        await store.save(a_holder("last", at=LATER), None, [hold])


async def test_making_room_for_a_checkout_does_not_release_its_own_holds(
    database_url: str, store: Store
) -> None:
    await store.save(a_holder("slow"), None, [a_hold(1)])
    await store.save(a_holder("expired"), None, [a_hold(9)])
    await store.save(a_holder("slow", revision=2, at=LATER, expires_at=LATER + 9), None, [a_hold(5)])

    assert ask(database_url, "SELECT checkout_id, units FROM holds") == [("slow", 5)]


async def test_a_refused_save_still_releases_expired_holds(database_url: str, store: Store) -> None:
    await store.save(a_holder("expired"), None, [a_hold(1, pool="parking")])
    await store.save(a_holder("open", expires_at=LATER + 9), None, [a_hold(10)])

    with pytest.raises(SoldOut):
        await store.save(a_holder("late", at=LATER), None, [a_hold(1)])
    assert ask(database_url, "SELECT checkout_id FROM holds") == [("open",)]


async def test_expired_checkouts_are_released_and_counted(database_url: str, store: Store) -> None:
    rows = [a_holder(f"c{number}", expires_at=LATER + number // 120) for number in range(240)]
    holds = [a_hold(1, size=240), a_hold(2, size=480, slot=NEXT_DAY)]
    await asyncio.gather(*(store.save(row, None, holds) for row in rows))

    assert await store.release_expired(LATER - 1) == 0
    assert await store.release_expired(LATER) == 120
    assert await store.release_expired(LATER) == 0
    assert ask(database_url, "SELECT held FROM capacity ORDER BY slot") == [(120,), (240,)]
    assert await store.release_expired(LATER + 1) == 120
    assert ask(database_url, "SELECT count(*) FROM holds") == [(0,)]
