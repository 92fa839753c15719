"""The holds of a checkout are exactly those saved, all or nothing, and within the capacity."""

import asyncio
from collections.abc import Sequence

import pytest

from faregate_http.store.contract import AnswerTaken, Hold, SlotCount, SoldOut, Stale, Store
from support.stores.capacity import DAY, LATER, NOW, POOL, a_hold, a_holder, ask, held
from support.stores.rows import CHECKOUT_ID, SCOPE, a_row, an_answer, opened

NEXT_DAY = "2026-12-28"
EVERYTHING = ("", "~")


async def all_taken(store: Store, *, at: int = NOW) -> list[tuple[object, ...]]:
    counts = await store.taken(["lift", "parking", "school"], *EVERYTHING, at=at)
    return sorted(tuple(count) for count in counts if count.sold or count.held)


async def test_nothing_is_taken_in_a_new_store(store: Store) -> None:
    assert await store.taken([POOL], *EVERYTHING, at=NOW) == []
    assert await store.taken([], *EVERYTHING, at=NOW) == []


async def test_taken_units_are_counted_by_pool_and_slot(store: Store) -> None:
    slots = [
        ("lift", DAY),
        ("lift", NEXT_DAY),
        ("parking", DAY),
        ("parking", f"{DAY}T10:00"),
        ("school", DAY),
    ]

    await store.save(a_row(), None, [a_hold(pool=pool, slot=slot) for pool, slot in slots])

    async def asked(pools: Sequence[str], first: str, last: str) -> list[tuple[str, str]]:
        return sorted(count[:2] for count in await store.taken(pools, first, last, at=NOW))

    assert await asked(["lift"], DAY, DAY) == slots[:1]
    assert await asked(["lift", "parking", "unknown"], DAY, DAY) == [slots[0], slots[2]]
    assert await asked(["parking", "parking"], DAY, f"{DAY}~") == slots[2:4]
    assert await asked(["lift"], NEXT_DAY, DAY) == []
    assert await asked(["lift", "parking", "school"], *EVERYTHING) == slots
    assert await store.taken(["lift"], DAY, DAY, at=NOW) == [SlotCount("lift", DAY, 0, 1)]


async def test_a_checkout_holds_exactly_what_was_saved_last(store: Store) -> None:
    steps = [
        [a_hold(2), a_hold(3, slot=NEXT_DAY), a_hold(1, pool="parking")],
        [a_hold(4), a_hold(1, slot=NEXT_DAY), a_hold(1, pool="school")],
        [a_hold(4), a_hold(1, slot=NEXT_DAY), a_hold(1, pool="school")],
        [a_hold(10, pool="parking")],
        [],
        [a_hold(1)],
    ]

    for revision, holds in enumerate(steps, 1):
        await store.save(a_row(revision=revision), None, holds[::-1])

        expected = sorted((hold.pool, hold.slot, 0, hold.units) for hold in holds)
        assert await all_taken(store) == expected


async def test_a_change_without_holds_leaves_them_unchanged(store: Store) -> None:
    await store.save(a_row(), None, [a_hold(2)])
    await store.save(a_row(revision=2), an_answer())

    assert await held(store) == 2


async def test_more_units_take_only_the_difference(store: Store) -> None:
    await store.save(a_row(), None, [a_hold(6)])
    await store.save(a_row("other"), None, [a_hold(2)])
    await store.save(a_row(revision=2), None, [a_hold(8)])

    with pytest.raises(SoldOut):
        await store.save(a_row(revision=3), None, [a_hold(9)])
    assert await held(store) == 10


async def test_places_released_in_one_slot_do_not_count_in_another(store: Store) -> None:
    await store.save(a_row(), None, [a_hold(10)])
    await store.save(a_row("other"), None, [a_hold(10, slot=NEXT_DAY)])

    with pytest.raises(SoldOut) as caught:
        await store.save(a_row(revision=2), None, [a_hold(1, slot=NEXT_DAY)])
    assert (caught.value.pool, caught.value.slot) == (POOL, NEXT_DAY)
    assert await held(store) == 10


