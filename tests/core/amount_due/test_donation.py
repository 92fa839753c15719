"""Donations that round a total up. Decisions §6."""

import pytest

from faregate.amount_due.donation import donation_amount
from faregate.errors import InvalidAmount


@pytest.mark.parametrize(
    ("total", "step", "donation"),
    [
        (4735, 500, 265),
        (5000, 500, 0),
        (5001, 500, 499),
        (4999, 500, 1),
        (0, 500, 0),
        (4735, 1, 0),
        (3, 10_000, 9997),
    ],
)
def test_the_donation_rounds_the_total_up_to_a_whole_step(total: int, step: int, donation: int) -> None:
    assert donation_amount(total, step=step) == donation


@pytest.mark.parametrize(("total", "step"), [(-1, 500), (4735, 0), (4735, -500)])
def test_a_donation_needs_a_total_of_at_least_0_and_a_step(total: int, step: int) -> None:
    expected = "expected a total of at least 0 and a step of at least 1"

    with pytest.raises(InvalidAmount, match=f"^{expected}, got total {total} and step {step}$"):
        donation_amount(total, step=step)
