"""The defaults of a policy: the first option listed in the decisions, unless another is named."""

from dataclasses import fields
from enum import Enum

import pytest

from faregate.basket.policy import (
    AutomaticChoice,
    CodeOrder,
    Fairness,
    PercentRounding,
    PriceBasis,
    SinglePurposeRest,
    Stacking,
    SubscriptionBasis,
    ThresholdBase,
    TotalsPolicy,
)
from faregate.tax.rates import Tie, VatLevel


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (PriceBasis, ["gross", "net"]),
        (VatLevel, ["rate", "line", "unit"]),
        (Tie, ["tax", "net"]),
        (AutomaticChoice, ["unit", "line"]),
        (Stacking, ["sequential", "additive"]),
        (CodeOrder, ["ranked", "as_entered", "best"]),
        (PercentRounding, ["discount", "price"]),
        (ThresholdBase, ["after_auto", "list", "running"]),
        (Fairness, ["customer", "merchant"]),
        (SinglePurposeRest, ["keep", "refuse"]),
        (SubscriptionBasis, ["first_period", "recurring"]),
    ],
)
def test_options_have_the_names_and_order_of_the_decisions(kind: type[Enum], names: list[str]) -> None:
    assert [member.value for member in kind] == names


def test_the_first_of_each_option_is_the_default() -> None:
    policy = TotalsPolicy()
    chosen = [getattr(policy, field.name) for field in fields(policy)]
    options = [choice for choice in chosen if isinstance(choice, Enum)]

    assert [next(iter(type(choice))) for choice in options] == options
    assert len(options) == 11


def test_vouchers_leave_the_donation_alone_and_cash_is_not_rounded_by_default() -> None:
    assert TotalsPolicy().vouchers_pay_donation is False
    assert TotalsPolicy().cash_increment == 1
