"""Numbers in JSON have exactly the digits of the amount."""

import re
from decimal import Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.money.amounts import LARGEST_AMOUNT
from faregate.money.currency import Currency, currency
from faregate_http.protocol.numbers import major_units, percent

CURRENCIES = [currency(code) for code in ("JPY", "CHF", "KWD")]

# Five hundred items with the largest amount.
LARGEST_TOTAL = 500 * LARGEST_AMOUNT

PLAIN = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?")


def written(number: float) -> str:
    return msgspec.json.encode(number).decode()


@pytest.mark.parametrize("unit", CURRENCIES, ids=lambda unit: unit.code)
@given(amount=st.integers(-LARGEST_TOTAL, LARGEST_TOTAL))
def test_an_amount_is_written_exactly_and_plainly(unit: Currency, amount: int) -> None:
    text = written(major_units(unit)(amount))

    assert PLAIN.fullmatch(text)
    assert Decimal(text).scaleb(unit.exponent) == amount


@given(st.integers(0, 10**6))
def test_a_rate_is_written_exactly_in_percent(parts_per_million: int) -> None:
    text = written(percent(parts_per_million))

    assert PLAIN.fullmatch(text)
    assert Decimal(text) * 10_000 == parts_per_million


@pytest.mark.parametrize(
    ("code", "amount", "text"),
    [
        ("CHF", 4950, "49.5"),
        ("CHF", 0, "0"),
        ("CHF", 1, "0.01"),
        ("CHF", -5, "-0.05"),
        ("JPY", 1235, "1235"),
        ("KWD", 1235, "1.235"),
    ],
)
def test_amounts_are_written_as_in_these_examples(code: str, amount: int, text: str) -> None:
    assert written(major_units(currency(code))(amount)) == text
