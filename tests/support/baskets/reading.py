"""Values of a priced checkout that the laws compare."""

from faregate.basket.policy import PriceBasis
from faregate.discounts.kinds import PromoCode
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate.totals.request import PricingRequest
from support.oracles.stacking import in_key_order


def known(request: PricingRequest) -> list[PromoCode]:
    """Return the existing codes as entered."""
    return [entered for entered in request.promo_codes if isinstance(entered, PromoCode)]


def applied(totals: CheckoutTotals) -> list[AppliedCode]:
    """Return the valid codes in the order applied."""
    valid = [result for result in totals.promo_codes if isinstance(result, AppliedCode)]
    return sorted(valid, key=lambda result: result.position)


def after_auto(request: PricingRequest, totals: CheckoutTotals) -> list[int]:
    """Return each line's total after automatic discounts, in ascending key."""
    taken = {line.key: line.auto_discount_amount for line in totals.lines}
    return [line.unit_price * line.quantity - taken[line.key] for line in in_key_order(request)]


def in_basis(line: LineTotals, request: PricingRequest) -> int:
    """Return the total on the side on which the channel sets prices."""
    return line.total_net if request.policy.price_basis is PriceBasis.NET else line.total_gross
