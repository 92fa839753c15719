"""Tax in gross prices and on net prices. SOURCES.md describes the sources.

Every known wrong result is either the result of a named policy, or is shown not to occur.
"""

from typing import TypeAlias

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Percentage, PromoCode, Scope
from faregate.discounts.promo_codes import AppliedCode
from faregate.money.currency import currency
from faregate.money.rounding import RoundingMode, round_to_increment
from faregate.tax.rates import Tie, VatLevel, net_from_gross
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.baskets.as_written import all_cents, basket, cents, vat

Rows: TypeAlias = list[tuple[str, str]]
"""VAT breakdown, ascending by rate: gross and tax of each rate."""

DEFAULT = TotalsPolicy()
NET = TotalsPolicy(price_basis=PriceBasis.NET)


def off(*amounts: str) -> list[PromoCode]:
    """Return promo codes that take these amounts off the cart, one after the other."""
    return [
        PromoCode(code=f"OFF{number}", kind=Absolute(cents(amount))) for number, amount in enumerate(amounts)
    ]


def percent_off(percent: int) -> list[PromoCode]:
    return [PromoCode(code="PERCENT", kind=Percentage.percent(percent))]


def tax(totals: CheckoutTotals) -> int:
    return totals.total_gross - totals.total_net


def breakdown(totals: CheckoutTotals) -> list[tuple[int, int]]:
    return [(row.gross, row.vat) for row in totals.vat_breakdown]


def in_cents(rows: Rows) -> list[tuple[int, int]]:
    return [(cents(gross), cents(tax)) for gross, tax in rows]


@pytest.mark.parametrize(
    ("gross", "rate", "tax"),
    [
        # nopCommerce#3949
        pytest.param("87.20", "7.7", "6.23", id="VAT-T17"),
        # Solidus, taxation integration specification; computed, with the same result
        pytest.param("20.00", "7", "1.31", id="VAT-T20-20.00@7"),
        pytest.param("30.00", "19", "4.79", id="VAT-T20-30.00@19"),
        pytest.param("8.00", "7", "0.52", id="VAT-T20-8.00@7"),
        pytest.param("16.00", "19", "2.55", id="VAT-T20-16.00@19"),
        pytest.param("10.00", "19", "1.60", id="VAT-T20-10.00@19"),
        pytest.param("2.00", "19", "0.32", id="VAT-T20-2.00@19"),
        pytest.param("5.00", "9", "0.41", id="VAT-T20-5.00@9"),
        pytest.param("10.42", "24", "2.02", id="VAT-T20-10.42@24"),
    ],
)
def test_tax_in_a_gross_price_is_rounded_half_up(gross: str, rate: str, tax: str) -> None:
    assert cents(gross) - net_from_gross(cents(gross), vat(rate)) == cents(tax)


GROSS_BASKETS = [
    # pretix documentation, tax rounding
    pytest.param(basket(*["100.00 @19"] * 5), [], [("500.00", "79.83")], id="VAT-T1"),
    pytest.param(basket("99.99 @19"), [], [("99.99", "15.96")], id="VAT-T2"),
    # Sylius, feature "correct taxes for order with discount for whole order", tax included in price
    pytest.param(
        basket("2 x 56.90 @10", "56.95 @10"), off("10.00", "10.00"), [("150.75", "13.70")], id="VAT-T4"
    ),
    # the same feature; computed, with the same result
    pytest.param(
        basket("2 x 10.00 @23", "56.90 @10"),
        off("10.00"),
        [("49.50", "4.50"), ("17.40", "3.25")],
        id="VAT-T5",
    ),
    # medusa#12226
    pytest.param(basket("1190.00 @19"), off("119.00"), [("1071.00", "171.00")], id="VAT-T7"),
    # nopCommerce#836
    pytest.param(
        basket("100.00 @10", "100.00 @20"),
        off("10.00"),
        [("95.00", "8.64"), ("95.00", "15.83")],
        id="VAT-T8",
    ),
    # vendure#3091, the rate inferred; computed
    pytest.param(basket("25 x 399.00 @9"), percent_off(10), [("8977.50", "741.26")], id="VAT-T10"),
    # Zuora documentation
    pytest.param(basket("2.99 @4"), [], [("2.99", "0.12")], id="VAT-T14"),
    # GOBL, TestRemoveIncludedTaxDeep
    pytest.param(basket("364 x 51.78 @6", "52.08 @6"), [], [("18900.00", "1069.81")], id="VAT-T16"),
    # sorba help page
    pytest.param(basket("1000.00 @8"), [], [("1000.00", "74.07")], id="VAT-T19"),
]


@pytest.mark.parametrize(("lines", "codes", "rows"), GROSS_BASKETS)
def test_tax_in_gross_prices_is_rounded_once_per_rate(
    lines: list[Line], codes: list[PromoCode], rows: Rows
) -> None:
    totals = checkout_totals(lines, promo_codes=codes)

    assert breakdown(totals) == in_cents(rows)
    assert totals.total_gross == sum(cents(gross) for gross, _ in rows)
    assert tax(totals) == sum(cents(tax) for _, tax in rows)


