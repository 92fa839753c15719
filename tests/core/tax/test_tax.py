"""Rates and conversions with amounts worked out by hand. Decisions §4."""

from decimal import Decimal
from fractions import Fraction

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import Absolute, DiscountLevel, Percentage, PromoCode
from faregate.errors import InvalidRate
from faregate.money.rounding import RoundingMode
from faregate.tax.rates import GrossNet, Tie, VatLevel, VatRate, gross_from_net, net_from_gross
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import VAT


@pytest.mark.parametrize("parts", [-1, 1_000_001, 8.1, 81_000.0, True, "81000", None, Decimal(81_000)])
def test_a_rate_is_a_whole_number_of_parts_up_to_a_million(parts: int) -> None:
    with pytest.raises(InvalidRate) as raised:
        VatRate(parts_per_million=parts)

    assert str(raised.value) == f"parts_per_million is {parts!r}, expected an int from 0 to 1000000"


@pytest.mark.parametrize(
    ("percent", "parts", "text"),
    [
        ("8.1", 81_000, "8.1 %"),
        (Decimal("2.6"), 26_000, "2.6 %"),
        ("0.0101", 101, "0.0101 %"),
    ],
)
def test_a_rate_is_given_and_printed_in_percent(
    percent: str | int | Decimal | Fraction, parts: int, text: str
) -> None:
    rate = VatRate.percent(percent)

    assert rate.parts_per_million == parts
    assert str(rate) == text


@pytest.mark.parametrize(
    ("percent", "message"),
    [
        (8.1, "8.1 is not a percentage: a float is not exact, write '8.1'"),
        ("VAT", "'VAT' is not a percentage"),
        ("8.12345", "8.12345 % is not a whole number of parts per million"),
        ("100.0001", "parts_per_million is 1000001, expected an int from 0 to 1000000"),
        ("-1", "parts_per_million is -10000, expected an int from 0 to 1000000"),
    ],
)
def test_an_invalid_percentage_is_refused(percent: str, message: str) -> None:
    with pytest.raises(InvalidRate) as raised:
        VatRate.percent(percent)

    assert str(raised.value) == message


@pytest.mark.parametrize("parts", [1, 7, 100])
def test_percent_mistaken_for_parts_per_million_is_refused_with_advice(parts: int) -> None:
    with pytest.raises(InvalidRate, match=rf"for {parts} % write VatRate\.percent\({parts}\)$"):
        VatRate(parts_per_million=parts)
    with pytest.raises(TypeError, match="positional"):
        VatRate(parts)  # type: ignore[call-arg]


def test_rates_sort_and_compare_by_value() -> None:
    assert sorted(
        [VatRate(parts_per_million=81_000), VatRate(parts_per_million=0), VatRate(parts_per_million=26_000)]
    ) == [
        VatRate(parts_per_million=0),
        VatRate(parts_per_million=26_000),
        VatRate(parts_per_million=81_000),
    ]
    assert VatRate.percent("8.10") == VatRate(parts_per_million=81_000)
    assert len({VatRate.percent("8.1"), VatRate(parts_per_million=81_000)}) == 1


@pytest.mark.parametrize(("gross", "net", "vat"), [(10_810, 10_000, 810), (500, 500, 0), (-386, -324, -62)])
def test_the_tax_is_the_difference(gross: int, net: int, vat: int) -> None:
    assert GrossNet(gross, net).vat == vat


@pytest.mark.parametrize(
    ("gross", "percent", "net"),
    [
        (9999, "19", 8403),  # 1596.48
        (-9999, "19", -8403),
        (3, "100", 1),  # 1.5, the tax half up
    ],
)
def test_tax_is_taken_out_of_gross_and_rounded_once(gross: int, percent: str, net: int) -> None:
    assert net_from_gross(gross, VatRate.percent(percent)) == net


