"""The notes of steps: the arithmetic, in the currency, wherever a step counts."""

from datetime import timedelta

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, SubscriptionBasis, TotalsPolicy
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Conditions,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PromoCode,
    Scope,
)
from faregate.explanations.explanation import explain
from faregate.explanations.steps import PassedOver
from faregate.money.currency import currency
from faregate.tax.rates import VatLevel
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.shops.small_shop import NOW, UNTAXED, VAT, ZURICH, days, lines

FRANCS = currency("CHF")
NET = TotalsPolicy(price_basis=PriceBasis.NET)


def notes(totals: CheckoutTotals, figure: str, line: int | None = None) -> list[str]:
    """Return the note of each step behind a figure."""
    return [step.note for step in explain(totals, currency=FRANCS).trace.of(figure, line=line)]


ROUNDED = checkout_totals(
    lines(105, 105, 105),
    automatic=[AutomaticDiscount(id=7, kind=Absolute(5, DiscountLevel.LINE))],
    promo_codes=[PromoCode(code="A", kind=Absolute(100))],
)
"""0.05 off each line, then 1.00 shared by three times 1.00."""

RULE, SHARE, ODD = "0.05 off", "1.00 off: 1.00 x 1.00 / 3.00", "odd unit of the share"


@pytest.mark.parametrize(
    ("figure", "noted"),
    [
        ("list_price_gross", ["1 x 1.05"]),
        ("auto_discount_amount", [RULE]),
        ("promo_code_discount", [SHARE, ODD]),
        ("total_discount_gross", [RULE, SHARE, ODD]),
        ("total_gross", ["1 x 1.05", RULE, SHARE, ODD]),
    ],
)
def test_a_step_of_a_line_has_the_same_note_in_every_figure(figure: str, noted: list[str]) -> None:
    assert notes(ROUNDED, figure, 1) == noted


@pytest.mark.parametrize(
    ("figure", "noted"),
    [
        ("auto_discount_amount", ["0.05 off each line"]),
        ("promo_code_discount", ["1.00 off"]),
        ("total_discount_gross", ["0.05 off each line", "1.00 off"]),
        ("total_gross", ["", "0.05 off each line", "1.00 off"]),
    ],
)
def test_a_step_of_the_checkout_describes_the_discount(figure: str, noted: list[str]) -> None:
    assert notes(ROUNDED, figure) == noted


def test_a_fixed_price_is_not_shared_by_price() -> None:
    totals = checkout_totals(lines(100, 100), promo_codes=[PromoCode(code="A", kind=FixedPrice(90))])

    assert notes(totals, "promo_code_discount", 1) == ["0.90 each"]


def test_an_amount_may_be_shared_by_lines_selected_by_lead_days() -> None:
    basket = [
        Line(key, 100, 1, UNTAXED, validity=days(day, day))
        for key, day in ((1, "2026-12-21"), (2, "2026-12-28"), (3, "2026-12-29"))
    ]
    ahead = PromoCode(code="A", kind=Absolute(100), scope=Scope(min_lead_days=7))

    totals = checkout_totals(basket, promo_codes=[ahead], context=Context(at=NOW, zone=ZURICH))

    assert [notes(totals, "promo_code_discount", key) for key in (1, 2)] == [
        [],
        ["1.00 off: 1.00 x 1.00 / 2.00"],
    ]


def test_passed_over_discounts_depend_on_the_instant_of_the_checkout() -> None:
    begun = Conditions(starts_at=NOW - timedelta(hours=1))
    best = AutomaticDiscount(id=1, kind=Absolute(30, DiscountLevel.LINE))
    second = AutomaticDiscount(id=2, kind=Absolute(10, DiscountLevel.LINE), conditions=begun)

    totals = checkout_totals(lines(100), automatic=[best, second], context=Context(at=NOW, zone=ZURICH))

    assert explain(totals).passed_over == (PassedOver(second, 10),)


@pytest.mark.parametrize(
    ("policy", "figure", "noted"),
    [
        (
            TotalsPolicy(),
            "total_net",
            ["", "8.1/108.1 of 1.00, net rounded down", "odd unit of the net at that rate"],
        ),
        (
            NET,
            "total_gross",
            ["", "8.1 % of 1.00, gross rounded down", "odd unit of the gross at that rate"],
        ),
    ],
)
def test_the_note_of_a_unit_given_back_names_net_or_gross(
    policy: TotalsPolicy, figure: str, noted: list[str]
) -> None:
    # 92.5 and 108.1 per line: 925 and 1081 over ten lines
    totals = checkout_totals([Line(key, 100, 1, VAT) for key in range(1, 11)], policy=policy)

    assert notes(totals, figure, 1) == noted


def test_notes_of_tax_rounded_per_line_mention_no_rounding_down() -> None:
    totals = checkout_totals([Line(1, 100, 1, VAT)], policy=TotalsPolicy(vat_level=VatLevel.LINE))

    assert notes(totals, "total_net", 1) == ["", "8.1/108.1 of 1.00"]


@pytest.mark.parametrize(
    ("basis", "note"),
    [
        (SubscriptionBasis.FIRST_PERIOD, "first period of a subscription"),
        (SubscriptionBasis.RECURRING, "recurring of a subscription"),
    ],
)
def test_the_notes_of_both_subscription_totals_name_their_basis(basis: SubscriptionBasis, note: str) -> None:
    totals = checkout_totals(
        [Line(1, 100, 1, VAT, is_subscription=True)], policy=TotalsPolicy(subscription_basis=basis)
    )

    assert notes(totals, "total_subscription_gross") == [note]
    assert notes(totals, "total_subscription_net") == [note]


def test_the_note_of_cash_names_its_step() -> None:
    totals = checkout_totals(lines(1002), policy=TotalsPolicy(cash_increment=5))

    assert notes(totals, "cash_due") == ["", "to the nearest 0.05"]


def test_a_percentage_of_each_line_is_described_without_each_for_a_line() -> None:
    tenth = PromoCode(code="A", kind=Percentage.percent(10, level=DiscountLevel.LINE))

    assert notes(checkout_totals(lines(100), promo_codes=[tenth]), "promo_code_discount", 1) == ["10 % off"]


def test_an_amount_on_a_single_line_is_not_shared() -> None:
    totals = checkout_totals(lines(7900), promo_codes=[PromoCode(code="TEN", kind=Percentage.percent(10))])

    assert notes(totals, "promo_code_discount", 1) == ["10 % off"]
