"""The tax on every line: gross amounts are converted to net, or net to gross. Decisions §4."""

from operator import add, sub
from typing import TypeAlias

from faregate.arguments.fields import new_row
from faregate.basket.lines import Cart
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import Tie, VatAmount, VatLevel, allocate_net, convert_lines

Amounts: TypeAlias = tuple[list[MinorUnits], list[MinorUnits], list[MinorUnits]]
"""List prices, discounts and totals of all lines, in parallel lists."""

Taxed: TypeAlias = tuple[Amounts, Amounts, tuple[VatAmount, ...]]
"""Gross amounts of all lines, net amounts of all lines, and the tax per rate."""


# Looking up an enumeration member costs as much as the arithmetic of a line.
_IN_NET = PriceBasis.NET
_AT_RATE = VatLevel.RATE
_BY_UNIT = VatLevel.UNIT
_NET = Tie.NET


def tax(cart: Cart, totals: list[MinorUnits], policy: TotalsPolicy) -> Taxed:
    """Return the gross and net amounts of all lines, given their discounted *totals* in the price basis."""
    discounts = list(map(sub, cart.list_prices, totals))
    other_totals, other_discounts = totals.copy(), discounts.copy()
    in_net, at_rate, tie_net = policy.price_basis is _IN_NET, policy.vat_level is _AT_RATE, policy.tie is _NET
    quantities = cart.quantities if policy.vat_level is _BY_UNIT else None
    is_discounted = any(discounts)
    breakdown = []
    for parts in sorted(cart.by_rate):
        indices = cart.by_rate[parts]
        rate = cart.rates[indices[0]]
        conversion = rate.to_gross if in_net else rate.to_net_rounded if tie_net else rate.to_net
        if at_rate:
            own_total, other_total = allocate_net(totals, other_totals, indices, conversion)
            if is_discounted:
                allocate_net(discounts, other_discounts, indices, conversion)
        else:
            own_total, other_total = convert_lines(totals, other_totals, indices, conversion, quantities)
            convert_lines(discounts, other_discounts, indices, conversion, quantities)
        gross, net = (other_total, own_total) if in_net else (own_total, other_total)
        breakdown.append(new_row(VatAmount, (rate, net, gross - net, gross)))
    own = cart.list_prices, discounts, totals
    other = list(map(add, other_discounts, other_totals)), other_discounts, other_totals
    return (other, own, tuple(breakdown)) if in_net else (own, other, tuple(breakdown))