@pytest.mark.parametrize(
    ("mode", "net"),
    # The tax in 1.00 at 8.1 % is 7.49 cents.
    [
        (RoundingMode.HALF_UP, 93),
        (RoundingMode.UP, 92),
        (RoundingMode.DOWN, 93),
    ],
)
def test_the_mode_rounds_the_tax(mode: RoundingMode, net: int) -> None:
    assert net_from_gross(100, VAT, mode=mode) == net


@pytest.mark.parametrize(
    ("mode", "net"),
    # 1.00 without 8.1 % is 92.51 cents.
    [(RoundingMode.HALF_UP, 93), (RoundingMode.UP, 93), (RoundingMode.DOWN, 92), (RoundingMode.FLOOR, 92)],
)
def test_the_mode_rounds_the_net_if_the_net_is_rounded(mode: RoundingMode, net: int) -> None:
    assert net_from_gross(100, VAT, mode=mode, tie=Tie.NET) == net


@pytest.mark.parametrize(
    ("gross", "percent", "by_tax", "by_net"),
    [
        (299, 4, 287, 288),  # 11.5 and 287.5
        (3, 100, 1, 2),  # 1.5 and 1.5
        (9999, 19, 8403, 8403),  # no half
    ],
)
def test_an_exact_half_goes_to_the_side_that_is_rounded(
    gross: int, percent: int, by_tax: int, by_net: int
) -> None:
    rate = VatRate.percent(percent)

    assert net_from_gross(gross, rate, tie=Tie.TAX) == by_tax
    assert net_from_gross(gross, rate, tie=Tie.NET) == by_net


@pytest.mark.parametrize(
    ("net", "percent", "mode", "gross"),
    [
        (324, "19", RoundingMode.HALF_UP, 386),  # 61.56
        (324, "19", RoundingMode.DOWN, 385),
        (250, "2.6", RoundingMode.HALF_EVEN, 256),
        (-324, "19", RoundingMode.HALF_UP, -386),
    ],
)
def test_tax_is_added_to_net_and_rounded_once(net: int, percent: str, mode: RoundingMode, gross: int) -> None:
    assert gross_from_net(net, VatRate.percent(percent), mode=mode) == gross


def test_the_unit_given_back_goes_to_the_largest_remainder_not_to_the_largest_line() -> None:
    half = PromoCode(code="HALF", kind=Percentage.percent(50, level=DiscountLevel.LINE))

    totals = checkout_totals([Line(1, 26, 1, VAT), Line(2, 10, 1, VAT)], promo_codes=[half])

    # 12.03 and 4.63, together 17, for both totals and discounts
    assert [line.total_net for line in totals.lines] == [12, 5]
    assert [line.total_discount_net for line in totals.lines] == [12, 5]


def test_with_net_prices_each_line_may_be_rounded_on_its_own() -> None:
    lines = [Line(key, 106, 1, VAT) for key in (1, 2, 3)]
    policy = TotalsPolicy(price_basis=PriceBasis.NET, vat_level=VatLevel.LINE)

    # 8.586 on each 106
    assert [line.total_gross for line in checkout_totals(lines, policy=policy).lines] == [115, 115, 115]


@pytest.mark.parametrize(
    ("unit_price", "quantity", "off", "by_rate", "by_unit"),
    [
        # A fifth of the gross is tax: 0.8 in each 4, 2.4 in all 12.
        pytest.param(4, 3, 0, 10, 9, id="equal units"),
        # 8, 8 and 7 after the discount: 1.6, 1.6 and 1.4, 4.6 in all 23.
        pytest.param(8, 3, 1, 18, 18, id="two units one higher"),
    ],
)
def test_each_unit_may_be_rounded_on_its_own(
    unit_price: int, quantity: int, off: int, by_rate: int, by_unit: int
) -> None:
    lines = [Line(1, unit_price, quantity, VatRate.percent(25))]
    codes = [PromoCode(code="OFF", kind=Absolute(off))] if off else []

    for level, net in ((VatLevel.RATE, by_rate), (VatLevel.LINE, by_rate), (VatLevel.UNIT, by_unit)):
        totals = checkout_totals(lines, promo_codes=codes, policy=TotalsPolicy(vat_level=level))
        assert totals.total_net == net, level
