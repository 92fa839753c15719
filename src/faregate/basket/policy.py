"""Pricing choices of a channel; the first member of each enumeration is the default. Decisions §3–§5."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from faregate._values import public_value
from faregate.arguments.checks import Whole, checked
from faregate.errors import InvalidInput
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import Tie, VatLevel


class PriceBasis(Enum):
    """Basis of list prices and discounts: including or excluding tax."""

    GROSS = "gross"
    NET = "net"


class AutomaticChoice(Enum):
    """Part of a basket (a unit or a line) to which at most one automatic discount can apply."""

    UNIT = "unit"
    """Each unit: group discounts apply to whole groups, and other discounts compete for the units left."""
    LINE = "line"
    """Each line: a group discount applies to whole lines, never to single units."""


class Stacking(Enum):
    """Amount to which the percentage of a second promo code applies."""

    SEQUENTIAL = "sequential"
    """The amount left by the promo codes applied earlier."""
    ADDITIVE = "additive"
    """The price after automatic discounts; together, the codes never take more than this price."""


class CodeOrder(Enum):
    """Order in which promo codes apply."""

    RANKED = "ranked"
    """By lane, priority (higher first), kind and code."""
    AS_ENTERED = "as_entered"
    """In the order given by the caller."""
    BEST = "best"
    """The cheapest selection and order; a tie goes to more codes, then to the ranked order."""


class PercentRounding(Enum):
    """Amount that is rounded when a percentage is taken off: the discount, or the price that remains."""

    DISCOUNT = "discount"
    PRICE = "price"


class ThresholdBase(Enum):
    """Prices that count towards a minimum spend."""

    AFTER_AUTO = "after_auto"
    """Prices after automatic discounts, before any promo code."""
    LIST = "list"
    """List prices."""
    RUNNING = "running"
    """Prices after automatic discounts and after the promo codes applied earlier."""


class Fairness(Enum):
    """Choice of the units that a group discount (buy X get Y, bundle price) makes cheaper."""

    CUSTOMER = "customer"
    """The units are grouped by price so that the discount is as large as the rule allows."""
    MERCHANT = "merchant"
    """The cheapest units overall."""


class SinglePurposeRest(Enum):
    """Treatment of goods in the basket that a single-purpose voucher may not pay for."""

    KEEP = "keep"
    """Leave them to other means of payment."""
    REFUSE = "refuse"
    """Refuse the voucher: it pays only if the basket has no such goods."""


class SubscriptionBasis(Enum):
    """The amounts that are added up in the subscription totals: of the first period, or of a later one."""

    FIRST_PERIOD = "first_period"
    """The amount paid now, after all discounts."""
    RECURRING = "recurring"
    """The price of every later period: list price less automatic discounts."""


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidInput, cash_increment=Whole(1))
class TotalsPolicy:
    """Pricing choices of a channel.

    ``cash_increment`` is the smallest step of a cash payment, in minor units (``Currency.cash_increment``).
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
