"""Amounts and percentages as text. Decisions §1.1 and §1.2."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from faregate.errors import CurrencyMismatch, InvalidAmount, InvalidRate
from faregate.money.amounts import (
    LARGEST_AMOUNT,
    Money,
    format_minor_units,
    format_percent,
    parse_minor_units,
    parts_per_million,
)
from faregate.money.currency import currency


@pytest.mark.parametrize(
    ("text", "code", "amount"),
    [
        ("49.5", "CHF", 4950),
        ("-0", "CHF", 0),
        ("007", "CHF", 700),
        pytest.param("0" * 63 + "7", "CHF", 700, id="64 digits"),
        ("12.3400", "CHF", 1234),
        (Decimal("1e3"), "CHF", 100_000),
        (Decimal("5E-2"), "CHF", 5),
        (Decimal("1200e-2"), "CHF", 1200),
        (Decimal("0e-9"), "CHF", 0),
        ("0.0001", "CLF", 1),
        (-3, "JPY", -3),
        (Decimal("12.35"), "CHF", 1235),
        (Decimal("1E+1"), "CHF", 1000),
        ("10000000000", "CHF", LARGEST_AMOUNT),
        ("-10000000000.00", "CHF", -LARGEST_AMOUNT),
    ],
)
def test_an_amount_in_major_units_is_read_exactly(text: str | int | Decimal, code: str, amount: int) -> None:
    assert parse_minor_units(text, currency(code)) == amount


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        " 1",
        "1 ",
        "1\n",
        "+1",
        "--1",
        ".5",
        "1.",
        "1,50",
        "1'000",
        "1_000",
        "0x10",
        "e3",
        "1e",
        "NaN",
        "Infinity",
        "-inf",
        "１",  # noqa: RUF001  a full-width digit
        "0" * 65,
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("Infinity"),
        True,
        False,
        49.5,
        float("nan"),
        None,
        b"1",
        Fraction(1, 2),
        Fraction(3),
    ],
)
def test_an_amount_is_a_finite_decimal_number(text: str) -> None:
    with pytest.raises(InvalidAmount) as raised:
        parse_minor_units(text, currency("CHF"))

    assert str(raised.value) == f"{text!r} is not an amount"


@pytest.mark.parametrize(
    ("text", "code", "exponent"),
    [
        ("12.345", "CHF", 2),
        ("0.5", "JPY", 0),
        ("1.0001", "KWD", 3),
        (Decimal("1e-3"), "CHF", 2),
        ("-0.001", "CHF", 2),
        (Decimal("1e-999999999"), "CHF", 2),
        (Decimal("0.001"), "CHF", 2),
    ],
)
def test_more_decimals_than_the_currency_has_are_refused(
    text: str | Decimal, code: str, exponent: int
) -> None:
    with pytest.raises(InvalidAmount) as raised:
        parse_minor_units(text, currency(code))

    assert str(raised.value) == f"{text} has more decimals than {code}, which has {exponent}"


@pytest.mark.parametrize(
    "text",
    ["10000000000.01", "-10000000000.01", Decimal("1e11"), Decimal("1e999999999"), 10**11, Decimal("1e20")],
)
def test_an_amount_above_the_maximum_is_refused(text: str | int | Decimal) -> None:
    with pytest.raises(InvalidAmount) as raised:
        parse_minor_units(text, currency("CHF"))

    assert str(raised.value) == f"{text} exceeds the limit of 1000000000000 minor units"


@pytest.mark.parametrize("text", ["1e3", "1E3", "1.5e-1", "1e999999999"])
def test_a_text_with_an_exponent_is_refused(text: str) -> None:
    with pytest.raises(InvalidAmount) as raised:
        parse_minor_units(text, currency("CHF"))

    assert str(raised.value) == f"{text!r} has an exponent: write the amount in full"


@pytest.mark.parametrize("number", [2**256, -(2**256), pytest.param(10**5_000, id="5001 digits")])
def test_a_number_longer_than_python_prints_is_refused_too(number: int) -> None:
    with pytest.raises(InvalidAmount, match=r"^a number with too many digits is not an amount$"):
        parse_minor_units(number, currency("JPY"))


def test_a_refused_number_of_256_bits_is_shown_in_full() -> None:
    # 78 digits: too long to parse, short enough to print
    with pytest.raises(InvalidAmount, match=f"^{2**256 - 1} is not an amount$"):
        parse_minor_units(2**256 - 1, currency("JPY"))


@pytest.mark.parametrize(
    ("amount", "code", "text"),
    [
        (4950, "CHF", "49.50"),
        (-5, "CHF", "-0.05"),
        (7, "JPY", "7"),
        (12_345, "CLF", "1.2345"),
        (10**14, "CHF", "1000000000000.00"),
    ],
)
def test_an_amount_prints_with_all_the_decimals_of_its_currency(amount: int, code: str, text: str) -> None:
    assert format_minor_units(amount, currency(code)) == text


@pytest.mark.parametrize(
    ("text", "code", "printed"),
    [("49.5", "CHF", "CHF 49.50"), ("-7", "JPY", "JPY -7"), (3, "EUR", "EUR 3.00")],
)
def test_money_prints_its_currency_first(text: str | int, code: str, printed: str) -> None:
    assert str(Money.parse(text, code)) == printed


def test_money_of_one_currency_adds() -> None:
    assert Money.parse("49.5", "CHF").plus(Money.parse("-0.5", "CHF")) == Money.parse(49, "CHF")


def test_money_with_different_cash_steps_can_be_added() -> None:
    coarse = Money(100, replace(currency("CHF"), cash_increment=100))

    assert Money.parse("1", "CHF").plus(coarse) == Money.parse("2", "CHF")


def test_money_of_two_currencies_is_never_converted() -> None:
    with pytest.raises(CurrencyMismatch, match=r"^expected CHF, got EUR$") as raised:
        Money.parse("1", "CHF").plus(Money.parse("1", "EUR"))

    assert (raised.value.expected, raised.value.actual) == ("CHF", "EUR")


@pytest.mark.parametrize(
    ("percent", "parts"),
    [
        ("8.1", 81_000),
        (20, 200_000),
        ("0", 0),
        ("0.0001", 1),
        ("2.60000", 26_000),
        ("1e1", 100_000),
        ("-5", -50_000),
        (Decimal("7.7"), 77_000),
        (Fraction(81, 10), 81_000),
        (Fraction(1, 10_000), 1),
    ],
)
def test_a_percentage_is_read_as_whole_parts_per_million(
    percent: str | int | Decimal | Fraction, parts: int
) -> None:
    assert parts_per_million(percent) == parts


@pytest.mark.parametrize("percent", ["", "8,1", "8.1 %", "NaN", True, None, Decimal("Infinity")])
def test_a_percentage_is_a_decimal_number(percent: str) -> None:
    with pytest.raises(InvalidRate) as raised:
        parts_per_million(percent)

    assert str(raised.value) == f"{percent!r} is not a percentage"


@pytest.mark.parametrize("percent", ["0.00001", "33.33333", Fraction(1, 3), Decimal("1e-5")])
def test_a_percentage_finer_than_one_part_per_million_is_refused(percent: str | Fraction | Decimal) -> None:
    with pytest.raises(InvalidRate) as raised:
        parts_per_million(percent)

    assert str(raised.value) == f"{percent} % is not a whole number of parts per million"


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        (0, "0"),
        (1, "0.0001"),
        (81_000, "8.1"),
        (1_000_000, "100"),
    ],
)
def test_a_percentage_prints_without_trailing_zeros(parts: int, text: str) -> None:
    assert format_percent(parts) == text
