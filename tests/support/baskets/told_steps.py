"""The steps behind a figure in short notation."""

from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import DiscountKind, PromoCode, Scope
from faregate.explanations.explanation import explain
from faregate.money.currency import currency
from faregate.totals.pipeline import CheckoutTotals
from faregate.trace import StepKind

FRANCS, YEN = currency("CHF"), currency("JPY")
NET = TotalsPolicy(price_basis=PriceBasis.NET)

LISTED, AUTOMATIC, CODE = StepKind.LIST_PRICE, StepKind.AUTOMATIC_DISCOUNT, StepKind.PROMO_CODE
ODD, CARRIED, TAX, GIVEN_BACK = StepKind.LARGEST_REMAINDER, StepKind.CARRIED, StepKind.VAT, StepKind.GIVE_BACK

Told = list[tuple[StepKind, str, int]]


def told(totals: CheckoutTotals, figure: str, line: int | None = None) -> Told:
    """Return rule, source and amount of each step behind a figure."""
    return [(step.rule, step.source, step.amount) for step in explain(totals).trace.of(figure, line=line)]


def code(name: str, kind: DiscountKind, *keys: int) -> PromoCode:
    return PromoCode(code=name, kind=kind, scope=Scope(lines=frozenset(keys)))
