"""Findings of an audit, and the rule behind each. Decisions §22."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from faregate._values import public_value
from faregate.basket.policy import PriceBasis
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
        """The difference between the prices of the two sides; 0 for a rule that never applies."""
        return sum(map(price_of, self.dearer)) - sum(map(price_of, self.cheaper))

    @property
    def units(self) -> int:
        """Number of units in all baskets."""
        return sum(len(basket.checkout.items) for basket in (*self.dearer, *self.cheaper))

    @property
    def is_within_rounding(self) -> bool:
        """True if the saving is at most one minor unit per unit, as rounding alone can cause."""
        return self.saving <= self.units

    def explanations(self) -> tuple[Explanation, ...]:
        """Return the explanation of each basket, first of ``dearer``, then of ``cheaper``."""
        baskets = (*self.dearer, *self.cheaper)
        return tuple([explain(each.totals, currency=currency(each.channel.currency)) for each in baskets])


def compared_figure(basket: PricedCheckout) -> str:
    """Return ``total_net`` if the channel's prices are net, otherwise ``total_gross``."""
    return "total_net" if basket.channel.policy.price_basis is PriceBasis.NET else "total_gross"


def price_of(basket: PricedCheckout) -> MinorUnits:
    """Return the figure by which baskets are compared: that of ``compared_figure``."""
    is_net = compared_figure(basket) == "total_net"
    return basket.totals.total_net if is_net else basket.totals.total_gross


def finding_of(
    kind: FindingKind, dearer: PricedCheckout, cheaper: Sequence[PricedCheckout], *, code: str = ""
) -> Finding:
    """Return the finding that *cheaper* costs less than *dearer*, named after its cause.

    The cause is *code*, or else the automatic discount that takes off most more on the cheaper side. If list
    prices alone are enough, or no discount takes off more, the cause is the first variant.
    """
    gains = Counter(_taken(cheaper))
    gains.subtract(_taken([dearer]))
    discount, gain = max(gains.items(), key=lambda each: (each[1], -each[0]), default=(0, 0))
    listed = _listed([dearer]) - sum(_listed([basket]) for basket in cheaper)
    cause = (
        f"variant-{dearer.checkout.items[0].variant}" if listed > 0 or gain <= 0 else f"discount-{discount}"
    )
    return Finding(
        kind=kind, identifier=f"{kind.value}/{code or cause}", dearer=(dearer,), cheaper=tuple(cheaper)
    )


def _taken(baskets: Sequence[PricedCheckout]) -> Counter[int]:
    taken: Counter[int] = Counter()
    for basket in baskets:
        for applied in basket.totals.auto_discounts:
            taken[applied.discount.id] += applied.total_amount
    return taken


def _listed(baskets: Sequence[PricedCheckout]) -> MinorUnits:
    return sum(basket.totals.list_price_gross for basket in baskets)
