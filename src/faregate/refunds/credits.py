"""The amount that is given back for each returned unit. Decisions §20."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import TypeAlias

from faregate.money.allocation import allocate
from faregate.money.amounts import MinorUnits
from faregate.money.rounding import rdiv
from faregate.refunds.policy import RefundBasis
from faregate.tax.rates import GrossNet
from faregate.totals.items import item_totals
from faregate.totals.pipeline import CheckoutTotals, checkout_totals

Units: TypeAlias = Mapping[int, Sequence[GrossNet]]
"""What each unit of each line paid."""

Gone: TypeAlias = Mapping[int, "set[int]"]
"""Positions of the returned units of each line."""

Amounts: TypeAlias = dict[int, list[MinorUnits]]
"""An amount for each unit of each line."""


def paid_units(totals: CheckoutTotals) -> dict[int, tuple[GrossNet, ...]]:
    """Return what each unit paid, as in ``item_totals``."""
    items = iter(item_totals(totals, [range(line.quantity) for line in totals.lines]))
    return {
        line.key: tuple([GrossNet(item.total_gross, item.total_net) for item in islice(items, line.quantity)])
        for line in totals.lines
    }


def value_of_rest(totals: CheckoutTotals, units: Units, gone: Gone, basis: RefundBasis) -> MinorUnits:
    """Return the value of the units that are not *gone*."""
    share = sum(
        [unit.gross for key, own in units.items() for n, unit in enumerate(own) if n not in gone[key]]
    )
    match basis:
        case RefundBasis.SHARE:
            return share
        case RefundBasis.REPRICE:
            return _price_of_rest(totals, gone)
        case RefundBasis.FLOOR:
            return max(share, _price_of_rest(totals, gone))


def _price_of_rest(totals: CheckoutTotals, gone: Gone) -> MinorUnits:
    request = totals.request
    rest = [
        line._replace(quantity=line.quantity - len(gone[line.key]))
        for line in request.lines
        if len(gone[line.key]) < line.quantity
    ]
    priced = checkout_totals(
        rest,
        automatic=request.automatic,
        promo_codes=request.promo_codes,
        policy=request.policy,
        context=request.context,
    )
    return priced.total_gross


def credit(units: Units, gone: Gone, before: Amounts, amount: MinorUnits) -> Amounts:
    """Allocate *amount* to the returned units, then to the others, in proportion to what each can still get.

    *before* has the amounts that the units got earlier; in total, no unit gets more than it paid.
    """
    shares = {key: [0] * len(own) for key, own in units.items()}
    returned = [(key, n) for key in units for n in sorted(gone[key])]
    others = [(key, n) for key, own in units.items() for n in range(len(own)) if n not in gone[key]]
    for places in returned, others:
        room = [units[key][n].gross - before[key][n] for key, n in places]
        part = min(amount, sum(room))
        for (key, n), share in zip(places, allocate(part, room), strict=True):
            shares[key][n] = share
        amount -= part
    return shares


def net_of(units: Sequence[GrossNet], credited: Iterable[MinorUnits]) -> MinorUnits:
    """Return the net of the *credited* amounts of a line, rounded once.

    A unit credited in full has exactly the net that it paid.

    >>> net_of([GrossNet(10000, 8404), GrossNet(10000, 8403)], [10000, 5000])
    12606
    """
    whole, part = 0, Fraction()
    for unit, amount in zip(units, credited, strict=True):
        if amount == unit.gross:
            whole += unit.net
        elif amount:
            part += Fraction(unit.net * amount, unit.gross)
    return whole + rdiv(part.numerator, part.denominator)
