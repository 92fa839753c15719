"""Refund policies: the basis, the fees, the parts that are kept, and the order of payment. Decisions §20."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from faregate._values import public_value
from faregate.arguments.checks import checked
from faregate.discounts.kinds import Absolute, Percentage, PerUnit, Scope
from faregate.errors import InvalidRefund
from faregate.tax.rates import VatRate


class RefundBasis(Enum):
    """Value of the units that a customer keeps; the rest of the price paid is the refund."""

    SHARE = "share"
    """The price that the units paid."""
    REPRICE = "reprice"
    """The price of the units alone, by the rules stored with the order."""
    FLOOR = "floor"
    """The higher of the two."""


class PayoutOrder(Enum):
    """Means of payment that are paid back first. Single-purpose vouchers always precede the others."""

    PAYMENTS_FIRST = "payments_first"
    VOUCHERS_FIRST = "vouchers_first"
    PROPORTIONAL = "proportional"
    """All together, in proportion to what was paid with each and is not paid back yet."""


_LONGEST_NOTICE = timedelta(days=36_525)


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidRefund)
class FeeStep:
    """A fee for returns at least ``notice`` before the visit begins; None means at any time, even after it.

    The fee is a percentage of the refund, or an amount per unit, per line, or for all lines of the step
    together. It includes VAT at ``rate`` and never exceeds the refund. No ``fee`` means that the return is
    free. ``notice`` counts on the clock of the visit: one day before 08:00 is 08:00.

    >>> from datetime import timedelta
    >>> FeeStep(notice=timedelta(days=2), fee=Percentage.percent(50), rate=VatRate.percent("8.1")).fee
    Percentage(parts_per_million=500000, level=<DiscountLevel.CART: 'cart'>)

    Raises:
        InvalidRefund: the notice is negative or longer than a century, or the fee has no rate.
    """

    fee: Percentage | PerUnit | Absolute | None = None
    rate: VatRate | None = None
    notice: timedelta | None = None

    def __post_init__(self) -> None:
        if self.notice is not None and not timedelta() <= self.notice <= _LONGEST_NOTICE:
            raise InvalidRefund(f"expected a notice from 0 to {_LONGEST_NOTICE.days} days, got {self.notice}")
        if self.fee is not None and self.rate is None:
            raise InvalidRefund("the fee has no VAT rate: give rate, for example VatRate.percent(0)")


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidRefund)
class Guarantee:
    """Payout of a guarantee, for example against bad weather: a share of the price of the lines in *scope*.

    The rest of their price is kept, and no fee is charged for them.

    >>> Guarantee(payout=Percentage.percent(60), scope=Scope(products=frozenset({11}))).payout
    Percentage(parts_per_million=600000, level=<DiscountLevel.CART: 'cart'>)
    """

    payout: Percentage
    scope: Scope


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
@checked(InvalidRefund)
class RefundPolicy:
    """Terms of a refund.

    The first of ``fees`` whose notice is kept applies to a line. A line without a validity has no visit to
    miss: the first step applies. Nothing is paid back for lines in ``non_refundable``. The donation is kept
    unless ``refunds_donation`` is True.

    >>> RefundPolicy(basis="floor", non_refundable=Scope(categories=frozenset({2}))).basis
    <RefundBasis.FLOOR: 'floor'>

    Raises:
        InvalidRefund: the last of several fees has a notice, so that later returns would be free by accident.
    """

    basis: RefundBasis = RefundBasis.SHARE
    fees: tuple[FeeStep, ...] = ()
    non_refundable: Scope | None = None
    guarantee: Guarantee | None = None
    refunds_donation: bool = False
    payout_order: PayoutOrder = PayoutOrder.PAYMENTS_FIRST

    def __post_init__(self) -> None:
        if self.fees and self.fees[-1].notice is not None:
            raise InvalidRefund("the last fee step has a notice: add a step without one, for later returns")
