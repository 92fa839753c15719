"""Findings of an audit, and the rule behind each. Decisions §22."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from faregate._values import public_value
from faregate.checkout.priced import PricedCheckout
from faregate.explanations.explanation import Explanation, explain
from faregate.money.amounts import MinorUnits
from faregate.money.currency import currency


class FindingKind(Enum):
    """The kind of a finding; the values are stable."""

    SPLIT = "split"
    MORE_DAYS = "more-days"
    DAY_EARLIER = "day-earlier"
    ONE_MORE = "one-more"
    CODE = "code"
    UNREACHABLE = "unreachable"


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding of an audit, with the basket that costs too much and the cheaper ones that replace it.

    ``cheaper`` has several baskets if a purchase is split into several orders. Both fields are empty for a
    rule that never applies. The identifier consists of the kind and the rule, such as ``split/discount-7``,
    and does not depend on the baskets.
    """

    kind: FindingKind
    identifier: str
    dearer: tuple[PricedCheckout, ...] = ()
    cheaper: tuple[PricedCheckout, ...] = ()

    @property
    def saving(self) -> MinorUnits:
        """The difference between the totals with VAT of the two sides; 0 for a rule that never applies."""
        sides = [sum(each.totals.total_gross for each in side) for side in (self.dearer, self.cheaper)]
        return sides[0] - sides[1]

    @property
    def units(self) -> int:
        """Number of units in all baskets."""
        return sum(len(basket.items) for basket in (*self.dearer, *self.cheaper))

    def explanations(self) -> tuple[Explanation, ...]:
        """Return the explanation of each basket, first of ``dearer``, then of ``cheaper``."""
        baskets = (*self.dearer, *self.cheaper)
        return tuple([explain(each.totals, currency=currency(each.channel.currency)) for each in baskets])


def taken_off(basket: PricedCheckout) -> Counter[str]:
    """Return the amount that each discount and valid code takes off *basket*, keyed by name."""
    discounts = {f"discount-{each.discount.id}": each.total_amount for each in basket.totals.auto_discounts}
    codes = {f"code-{each.code}": each.total_amount for each in basket.totals.promo_codes if each.valid}
    return Counter(discounts | codes)


def cause_of(dearer: PricedCheckout, cheaper: Sequence[PricedCheckout]) -> str:
    """Return the code that *cheaper* leaves out, or else the name of what lowers the price most.

    This is a discount or, for list prices, the first variant.
    """
    left_out = set(dearer.checkout.codes) - set(cheaper[0].checkout.codes)
    variant = f"variant-{dearer.checkout.items[0].variant}"
    gains = Counter({variant: dearer.totals.list_price_gross})
    gains.subtract(taken_off(dearer))
    for basket in cheaper:
        gains[variant] -= basket.totals.list_price_gross
        gains.update(taken_off(basket))
    return next(iter(left_out), max(gains, key=gains.__getitem__))
