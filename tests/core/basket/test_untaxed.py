"""Customers who pay no VAT: exempt, or with a reverse charge. Decisions §4."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.basket.untaxed import UntaxedCustomer, untaxed_lines
from faregate.discounts.kinds import Percentage, PromoCode
from faregate.errors import InvalidLines, InvalidOption, InvalidRate
from faregate.tax.rates import VatCategory, VatRate
from faregate.totals.invoice import InvoiceVat, en16931_totals
from faregate.totals.pipeline import checkout_totals
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.naive_readings import MILLION, half_up
from support.shops.small_shop import UNTAXED, VAT

GROSS, NET = PriceBasis.GROSS, PriceBasis.NET
REVERSE = VatRate(parts_per_million=0, category=VatCategory.AE, reason="Reverse charge")
AT_NET, AT_GROSS = UntaxedCustomer(rate=REVERSE), UntaxedCustomer(rate=REVERSE, kept=GROSS)


@pytest.mark.parametrize(
    ("basis", "customer", "unit_price"),
    [
        (GROSS, AT_NET, 9251),  # 10000 / 1.081 = 9250.69
        (GROSS, AT_GROSS, 10_000),
        (NET, AT_NET, 10_000),
        (NET, AT_GROSS, 10_810),
    ],
)
def test_the_customer_pays_the_usual_net_or_gross_price(
    basis: PriceBasis, customer: UntaxedCustomer, unit_price: int
) -> None:
    usual = Line(1, 10_000, 3, VAT, floor_price=10_000, recurring_price=10_000, is_subscription=True)

    (line,) = untaxed_lines([usual], customer, basis=basis)

    assert line == usual._replace(
        rate=REVERSE, unit_price=unit_price, floor_price=unit_price, recurring_price=unit_price
    )


def test_a_line_at_rate_0_keeps_its_category() -> None:
    exempt = VatRate(parts_per_million=0, category=VatCategory.E, reason="Museum")
    lines = (Line(2, 500, 1, UNTAXED), Line(1, 700, 1, exempt), Line(3, 1081, 1, VAT))

    assert untaxed_lines(lines, AT_NET, basis=GROSS) == (*lines[:2], Line(3, 1000, 1, REVERSE))


def test_the_invoice_has_the_category_of_the_customer() -> None:
    lines = untaxed_lines([Line(1, 10_810, 2, VAT)], AT_NET, basis=GROSS)
    ten = PromoCode(code="TEN", kind=Percentage.percent(10))

    invoice = en16931_totals(checkout_totals(lines, promo_codes=[ten]))

    assert invoice.breakdown == (InvoiceVat(rate=REVERSE, base=18_000, vat=0),)
    assert (invoice.due, invoice.rounding) == (18_000, 0)


@given(checkouts(sizes=Sizes(lines=8, automatic=2, codes=2)), st.sampled_from(PriceBasis))
def test_prices_kept_in_their_own_basis_are_discounted_as_usual(plain: Any, basis: PriceBasis) -> None:
    request = plain._replace(policy=TotalsPolicy(price_basis=basis))
    customer = UntaxedCustomer(rate=REVERSE, kept=basis)

    usual = priced(request)
    untaxed = priced(request._replace(lines=untaxed_lines(request.lines, customer, basis=basis)))

    assert untaxed.total_gross == untaxed.total_net
    assert untaxed.total_net == (usual.total_net if basis is NET else usual.total_gross)
    assert not any(row.vat for row in untaxed.vat_breakdown)


@given(st.integers(0, 10**9), st.integers(101, MILLION), st.sampled_from(PriceBasis))
def test_other_prices_are_rounded_once_per_unit(price: int, parts: int, basis: PriceBasis) -> None:
    usual = Line(1, price, 1, VatRate(parts_per_million=parts))
    customer = AT_NET if basis is GROSS else AT_GROSS

    (line,) = untaxed_lines([usual], customer, basis=basis)

    if basis is GROSS:
        assert line.unit_price == price - half_up(Fraction(price * parts, MILLION + parts))
        assert line.unit_price == checkout_totals([usual]).total_net
    else:
        assert line.unit_price == price + half_up(Fraction(price * parts, MILLION))


@pytest.mark.parametrize("rate", [VAT, "AE", 0])
def test_a_customer_has_a_rate_of_0(rate: Any) -> None:
    with pytest.raises(InvalidRate, match="rate is"):
        UntaxedCustomer(rate=rate)


def test_invalid_arguments_are_refused() -> None:
    with pytest.raises(InvalidOption, match="kept"):
        UntaxedCustomer(rate=REVERSE, kept="neither")  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="basis"):
        untaxed_lines([], AT_NET, basis="neither")  # type: ignore[arg-type]
    with pytest.raises(InvalidLines, match="unit_price is -1"):
        untaxed_lines([Line(1, -1, 1, VAT)], AT_NET, basis=GROSS)
    with pytest.raises(InvalidLines, match="lines is"):
        untaxed_lines(Line(1, 1, 1, VAT), AT_NET, basis=GROSS)  # type: ignore[arg-type]
