"""The readings a price can be computed under; the first member of each is the default. Decisions §3–§5."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from faregate.tax import Tie, VatLevel

if TYPE_CHECKING:
    from faregate.money import MinorUnits

__all__ = [
    "CodeOrder",
    "Fairness",
    "PercentRounding",
    "PriceBasis",
    "Stacking",
    "SubscriptionBasis",
    "ThresholdBase",
    "TotalsPolicy",
]


class PriceBasis(Enum):
    """What the list prices of a channel are, and so the side on which discounts are computed."""

    GROSS = "gross"
    NET = "net"


class Stacking(Enum):
    """What the percentage of a second code is taken of."""

    SEQUENTIAL = "sequential"
    """What the codes before it left."""
    ADDITIVE = "additive"
    """The price after automatic discounts; together never more than is there."""


class CodeOrder(Enum):
    """In which order promo codes apply."""

    RANKED = "ranked"
    """By lane, priority (higher first), kind, code."""
    AS_ENTERED = "as_entered"
    """As the caller lists them."""
    BEST = "best"
    """The cheapest over all orders of up to six codes, ties as ranked; more codes than six as ranked."""


class PercentRounding(Enum):
    """What a percentage rounds; the other side is the difference."""

    DISCOUNT = "discount"
    PRICE = "price"


class ThresholdBase(Enum):
    """Which prices count towards a minimum spend."""

    AFTER_AUTO = "after_auto"
    """After automatic discounts, before any code."""
    LIST = "list"
    """List prices."""
    RUNNING = "running"
    """What the codes before this one left."""


class Fairness(Enum):
    """Which units a group discount (buy X get Y, bundle price) makes cheaper."""

    CUSTOMER = "customer"
    """Groups of like prices: the discount is as large as the rule allows."""
    MERCHANT = "merchant"
    """The cheapest units of all."""


class SubscriptionBasis(Enum):
    """What the subscription totals add up."""

    FIRST_PERIOD = "first_period"
    """What is paid now, after all discounts."""
    RECURRING = "recurring"
    """What every later period costs: list price less automatic discounts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalsPolicy:
    """How a channel computes; every field is one named choice.

    ``cash_increment`` is the smallest cash amount in minor units (``Currency.cash_increment``).
    """

    price_basis: PriceBasis = PriceBasis.GROSS
    vat_level: VatLevel = VatLevel.RATE
    tie: Tie = Tie.TAX
    stacking: Stacking = Stacking.SEQUENTIAL
    code_order: CodeOrder = CodeOrder.RANKED
    percent_rounding: PercentRounding = PercentRounding.DISCOUNT
    threshold_base: ThresholdBase = ThresholdBase.AFTER_AUTO
    fairness: Fairness = Fairness.CUSTOMER
    subscription_basis: SubscriptionBasis = SubscriptionBasis.FIRST_PERIOD
    vouchers_pay_donation: bool = False
    cash_increment: MinorUnits = 1
