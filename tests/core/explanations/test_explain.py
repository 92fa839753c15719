"""Steps of lines, refused codes and passed-over discounts, worked out by hand."""

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import Stacking, TotalsPolicy
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    Threshold,
)
from faregate.explanations.descriptions import describe_kind
from faregate.explanations.explanation import explain
from faregate.explanations.steps import PassedOver
from faregate.money.currency import currency
from faregate.totals.pipeline import checkout_totals
from faregate.translations import Text
from support.baskets.told_steps import AUTOMATIC, CODE, FRANCS, LISTED, ODD, YEN, Told, code, told
from support.shops.small_shop import UNTAXED, lines


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Absolute(1250), "12.50 off"),
        (Absolute(1250, DiscountLevel.LINE), "12.50 off each line"),
        (Percentage.percent("12.5"), "12.5 % off"),
        (Percentage.percent(10, level=DiscountLevel.LINE), "10 % off each line"),
        (PerUnit(50), "0.50 off each unit"),
        (FixedPrice(9900), "99.00 each"),
        (FixedPrice(9900, 3), "3 for 99.00"),
        (BuyXGetY(2, 1), "buy 2 get 1"),
        (BuyXGetY(1, 2, 500_000), "buy 1 get 2 at 50 % off"),
    ],
)
def test_a_kind_is_described_in_a_few_words(kind: DiscountKind, words: str) -> None:
    assert describe_kind(kind, currency=FRANCS) == words


@pytest.mark.parametrize(
    ("kind", "plain", "yen"),
    [
        (Absolute(1250), "1250 off", "1250 off"),
        (FixedPrice(9900, 3), "3 for 9900", "3 for 9900"),
        (PerUnit(50), "50 off each unit", "50 off each unit"),
    ],
)
def test_without_a_currency_amounts_are_in_minor_units(kind: DiscountKind, plain: str, yen: str) -> None:
    assert describe_kind(kind) == plain
    assert describe_kind(kind, currency=YEN) == yen


def test_a_line_is_its_list_price_less_each_discount_in_the_order_applied() -> None:
    rule = AutomaticDiscount(id=7, kind=Absolute(1000, DiscountLevel.LINE), name=Text("Early bird"))
    codes = [code("A", Absolute(500)), code("B", Percentage.percent(10, level=DiscountLevel.LINE))]

    totals = checkout_totals([Line(4, 8000, 2, UNTAXED)], automatic=[rule], promo_codes=codes)

    # 160.00 less 10.00; B goes before A and takes 15.00
    assert told(totals, "total_gross", 4) == [
        (LISTED, "", 16_000),
        (AUTOMATIC, "Early bird", -1000),
        (CODE, "B", -1500),
        (CODE, "A", -500),
    ]
    assert told(totals, "total_discount_gross", 4) == [
        (AUTOMATIC, "Early bird", 1000),
        (CODE, "B", 1500),
        (CODE, "A", 500),
    ]
    assert told(totals, "list_price_gross", 4) == [(LISTED, "", 16_000)]
    assert told(totals, "auto_discount_amount", 4) == [(AUTOMATIC, "Early bird", 1000)]
    assert told(totals, "promo_code_discount", 4) == [(CODE, "B", 1500), (CODE, "A", 500)]


@pytest.mark.parametrize(
    ("price", "currency_code", "note"),
    [(7900, "CHF", "2 x 79.00"), (7900, "JPY", "2 x 7900"), (7900, None, "2 x 7900")],
)
def test_the_note_of_the_list_price_has_units_and_price(
    price: int, currency_code: str | None, note: str
) -> None:
    unit = None if currency_code is None else currency(currency_code)

    explained = explain(checkout_totals([Line(1, price, 2, UNTAXED)]), currency=unit)

    assert explained.trace.of("total_gross", line=1)[0].note == note


def test_the_odd_unit_of_a_shared_amount_is_a_separate_step() -> None:
    totals = checkout_totals(lines(100, 100, 100), promo_codes=[code("A", Absolute(100))])

    assert [told(totals, "promo_code_discount", key) for key in (1, 2, 3)] == [
        [(CODE, "A", 33), (ODD, "A", 1)],
        [(CODE, "A", 33)],
        [(CODE, "A", 33)],
    ]
    assert told(totals, "total_gross", 1) == [(LISTED, "", 100), (CODE, "A", -33), (ODD, "A", -1)]


def test_a_share_below_one_unit_is_the_odd_unit_alone() -> None:
    totals = checkout_totals(lines(100, 100), promo_codes=[code("A", Absolute(1))])

    assert told(totals, "promo_code_discount", 1) == [(ODD, "A", 1)]
    assert told(totals, "promo_code_discount", 2) == []


def test_a_share_moved_by_a_floor_price_is_one_step() -> None:
    # 11, 11 and 10 of 105 each; the first may lose 5, so the others take 14 and 13.
    basket = [Line(1, 105, 1, UNTAXED, floor_price=100), *lines(0, 105, 105)[1:]]

    totals = checkout_totals(basket, promo_codes=[code("A", Percentage.percent(10))])

    assert [told(totals, "promo_code_discount", key) for key in (1, 2, 3)] == [
        [(CODE, "A", 5)],
        [(CODE, "A", 14)],
        [(CODE, "A", 13)],
    ]


@pytest.mark.parametrize(
    ("stacking", "second"),
    [
        # 52.5 of 105 rounds to 53. Then 20.5 of 105 and 100 to 21, or 15.2 of 52 and 100 to 15.
        (Stacking.ADDITIVE, {1: [(CODE, "B", 10), (ODD, "B", 1)], 2: [(CODE, "B", 10)]}),
        (Stacking.SEQUENTIAL, {1: [(CODE, "B", 5)], 2: [(CODE, "B", 9), (ODD, "B", 1)]}),
    ],
)
def test_a_second_percentage_is_explained_by_its_base(stacking: Stacking, second: dict[int, Told]) -> None:
    codes = [code("A", Percentage.percent(50), 1), code("B", Percentage.percent(10))]

    totals = checkout_totals(lines(105, 100), promo_codes=codes, policy=TotalsPolicy(stacking=stacking))

    assert told(totals, "promo_code_discount", 1) == [(CODE, "A", 53), *second[1]]
    assert told(totals, "promo_code_discount", 2) == second[2]


def test_automatic_discounts_that_won_nowhere_are_listed_with_their_amounts() -> None:
    best = AutomaticDiscount(id=1, kind=Absolute(300, DiscountLevel.LINE))
    second = AutomaticDiscount(id=2, kind=Absolute(100, DiscountLevel.LINE))
    never = AutomaticDiscount(
        id=3, kind=Absolute(900), conditions=Conditions(thresholds=(Threshold(spend=5000),))
    )

    explained = explain(checkout_totals(lines(1000, 1000), automatic=[second, never, best]))

    assert explained.passed_over == (PassedOver(second, 200),)


def test_a_group_discount_that_won_part_of_its_lines_has_no_odd_units() -> None:
    # 10 off the line outside the group; the second rule takes 100 from one of the two others.
    first = AutomaticDiscount(id=1, kind=Absolute(10, DiscountLevel.LINE))
    second = AutomaticDiscount(id=2, kind=BuyXGetY(1, 1))

    totals = checkout_totals(lines(100, 100, 90), automatic=[first, second])

    assert told(totals, "auto_discount_amount", 1) == []
    assert told(totals, "auto_discount_amount", 2) == [(AUTOMATIC, "automatic discount 2", 100)]
    assert told(totals, "auto_discount_amount", 3) == [(AUTOMATIC, "automatic discount 1", 10)]
