"""The amount that is given back for each returned unit. Decisions §20."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import TypeAlias

from faregate.basket.lines import Cart
from faregate.basket.policy import PriceBasis
from faregate.discounts.automatic import best_automatic
from faregate.discounts.promo_codes import apply_promo_codes
from faregate.money.allocation import allocate
from faregate.money.amounts import MinorUnits
from faregate.money.rounding import rdiv
from faregate.refunds.policy import RefundBasis
from faregate.tax.rates import GrossNet
from faregate.totals.items import applied_codes, unit_amounts
from faregate.totals.pipeline import CheckoutTotals
from faregate.totals.vat import tax

Gone: TypeAlias = "Mapping[int, AbstractSet[int]]"
"""Positions of the returned units, for each line that has some."""

Amounts: TypeAlias = "dict[int, list[MinorUnits]]"
"""An amount for each unit, for each line that has some."""


class PaidUnits(dict[int, tuple[GrossNet, ...]]):
    """Price paid by each unit of a line, by the key of the line; computed when first used."""

    def __init__(self, totals: CheckoutTotals) -> None:
        super().__init__()
        self._totals = totals
        self._indices = {line.key: index for index, line in enumerate(totals.lines)}
        self._codes = applied_codes(totals)

    def __missing__(self, key: int) -> tuple[GrossNet, ...]:
        index = self._indices[key]
        shares = [code.shares[index] for code in self._codes]
        self[key] = amounts = unit_amounts(self._totals.lines[index], shares, self._totals.request.policy)
        return amounts


def amount_for(totals: CheckoutTotals, units: PaidUnits, gone: Gone, basis: RefundBasis) -> MinorUnits:
    """Return the price paid less the value of the units that are not *gone*."""
    share = 0
    for key, own in gone.items():
        amounts = units[key]
        share += sum([amounts[unit].gross for unit in own])
    if basis is RefundBasis.SHARE:
        return share
    repriced = totals.total_gross - totals.donation - _price_of_rest(totals, gone)
    return repriced if basis is RefundBasis.REPRICE else min(share, repriced)


def _price_of_rest(totals: CheckoutTotals, gone: Gone) -> MinorUnits:
    request, policy, rest = totals.request, totals.request.policy, []
    for line in request.lines:
        left = line.quantity - len(gone.get(line.key, ()))
        if left:
            rest.append(line if left == line.quantity else line._replace(quantity=left))
    cart = Cart.of(rest)
    auto = best_automatic(cart, request.automatic, request.context, policy)
    prices = apply_promo_codes(cart, request.promo_codes, auto.left, request.context, policy).left
    if policy.price_basis is PriceBasis.GROSS:
        return sum(prices)
    *_, breakdown = tax(cart, prices, policy)
    return sum([row.gross for row in breakdown])


def credit(
    totals: CheckoutTotals, units: PaidUnits, gone: Gone, before: Amounts, amount: MinorUnits
) -> Amounts:
    """Allocate *amount* to the units *gone*, and what they cannot take to the others.

    Units share an amount in proportion to what each can still get: no unit gets more than it paid, with the
    amounts that it got *before*.
    """
    shares: Amounts = {}
    returned = [(line.key, unit) for line in totals.lines for unit in sorted(gone.get(line.key, ()))]
    amount = _allocate(amount, returned, units, before, shares)
    if amount:
        others = [
            (line.key, unit)
            for line in totals.lines
            for unit in range(line.quantity)
            if unit not in gone.get(line.key, ())
        ]
        _allocate(amount, others, units, before, shares)
    return shares


def _allocate(
    amount: MinorUnits,
    places: Sequence[tuple[int, int]],
    units: PaidUnits,
    before: Amounts,
    shares: Amounts,
) -> MinorUnits:
    """Add the shares of the units at *places* to *shares*; return the amount that they cannot take."""
    room = [units[key][unit].gross - (before[key][unit] if key in before else 0) for key, unit in places]
    most = sum(room)
    part = min(amount, most)
    for (key, unit), share in zip(places, room if part == most else allocate(part, room), strict=True):
        if key not in shares:
            shares[key] = [0] * len(units[key])
        shares[key][unit] = share
    return amount - part


def net_of(units: Sequence[GrossNet], credited: Iterable[MinorUnits]) -> MinorUnits:
    """Return the net of the *credited* amounts of a line, rounded once.

    A unit credited in full has exactly the net that it paid.

    >>> net_of([GrossNet(10000, 8404), GrossNet(10000, 8403)], [10000, 5000])
    12606
    """
    whole, parts = 0, dict[MinorUnits, int]()
    for unit, amount in zip(units, credited, strict=True):
        if amount == unit.gross:
            whole += unit.net
        elif amount:
            parts[unit.gross] = parts.get(unit.gross, 0) + unit.net * amount
    if not parts:
        return whole
    if len(parts) == 1:  # the usual case needs no fractions
        [(gross, part)] = parts.items()
        return whole + rdiv(part, gross)
    exact = sum([Fraction(part, gross) for gross, part in parts.items()], Fraction())
    return whole + rdiv(exact.numerator, exact.denominator)
