"""Rates and conversions with amounts worked out by hand. Decisions §4."""

from decimal import Decimal
from fractions import Fraction

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import Absolute, DiscountLevel, Percentage, PromoCode
from faregate.errors import InvalidRate
from faregate.money.rounding import RoundingMode
from faregate.tax.rates import GrossNet, Tie, VatAmount, VatLevel, VatRate, gross_from_net, net_from_gross
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import UNTAXED, VAT


@pytest.mark.parametrize("parts", [-1, 1_000_001, 8.1, 81_000.0, True, "81000", None, Decimal(81_000)])
def test_a_rate_is_a_whole_number_of_parts_up_to_a_million(parts: int) -> None:
    with pytest.raises(InvalidRate) as raised:
        VatRate(parts_per_million=parts)

    assert str(raised.value) == f"parts_per_million is {parts!r}, expected an int from 0 to 1000000"


@pytest.mark.parametrize(
    ("percent", "parts", "text"),
    [
        ("8.1", 81_000, "8.1 %"),
        ("0", 0, "0 %"),
        (19, 190_000, "19 %"),
        (Decimal("2.6"), 26_000, "2.6 %"),
        (Fraction(77, 10), 77_000, "7.7 %"),
        ("100", 1_000_000, "100 %"),
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


@pytest.mark.parametrize(
    ("parts", "net_per_gross"),
    # 1 / 1.081, 1 / 1.19, 1 / 1.25, 1 / 2, 1 / 1
    [
        (81_000, (1000, 1081)),
        (190_000, (100, 119)),
        (250_000, (4, 5)),
        (1_000_000, (1, 2)),
        (0, (1, 1)),
    ],
)
def test_the_ratio_of_net_to_gross_is_in_lowest_terms(parts: int, net_per_gross: tuple[int, int]) -> None:
    assert VatRate(parts_per_million=parts).to_net[:2] == net_per_gross


@pytest.mark.parametrize(("gross", "net", "vat"), [(10_810, 10_000, 810), (500, 500, 0), (-386, -324, -62)])
def test_the_tax_is_the_difference(gross: int, net: int, vat: int) -> None:
    assert GrossNet(gross, net).vat == vat


@pytest.mark.parametrize(
    ("gross", "percent", "net"),
    [
        (10_810, "8.1", 10_000),
        (5000, "8.1", 4625),  # 374.65
        (9999, "19", 8403),  # 1596.48
        (-9999, "19", -8403),
        (1500, "2.6", 1462),  # 38.01
        (1234, "0", 1234),
        (3, "100", 1),  # 1.5, the tax half up
        (0, "19", 0),
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
        (RoundingMode.CEILING, 92),
        (RoundingMode.DOWN, 93),
        (RoundingMode.FLOOR, 93),
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
        (10_000, "8.1", RoundingMode.HALF_UP, 10_810),
        (250, "2.6", RoundingMode.HALF_UP, 257),  # 6.5
        (250, "2.6", RoundingMode.HALF_EVEN, 256),
        (-324, "19", RoundingMode.HALF_UP, -386),
        (777, "0", RoundingMode.UP, 777),
    ],
)
def test_tax_is_added_to_net_and_rounded_once(net: int, percent: str, mode: RoundingMode, gross: int) -> None:
    assert gross_from_net(net, VatRate.percent(percent), mode=mode) == gross


def nets(level: VatLevel, *lines: Line) -> list[int]:
    totals = checkout_totals(list(lines), policy=TotalsPolicy(vat_level=level))
    return [line.total_net for line in totals.lines]


def test_net_is_given_back_within_a_rate() -> None:
    lines = [Line(1, 100, 1, VAT), Line(2, 100, 1, UNTAXED), Line(3, 100, 1, VAT)]

    # The tax in 200 is 14.99: 185 net, at least 92 per line.
    assert nets(VatLevel.RATE, *lines) == [93, 100, 92]


def test_the_unit_given_back_goes_to_the_largest_remainder_not_to_the_largest_line() -> None:
    half = PromoCode(code="HALF", kind=Percentage.percent(50, level=DiscountLevel.LINE))

    totals = checkout_totals([Line(1, 26, 1, VAT), Line(2, 10, 1, VAT)], promo_codes=[half])

    # 12.03 and 4.63, together 17, for both totals and discounts
    assert [line.total_net for line in totals.lines] == [12, 5]
    assert [line.total_discount_net for line in totals.lines] == [12, 5]


def test_net_of_discounts_is_given_back_like_that_of_totals() -> None:
    ten = PromoCode(code="TEN", kind=Absolute(10, DiscountLevel.LINE))

    totals = checkout_totals([Line(key, 100, 1, VAT) for key in (1, 2, 3)], promo_codes=[ten])

    # 9.25 each, together 28; 83.26 each, together 250
    assert [line.total_discount_net for line in totals.lines] == [10, 9, 9]
    assert [line.total_net for line in totals.lines] == [84, 83, 83]


def test_with_net_prices_gross_is_given_back() -> None:
    lines = [Line(key, 106, 1, VAT) for key in (1, 2, 3)]

    totals = checkout_totals(lines, policy=TotalsPolicy(price_basis=PriceBasis.NET))

    # 25.76 on 318: 344 gross, at least 114 per line.
    assert [line.total_gross for line in totals.lines] == [115, 115, 114]
    assert totals.vat_breakdown == (VatAmount(VAT, 318, 26, 344),)


def test_with_net_prices_each_line_may_be_rounded_on_its_own() -> None:
    lines = [Line(key, 106, 1, VAT) for key in (1, 2, 3)]
    policy = TotalsPolicy(price_basis=PriceBasis.NET, vat_level=VatLevel.LINE)

    # 8.586 on each 106
    assert [line.total_gross for line in checkout_totals(lines, policy=policy).lines] == [115, 115, 115]


@pytest.mark.parametrize(("level", "net"), [(VatLevel.LINE, 10), (VatLevel.UNIT, 9)])
def test_the_discount_of_each_unit_may_be_rounded_on_its_own_too(level: VatLevel, net: int) -> None:
    # A fifth of the gross is tax: 0.8 in the 4 off each unit, 2.4 in all 12.
    lines = [Line(1, 12, 3, VatRate.percent(25))]
    code = PromoCode(code="OFF", kind=Absolute(12))

    (line,) = checkout_totals(lines, promo_codes=[code], policy=TotalsPolicy(vat_level=level)).lines

    assert line.total_discount_net == net


@pytest.mark.parametrize(
    ("unit_price", "quantity", "off", "by_rate", "by_unit"),
    [
        # A fifth of the gross is tax: 0.8 in each 4, 2.4 in all 12.
        pytest.param(4, 3, 0, 10, 9, id="equal units"),
        # 8, 8 and 7 after the discount: 1.6, 1.6 and 1.4, 4.6 in all 23.
        pytest.param(8, 3, 1, 18, 18, id="two units one higher"),
        # 4, 4, 4 and 3: 0.8 three times and 0.6, 3 in all 15.
        pytest.param(4, 4, 1, 12, 11, id="three units one higher"),
        pytest.param(12, 1, 0, 10, 10, id="one unit is a line"),
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


@pytest.mark.parametrize(
    ("level", "net"),
    # Three lines of two units at 100: 14.99 in each line, 7.49 in each unit, 44.96 in all.
    [(VatLevel.RATE, 555), (VatLevel.LINE, 555), (VatLevel.UNIT, 558)],
)
def test_breakdown_is_the_sum_of_rounded_amounts(level: VatLevel, net: int) -> None:
    lines = [Line(key, 100, 2, VAT) for key in (1, 2, 3)]

    totals = checkout_totals(lines, policy=TotalsPolicy(vat_level=level))

    assert totals.vat_breakdown == (VatAmount(VAT, net, 600 - net, 600),)


@pytest.mark.parametrize(("tie", "net"), [(Tie.TAX, 287), (Tie.NET, 288)])
@pytest.mark.parametrize("level", VatLevel)
def test_the_tie_applies_to_checkouts(level: VatLevel, tie: Tie, net: int) -> None:
    # 2.99 at 4 %: 11.5 cents of tax
    policy = TotalsPolicy(vat_level=level, tie=tie)

    assert checkout_totals([Line(1, 299, 1, VatRate.percent(4))], policy=policy).total_net == net


def test_breakdown_is_ascending_by_rate_and_adds_up() -> None:
    lines = [
        Line(1, 1081, 1, VAT),
        Line(2, 500, 1, UNTAXED),
        Line(3, 1026, 2, VatRate(parts_per_million=26_000)),
    ]

    breakdown = checkout_totals(lines).vat_breakdown

    assert breakdown == (
        VatAmount(UNTAXED, net=500, vat=0, gross=500),
        VatAmount(VatRate(parts_per_million=26_000), net=2000, vat=52, gross=2052),
        VatAmount(VAT, net=1000, vat=81, gross=1081),
    )
