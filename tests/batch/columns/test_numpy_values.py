"""Scalar functions accept NumPy integers as ints, and column functions refuse wrong options."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from faregate import batch
from faregate.basket.lines import Line, pricing_lines
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import PerUnit, Scope
from faregate.errors import InvalidOption
from faregate.money.allocation import Allocation, allocate, allocate_capped, split_evenly
from faregate.money.rounding import divide_rounded
from faregate.subscriptions.rules import Monthly
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import VAT

TICKET: Any = Line(1, 1000, 1, VAT)
_context: Any = Context
DAYS = np.array(["2026-01-31"], "datetime64[D]")
ONE = np.array([1])


@pytest.mark.parametrize(
    "call",
    [
        lambda wrong: batch.divide_rounded(ONE, 1, mode=wrong),
        lambda wrong: batch.round_to_increment(ONE, 1, mode=wrong),
        lambda wrong: batch.allocate(ONE, ONE, offsets=np.array([0, 1]), mode=wrong),
        lambda wrong: batch.net_from_gross(ONE, VAT, tie=wrong),
        lambda wrong: batch.gross_from_net(ONE, VAT, mode=wrong),
        lambda wrong: batch.renewal_date(Monthly(), anchor=DAYS, index=1, month_end=wrong),
    ],
)
@pytest.mark.parametrize("wrong", ["rubbish", None, False])
def test_column_functions_refuse_unknown_options(call: Callable[[Any], object], wrong: Any) -> None:
    with pytest.raises(InvalidOption, match="expected"):
        call(wrong)


def test_numpy_integers_are_stored_as_ints() -> None:
    assert type(PerUnit(np.int64(5)).amount) is int  # type: ignore[arg-type]
    assert type(next(iter(Scope(products=frozenset({np.int64(5)})).products))) is int  # type: ignore[arg-type]


def test_lines_may_hold_numpy_integers() -> None:
    of_numpy = TICKET._replace(key=np.int64(1), unit_price=np.int64(1000), product=np.int32(11))

    assert checkout_totals([of_numpy]) == checkout_totals([TICKET._replace(product=11)])
    assert pricing_lines([of_numpy]) == pricing_lines([TICKET._replace(product=11)])


@pytest.mark.parametrize("at", [None, datetime(2026, 1, 1, tzinfo=UTC)])
def test_an_account_may_be_a_numpy_integer(at: datetime | None) -> None:
    assert checkout_totals([TICKET], context=_context(account=np.int64(7), at=at)).total_gross == 1000


def test_amounts_parts_weights_and_caps_may_be_numpy_integers() -> None:
    assert divide_rounded(np.int64(5), 2) == 3  # type: ignore[arg-type]
    assert allocate(np.int64(3), np.array([1, 2])) == (1, 2)  # type: ignore[arg-type]
    assert split_evenly(np.int64(5), np.int64(2)) == (3, 2)  # type: ignore[arg-type]
    assert allocate_capped(4, [1, 1], [np.int64(1), None]) == Allocation((1, 3), 0)  # type: ignore[list-item]
