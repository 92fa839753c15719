"""Codes entered in many baskets: refusals, codes that apply, and reasons for rejection."""

from typing import Any

import numpy as np
import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import CodeOrder, Fairness, TotalsPolicy
from faregate.batch.discounts.codes import CodeColumns
from faregate.batch.discounts.eligibility import REASONS, VALID
from faregate.batch.discounts.promo_codes import codes_need_scalar
from faregate.batch.totals.pipeline import checkout_totals
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import (
    EVERYTHING,
    Absolute,
    BuyXGetY,
    Conditions,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
    Threshold,
    UnknownCode,
)
from faregate.errors import InvalidDiscount, InvalidInput
from faregate.tax.rates import VatRate
from support.columns.lines import (
    assert_is_the_scalar,
    assert_priced_as_the_scalar,
    columns,
    in_a_bucket,
    ints,
    like_north_star,
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


def test_code_may_be_entered_in_several_baskets() -> None:
    both = entered((1, 0), (0, 1))

    assert both.baskets.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("codes", "got"),
    [
        (entered(), "0 baskets and indexes up to -1"),
        (entered((0,)), "1 baskets and indexes up to 0"),
        (entered((0,), (0,), ()), "3 baskets and indexes up to 0"),
        (entered((0,), (1,)), "2 baskets and indexes up to 1"),
        (entered((), (7,)), "2 baskets and indexes up to 7"),
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


def test_each_basket_has_its_own_codes() -> None:
    codes = entered((1, 0), (), (0,))

    totals = checkout_totals(columns(1, 1, 1), promo_codes=[TEN, ONE_OFF], entered=codes)

    assert totals.promo_code_discount.tolist() == [200, 0, 100]
    assert totals.promo_codes.amounts.tolist() == [100, 100, 100]
    assert totals.promo_codes.entered is codes


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


@pytest.mark.parametrize("order", CodeOrder)
def test_order_of_codes_applies_to_baskets_of_any_price(order: CodeOrder) -> None:
    lines = columns(1, 1, 1, 1, unit_price=ints(1000, 2**33, 2**33, 999))
    first, own = PromoCode(code="FIRST", kind=Absolute(300), priority=1), [(0, 1), (1, 0), (), (1, 0)]
    policy = TotalsPolicy(code_order=order)

    totals = checkout_totals(lines, promo_codes=[TEN, first], entered=entered(*own), policy=policy)

    for index, places in enumerate(own):
        codes = [(TEN, first)[place] for place in places]
        assert_is_the_scalar(totals, lines, index, promo_codes=codes, policy=policy)


def test_exclusive_code_excludes_others_only_where_it_is_valid() -> None:
    alone = PromoCode(
        code="ALONE",
        kind=Absolute(50),
        exclusive=True,
        conditions=Conditions(thresholds=(Threshold(spend=1500),)),
    )
    used_up = PromoCode(code="GONE", kind=Absolute(1), uses_left=0)
    rules = [TEN, alone, used_up]

    totals = checkout_totals(columns(2, 1), promo_codes=rules)

    assert totals.promo_code_discount.tolist() == [50, 100]
    assert [totals.promo_codes.reason(entry) for entry in range(6)] == [
        RejectionReason.NOT_COMBINABLE,
        None,
        RejectionReason.USED_UP,
        None,
        RejectionReason.MINIMUM_NOT_REACHED,
        RejectionReason.USED_UP,
    ]


ELSEWHERE = Scope(products=frozenset({99}))


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (UnknownCode("NONE"), RejectionReason.UNKNOWN),
        (PromoCode(code="X", kind=Absolute(1), uses_left=0), RejectionReason.USED_UP),
        (PromoCode(code="X", kind=Absolute(1), budget_left=0), RejectionReason.USED_UP),
        (PromoCode(code="X", kind=Absolute(1), scope=ELSEWHERE), RejectionReason.NOT_APPLICABLE),
        (PromoCode(code="X", kind=Percentage(parts_per_million=101)), RejectionReason.NOT_APPLICABLE),
        (PromoCode(code="X", kind=BuyXGetY(3, 1)), RejectionReason.MINIMUM_NOT_REACHED),
        (PromoCode(code="X", kind=BuyXGetY(2, 1)), RejectionReason.MINIMUM_NOT_REACHED),
        (PromoCode(code="X", kind=BuyXGetY(1, 1, rewards=EVERYTHING)), RejectionReason.MINIMUM_NOT_REACHED),
        (
            PromoCode(code="X", kind=BuyXGetY(3, 1, rewards=Scope(lines=frozenset({1})))),
            RejectionReason.MINIMUM_NOT_REACHED,
        ),
        (PromoCode(code="X", kind=FixedPrice(10, 3)), RejectionReason.MINIMUM_NOT_REACHED),
        (PromoCode(code="X", kind=FixedPrice(5000, 2)), RejectionReason.NOT_APPLICABLE),
    ],
)
def test_code_that_does_not_apply_has_a_reason(code: Any, reason: RejectionReason) -> None:
    totals = checkout_totals(columns(2, 2), promo_codes=[code, ONE_OFF])

    results = totals.promo_codes
    assert [results.reason(entry) for entry in range(4)] == [reason, None, reason, None]
    assert results.reasons.tolist() == [REASONS.index(reason), VALID] * 2
    assert results.amounts.tolist() == [0, 100, 0, 100]


