"""A basket of two lines and its receipt in francs."""

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import Percentage, PromoCode, UnknownCode
from faregate.explanations.explanation import explain
from faregate.money.currency import currency
from faregate.render import receipt
from faregate.render.receipts import Receipt, RowKind
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.shops.small_shop import REDUCED, VAT

FRANCS, YEN = currency("CHF"), currency("JPY")
NET = TotalsPolicy(price_basis=PriceBasis.NET)
Entered = PromoCode | UnknownCode
LABELS = {1: "Day ticket", 2: "Lunch"}
BASKET = [Line(1, 7900, 2, VAT), Line(2, 1200, 1, REDUCED)]
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))


def printed(totals: CheckoutTotals, labels: dict[int, str] | None = None) -> Receipt:
    return receipt(explain(totals, currency=FRANCS), currency=FRANCS, labels=labels)


def rows(of: Receipt, kind: RowKind) -> list[tuple[str, int | None]]:
    return [(row.label, row.amount) for row in of.rows if row.kind is kind]


def everything(policy: TotalsPolicy = TotalsPolicy(cash_increment=5)) -> CheckoutTotals:
    """Return totals with two lines, a code, a donation, a voucher, cash rounding and an unknown code."""
    return checkout_totals(
        BASKET,
        promo_codes=[TEN, UnknownCode("NOBODY")],
        donation=202,
        vouchers=[Voucher(code="GIFT", balance=5000)],
        policy=policy,
    )
