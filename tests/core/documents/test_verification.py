"""Stored prices computed again; the figures are those of vectors computed independently."""

from typing import Any

import pytest
from hypothesis import given, settings

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Percentage, PromoCode
from faregate.discounts.pricing_rules import PricingRules
from faregate.documents import dump, verify
from faregate.documents.verification import FigureDifference, RuleDifference
from faregate.errors import InvalidDocument
from faregate.explanations.explanation import explain
from faregate.money.currency import currency
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import checkout_totals
from faregate.totals.request import PricingRequest
from faregate.trace import StepKind
from support.baskets.whole_checkouts import checkouts, priced
from support.documents.stored_values import TOTALS, VALUES
from support.effort import share_of

TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
BASKET = [Line(1, 7900, 2, VatRate.percent("8.1")), Line(2, 1200, 1, VatRate.percent("2.6"))]


def test_a_stored_price_is_the_price_of_its_request() -> None:
    assert verify(dump(TOTALS)).difference is None
    assert verify(dump(explain(TOTALS, currency=currency("CHF"), name=lambda _: "a rule"))).difference is None


@pytest.mark.parametrize(
    ("path", "stored"),
    [(("amountDue",), 11320), (("lines", 0, "totalNet"), 12969), (("vatBreakdown", 1, "vat"), 1051)],
)
def test_the_first_figure_that_differs_is_named(path: tuple[str | int, ...], stored: int) -> None:
    document: Any = dump(TOTALS)
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] += 1

    assert verify(document).difference == FigureDifference(path, stored + 1, stored)


def test_a_changed_request_changes_its_figures() -> None:
    document: Any = dump(TOTALS)
    document["request"]["lines"][0]["quantity"] = 1

    found = verify(document).difference

    assert found == FigureDifference(("lines", 0, "quantity"), 2, 1)


def test_a_changed_step_of_an_explanation_is_named() -> None:
    document: Any = dump(explain(TOTALS))
    document["trace"]["steps"][3]["amount"] += 1

    found = verify(document).difference

    assert found is not None
    assert found.loc == ("trace", "steps", 3, "amount")


def test_a_paid_order_is_verified_by_its_totals() -> None:
    document = dump(VALUES["faregate.paid_order/1"])
    found = verify(document)
    document["totals"]["lines"][0]["totalNet"] -= 1

    assert (found.totals, found.difference) == (VALUES["faregate.paid_order/1"].totals, None)
    assert verify(document).difference == FigureDifference(
        ("totals", "lines", 0, "totalNet"),
        document["totals"]["lines"][0]["totalNet"],
        found.totals.lines[0].total_net,
    )


def test_the_current_rules_give_the_difference_by_rule() -> None:
    # 15800 and 1200: 10 % of 17000 is 1700; today 25 % of (17000 - 500) is 4125.
    stored = dump(checkout_totals(BASKET, promo_codes=[TEN], donation=300))
    today = PricingRules(
        automatic=(AutomaticDiscount(id=4, kind=Absolute(500)),),
        promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(25)),),
    )

    found = verify(stored, today)

    assert found.difference is None
    assert found.today is not None
    assert (found.totals.amount_due, found.today.amount_due) == (15600, 12675)
    assert found.by_rule == (
        RuleDifference(StepKind.AUTOMATIC_DISCOUNT, "automatic discount 4", 0, -500),
        RuleDifference(StepKind.PROMO_CODE, "TEN", -1700, -4125),
    )


def test_a_code_that_is_not_in_the_rules_takes_nothing() -> None:
    request = checkout_totals(BASKET, promo_codes=[TEN]).request

    found = verify(dump(request), PricingRules())

    assert found.difference is None
    assert found.by_rule == (RuleDifference(StepKind.PROMO_CODE, "TEN", -1700, 0),)


def test_prices_without_tax_differ_by_their_tax_too() -> None:
    # 15800 + 8.1 % = 1279.80; 1200 + 2.6 % = 31.20. As prices with tax, no tax is added.
    stored = dump(checkout_totals(BASKET, policy=TotalsPolicy(price_basis=PriceBasis.NET)))

    found = verify(stored, PricingRules())

    assert found.by_rule == (
        RuleDifference(StepKind.VAT, "2.6 %", 31, 0),
        RuleDifference(StepKind.VAT, "8.1 %", 1280, 0),
    )


@settings(max_examples=share_of(100))
@given(checkouts(), checkouts())
def test_the_rows_add_up_to_the_difference_of_the_amounts_due(
    request: PricingRequest, other: PricingRequest
) -> None:
    codes = tuple([code for code in other.promo_codes if isinstance(code, PromoCode)])
    rules = PricingRules(automatic=other.automatic, promo_codes=codes, policy=other.policy)

    found = verify(dump(priced(request)), rules)

    assert found.difference is None
    assert found.today is not None
    differences = [row.today - row.stored for row in found.by_rule]
    assert sum(differences) == found.today.amount_due - found.totals.amount_due
    assert all(differences)


def test_a_document_without_a_price_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="expected a pricing request, totals, an explanation"):
        verify(dump(VALUES["faregate.policy/1"]))
    with pytest.raises(InvalidDocument, match="pass rules, or store the totals"):
        verify(dump(TOTALS.request))
