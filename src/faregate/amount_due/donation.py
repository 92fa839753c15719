"""Donations, which are added to a checkout and are neither taxed nor discounted. Decisions §6."""

from __future__ import annotations

from faregate.errors import InvalidAmount
from faregate.money.amounts import MinorUnits


def donation_amount(total: MinorUnits, *, step: MinorUnits) -> MinorUnits:
    """Return the donation that rounds *total* up to a multiple of *step* (0 if it is already a multiple).

    >>> donation_amount(4735, step=500), donation_amount(5000, step=500)
    (265, 0)

    Raises:
        InvalidAmount: *total* is negative or *step* is below 1.
    """
    if total < 0 or step < 1:
        raise InvalidAmount(
            f"expected a total of at least 0 and a step of at least 1, got total {total} and step {step}"
        )
    return -total % step
