"""Lines and codes whose totals are calculated by hand, and the compared figures."""

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import AutomaticDiscount, DiscountLevel, Percentage, PromoCode
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from support.shops.small_shop import REDUCED, VAT

TICKETS = Line(1, 7900, 2, VAT)
LUNCH = Line(2, 1200, 1, REDUCED)
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
NET = TotalsPolicy(price_basis=PriceBasis.NET)


def figures(of: CheckoutTotals | LineTotals, *names: str) -> tuple[int, ...]:
    return tuple(getattr(of, name) for name in names)


def both_sides(of: CheckoutTotals | LineTotals) -> tuple[int, ...]:
    return figures(
        of,
        "list_price_gross",
        "list_price_net",
        "total_discount_gross",
        "total_discount_net",
        "total_gross",
        "total_net",
    )


TENTH_OFF = AutomaticDiscount(id=1, kind=Percentage.percent(10, level=DiscountLevel.LINE))