@pytest.mark.parametrize("order", [1, -1])
async def test_the_first_slot_without_places_is_named(store: Store, order: int) -> None:
    full = [("parking", DAY), ("lift", NEXT_DAY), ("parking", NEXT_DAY)]

    await store.save(a_row("other"), None, [a_hold(10, pool=pool, slot=slot) for pool, slot in full])
    wanted = [a_hold(1), *(a_hold(1, pool=pool, slot=slot) for pool, slot in full)][::order]

    with pytest.raises(SoldOut, match=f"lift.*{NEXT_DAY}") as caught:
        await store.save(a_row(), None, wanted)
    assert (caught.value.pool, caught.value.slot) == ("lift", NEXT_DAY)


async def test_a_sold_out_slot_discards_row_answer_and_other_holds(store: Store) -> None:
    await store.save(a_row(), None, [a_hold(3)])
    await store.save(a_row("other"), None, [a_hold(10, pool="parking")])

    with pytest.raises(SoldOut):
        await store.save(a_row(revision=2), an_answer(), [a_hold(2), a_hold(1, pool="parking")])
    with pytest.raises(SoldOut):
        await store.save(a_row("new"), an_answer(), [a_hold(2), a_hold(1, pool="parking")])

    assert await store.checkout(CHECKOUT_ID) == a_row()
    assert await store.head("new") is None
    assert await store.answer(SCOPE, "k1") is None
    assert await all_taken(store) == [("lift", DAY, 0, 3), ("parking", DAY, 0, 10)]


async def test_a_stale_row_or_a_taken_answer_discards_the_holds(store: Store) -> None:
    await store.save(a_row(), an_answer(), [a_hold(3)])

    for stale in (a_row(), a_row(revision=3), a_row("missing", revision=2)):
        with pytest.raises(Stale):
            await store.save(stale, None, [a_hold(5), a_hold(1, slot=NEXT_DAY)])
    with pytest.raises(Stale):
        await store.save(a_row(revision=3), None, [])
    with pytest.raises(AnswerTaken):
        await store.save(a_row(revision=2), an_answer(), [a_hold(5)])
    with pytest.raises(AnswerTaken):
        await store.save(a_row(revision=2), an_answer(), [])
    with pytest.raises(AnswerTaken):
        await store.save(a_row("new"), an_answer(), [a_hold(5)])

    assert await all_taken(store) == [("lift", DAY, 0, 3)]


async def test_a_sold_out_save_does_not_affect_concurrent_ones(store: Store) -> None:
    saves = []
    for number in range(20):
        good = a_hold(1, slot=f"day {number}")
        saves += [store.save(a_row(f"good-{number}"), an_answer(f"good-{number}"), [good])]
        saves += [store.save(a_row(f"bad-{number}"), None, [good, a_hold(11, slot="z")])]
        saves += [store.save(a_row(f"plain-{number}"))]
    outcomes = await asyncio.gather(*saves, return_exceptions=True)

    assert [type(outcome) for outcome in outcomes] == [type(None), SoldOut, type(None)] * 20
    assert [count[2:] for count in await all_taken(store)] == [(0, 1)] * 20
    assert await store.head("bad-7") is None


async def test_exactly_as_many_of_64_saves_succeed_as_there_are_places(store: Store) -> None:
    saves = [store.save(a_row(f"c{number}"), None, [a_hold(size=10)]) for number in range(64)]
    outcomes = await asyncio.gather(*saves, return_exceptions=True)

    assert outcomes.count(None) == await held(store) == 10
    assert {type(outcome) for outcome in outcomes} == {type(None), SoldOut}


async def test_a_checkouts_own_holds_are_left_out_on_request(store: Store) -> None:
    await store.save(a_holder("mine"), None, [a_hold(3), a_hold(1, slot=NEXT_DAY)])
    await store.save(a_holder("other"), None, [a_hold(4)])

    assert await held(store) == 7
    assert await held(store, without="mine") == 4
    assert await held(store, without="unknown") == 7
    assert await held(store, slot=NEXT_DAY, without="mine") == 0
    assert await held(store, at=LATER, without="mine") == 0  # and not counted again as expired