def test_net_of_the_sum_is_given_back_to_the_lines() -> None:
    """VAT-T1: pretix documentation, tax rounding."""
    totals = checkout_totals(basket(*["100.00 @19"] * 5))

    nets = tuple(line.total_net for line in totals.lines)
    assert nets == all_cents("84.04", "84.04", "84.03", "84.03", "84.03")
    assert totals.total_net == cents("420.17")


@pytest.mark.parametrize(
    ("lines", "codes", "line_totals"),
    [
        # Sylius, feature "correct taxes for order with discount for whole order"
        pytest.param(
            basket("2 x 10.00 @23", "56.90 @10"), off("10.00"), all_cents("17.40", "49.50"), id="VAT-T5"
        ),
        # nopCommerce#836
        pytest.param(
            basket("100.00 @10", "100.00 @20"), off("10.00"), all_cents("95.00", "95.00"), id="VAT-T8"
        ),
    ],
)
def test_cart_discount_is_shared_across_rates(
    lines: list[Line], codes: list[PromoCode], line_totals: tuple[int, ...]
) -> None:
    totals = checkout_totals(lines, promo_codes=codes)

    assert tuple(line.total_gross for line in totals.lines) == line_totals


def test_gross_discount_is_taken_off_gross_and_reported_net_as_well() -> None:
    """VAT-T7: medusa#12226, where a gross discount came off the net price."""
    totals = checkout_totals(basket("1190.00 @19"), promo_codes=off("119.00"))

    assert (totals.total_gross, tax(totals)) == all_cents("1071.00", "171.00")
    assert totals.total_discount_net == cents("100.00")


def test_list_price_net_is_total_plus_discount() -> None:
    """VAT-T10: vendure#3091. The reporter expected 9151.50 less 915.14, from a unit price rounded net."""
    totals = checkout_totals(basket("25 x 399.00 @9"), promo_codes=percent_off(10))

    assert totals.total_net == cents("8236.24") != cents("8236.36")
    assert totals.total_discount_net == cents("915.14")
    assert totals.list_price_net == cents("9151.38")


@pytest.mark.parametrize("stage", ["automatic", "promo code"])
@pytest.mark.parametrize(
    ("policy", "net"),
    [
        pytest.param(DEFAULT, "50.80", id="VAT-T13"),
        pytest.param(TotalsPolicy(tie=Tie.NET), "50.81", id="VAT-T13-net-first"),
    ],
)
def test_line_discount_and_cart_discount_over_two_rates(stage: str, policy: TotalsPolicy, net: str) -> None:
    """VAT-T13: Vendure, order-calculator.spec, which asserts 50.81; its own comment says 50.82."""
    lines = basket("2 x 10.00 @20", "34.99 @10", "4 x 2.55 @10")
    fifteen, first = Percentage.percent(15), Scope(lines=frozenset({1}))
    cart = PromoCode(code="CART", kind=Absolute(cents("5.00")))
    if stage == "automatic":
        rule = AutomaticDiscount(id=1, kind=fifteen, scope=first)
        totals = checkout_totals(lines, automatic=[rule], promo_codes=[cart], policy=policy)
    else:
        line = PromoCode(code="LINE", kind=fifteen, scope=first)
        totals = checkout_totals(lines, promo_codes=[line, cart], policy=policy)

    applied = totals.promo_codes[-1]
    assert isinstance(applied, AppliedCode)
    assert applied.shares == all_cents("1.37", "2.81", "0.82")
    assert totals.total_gross == cents("57.19")
    assert [row.gross for row in totals.vat_breakdown] == [cents("41.56"), cents("15.63")]
    assert totals.total_net == cents(net) != cents("50.82")


def test_tax_of_each_rate_after_a_line_discount_and_a_cart_discount() -> None:
    """VAT-T13: Vendure, order-calculator.spec; 15.63 at 20 % includes a tax of exactly 2.605."""
    lines = basket("2 x 10.00 @20", "34.99 @10", "4 x 2.55 @10")
    rule = AutomaticDiscount(id=1, kind=Percentage.percent(15), scope=Scope(lines=frozenset({1})))

    totals = checkout_totals(lines, automatic=[rule], promo_codes=off("5.00"))

    ten, twenty = totals.vat_breakdown
    assert (ten.gross, ten.net, ten.vat) == all_cents("41.56", "37.78", "3.78")
    assert (twenty.gross, twenty.net, twenty.vat) == all_cents("15.63", "13.02", "2.61")


NET_BASKETS = [
    # GOBL, calculator_test
    pytest.param(basket("9.42 @24", "9.42 @13"), ["1.22", "2.26"], "3.48", id="VAT-T22"),
    # banana.ch help
    pytest.param(basket("187.50 @7.7", "875.00 @7.7"), ["81.81"], "81.81", id="VAT-T25"),
    # EN 16931, ubl-tc434-example1
    pytest.param(basket("183.23 @6", "46.37 @21"), ["10.99", "9.74"], "20.73", id="VAT-T26"),
]