FIRST_LINE = Scope(lines=frozenset({0}))


@pytest.mark.parametrize("fairness", Fairness)
@pytest.mark.parametrize("limit", [None, 333])
@pytest.mark.parametrize(
    "kind",
    [
        Absolute(500),
        Absolute(500, level=DiscountLevel.LINE),
        Percentage.percent("12.5"),
        Percentage.percent("12.5", level=DiscountLevel.LINE),
        PerUnit(333),
        FixedPrice(800),
        FixedPrice(1500, 2),
        BuyXGetY(1, 1),
        BuyXGetY(1, 1, at_most=1, parts_per_million=333_333),
        BuyXGetY(1, 1, rewards=FIRST_LINE),
        BuyXGetY(1, 5, rewards=FIRST_LINE),
        BuyXGetY(2, 1, rewards=Scope(lines=frozenset({0, 1}))),
        BuyXGetY(1, 2**70, rewards=FIRST_LINE),
        BuyXGetY(2**70, 2**70, at_most=2**70),
        BuyXGetY(1, 1, at_most=2**70),
        FixedPrice(2**70, 2),
        FixedPrice(1, 2**70),
        FixedPrice(2**70),
    ],
)
def test_each_kind_of_discount_matches_the_scalar(
    kind: DiscountKind, limit: int | None, fairness: Fairness
) -> None:
    lines = columns(
        *[3] * 5,
        unit_price=700 + np.arange(15) * 173 % 600,
        quantity=1 + np.arange(15) % 4,
        floor_price=np.where(np.arange(15) % 3 == 0, 600, 0),
        discountable=np.arange(15) < 13,
    )
    code = PromoCode(code="X", kind=kind, max_amount=limit)

    assert_priced_as_the_scalar(lines, promo_codes=[code], policy=TotalsPolicy(fairness=fairness))


@pytest.mark.parametrize("is_matrix", [False, True])
@pytest.mark.parametrize("count", [1, 2, 4, 5, 6, 20])
def test_codes_entered_in_few_baskets_match_the_scalar(is_matrix: bool, count: int) -> None:
    flat = like_north_star(*[5] * 20)
    lines = in_a_bucket(flat) if is_matrix else flat
    codes = [
        ONE_OFF,
        PromoCode(code="FEW", kind=Percentage.percent(30), scope=Scope(products=frozenset({0, 1}))),
    ]
    few = [(0, 1) if index * 7 % 20 < count else (0,) for index in range(20)]

    totals = checkout_totals(lines, promo_codes=codes, entered=entered(*few))

    for index, own in enumerate(few):
        assert_is_the_scalar(totals, lines, index, promo_codes=[codes[place] for place in own])


def test_personal_codes_apply_to_their_one_basket() -> None:
    count = 3000
    codes = [PromoCode(code=f"P{place}", kind=Absolute(1 + place % 900)) for place in range(count)]
    own = CodeColumns(offsets=np.arange(count + 1), codes=np.arange(count)[::-1])

    totals = checkout_totals(columns(*[1] * count), promo_codes=codes, entered=own)

    assert totals.promo_code_discount.tolist() == [1 + place % 900 for place in reversed(range(count))]


def test_code_applies_to_lines_by_their_key() -> None:
    first = PromoCode(code="FIRST", kind=Absolute(100), scope=Scope(lines=frozenset({4})))
    by_key = [
        Line(9, 1000, 1, VatRate(parts_per_million=81_000)),
        Line(4, 1000, 1, VatRate(parts_per_million=81_000)),
    ]

    totals = checkout_totals(by_key, promo_codes=[first])

    assert totals.lines.promo_code_discount.tolist() == [0, 100]
