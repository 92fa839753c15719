"""Differences of two prices, worked out by hand."""

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, SubscriptionBasis, TotalsPolicy
from faregate.catalogue.price_rules import CardReduction, PriceRule
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Percentage, PromoCode
from faregate.errors import CurrencyMismatch
from faregate.explanations.differences import Difference, StepDifference, difference
from faregate.explanations.explanation import explain
from faregate.list_prices.steps import ListPrice
from faregate.money.currency import currency
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.trace import Step, StepKind, Trace
from faregate.translations import Text
from support.shops.small_shop import lines

LISTED, AUTOMATIC, CODE, VAT = (
    StepKind.LIST_PRICE,
    StepKind.AUTOMATIC_DISCOUNT,
    StepKind.PROMO_CODE,
    StepKind.VAT,
)
TICKET = Line(1, 7900, 2, VatRate.percent("8.1"))
LUNCH = Line(2, 1200, 1, VatRate.percent("2.6"))
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))


def changes(old: CheckoutTotals, new: CheckoutTotals, figure: str) -> list[tuple[object, ...]]:
    return [row[1:] for row in difference(explain(old), explain(new)).changes(figure)]


def test_a_line_that_is_added_has_no_old_amounts() -> None:
    old, new = checkout_totals([TICKET]), checkout_totals([TICKET, LUNCH], promo_codes=[TEN])

    assert changes(old, new, "total_gross") == [
        (1, CODE, "TEN", 0, -1580),
        (2, LISTED, "", 0, 1200),
        (2, CODE, "TEN", 0, -120),
    ]
    # 10.80 at 2.6 % contain 0.27; 158.00 contain 11.84, 142.20 contain 10.66.
    assert changes(old, new, "total_vat") == [(1, VAT, "8.1 %", 1184, 1066), (2, VAT, "2.6 %", 0, 27)]


def test_a_rule_with_another_name_is_another_rule() -> None:
    early, late = (AutomaticDiscount(id=1, kind=Absolute(500), name=Text(name)) for name in ("Early", "Late"))
    old, new = (checkout_totals([LUNCH], automatic=[rule]) for rule in (early, late))

    assert changes(old, new, "total_gross") == [
        (2, AUTOMATIC, "Early", -500, 0),
        (2, AUTOMATIC, "Late", 0, -500),
    ]


def test_an_odd_unit_belongs_to_its_discount() -> None:
    # 1.00 over three lines: 34, 33, 33; without it, 1.02 over three lines: 34 each.
    old, new = (
        checkout_totals(lines(100, 100, 100), promo_codes=[PromoCode(code="A", kind=Absolute(amount))])
        for amount in (100, 102)
    )

    assert changes(old, new, "total_gross") == [(2, CODE, "A", -33, -34), (3, CODE, "A", -33, -34)]


def test_a_code_and_an_automatic_discount_of_one_name_stay_apart() -> None:
    rule = AutomaticDiscount(id=1, kind=Absolute(500), name=Text("TEN"))
    old = checkout_totals(lines(1000, 2000), automatic=[rule])
    new = checkout_totals(lines(1000, 2000), promo_codes=[PromoCode(code="TEN", kind=Absolute(500))])

    rows = difference(explain(old), explain(new)).by_rule("total_gross")

    assert [row[2:] for row in rows if row.delta] == [(AUTOMATIC, "TEN", -500, 0), (CODE, "TEN", 0, -500)]


def test_prices_with_and_without_tax_can_be_compared() -> None:
    old = checkout_totals([LUNCH])
    new = checkout_totals([LUNCH], policy=TotalsPolicy(price_basis=PriceBasis.NET))

    assert changes(old, new, "total_gross") == [(2, VAT, "2.6 %", 0, 31)]
    assert changes(old, new, "total_net") == [(2, VAT, "2.6 %", -30, 0)]
    assert changes(old, new, "total_vat") == [(2, VAT, "2.6 %", 30, 31)]


def test_subscription_totals_name_their_line() -> None:
    old, new = (
        checkout_totals(
            [TICKET._replace(is_subscription=True, unit_price=price)],
            policy=TotalsPolicy(subscription_basis=SubscriptionBasis.RECURRING),
        )
        for price in (7900, 8900)
    )

    assert changes(old, new, "total_subscription_gross") == [(None, StepKind.CARRIED, "line 1", 15800, 17800)]


def test_figures_of_one_line() -> None:
    old, new = checkout_totals([TICKET, LUNCH]), checkout_totals([TICKET, LUNCH], promo_codes=[TEN])

    found = difference(explain(old), explain(new))

    assert (found.delta("total_gross", line=2), found.delta("total_gross")) == (-120, -1700)
    assert found.changes("total_gross", line=2) == (StepDifference("total_gross", 2, CODE, "TEN", 0, -120),)


def test_list_prices_with_and_without_a_card_differ_by_the_reduction() -> None:
    rule = PriceRule(7900)
    reduction = CardReduction(discount_card=7, parts_per_million=250_000)
    whole, reduced = ListPrice(7900, 7900, whole=rule), ListPrice(5925, 7900, whole=rule, reduction=reduction)

    found = difference(whole.trace(), reduced.trace())

    # 25 % of 79.00
    assert found.changes("list_price") == (
        StepDifference("list_price", None, StepKind.CARD_REDUCTION, "discount card 7", 0, -1975),
    )


def test_steps_of_traces_are_matched_as_they_are() -> None:
    old = Trace([Step("fare", None, LISTED, "", 100), Step("fare", None, StepKind.RATCHET, "peak", 5)])
    new = Trace([Step("fare", None, LISTED, "", 100), Step("fare", None, LISTED, "", 20)])

    assert difference(old, new) == Difference(
        rows=(
            StepDifference("fare", None, LISTED, "", 100, 120),
            StepDifference("fare", None, StepKind.RATCHET, "peak", 5, 0),
        )
    )


def test_amounts_in_different_currencies_are_not_compared() -> None:
    francs, euros = (explain(checkout_totals([LUNCH]), currency=currency(code)) for code in ("CHF", "EUR"))

    with pytest.raises(CurrencyMismatch, match="expected CHF, got EUR"):
        difference(francs, euros)


@pytest.mark.parametrize(
    ("old", "new", "expected"), [("CHF", "CHF", "CHF"), ("CHF", None, "CHF"), (None, "CHF", "CHF")]
)
def test_an_unknown_currency_matches_any_other(old: str | None, new: str | None, expected: str) -> None:
    totals = checkout_totals([LUNCH])
    sides = [explain(totals, currency=code and currency(code)) for code in (old, new)]  # type: ignore[arg-type]

    found = difference(*sides)

    assert found.currency == currency(expected)
    assert difference(explain(totals), explain(totals)).currency is None
