"""Old claims are held where there is capacity, and dropped where there is not."""

import asyncio

import pytest

from faregate_http.store.contract import Hold, SoldOut, Store
from support.stores.capacity import DAY, LATER, POOL, a_hold, a_holder, ask, held
from support.stores.rows import a_row

NEXT_DAY = "2026-12-28"


def claimed(units: int, before: int, *, slot: str = DAY, size: int = 10) -> Hold:
    return Hold(POOL, slot, units, size, before)


def holds_of(url: str, checkout_id: str) -> list[tuple[object, ...]]:
    sql = "SELECT slot, units FROM holds WHERE checkout_id = ? ORDER BY slot"
    return ask(url, sql, checkout_id)


async def test_claims_without_capacity_are_dropped(database_url: str, store: Store) -> None:
    await store.save(a_row("mine"), None, [a_hold(4)])
    await store.save(a_row("other"), None, [a_hold(6)])
    await store.save(a_row("mine", revision=2), None, [claimed(5, 5), claimed(1, 0, slot=NEXT_DAY)])

    assert holds_of(database_url, "mine") == [(DAY, 4), (NEXT_DAY, 1)]
    assert await held(store) == 10


async def test_claims_with_capacity_are_held(database_url: str, store: Store) -> None:
    await store.save(a_row("mine"), None, [a_hold(4)])
    await store.save(a_row("mine", revision=2), None, [claimed(5, 5), claimed(3, 9, slot=NEXT_DAY)])

    assert holds_of(database_url, "mine") == [(DAY, 5), (NEXT_DAY, 3)]


async def test_all_claims_of_a_checkout_may_be_dropped(database_url: str, store: Store) -> None:
    await store.save(a_row("other"), None, [a_hold(10)])
    await store.save(a_row("new"), None, [claimed(2, 2)])
    await store.save(a_row("mine"), None, [a_hold(1, slot=NEXT_DAY)])
    await store.save(a_row("mine", revision=2), None, [claimed(2, 2)])

    assert holds_of(database_url, "new") == holds_of(database_url, "mine") == []
    await store.save(a_row("mine", revision=3), None, [])


async def test_one_unit_more_than_before_is_a_new_claim(store: Store) -> None:
    await store.save(a_row("other"), None, [a_hold(10), a_hold(10, slot=NEXT_DAY)])

    with pytest.raises(SoldOut, match=NEXT_DAY):
        await store.save(a_row("mine"), None, [claimed(2, 2), claimed(2, 1, slot=NEXT_DAY)])
    assert await store.head("mine") is None


async def test_expired_holds_make_room_for_old_claims(database_url: str, store: Store) -> None:
    await store.save(a_holder("expired"), None, [a_hold(10)])
    await store.save(a_holder("mine", at=LATER, expires_at=LATER + 9), None, [claimed(3, 3)])

    assert holds_of(database_url, "mine") == [(DAY, 3)]


async def test_concurrent_claims_do_not_exceed_the_capacity(store: Store) -> None:
    saves = [store.save(a_row(f"c{number}"), None, [claimed(3, 3)]) for number in range(20)]

    assert await asyncio.gather(*saves) == [None] * 20
    assert await held(store) == 9
