"""Bundles with parts, worked out by hand. Decisions §3.6."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import AutomaticChoice, Fairness, TotalsPolicy
from faregate.dates.instants import Interval
from faregate.discounts.eligibility import RejectionReason, Shortfall
from faregate.discounts.kinds import (
    EVERYTHING,
    Absolute,
    AutomaticDiscount,
    Bundle,
    BundlePart,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PromoCode,
    Scope,
)
from faregate.errors import ContextRequired, InvalidDiscount
from faregate.explanations.descriptions import describe_kind
from faregate.explanations.explanation import explain
from faregate.money.currency import currency
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.shops.small_shop import UNTAXED, VISITS

MERCHANT = TotalsPolicy(fairness=Fairness.MERCHANT)
TENTH = Percentage.percent(10, level=DiscountLevel.LINE)


def lines(*rows: tuple[int, int, int]) -> list[Line]:
    """Return lines of (product, unit price, quantity)."""
    return [Line(n, price, units, UNTAXED, product=own) for n, (own, price, units) in enumerate(rows, 1)]


def part(units: int, *products: int) -> BundlePart:
    return BundlePart(Scope(products=frozenset(products)), units)


FAMILY = (part(2, 1), part(2, 2))
FOR_30 = Bundle(parts=FAMILY, price=3000)


def taken(kind: Bundle, basket: list[Line], policy: TotalsPolicy | None = None) -> list[int]:
    """Return the discount on each line, as an automatic discount; a code without others takes the same."""
    policy = policy or TotalsPolicy()
    totals = checkout_totals(basket, automatic=[AutomaticDiscount(id=1, kind=kind)], policy=policy)
    by_code = checkout_totals(basket, promo_codes=[PromoCode(code="A", kind=kind)], policy=policy)
    amounts = [line.auto_discount_amount for line in totals.lines]
    assert [line.promo_code_discount for line in by_code.lines] == amounts
    return amounts


@pytest.mark.parametrize(
    ("kind", "basket", "expected"),
    [
        # 2 x 18.00 + 2 x 6.00 = 48.00; the 18.00 saved are shared 36 to 12.
        pytest.param(FOR_30, lines((1, 1800, 2), (2, 600, 2)), [1350, 450], id="a family"),
        pytest.param(FOR_30, lines((1, 1800, 3), (2, 600, 3)), [1350, 450], id="others pay in full"),
        pytest.param(FOR_30, lines((1, 1800, 2), (3, 600, 2)), [0, 0], id="no child"),
        pytest.param(FOR_30, lines((1, 800, 2), (2, 600, 2)), [0, 0], id="dearer than its parts"),
        # The dearest adults are 18.00; the second bundle would cost 30.00 without the offer.
        pytest.param(FOR_30, lines((1, 900, 2), (1, 1800, 2), (2, 600, 4)), [0, 1350, 450], id="the dearest"),
        pytest.param(
            Bundle(parts=FAMILY, price=3000, at_most=1),
            lines((1, 1800, 4), (2, 600, 4)),
            [1350, 450],
            id="at most one",
        ),
        # 20 % of 48.00 = 9.60
        pytest.param(
            Bundle(parts=FAMILY, parts_per_million=200_000),
            lines((1, 1800, 3), (2, 600, 2)),
            [720, 240],
            id="a fifth off",
        ),
        # Line 2 may be in both parts: 2 x 9.00 + 5.00 = 23.00, and 13.00 x 5 / 23 = 2.83.
        pytest.param(
            Bundle(parts=(part(2, 1, 2), part(1, 2)), price=1000),
            lines((1, 500, 2), (2, 900, 2)),
            [283, 1017],
            id="parts overlap",
        ),
        pytest.param(
            Bundle(parts=(BundlePart(EVERYTHING), part(1, 1)), price=0),
            lines((2, 500, 1), (2, 900, 1)),
            [0, 0],
            id="a unit fills one part",
        ),
    ],
)
def test_amounts(kind: Bundle, basket: list[Line], expected: list[int]) -> None:
    assert taken(kind, basket) == expected


def test_a_merchant_bundles_the_cheapest_units_as_often_as_possible() -> None:
    basket = lines((1, 800, 2), (1, 1800, 2), (2, 600, 3))

    # 2 x 8.00 + 2 x 6.00 = 28.00, two below the price
    assert taken(FOR_30, basket, MERCHANT) == [0, 0, 0]
    assert taken(Bundle(parts=FAMILY, price=2000), basket, MERCHANT) == [457, 0, 343]


@pytest.mark.parametrize(
    ("policy", "expected"), [(TotalsPolicy(), [229, 0, 171, 0]), (MERCHANT, [0, 229, 0, 171])]
)
def test_of_equal_units_those_of_one_end_are_bundled(policy: TotalsPolicy, expected: list[int]) -> None:
    once = Bundle(parts=(part(1, 1), part(1, 2)), price=1000, at_most=1)

    assert taken(once, lines((1, 800, 1), (1, 800, 1), (2, 600, 2), (2, 600, 1)), policy) == expected


@pytest.mark.parametrize(
    ("basket", "missing"),
    [
        (lines((1, 1800, 1)), 3),
        (lines((1, 1800, 9)), 2),
        (lines((1, 1800, 1), (2, 600, 3)), 1),
    ],
)
def test_a_code_reports_the_units_that_are_missing(basket: list[Line], missing: int) -> None:
    totals = checkout_totals(basket, promo_codes=[PromoCode(code="A", kind=FOR_30)])

    (result,) = totals.promo_codes
    assert getattr(result, "reason", None) is RejectionReason.MINIMUM_NOT_REACHED
    assert getattr(result, "missing", None) == Shortfall(quantity=missing)


def test_a_code_limits_the_units_in_whole_bundles() -> None:
    code = PromoCode(code="A", kind=FOR_30, max_units=7)

    assert checkout_totals(lines((1, 1800, 4), (2, 600, 4)), promo_codes=[code]).promo_code_discount == 1800


PAIR = Bundle(parts=(part(2, 1), part(1, 2)), price=0)


@pytest.mark.parametrize(
    ("kind", "most", "amount"), [(PAIR, None, 141), (PAIR, 99, 99), (FixedPrice(100, 3), None, 41)]
)
def test_units_of_a_line_may_differ_by_one(kind: DiscountKind, most: int | None, amount: int) -> None:
    first = PromoCode(code="A", kind=Absolute(1), priority=1)  # 1.01 is left of two units at 0.51
    second = PromoCode(code="B", kind=kind, max_amount=most)

    totals = checkout_totals(lines((1, 51, 2), (2, 40, 1)), promo_codes=[first, second])

    assert [result.total_amount for result in totals.promo_codes] == [1, amount]


def with_others(basket: list[Line], *others: Bundle | Percentage) -> CheckoutTotals:
    kinds = enumerate((FOR_30, *others), 1)
    return checkout_totals(basket, automatic=[AutomaticDiscount(id=n, kind=kind) for n, kind in kinds])


def test_units_outside_the_bundle_get_another_discount() -> None:
    totals = with_others(lines((1, 1800, 3), (2, 600, 2)), TENTH)

    # The family saves 18.00; 10 % of the third adult is 1.80.
    assert totals.auto_discount_amount == 1800 + 180


def test_a_bundle_that_saves_less_than_other_discounts_does_not_apply() -> None:
    half = Percentage.percent(50, level=DiscountLevel.LINE)

    assert with_others(lines((1, 1800, 2), (2, 600, 2)), half).auto_discount_amount == 2400


def test_two_bundles_share_the_units() -> None:
    pair = Bundle(parts=(part(1, 1), part(1, 2)), parts_per_million=100_000, at_most=1)
    totals = with_others(lines((1, 1800, 3), (2, 600, 3)), pair)

    assert totals.auto_discount_amount == 1800 + 240


def test_beyond_the_search_limit_the_bundles_are_tried_in_turn() -> None:
    totals = with_others(lines((1, 1800, 400), (2, 600, 400)), TENTH)

    assert totals.auto_discount_amount == 200 * 1800
    assert not totals.automatic_is_exact


def test_the_steps_explain_the_share_of_each_line() -> None:
    totals = with_others(lines((1, 1800, 3), (2, 600, 2)), TENTH)

    trace = explain(totals, currency=currency("CHF")).trace
    notes = [step.note for step in trace.of("auto_discount_amount", line=1)]
    assert "2 + 2 for 30.00: 18.00 x 36.00 / 48.00" in notes


def test_a_unit_in_a_bundle_without_a_share_leaves_the_steps_without_shares() -> None:
    # 1.01 for 0.99: the two cents go to the lines at 0.50, and the third unit is not listed.
    kind = Bundle(parts=(part(2, 1), part(1, 2)), price=99)
    totals = checkout_totals(
        lines((1, 50, 1), (1, 50, 1), (2, 1, 1)), automatic=[AutomaticDiscount(id=1, kind=kind)]
    )

    assert [line.auto_discount_amount for line in totals.lines] == [1, 1, 0]
    assert [step.note for step in explain(totals).trace.of("auto_discount_amount", line=1)] == [
        "2 + 1 for 99"
    ]


def test_steps_of_bundles_of_a_whole_basket_name_only_the_bundle() -> None:
    policy = TotalsPolicy(automatic_choice=AutomaticChoice.LINE)
    rule = AutomaticDiscount(id=1, kind=FOR_30)
    totals = checkout_totals(lines((1, 1800, 3), (2, 600, 2)), automatic=[rule], policy=policy)
    by_code = checkout_totals(
        lines((1, 1800, 2), (2, 600, 2)), promo_codes=[PromoCode(code="A", kind=FOR_30)]
    )

    for figure, priced in (("auto_discount_amount", totals), ("promo_code_discount", by_code)):
        assert [step.note for step in explain(priced).trace.of(figure, line=1)] == ["2 + 2 for 3000"]


def test_descriptions() -> None:
    assert describe_kind(FOR_30, currency=currency("CHF")) == "2 + 2 for 30.00"
    assert describe_kind(Bundle(parts=FAMILY, parts_per_million=150_000)) == "2 + 2 at 15 % off"


MONDAY, TUESDAY = VISITS


def on(day: Interval | None, *rows: tuple[int, int, int]) -> list[Line]:
    """Return lines for *day*, of (product, unit price, quantity); keys start at 1, or at 11 on Tuesday."""
    first = 10 if day is TUESDAY else 0
    return [line._replace(key=line.key + first, validity=day, zone="UTC") for line in lines(*rows)]


@pytest.mark.parametrize(
    ("kind", "basket", "policy", "expected"),
    [
        pytest.param(
            FOR_30, on(MONDAY, (1, 1800, 2)) + on(TUESDAY, (2, 600, 2)), None, [0, 0], id="different days"
        ),
        pytest.param(
            replace(FOR_30, same_day=False),
            on(MONDAY, (1, 1800, 2)) + on(TUESDAY, (2, 600, 2)),
            None,
            [1350, 450],
            id="any day",
        ),
        # 48.00 on Monday and 2 x 20.00 + 2 x 6.00 = 52.00 on Tuesday: 40.00 off, shared 36 : 12 : 40 : 12
        pytest.param(
            FOR_30,
            on(MONDAY, (1, 1800, 2), (2, 600, 2)) + on(TUESDAY, (1, 2000, 2), (2, 600, 2)),
            None,
            [1440, 480, 1600, 480],
            id="each day",
        ),
        # Only Tuesday's bundle counts, which saves 22.00: 40 : 12.
        pytest.param(
            replace(FOR_30, at_most=1),
            on(MONDAY, (1, 1800, 2), (2, 600, 2)) + on(TUESDAY, (1, 2000, 2), (2, 600, 2)),
            None,
            [0, 0, 1692, 508],
            id="the dearest day",
        ),
        # For the merchant it is Monday's, which saves 18.00.
        pytest.param(
            replace(FOR_30, at_most=1),
            on(MONDAY, (1, 1800, 2), (2, 600, 2)) + on(TUESDAY, (1, 2000, 2), (2, 600, 2)),
            MERCHANT,
            [1350, 450, 0, 0],
            id="the cheapest day",
        ),
        # 52.00 and 48.00 on Monday, 48.00 on Tuesday: 58.00 saved on 40 : 36 : 24 : 36 : 12.
        pytest.param(
            replace(FOR_30, at_most=3),
            on(MONDAY, (1, 2000, 2), (1, 1800, 2), (2, 600, 4)) + on(TUESDAY, (1, 1800, 4), (2, 600, 4)),
            None,
            [1568, 1411, 940, 1411, 470],
            id="equal bundles of two days",
        ),
    ],
)
def test_units_of_a_bundle_are_for_one_day(
    kind: Bundle, basket: list[Line], policy: TotalsPolicy | None, expected: list[int]
) -> None:
    assert taken(kind, basket, policy) == expected


def test_bundles_of_several_days_beside_another_rule() -> None:
    basket = on(MONDAY, (1, 1800, 3), (2, 600, 2)) + on(TUESDAY, (1, 2000, 2), (2, 600, 1), (2, 500, 1))

    # 18.00 and 2 x 20.00 + 6.00 + 5.00 - 30.00 = 21.00; 10 % of the third adult is 1.80.
    assert with_others(basket, TENTH).auto_discount_amount == 1800 + 2100 + 180
    limited = [
        AutomaticDiscount(id=1, kind=replace(FOR_30, at_most=1)),
        AutomaticDiscount(id=2, kind=TENTH),
    ]
    # 21.00, and 10 % of 66.00
    assert checkout_totals(basket, automatic=limited).auto_discount_amount == 2100 + 660


def test_a_code_counts_the_missing_units_of_the_best_day() -> None:
    basket = on(MONDAY, (1, 1800, 2)) + on(TUESDAY, (1, 1800, 1), (2, 600, 2))

    (result,) = checkout_totals(basket, promo_codes=[PromoCode(code="A", kind=FOR_30)]).promo_codes
    assert getattr(result, "missing", None) == Shortfall(quantity=1)


def test_a_day_needs_a_zone() -> None:
    basket = [line._replace(zone=None) for line in on(MONDAY, (1, 1800, 2), (2, 600, 2))]

    with pytest.raises(ContextRequired, match="a bundle needs the time zone"):
        taken(FOR_30, basket)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Bundle(parts=(), price=1), "expected 1 to 8 parts of a bundle, got 0"),
        (lambda: Bundle(parts=FAMILY * 5, price=1), "expected 1 to 8 parts of a bundle, got 10"),
        (lambda: Bundle(parts=FAMILY), "expected either price or parts_per_million of a bundle, got neither"),
        (lambda: Bundle(parts=FAMILY, price=1, parts_per_million=101), "got both"),
        (
            lambda: Bundle(parts=FAMILY, parts_per_million=15),
            "parts_per_million is 15: for 15 % write parts_per_million=150000",
        ),
        (lambda: Bundle(parts=FAMILY, price=-1), "price is -1, expected an int of at least 0"),
        (lambda: Bundle(parts=FAMILY, price=1, at_most=0), "at_most is 0, expected an int of at least 1"),
        (lambda: Bundle(parts=((EVERYTHING, 2),), price=1), "parts contains"),  # type: ignore[arg-type]
        (lambda: BundlePart(EVERYTHING, 0), "units is 0, expected an int of at least 1"),
    ],
)
def test_what_a_bundle_cannot_be(build: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidDiscount, match=message):
        build()
