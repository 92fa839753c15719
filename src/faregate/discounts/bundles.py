"""Units that fill the parts of bundles. Decisions §3.6.

A set of parts is a bit mask. By Hall's theorem, units can fill a number of bundles if each set of parts is
selected by enough of them, and units have places if no set of parts gets more units than it has places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

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


def missing_units(kind: Bundle, quantities: Sequence[int], days: Iterable[Mapping[int, int]]) -> int:
    """Return the minimum number of units to add for one bundle, on the day that lacks the fewest."""
    return min(
        max(
            0,
            *(
                units - sum([quantities[line] for line, own in parts_of.items() if own & parts])
                for parts, units in _places(kind).items()
            ),
        )
        for parts_of in days
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


def paying(price: MinorUnits, worth: Callable[[int], MinorUnits], groups: int) -> int:
    """Return how many of *groups* groups each add more than *price*.

    ``worth(n)`` is the total price of the units of *n* groups; each further group adds at most as much.
    """
    return _largest(groups, lambda n: worth(n) - worth(n - 1) > price)


def most_worth(
    worths: Sequence[Callable[[int], MinorUnits]], counts: Sequence[int], limit: int
) -> Sequence[int]:
    """Return the number of bundles of each day if only the *limit* bundles that are worth most count.

    *counts* is the number without a limit. Bundles of equal worth go to the first days. ``worths`` are as for
    ``paying``.
    """
    if sum(counts) <= limit:
        return counts
    if len(counts) == 1:
        return [limit]

    def above(price: MinorUnits) -> list[int]:
        return [paying(price, worth, count) for worth, count in zip(worths, counts, strict=True)]

    top = max([abs(worth(count)) for worth, count in zip(worths, counts, strict=True)])
    price = top - _largest(2 * top + 1, lambda n: sum(above(top - n)) <= limit)
    chosen = above(price)
    for day, count in enumerate(above(price - 1)):
        chosen[day] += min(count - chosen[day], limit - sum(chosen))
    return chosen


def _largest(most: int, holds: Callable[[int], bool]) -> int:
    """Return the largest number from 1 to *most* for which *holds* is true, as for all below; 0 if none."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if holds(middle):
            least = middle
        else:
            most = middle - 1
    return least
