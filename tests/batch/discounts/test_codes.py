"""Codes entered in many baskets: refusals, codes that apply, and reasons for rejection."""

from typing import Any

import numpy as np
import pytest

from faregate.basket.policy import CodeOrder, TotalsPolicy
from faregate.batch.discounts.codes import CodeColumns
from faregate.batch.discounts.eligibility import REASONS, VALID
from faregate.batch.discounts.promo_codes import codes_need_scalar
from faregate.batch.totals.pipeline import checkout_totals
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import (
    Absolute,
    BuyXGetY,
    FixedPrice,
    Percentage,
    PromoCode,
    UnknownCode,
)
from faregate.errors import InvalidDiscount, InvalidInput
from support.columns.lines import (
    columns,
    ints,
)

TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
ONE_OFF = PromoCode(code="ONE", kind=Absolute(100))


def entered(*baskets: tuple[int, ...]) -> CodeColumns:
    """Return these indexes of codes, a tuple for each basket."""
    return CodeColumns(
        offsets=np.cumsum([0, *map(len, baskets)]), codes=ints(*[place for own in baskets for place in own])
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"codes": np.zeros(3)}, r"^codes: expected int64 \[n\] or an int of 64 bits, got float64 \[3\]$"),
        ({"codes": [0, 1, 0]}, r"^codes: expected int64 \[n\], got list$"),
        ({"codes": np.zeros((3, 1), np.int64)}, r"^codes: expected int64 \[n\], got int64 \[3, 1\]$"),
        ({"codes": ints(0, 1)}, r"^offsets: expected 0 first and 2 last, got 0 and 3$"),
        ({"codes": ints(0, 1, -1)}, r"^codes: expected indexes of at least 0, got -1$"),
        ({"offsets": np.array([0.0, 3.0])}, r"^offsets: expected int64 \[n\] or an int of 64 bits"),
    ],
)
def test_columns_that_do_not_fit_are_refused(changed: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"offsets": ints(0, 2, 3), "codes": ints(0, 1, 0)}

    with pytest.raises(InvalidInput, match=message):
        CodeColumns(**(given | changed))


@pytest.mark.parametrize("codes", [(1, 1, 0), (1, 0, 1), (0, 2, 0)])
def test_code_entered_twice_is_named_with_its_basket(codes: tuple[int, ...]) -> None:
    with pytest.raises(InvalidDiscount, match=r"^row 2: the same code is entered twice$"):
        entered((0, 1), (), codes)


@pytest.mark.parametrize(
    ("codes", "got"),
    [
        (entered(), "0 baskets and indexes up to -1"),
        (entered((0,), (0,), ()), "3 baskets and indexes up to 0"),
        (entered((0,), (1,)), "2 baskets and indexes up to 1"),
    ],
)
def test_codes_that_do_not_match_the_baskets_or_the_rules_are_refused(codes: CodeColumns, got: str) -> None:
    message = rf"^codes entered: expected 2 baskets and indexes below 1, got {got}$"

    with pytest.raises(InvalidInput, match=message):
        checkout_totals(columns(1, 1), promo_codes=[TEN], entered=codes)


@pytest.mark.parametrize("twin", [TEN, UnknownCode("ten")])
def test_duplicate_promo_codes_are_refused(twin: Any) -> None:
    with pytest.raises(
        InvalidDiscount, match=r"^expected different promo codes, got \['TEN', 'ONE', 'TEN'\]$"
    ):
        checkout_totals(columns(1), promo_codes=[TEN, ONE_OFF, twin])


def test_by_default_every_code_is_entered_in_every_basket() -> None:
    totals = checkout_totals(columns(1, 0, 1), promo_codes=[ONE_OFF, TEN])

    assert totals.promo_codes.entered.codes.tolist() == [0, 1, 0, 1, 0, 1]
    assert totals.promo_codes.amounts.tolist() == [90 + 10, 100, 0, 0, 100, 100]


def test_codes_may_have_any_fitting_dtype() -> None:
    codes = CodeColumns(offsets=np.array([0, 1, 1], np.int32), codes=np.zeros(1, np.uint8))

    totals = checkout_totals(columns(1, 1), promo_codes=[TEN], entered=codes)

    assert totals.total_gross.tolist() == [900, 1000]


@pytest.mark.parametrize(
    ("order", "alone"),
    [(CodeOrder.RANKED, None), (CodeOrder.AS_ENTERED, [3]), (CodeOrder.BEST, [0, 3])],
)
def test_only_baskets_with_their_own_order_use_the_scalar(order: CodeOrder, alone: list[int] | None) -> None:
    codes, policy = entered((0, 1), (0,), (), (1, 0), (0,)), TotalsPolicy(code_order=order)

    needed = codes_need_scalar([TEN, ONE_OFF], codes, policy)

    assert (None if needed is None else np.flatnonzero(needed).tolist()) == alone


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (UnknownCode("NONE"), RejectionReason.UNKNOWN),
        (PromoCode(code="X", kind=Absolute(1), uses_left=0), RejectionReason.USED_UP),
        (PromoCode(code="X", kind=BuyXGetY(3, 1)), RejectionReason.MINIMUM_NOT_REACHED),
        (PromoCode(code="X", kind=FixedPrice(5000, 2)), RejectionReason.NOT_APPLICABLE),
    ],
)
def test_code_that_does_not_apply_has_a_reason(code: Any, reason: RejectionReason) -> None:
    totals = checkout_totals(columns(2, 2), promo_codes=[code, ONE_OFF])

    results = totals.promo_codes
    assert [results.reason(entry) for entry in range(4)] == [reason, None, reason, None]
    assert results.reasons.tolist() == [REASONS.index(reason), VALID] * 2
    assert results.amounts.tolist() == [0, 100, 0, 100]


def test_personal_codes_apply_to_their_one_basket() -> None:
    count = 3000
    codes = [PromoCode(code=f"P{place}", kind=Absolute(1 + place % 900)) for place in range(count)]
    own = CodeColumns(offsets=np.arange(count + 1), codes=np.arange(count)[::-1])

    totals = checkout_totals(columns(*[1] * count), promo_codes=codes, entered=own)

    assert totals.promo_code_discount.tolist() == [1 + place % 900 for place in reversed(range(count))]
