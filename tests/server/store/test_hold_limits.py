"""A holder without an account never exceeds the limits, even with concurrent saves."""

import asyncio
import pickle
from collections.abc import Awaitable, Sequence

import pytest

from faregate_http.store.contract import CheckoutRow, Hold, HoldLimits, Store, TooManyHeld
from faregate_http.store.holds import Held, check_limits
from support.stores.capacity import DAY, LATER, NOW, POOL, a_hold, a_holder, held

SOMEBODY, ANOTHER = 7, -8
NEXT_DAY = "2026-12-28"
MANY = 1_000
DEFAULTS = HoldLimits()


def a_row_of(
    holder: int | None, checkout_id: str, units: int = 1, *, expires_at: int = LATER, revision: int = 1
) -> CheckoutRow:
    row = a_holder(checkout_id, expires_at=expires_at, revision=revision)
    return row._replace(holder=holder, held_units=units)


def places(units: int, *, slot: str = DAY, before: int = 0, size: int = MANY) -> Hold:
    return a_hold(units, slot=slot, size=size)._replace(before=before)


def save(
    store: Store, row: CheckoutRow, *holds: Hold, limits: HoldLimits | None = DEFAULTS
) -> Awaitable[None]:
    return store.save(row, None, list(holds), limits=limits)


async def refused(saving: Awaitable[None]) -> TooManyHeld:
    with pytest.raises(TooManyHeld) as caught:
        await saving
    return caught.value


NOTHING = Held(0, {}, None)


def decide(
    limits: HoldLimits, *holds: Hold, units: int = 1, own: Held = NOTHING, all_: Held = NOTHING
) -> None:
    check_limits(a_row_of(SOMEBODY, "mine", units), holds, limits, own=own, anonymous=all_)


@pytest.mark.parametrize(
    ("limits", "size", "most"),
    [
        pytest.param(HoldLimits(), 1_000, 200, id="a fifth"),
        pytest.param(HoldLimits(), 1_004, 200, id="a fifth, rounded down"),
        pytest.param(HoldLimits(), 40, 12, id="always 12"),
        pytest.param(HoldLimits(share=50, always=3), 10, 5, id="as configured"),
        pytest.param(HoldLimits(share=None, anonymous_share=30), 100, 30, id="a share of all"),
    ],
)
@pytest.mark.parametrize("others", [0, 2])
def test_a_holder_gets_at_most_its_share_of_a_slot(
    limits: HoldLimits, size: int, most: int, others: int
) -> None:
    own = Held(others, {(POOL, DAY): others} if others else {}, 99)
    decide(limits, places(most - others, size=size), own=own, all_=own)
    with pytest.raises(TooManyHeld, match=f"at most {most} units of lift on {DAY} .* got {most + 1}") as no:
        decide(limits, places(most - others + 1, size=size), own=own, all_=own)
    assert no.value.until == (99 if others else None)


def test_the_number_of_units_of_a_holder_is_limited() -> None:
    decide(HoldLimits(units=5, share=None), places(1), units=3, own=Held(2, {}, 99))

    with pytest.raises(TooManyHeld, match="at most 5 units per address without an account, got 6") as caught:
        decide(HoldLimits(units=5, share=None), places(1), units=4, own=Held(2, {}, 99))
    assert caught.value.until == 99


def test_without_limits_anything_goes() -> None:
    decide(HoldLimits(None, None), places(MANY), units=MANY, own=Held(MANY, {(POOL, DAY): MANY}, 99))


def test_a_refusal_survives_being_pickled() -> None:
    refusal = pickle.loads(pickle.dumps(TooManyHeld("too many", 99)))

    assert (str(refusal), refusal.message, refusal.until) == ("too many", "too many", 99)


