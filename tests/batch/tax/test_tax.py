"""Tax of columns: refusals, and amounts whose product with the rate exceeds int64."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from faregate.batch.tax.net_gross import gross_from_net, net_from_gross
from faregate.errors import InvalidAmount, InvalidRate
from faregate.tax import rates as tax
from faregate.tax.rates import Tie, VatRate


@pytest.mark.parametrize("function", [net_from_gross, gross_from_net])
def test_first_impossible_rate_is_named(function: Callable[..., Any]) -> None:
    amounts, rates = np.full(40_000, 100), np.full(40_000, 81_000)
    rates[[20_000, 20_001]] = 1_000_001, -1

    with pytest.raises(
        InvalidRate, match=r"^row 20000: parts_per_million is 1000001, expected an int from 0 to 1000000$"
    ):
        function(amounts, rates)


def test_gross_beyond_int64_is_refused() -> None:
    with pytest.raises(InvalidAmount, match=r"^row 1: 9223372036854775808 does not fit int64$"):
        gross_from_net(np.array([2**62 - 1, 2**62]), VatRate.percent(100))


@pytest.mark.parametrize("tie", Tie)
def test_least_amount_has_a_net(tie: Tie) -> None:
    least = -(2**63)

    found = net_from_gross(np.array([1081, least]), VatRate.percent("8.1"), tie=tie)

    assert found.tolist() == [1000, tax.net_from_gross(least, VatRate.percent("8.1"), tie=tie)]
