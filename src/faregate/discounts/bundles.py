"""Units that fill the parts of bundles. Decisions §3.6.

A set of parts is a bit mask. By Hall's theorem, units can fill a number of bundles if each set of parts is
selected by enough of them, and units have places if no set of parts gets more units than it has places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from faregate.discounts.kinds import Bundle
from faregate.money.amounts import MinorUnits


def _places(kind: Bundle) -> dict[int, int]:
    """Return, for every set of parts, the number of its units in one bundle."""
    places = {0: 0}
    for n, part in enumerate(kind.parts):
        places |= {parts | 1 << n: units + part.units for parts, units in places.items()}
    del places[0]
    return places


def most_bundles(kind: Bundle, quantities: Sequence[int], parts_of: Mapping[int, int]) -> int:
    """Return the number of bundles that the lines can fill; *parts_of* has the parts that each can fill."""
    return min(
        sum([quantities[line] for line, own in parts_of.items() if own & parts]) // units
        for parts, units in _places(kind).items()
    )


def missing_units(kind: Bundle, quantities: Sequence[int], parts_of: Mapping[int, int]) -> int:
    """Return the minimum number of units to add for one bundle."""
    return max(
        0,
        *(
            units - sum([quantities[line] for line, own in parts_of.items() if own & parts])
            for parts, units in _places(kind).items()
        ),
    )


def units_in_bundles(
    kind: Bundle, runs: Iterable[tuple[MinorUnits, int, int]], parts_of: Mapping[int, int], count: int
) -> list[int]:
    """Return how many units of each run (price, units and line) fill *count* bundles.

    If the runs are sorted by price, no other units would have a larger (or smaller) total price: sets of
    units that have places form a matroid, so taking each unit that has a place is optimal.
    """
    left = {parts: units * count for parts, units in _places(kind).items()}
    taken = []
    for _, units, line in runs:
        own = parts_of[line]
        around = [parts for parts in left if parts & own == own]
        fitting = min(units, *[left[parts] for parts in around])
        for parts in around:
            left[parts] -= fitting
        taken.append(fitting)
    return taken
