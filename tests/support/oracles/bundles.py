"""Bundles filled place by place: a unit moves to another place to make room (augmenting paths). §3.6."""

from __future__ import annotations


def most_filled(allowed: list[set[int]], places: list[int]) -> list[int]:
    """Return the units (indices of *allowed*) that get one of *places*, the first units first.

    A place is the number of a part; *allowed* has the parts that each unit can be in.
    """
    holder: dict[int, int] = {}

    def seated(unit: int, seen: set[int]) -> bool:
        for place, part in enumerate(places):
            if part in allowed[unit] and place not in seen:
                seen.add(place)
                if place not in holder or seated(holder[place], seen):
                    holder[place] = unit
                    return True
        return False

    return [unit for unit in range(len(allowed)) if seated(unit, set())]


def bundled(
    prices: list[int], allowed: list[set[int]], sizes: list[int], price: int | None, most: int
) -> tuple[list[int], int]:
    """Return the units in at most *most* bundles, and the number of bundles; *price* None: all count.

    Units come in order of preference. A bundle counts only if it adds more than *price* to the others.
    """
    chosen: list[int] = []
    for count in range(1, most + 1):
        found = most_filled(allowed, [n for n, size in enumerate(sizes) for _ in range(size * count)])
        more = sum(prices[n] for n in found) - sum(prices[n] for n in chosen)
        if len(found) < sum(sizes) * count or (price is not None and more <= price):
            return chosen, count - 1
        chosen = found
    return chosen, most
