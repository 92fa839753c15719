"""The readings a price can be computed under; the first member of each is the default. Decisions §3–§5."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from faregate.arguments.checks import Whole, checked
from faregate.errors import InvalidInput
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import Tie, VatLevel


class PriceBasis(Enum):
    """The side of the tax that list prices are on, and that discounts are computed on."""

    GROSS = "gross"
    NET = "net"


class AutomaticChoice(Enum):
    """The part of a basket that has one automatic discount."""

    UNIT = "unit"
    """Each unit: a group discount claims whole groups of units, the others compete for the rest."""
    LINE = "line"
    """Each line: a group discount takes whole lines."""


class Stacking(Enum):
    """The base that the percentage of a second code is taken of."""

    SEQUENTIAL = "sequential"
    """The rest that the codes before it left."""
    ADDITIVE = "additive"
    """The price after automatic discounts; together never more than is there."""


class CodeOrder(Enum):
    """The order in which promo codes apply."""

    RANKED = "ranked"
    """By lane, priority (higher first), kind, code."""
    AS_ENTERED = "as_entered"
    """As the caller lists them."""
    BEST = "best"
    """The cheapest selection and order of codes; of equals more codes, then as ranked."""


class PercentRounding(Enum):
    """The amount that a percentage rounds; the other side is the difference."""

    DISCOUNT = "discount"
    PRICE = "price"


class ThresholdBase(Enum):
    """The prices that count towards a minimum spend."""

    AFTER_AUTO = "after_auto"
    """After automatic discounts, before any code."""
    LIST = "list"
    """List prices."""
    RUNNING = "running"
    """The rest that the codes before this one left."""


class Fairness(Enum):
    """The units that a group discount (buy X get Y, bundle price) makes cheaper."""

    CUSTOMER = "customer"
    """Groups of like prices: the discount is as large as the rule allows."""
    MERCHANT = "merchant"
    """The cheapest units of all."""


class SinglePurposeRest(Enum):
    """Goods beside those of the rate and scope of a single-purpose voucher."""

    KEEP = "keep"
    """They are left to other means of payment."""
    REFUSE = "refuse"
    """The voucher pays nothing where there are any: what it is for is bought alone."""


class SubscriptionBasis(Enum):
    """The amounts that the subscription totals add up."""

    FIRST_PERIOD = "first_period"
    """The amount paid now, after all discounts."""
    RECURRING = "recurring"
    """The price of every later period: list price less automatic discounts."""


@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidInput, cash_increment=Whole(1))
class TotalsPolicy:
    """The choices by which a channel computes, one in each field.

    ``cash_increment`` is the smallest cash amount in minor units (``Currency.cash_increment``).
    """

    price_basis: PriceBasis = PriceBasis.GROSS
    vat_level: VatLevel = VatLevel.RATE
    tie: Tie = Tie.TAX
    automatic_choice: AutomaticChoice = AutomaticChoice.UNIT
    stacking: Stacking = Stacking.SEQUENTIAL
    code_order: CodeOrder = CodeOrder.RANKED
    percent_rounding: PercentRounding = PercentRounding.DISCOUNT
    threshold_base: ThresholdBase = ThresholdBase.AFTER_AUTO
    fairness: Fairness = Fairness.CUSTOMER
    subscription_basis: SubscriptionBasis = SubscriptionBasis.FIRST_PERIOD
    vouchers_pay_donation: bool = False
    single_purpose_rest: SinglePurposeRest = SinglePurposeRest.KEEP
    cash_increment: MinorUnits = 1