async def test_units_of_a_holder_are_counted_across_checkouts(store: Store) -> None:
    await save(store, a_row_of(SOMEBODY, "one", 250, expires_at=LATER + 5), places(1))
    await save(store, a_row_of(SOMEBODY, "two", 150, expires_at=LATER), places(1, slot=NEXT_DAY))

    refusal = await refused(save(store, a_row_of(SOMEBODY, "three"), places(1)))

    assert refusal.until == LATER
    assert await store.checkout("three") is None
    assert await held(store) == 1
    await save(store, a_row_of(ANOTHER, "four", 400), places(1))
    await save(store, a_row_of(None, "five", 400), places(1))


async def test_places_of_a_holder_are_counted_by_slot(store: Store) -> None:
    await save(store, a_row_of(SOMEBODY, "one"), places(199), places(50, slot=NEXT_DAY))
    await save(store, a_row_of(SOMEBODY, "two"), places(150, slot=NEXT_DAY))

    refusal = await refused(save(store, a_row_of(SOMEBODY, "three"), places(2)))

    assert refusal.until == LATER
    await save(store, a_row_of(SOMEBODY, "three"), places(1))
    await save(store, a_row_of(ANOTHER, "four"), places(200))
    assert await held(store) == 400


async def test_a_checkouts_own_places_count_once(store: Store) -> None:
    await save(store, a_row_of(SOMEBODY, "one", 300), places(150))
    await save(store, a_row_of(SOMEBODY, "one", 400, revision=2), places(200, before=150))
    grown = a_row_of(SOMEBODY, "one", 401, revision=3)
    await refused(save(store, grown, places(200, before=200), places(1, slot=NEXT_DAY)))


async def test_a_reduction_is_never_refused(store: Store) -> None:
    await save(store, a_row_of(SOMEBODY, "one", 900), places(900), limits=None)

    await save(store, a_row_of(SOMEBODY, "one", 899, revision=2), places(899, before=900))

    assert await held(store) == 899


async def test_an_expired_released_or_closed_checkout_makes_room(store: Store) -> None:
    full = places(200)
    await save(store, a_row_of(SOMEBODY, "one", expires_at=NOW + 10), full)
    late = a_row_of(SOMEBODY, "two")
    await refused(save(store, late._replace(changed_at=NOW + 9), full))
    await save(store, late._replace(changed_at=NOW + 10), full)

    await save(store, a_row_of(None, "two", 0, revision=2))
    await save(store, a_row_of(SOMEBODY, "three"), full)
    sold = a_row_of(SOMEBODY, "three", revision=2)._replace(holder=None, held_units=0, is_closed=True)
    await store.save(sold)
    await save(store, a_row_of(SOMEBODY, "four", expires_at=NOW + 20), full)
    assert await store.release_expired(NOW + 20) > 0
    released = await store.checkout("four")
    assert released is not None
    assert (released.holder, released.held_units) == (None, 0)


async def test_holders_without_an_account_share_a_configured_limit(store: Store) -> None:
    limits = HoldLimits(anonymous_share=30)

    await save(store, a_row_of(SOMEBODY, "one"), places(200), limits=limits)
    await save(store, a_row_of(None, "desk"), places(300), limits=limits)

    refusal = await refused(save(store, a_row_of(ANOTHER, "two"), places(101), limits=limits))

    assert refusal.until == LATER
    await save(store, a_row_of(ANOTHER, "two"), places(100), limits=limits)


@pytest.mark.parametrize(
    ("limits", "holders"),
    [
        pytest.param(HoldLimits(units=None, always=0), [SOMEBODY], id="places"),
        pytest.param(HoldLimits(units=200, share=None), [SOMEBODY], id="units"),
        pytest.param(HoldLimits(None, None, anonymous_share=20), range(1, 41), id="all who have no account"),
    ],
)
async def test_concurrent_saves_do_not_exceed_a_limit_together(
    store: Store, limits: HoldLimits, holders: Sequence[int]
) -> None:
    answers = await asyncio.gather(
        *(
            save(store, a_row_of(holders[n % len(holders)], f"{n}", 9), places(9), limits=limits)
            for n in range(40)
        ),
        return_exceptions=True,
    )

    assert [type(answer) for answer in answers if answer is not None] == [TooManyHeld] * 18
    assert await held(store) == 22 * 9
