"""Laws of amounts and percentages: exact conversion from and to text. Decisions §1."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from faregate.money._iso4217 import MINOR_UNITS
from faregate.money.amounts import (
    MILLION,
    Money,
    format_minor_units,
    format_percent,
    parse_minor_units,
    parts_per_million,
)
from faregate.money.currency import Currency, currency
from faregate.money.rounding import round_to_increment

every_currency = st.sampled_from([code for codes in MINOR_UNITS.values() for code in codes.split()]).map(
    currency
)
currencies = st.one_of(st.sampled_from(("JPY", "CHF", "EUR", "KWD", "HUF")).map(currency), every_currency)
minor_units = st.one_of(st.integers(-1100, 1100), st.integers(-(10**12), 10**12))


def test_tested_currencies_have_0_2_and_3_decimals() -> None:
    assert [currency(code).exponent for code in ("JPY", "CHF", "KWD")] == [0, 2, 3]


@given(minor_units, currencies)
def test_a_printed_amount_parses_to_the_same_amount(amount: int, unit: Currency) -> None:
    text = format_minor_units(amount, unit)

    assert parse_minor_units(text, unit) == amount
    assert parse_minor_units(Decimal(text), unit) == amount
    assert Money.parse(text, unit.code) == Money(amount, unit)


@given(minor_units, currencies)
def test_an_amount_prints_with_exactly_the_decimals_of_its_currency(amount: int, unit: Currency) -> None:
    text = format_minor_units(amount, unit)

    assert Fraction(text) == Fraction(amount, 10**unit.exponent)
    assert len(text.partition(".")[2]) == unit.exponent
    assert str(Money(amount, unit)) == f"{unit.code} {text}"


@given(minor_units, currencies, st.integers(0, 4))
def test_trailing_zeros_and_missing_decimals_do_not_matter(amount: int, unit: Currency, zeros: int) -> None:
    text = format_minor_units(amount, unit)
    exact = Decimal(text)

    assert parse_minor_units(f"{exact:f}{'0' * zeros if unit.exponent else ''}", unit) == amount
    assert parse_minor_units(f"{exact.normalize():f}", unit) == amount


@given(st.integers(-(10**8), 10**8), currencies)
def test_a_whole_number_is_in_major_units(whole: int, unit: Currency) -> None:
    assert parse_minor_units(whole, unit) == whole * 10**unit.exponent


@given(minor_units, currencies)
def test_cash_is_paid_in_steps_of_the_currency(amount: int, unit: Currency) -> None:
    cash = round_to_increment(amount, unit.cash_increment)

    assert cash % unit.cash_increment == 0
    assert 2 * abs(cash - amount) <= unit.cash_increment
    assert unit.cash_increment > 1 or cash == amount


@given(st.integers(0, 10 * MILLION))
def test_a_printed_percentage_parses_to_the_same_percentage(parts: int) -> None:
    text = format_percent(parts)

    assert parts_per_million(text) == parts
    assert Fraction(text) == Fraction(parts, 10_000)
    assert not text.endswith(("0", ".")) or text.isdigit()


@given(st.integers(0, 10 * MILLION))
def test_a_percentage_reads_the_same_from_every_exact_type(parts: int) -> None:
    percent = Fraction(parts, 10_000)

    assert parts_per_million(percent) == parts
    assert parts_per_million(Decimal(parts).scaleb(-4)) == parts
    if percent.denominator == 1:
        assert parts_per_million(int(percent)) == parts
