"""One cart of any size, whose totals were computed independently with exact integers."""

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Percentage, PromoCode, Scope
from faregate.tax.rates import VatLevel, VatRate
from faregate.totals.pipeline import CheckoutTotals, checkout_totals

RATES = VatRate.percent("8.10"), VatRate.percent("2.60")


def reference_cart(size: int, policy: TotalsPolicy) -> CheckoutTotals:
    """Return *size* lines at two rates: 5.00 off the first two, then 10 % off all, a donation of 2.00."""
    lines = [
        Line(key=i, unit_price=1250 + 375 * (i % 7) + i, quantity=1 + i % 4, rate=RATES[i % 2])
        for i in range(size)
    ]
    return checkout_totals(
        lines,
        automatic=[AutomaticDiscount(id=1, kind=Absolute(500), scope=Scope(lines=frozenset({0, 1})))],
        promo_codes=[PromoCode(code="TEN", kind=Percentage.percent(10))],
        donation=200,
        policy=policy,
    )


@pytest.mark.parametrize(
    ("vat_level", "figures"),
    [
        pytest.param(
            VatLevel.RATE, (50231, 47860, 4973, 500, 5473, 5219, 44958, 42841), id="REFERENCE-10-rate"
        ),
        pytest.param(
            VatLevel.LINE, (50231, 47858, 4973, 500, 5473, 5218, 44958, 42840), id="REFERENCE-10-line"
        ),
    ],
)
def test_every_total_of_ten_lines(vat_level: VatLevel, figures: tuple[int, ...]) -> None:
    totals = reference_cart(10, TotalsPolicy(vat_level=vat_level))

    assert (
        totals.list_price_gross,
        totals.list_price_net,
        totals.promo_code_discount,
        totals.auto_discount_amount,
        totals.total_discount_gross,
        totals.total_discount_net,
        totals.total_gross,
        totals.total_net,
    ) == figures


@pytest.mark.parametrize(
    ("size", "gross", "net"),
    [
        pytest.param(10, 44958, 42841, id="REFERENCE-10"),
        pytest.param(100, 539637, 515237, id="REFERENCE-100"),
        pytest.param(1000, 6466137, 6174049, id="REFERENCE-1000"),
    ],
)
def test_totals_at_any_size(size: int, gross: int, net: int) -> None:
    totals = reference_cart(size, TotalsPolicy())

    assert (totals.total_gross, totals.total_net) == (gross, net)
