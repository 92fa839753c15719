"""A party by the letter of decisions §8.4: its units are seated one at a time, on every pool-day they use."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from faregate.catalogue.pools import PoolSlot

Needs: TypeAlias = Mapping[int, Mapping[PoolSlot, int]]
"""The pool units that one unit of each variant takes."""

_PLENTY = 200


def persons(party: Mapping[int, int]) -> list[int]:
    """Return the variant of each unit."""
    return [variant for variant, units in party.items() for _ in range(units)]


def can_be_seated(party: Mapping[int, int], needs: Needs, free: Mapping[PoolSlot, int | None]) -> bool:
    left = dict(free)
    for variant in persons(party):
        for slot, taken in needs[variant].items():
            places = left[slot]
            if places is not None:
                if places < taken:
                    return False
                left[slot] = places - taken
    return True


def most_beside_the_others(
    variant: int, party: Mapping[int, int], needs: Needs, free: Mapping[PoolSlot, int | None]
) -> int | None:
    """Return the units of *variant* that fit beside the others, ignoring pools it does not use, or None."""
    own = {slot: free[slot] for slot in needs[variant]}
    shared: Needs = {each: {s: n for s, n in needs[each].items() if s in own} for each in needs}
    fitting = (n for n in range(1, _PLENTY) if not can_be_seated({**party, variant: n}, shared, own))
    first_too_many = next(fitting, None)
    return None if first_too_many is None else first_too_many - 1


def price(party: Mapping[int, int], prices: Mapping[int, int]) -> int:
    amounts: Iterable[int] = [prices[variant] for variant in persons(party)]
    return sum(amounts)