@pytest.mark.parametrize(("lines", "taxes", "tax_in_all"), NET_BASKETS)
def test_tax_on_net_prices_is_rounded_once_per_rate(
    lines: list[Line], taxes: list[str], tax_in_all: str
) -> None:
    totals = checkout_totals(lines, policy=NET)

    assert [row.vat for row in totals.vat_breakdown] == [cents(tax) for tax in taxes]
    assert tax(totals) == cents(tax_in_all)


@pytest.mark.parametrize(
    ("lines", "level", "gross"),
    [
        # commercetools, TaxCalculationMode: LineItemLevel, UnitPriceLevel
        pytest.param(basket("3 x 1.08 @19"), VatLevel.LINE, "3.86", id="VAT-T23-line"),
        pytest.param(basket("3 x 1.08 @19"), VatLevel.UNIT, "3.87", id="VAT-T23-unit"),
        # EN 16931, ubl-tc434-example1
        pytest.param(basket("183.23 @6", "46.37 @21"), VatLevel.RATE, "250.33", id="VAT-T26"),
        # Craft Commerce PR 697
        pytest.param(basket("100 x 1.41 @20"), VatLevel.LINE, "169.20", id="VAT-T28-line"),
        pytest.param(basket("100 x 1.41 @20"), VatLevel.UNIT, "169.00", id="VAT-T28-unit"),
    ],
)
def test_gross_of_net_prices_depends_on_where_the_tax_is_rounded(
    lines: list[Line], level: VatLevel, gross: str
) -> None:
    policy = TotalsPolicy(price_basis=PriceBasis.NET, vat_level=level)

    totals = checkout_totals(lines, policy=policy)

    assert totals.total_gross == cents(gross)


PER_LINE = TotalsPolicy(vat_level=VatLevel.LINE)
PER_UNIT = TotalsPolicy(vat_level=VatLevel.UNIT)
NET_FIRST = TotalsPolicy(tie=Tie.NET)
NET_PER_LINE = TotalsPolicy(price_basis=PriceBasis.NET, vat_level=VatLevel.LINE)


@pytest.mark.parametrize(
    ("lines", "codes", "policy", "tax_in_all"),
    [
        # pretix documentation: rounded per line
        pytest.param(basket(*["100.00 @19"] * 5), [], PER_LINE, "79.85", id="VAT-T1-line"),
        # Sylius, feature "correct taxes for item units with discount for whole order"
        pytest.param(
            basket("2 x 56.90 @10", "56.95 @10"), off("10.00", "10.00"), PER_UNIT, "13.71", id="VAT-T4-unit"
        ),
        # medusa#12226: the same figures off the net price
        pytest.param(basket("1000.00 @19"), off("119.00"), NET, "167.39", id="VAT-T7-net"),
        # Zuora documentation, rounding rule "net amount"
        pytest.param(basket("2.99 @4"), [], NET_FIRST, "0.11", id="VAT-T14-net-first"),
        # banana.ch help: rounded per line
        pytest.param(basket("187.50 @7.7", "875.00 @7.7"), [], NET_PER_LINE, "81.82", id="VAT-T25-line"),
    ],
)
def test_another_policy_gives_the_result_of_another_shop(
    lines: list[Line], codes: list[PromoCode], policy: TotalsPolicy, tax_in_all: str
) -> None:
    totals = checkout_totals(lines, promo_codes=codes, policy=policy)

    assert tax(totals) == cents(tax_in_all)


def test_net_rounded_per_unit_gives_the_figure_of_the_shop() -> None:
    """VAT-T10: vendure#3091."""
    totals = checkout_totals(basket("25 x 399.00 @9"), promo_codes=percent_off(10), policy=PER_UNIT)

    assert totals.total_net == cents("8236.25")


# ---------------------------------------------------------------- known wrong results


def test_tax_is_not_rounded_to_the_cash_step() -> None:
    """VAT-T17: nopCommerce#3949, where the setting "rounding down to 0.05" lowered a tax of 6.23 to 6.20."""
    step = currency("CHF").cash_increment

    totals = checkout_totals(basket("87.20 @7.7"), policy=TotalsPolicy(cash_increment=step))

    assert tax(totals) == cents("6.23")
    assert totals.cash_due == cents("87.20")
    assert round_to_increment(tax(totals), step, mode=RoundingMode.DOWN) == cents("6.20")


def test_net_is_not_rounded_to_the_cash_step() -> None:
    """VAT-T19: the sorba help page, where 925.95 + 74.10 makes 1000.05."""
    step = currency("CHF").cash_increment

    totals = checkout_totals(basket("1000.00 @8"), policy=TotalsPolicy(cash_increment=step))

    assert (totals.total_net, tax(totals)) == all_cents("925.93", "74.07")
    assert totals.cash_due == cents("1000.00")
    assert round_to_increment(totals.total_net, step) == cents("925.95")
