"""Conversion of the lines of many baskets between net and gross. Decisions §4."""

import numpy as np

from faregate.basket.policy import TotalsPolicy
from faregate.batch.basket.carts import CartColumns
from faregate.batch.columns.values import Numbers
from faregate.batch.money.allocation import apportion
from faregate.batch.money.rounding import floor_quotients
from faregate.tax.rates import VatLevel


def other_side(cart: CartColumns, amounts: Numbers, policy: TotalsPolicy, *, out: Numbers) -> Numbers:
    """Write *amounts* to *out*, converted to net if the policy's prices are gross, otherwise to gross.

    Return the sum of *out* in each basket.
    """
    if policy.vat_level is VatLevel.RATE:
        return _given_back(cart, amounts, out)
    converted = cart.conversions_of_lines
    if policy.vat_level is VatLevel.LINE:
        out[...] = converted(amounts)
    else:
        units = floor_quotients(amounts, cart.quantities)
        dearer = amounts - units * cart.quantities
        out[...] = dearer * converted(units + 1) + (cart.quantities - dearer) * converted(units)
    return cart.layout.sums(out)


def _given_back(cart: CartColumns, amounts: Numbers, out: Numbers) -> Numbers:
    """Convert each basket's sum per VAT rate, allocate it to lines in *out*, and return totals per basket."""
    if not out.size:
        return np.zeros(cart.layout.count, np.int64)
    groups, table = cart.by_rate, cart.conversions
    targets = cart.conversions_of_groups(groups.sums(amounts))
    most = int(table.denominators.max(initial=1))
    numerators, denominators, _ = cart.conversions_of_lines
    apportion(groups, amounts, numerators, denominators, targets, most=most, out=out)
    if groups.is_whole:
        return targets
    sums = np.zeros(cart.layout.count, np.int64)
    np.add.at(sums, groups.baskets, targets)
    return sums
