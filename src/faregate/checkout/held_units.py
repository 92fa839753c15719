"""The pool units that a checkout holds, and the capacity check for a change. Decisions §11.6."""

from __future__ import annotations

from collections.abc import Mapping

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity, PoolSlot
from faregate.checkout.model import Checkout
from faregate.errors import CheckoutConflict, Issue, IssueCode
from faregate.validity.capacity import fits_capacity, free_units, pool_demand


def units_held_by(checkout: Checkout, *, catalogue: Catalogue) -> dict[PoolSlot, int]:
    """Return the total units that the items of *checkout* take from each pool, per day or time slot.

    Raises:
        UnknownEntry: an item's variant is no longer sold.
    """
    return pool_demand(((item.variant, item.validity) for item in checkout.items), catalogue=catalogue)


def check_capacity(
    wanted: Mapping[PoolSlot, int],
    held: Mapping[PoolSlot, int],
    *,
    catalogue: Catalogue,
    capacity: Capacity,
) -> None:
    """Check that a checkout that holds *held* pool units can hold *wanted* units instead.

    Only days and time slots that need more units than before are checked. *capacity* is the usage without
    this checkout.

    Raises:
        CheckoutConflict: too few units are free; the message names the day or slot with the largest shortage.
    """
    growing = {slot: places for slot, places in wanted.items() if places > held.get(slot, 0)}
    free = {slot: free_units(slot, catalogue=catalogue, capacity=capacity) for slot in growing}
    found = fits_capacity(growing, free)
    if found.bottleneck is not None:
        pool, day, start = slot = found.bottleneck
        when = f"{day} {start:%H:%M}" if start else f"{day}"
        message = f"expected at most {free[slot]} units of pool {pool} on {when}, got {growing[slot]}"
        raise CheckoutConflict(Issue(("items",), message, IssueCode.SOLD_OUT))
