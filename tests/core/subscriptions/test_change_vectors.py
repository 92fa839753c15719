"""Plan changes as other billing systems publish them. SOURCES.md describes the sources."""

from datetime import date

import pytest

from faregate.errors import InvalidPeriod
from faregate.subscriptions.changes import Plan, change_quote
from faregate.subscriptions.rules import Monthly, Yearly


@pytest.mark.parametrize(
    ("prices", "anchor", "on", "credit", "charge"),
    [
        # Stripe documentation, "Prorations": halfway through the billing period
        pytest.param((1000, 2000), "2026-04-01", "2026-04-16", 500, 1000, id="CHG-1"),
        # Autumn documentation, "Proration": halfway; it prints the difference of 15 only
        pytest.param((2000, 5000), "2026-04-01", "2026-04-16", 1000, 2500, id="CHG-2"),
        # Red Hat 3scale, Admin Portal Guide, "Mid-month upgrades": on the first day, and in mid-month
        pytest.param((20_000, 30_000), "2026-04-01", "2026-04-01", 20_000, 30_000, id="CHG-3-first-day"),
        pytest.param((20_000, 30_000), "2026-04-01", "2026-04-16", 10_000, 15_000, id="CHG-3-mid-month"),
    ],
)
def test_credit_and_charge_of_an_upgrade(
    prices: tuple[int, int], anchor: str, on: str, credit: int, charge: int
) -> None:
    old, new = (Plan(price=price, rule=Monthly()) for price in prices)

    quote = change_quote(old, new, anchor=date.fromisoformat(anchor), on=date.fromisoformat(on))

    assert (quote.credit, quote.charge) == (credit, charge)


@pytest.mark.parametrize(
    ("price", "on", "credit_with_tax"),
    [
        # Lago, create_from_termination_spec.rb, 20 % VAT: an upgrade on the 15th; an end on the 15th
        pytest.param(3100, "2022-10-15", 2040, id="CHG-4-upgraded"),
        pytest.param(3100, "2022-10-16", 1920, id="CHG-4-ended"),
        pytest.param(6200, "2022-10-16", 3840, id="CHG-4-ended-62"),
    ],
)
def test_credit_for_unused_days(price: int, on: str, credit_with_tax: int) -> None:
    plan = Plan(price=price, rule=Monthly())

    quote = change_quote(plan, plan, anchor=date(2022, 9, 1), on=date.fromisoformat(on))

    assert quote.credit * 120 == credit_with_tax * 100


def test_used_days_of_a_month() -> None:
    """CHG-4: Lago documentation, "Upgrades and downgrades": 14 of 31 days of 100.00 are 45.16."""
    plan = Plan(price=10_000, rule=Monthly())

    quote = change_quote(plan, plan, anchor=date(2026, 1, 1), on=date(2026, 1, 15))

    assert 10_000 - quote.credit == 4516


def test_repair_of_a_year_paid_in_advance_and_the_month_charged_instead() -> None:
    """CHG-7: Kill Bill, `TestIntegration`: from 2,399.95 a year to 249.95 a month after ten days."""
    year, month = Plan(price=239_995, rule=Yearly()), Plan(price=24_995, rule=Monthly())

    quote = change_quote(year, month, anchor=date(2012, 5, 1), on=date(2012, 5, 11))

    assert (quote.credit, quote.charge, quote.amount) == (233_420, 16_932, -216_488)
    assert quote.effective_on == date(2012, 5, 11)


def test_repair_of_a_month_that_is_blocked() -> None:
    """CHG-8: Kill Bill, integration test of blocking states: 24 of 30 days of 29.95."""
    plan = Plan(price=2995, rule=Monthly())

    assert change_quote(plan, plan, anchor=date(2019, 4, 27), on=date(2019, 5, 3)).credit == 2396


@pytest.mark.parametrize(
    ("price", "anchor", "on", "credit", "published"),
    [
        pytest.param(999, "2023-01-30", "2023-03-15", 500, 499, id="CHG-5"),
        pytest.param(1000, "2026-09-01", "2026-09-16", 500, 495, id="CHG-6"),
    ],
)
def test_amounts_that_others_round_otherwise(
    price: int, anchor: str, on: str, credit: int, published: int
) -> None:
    plan = Plan(price=price, rule=Monthly())

    quote = change_quote(plan, plan, anchor=date.fromisoformat(anchor), on=date.fromisoformat(on))

    assert quote.credit == credit != published


def test_a_change_before_the_subscription_begins_is_refused() -> None:
    plan = Plan(price=2995, rule=Monthly())

    with pytest.raises(InvalidPeriod, match=r"^the change on 2019-04-26 is before the anchor 2019-04-27 "):
        change_quote(plan, plan, anchor=date(2019, 4, 27), on=date(2019, 4, 26))