async def test_sold_units_count(database_url: str, store: Store) -> None:
    await store.save(a_row(), None, [a_hold(1)])
    ask(database_url, "UPDATE capacity SET sold = 7")

    assert await all_taken(store) == [("lift", DAY, 7, 1)]
    assert await all_taken(store, at=LATER) == [("lift", DAY, 7, 0)]
    with pytest.raises(SoldOut):
        await store.save(a_row(revision=2), None, [a_hold(4)])
    await store.save(a_row(revision=2), None, [a_hold(3)])


async def test_a_size_below_the_taken_units_keeps_them_and_admits_no_more(store: Store) -> None:
    await store.save(a_row("a"), None, [a_hold(4, size=10)])
    await store.save(a_row("b"), None, [a_hold(4, size=10)])

    with pytest.raises(SoldOut):
        await store.save(a_row("c"), None, [a_hold(1, size=5)])
    await store.save(a_row("a", revision=2), None, [a_hold(4, size=5)])
    await store.save(a_row("a", revision=3), None, [a_hold(2, size=5)])
    for wanted in (a_row("a", revision=4), a_row("c")):
        with pytest.raises(SoldOut):
            await store.save(wanted, None, [a_hold(3, size=5)])
    await store.save(a_row("b", revision=2), None, [a_hold(1, size=5)])
    await store.save(a_row("c"), None, [a_hold(2, size=5)])
    assert await held(store) == 5


async def test_a_smaller_size_admits_only_what_fits(store: Store) -> None:
    await store.save(a_row("a"), None, [a_hold(4, size=10)])
    await store.save(a_row("b"), None, [a_hold(1, size=5)])

    with pytest.raises(SoldOut):
        await store.save(a_row("c"), None, [a_hold(1, size=5)])


async def test_a_larger_size_admits_more(store: Store) -> None:
    await store.save(a_row("a"), None, [a_hold(1, size=1)])
    with pytest.raises(SoldOut):
        await store.save(a_row("b"), None, [a_hold(1, size=1)])
    await store.save(a_row("b"), None, [a_hold(1, size=2)])

    assert await held(store) == 2


async def test_a_size_of_zero_admits_nothing(store: Store) -> None:
    with pytest.raises(SoldOut):
        await store.save(a_row(), None, [a_hold(1, size=0)])


@pytest.mark.parametrize(
    "holds",
    [
        [a_hold(0)],
        [a_hold(-1)],
        [a_hold(1, size=-1)],
        [a_hold(1), a_hold(2)],
        [a_hold(1), a_hold(1, slot=NEXT_DAY), a_hold(1)],
        [a_hold(1, pool="\ud800")],
        [a_hold(2**64, size=2**65)],
    ],
    ids=["no units", "units below 0", "size below 0", "twice", "twice apart", "lone surrogate", "too large"],
)
async def test_invalid_holds_are_refused_without_affecting_other_saves(
    store: Store, holds: list[Hold]
) -> None:
    outcomes = await asyncio.gather(
        store.save(a_row("before"), None, [a_hold(1)]),
        store.save(a_row(), an_answer(), holds),
        store.save(a_row("after"), None, [a_hold(1)]),
        return_exceptions=True,
    )

    assert outcomes[0] is outcomes[2] is None
    assert isinstance(outcomes[1], ValueError)
    assert await store.head(CHECKOUT_ID) is None
    assert await store.answer(SCOPE, "k1") is None
    assert await all_taken(store) == [("lift", DAY, 0, 2)]


@pytest.mark.parametrize("holds", [[], [a_hold(1)]])
async def test_holds_without_a_checkout_are_refused(store: Store, holds: list[Hold]) -> None:
    with pytest.raises(ValueError, match="row"):
        await store.save(None, an_answer(), holds)
    assert await store.answer(SCOPE, "k1") is None


async def test_holds_of_another_store_on_the_same_database_count(database_url: str, store: Store) -> None:
    await store.save(a_row(), None, [a_hold(3)])
    async with opened(database_url) as other:
        await other.save(a_row("other"), None, [a_hold(7)])

    assert await held(store) == 10
    with pytest.raises(SoldOut):
        await store.save(a_row(revision=2), None, [a_hold(4)])
