"""The tax of every line, from the side of the channel's prices to the other. Decisions §4."""

from __future__ import annotations

from operator import add, sub
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from faregate.basket.policy import PriceBasis
from faregate.tax.rates import Tie, VatAmount, VatLevel, convert_lines, give_back

if TYPE_CHECKING:
    from faregate.basket.lines import Cart
    from faregate.basket.policy import TotalsPolicy
    from faregate.money.amounts import MinorUnits

Side: TypeAlias = tuple["list[MinorUnits]", "list[MinorUnits]", "list[MinorUnits]"]
"""List prices, discounts and totals of all lines on one side of the tax, in parallel."""


class Taxed(NamedTuple):
    """The figures of every line, gross and net, and the tax per rate."""

    gross: Side
    net: Side
    breakdown: tuple[VatAmount, ...]


# Looking a member up on its enumeration costs as much as the arithmetic of a line.
_IN_NET = PriceBasis.NET
_AT_RATE = VatLevel.RATE
_BY_UNIT = VatLevel.UNIT
_NET = Tie.NET
# A NamedTuple made from the tuple of its fields: half the time of a call with them.
_new = tuple.__new__


def taxed(columns: Cart, totals: list[MinorUnits], policy: TotalsPolicy) -> Taxed:
    """Both sides of every line, of which discounts left *totals* in the channel's price basis."""
    discounts = list(map(sub, columns.list_prices, totals))
    other_totals, other_discounts = totals.copy(), discounts.copy()
    in_net, at_rate, tie_net = policy.price_basis is _IN_NET, policy.vat_level is _AT_RATE, policy.tie is _NET
    quantities = columns.quantities if policy.vat_level is _BY_UNIT else None
    is_discounted = any(discounts)
    breakdown = []
    for rate, indices in columns.by_rate:
        conversion = rate.to_gross if in_net else rate.to_net_rounded if tie_net else rate.to_net
        if at_rate:
            own_total, other_total = give_back(totals, other_totals, indices, conversion)
            if is_discounted:
                give_back(discounts, other_discounts, indices, conversion)
        else:
            own_total, other_total = convert_lines(totals, other_totals, indices, conversion, quantities)
            convert_lines(discounts, other_discounts, indices, conversion, quantities)
        gross, net = (other_total, own_total) if in_net else (own_total, other_total)
        breakdown.append(_new(VatAmount, (rate, net, gross - net, gross)))
    own = columns.list_prices, discounts, totals
    other = list(map(add, other_discounts, other_totals)), other_discounts, other_totals
    return _new(Taxed, (other, own, tuple(breakdown)) if in_net else (own, other, tuple(breakdown)))
