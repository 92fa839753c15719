"""Amounts due in cash. SOURCES.md describes the sources."""

import pytest

from faregate.basket.policy import TotalsPolicy
from faregate.money.currency import currency
from faregate.money.rounding import round_to_increment
from faregate.totals.pipeline import checkout_totals
from support.baskets.as_written import basket, cents

CHF_STEP = currency("CHF").cash_increment


def test_total_is_rounded_to_the_cash_step_once() -> None:
    """CASH-C1: RubyMoney#1117; rounded one by one, the prices would be 1.25 + 0.45."""
    totals = checkout_totals(basket("1.23 @8.1", "0.43 @8.1"), policy=TotalsPolicy(cash_increment=CHF_STEP))

    assert totals.cash_due == cents("1.65")
    assert totals.cash_rounding == cents("-0.01")
    assert totals.amount_due == totals.total_gross == cents("1.66")


@pytest.mark.parametrize(
    ("amount", "rounded"),
    [
        # RubyMoney specification, erpnext#4623
        pytest.param("1.77", "1.75", id="CASH-C2-1.77"),
        pytest.param("1.78", "1.80", id="CASH-C2-1.78"),
        pytest.param("1.75", "1.75", id="CASH-C2-1.75"),
        pytest.param("-1.77", "-1.75", id="CASH-C2-minus-1.77"),
        pytest.param("-1.78", "-1.80", id="CASH-C2-minus-1.78"),
        pytest.param("20.86", "20.85", id="CASH-C2-20.86"),
    ],
)
def test_cash_step_of_the_franc_is_five_rappen(amount: str, rounded: str) -> None:
    assert round_to_increment(cents(amount), CHF_STEP) == cents(rounded)


def test_finer_amounts_round_to_the_same_step() -> None:
    """CASH-C2: ex_money#56, 123.7456 is 123.75; here counted in hundredths of a cent."""
    assert round_to_increment(1_237_456, CHF_STEP * 100) == cents("123.75") * 100
