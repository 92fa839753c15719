"""Rules for holds that all stores share: their order, and the limits on anonymous holds. Decisions §11.7."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from faregate_http.store.contract import CheckoutRow, Hold, HoldLimits, TooManyHeld

Counted = Sequence[tuple[str, str, str, int, int, int]]
"""Rows of pool, slot, checkout id, total units of the checkout, its expiry, and its units in the slot."""


class Held(NamedTuple):
    """Units held by other checkouts, in total and per slot, and the earliest expiry of the holds, or None."""

    units: int
    places: Mapping[tuple[str, str], int]
    until: int | None


NOTHING_HELD = Held(0, {}, None)


def in_order(holds: Sequence[Hold]) -> list[Hold]:
    """Return *holds*, sorted by pool and slot.

    Raises:
        ValueError: a hold has less than one unit or a negative size, or a slot is named twice.
    """
    for hold in holds:
        if hold.units < 1 or hold.size < 0:
            raise ValueError(f"expected at least 1 unit and a size of at least 0, got {hold}")
    ordered = sorted(holds)
    for hold, following in pairwise(ordered):
        if hold[:2] == following[:2]:
            raise ValueError(f"expected at most one hold per slot, got {hold} and {following}")
    return ordered


def held_of(rows: Counted) -> Held:
    """Return the units in *rows*, in total and per slot, and the earliest expiry.

    >>> held_of([("lift", "2026-12-27", "one", 3, 9, 2), ("lift", "2026-12-28", "one", 3, 9, 1)])
    Held(units=3, places={('lift', '2026-12-27'): 2, ('lift', '2026-12-28'): 1}, until=9)
    """
    if not rows:
        return NOTHING_HELD
    places: dict[tuple[str, str], int] = {}
    for pool, slot, *_, count in rows:
        places[pool, slot] = places.get((pool, slot), 0) + int(count)
    units = {row[2]: row[3] for row in rows}
    return Held(sum(units.values()), places, min(row[4] for row in rows))


def grown_holds(row: CheckoutRow, holds: Sequence[Hold]) -> list[Hold]:
    """Return those of *holds* that grow, to which limits apply, or [] if the checkout has no holder."""
    return [hold for hold in holds if hold.units > hold.before] if row.holder is not None else []


def check_limits(
    row: CheckoutRow, grown: Sequence[Hold], limits: HoldLimits, *, own: Held, anonymous: Held = NOTHING_HELD
) -> None:
    """Check the holds of *row* that have *grown* against *limits*.

    Units in other checkouts count too: those of the same holder are in *own*, those of all anonymous
    holders in *anonymous*.

    Raises:
        TooManyHeld: a limit is exceeded.
    """
    units = own.units + row.held_units
    if limits.units is not None and units > limits.units:
        message = f"expected at most {limits.units} units per address without an account, got {units}"
        raise TooManyHeld(message, own.until)
    _check_shares(grown, limits.share, own, always=limits.always)
    _check_shares(grown, limits.anonymous_share, anonymous)


def _check_shares(grown: Sequence[Hold], percent: int | None, others: Held, *, always: int = 0) -> None:
    if percent is None:
        return
    for hold in grown:
        held = others.places.get((hold.pool, hold.slot), 0)
        most = max(hold.size * percent // 100, always)
        if held + hold.units > most:
            message = (
                f"expected at most {most} units of {hold.pool} on {hold.slot} without an account,"
                f" got {held + hold.units}"
            )
            raise TooManyHeld(message, others.until if held else None)
