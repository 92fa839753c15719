"""The amount that each kind of discount takes, worked out by hand. Decisions §3.4, §3.6."""

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import Fairness, PercentRounding, TotalsPolicy
from faregate.discounts.amounts import discount_shares
from faregate.discounts.eligibility import RejectionReason, Shortfall
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    Scope,
)
from faregate.discounts.promo_codes import AppliedCode, RejectedCode
from faregate.discounts.targets import Target
from faregate.totals.pipeline import checkout_totals
from support.shops.small_shop import UNTAXED, lines

DEFAULT = TotalsPolicy()
ROUND_PRICE = TotalsPolicy(percent_rounding=PercentRounding.PRICE)
MERCHANT = TotalsPolicy(fairness=Fairness.MERCHANT)

TENTH = Percentage.percent(10)
TENTH_OF_LINES = Percentage.percent(10, level=DiscountLevel.LINE)

Took = tuple[list[int], int]
"""Amount taken from each line, and the amount not applied."""


def took(
    kind: DiscountKind,
    basket: list[Line],
    *,
    policy: TotalsPolicy = DEFAULT,
    max_amount: int | None = None,
    scope: frozenset[int] = frozenset(),
) -> Took:
    """Return the amounts of a code; an automatic discount on its own must take the same."""
    code = PromoCode(code="A", kind=kind, max_amount=max_amount, scope=Scope(lines=scope))
    rule = AutomaticDiscount(id=1, kind=kind, max_amount=max_amount, scope=Scope(lines=scope))
    by_code = checkout_totals(basket, promo_codes=[code], policy=policy)
    automatic = checkout_totals(basket, automatic=[rule], policy=policy)
    shares = [line.promo_code_discount for line in by_code.lines]

    assert [line.auto_discount_amount for line in automatic.lines] == shares
    (result,) = by_code.promo_codes
    if not isinstance(result, AppliedCode):
        return shares, 0
    assert result.shares == tuple(shares)
    assert automatic.auto_discounts[0].unapplied == result.unapplied
    return shares, result.unapplied


def priced(*units: tuple[int, int]) -> list[Line]:
    """Return lines of (unit price, quantity)."""
    return [Line(key, price, quantity, UNTAXED) for key, (price, quantity) in enumerate(units, start=1)]


# ---------------------------------------------------------------- percentages


@pytest.mark.parametrize(
    ("kind", "policy", "shares"),
    [
        # 31.5 of 315 in all, 10.5 of each 105
        pytest.param(TENTH, DEFAULT, [11, 11, 10], id="cart, discount rounded once"),
        pytest.param(TENTH, ROUND_PRICE, [11, 10, 10], id="cart, price 283.5 rounded once"),
        pytest.param(TENTH_OF_LINES, DEFAULT, [11, 11, 11], id="line by line"),
        pytest.param(TENTH_OF_LINES, ROUND_PRICE, [10, 10, 10], id="line by line, price 94.5 rounded"),
    ],
)
def test_a_percentage_is_rounded_once_per_cart_or_per_line(
    kind: DiscountKind, policy: TotalsPolicy, shares: list[int]
) -> None:
    assert took(kind, lines(105, 105, 105), policy=policy) == (shares, 0)


def test_a_percentage_of_a_line_applies_to_all_its_units_at_once() -> None:
    # 31.5 of 315, where 10.5 of each unit would be 33
    assert took(TENTH_OF_LINES, priced((105, 3))) == ([32], 0)


def test_a_percentage_discounts_only_the_lines_in_scope() -> None:
    # 10 % of 300 by 100 and 200
    assert took(TENTH, lines(100, 500, 200), scope=frozenset({1, 3})) == ([10, 0, 20], 0)


# ---------------------------------------------------------------- amounts


@pytest.mark.parametrize(
    ("kind", "basket", "shares"),
    [
        # 16.67, 33.33, 50
        pytest.param(Absolute(100), lines(100, 200, 300), [17, 33, 50], id="shared by price"),
        pytest.param(Absolute(700), lines(100, 200, 300), [100, 200, 300], id="more than the total"),
        pytest.param(Absolute(600), lines(100, 200, 300), [100, 200, 300], id="the whole total"),
        pytest.param(Absolute(1), lines(100, 100), [1, 0], id="one cent to the lower key"),
        pytest.param(Absolute(150, DiscountLevel.LINE), lines(100, 200), [100, 150], id="each line"),
        pytest.param(Absolute(150, DiscountLevel.LINE), priced((100, 3)), [150], id="each line once"),
        pytest.param(PerUnit(30), priced((50, 2), (20, 2)), [60, 40], id="each unit"),
        pytest.param(FixedPrice(80), priced((100, 2), (70, 1)), [40, 0], id="each unit at a price"),
        pytest.param(FixedPrice(0), priced((100, 2)), [200], id="each unit for nothing"),
        pytest.param(FixedPrice(80), lines(81, 80, 79), [1, 0, 0], id="no price is raised"),
    ],
)
def test_an_amount_is_taken_according_to_its_kind(
    kind: DiscountKind, basket: list[Line], shares: list[int]
) -> None:
    assert took(kind, basket) == (shares, 0)


# ---------------------------------------------------------------- caps


@pytest.mark.parametrize(
    ("kind", "basket", "shares"),
    [
        # 6.67 each
        pytest.param(TENTH, lines(105, 105, 105), [7, 7, 6], id="cart percentage"),
        # One 100 and one 50 for 100, the 50 off by 100 and 50: 13.33 and 6.67
        pytest.param(FixedPrice(100, 2), lines(100, 50), [13, 7], id="bundle"),
    ],
)
def test_a_code_takes_no_more_than_its_maximum(
    kind: DiscountKind, basket: list[Line], shares: list[int]
) -> None:
    assert took(kind, basket, max_amount=20) == (shares, 0)


@pytest.mark.parametrize(
    ("kind", "shares", "unapplied"),
    [
        # 11, 11, 10; the first may lose 5, the other 27 are 14 and 13
        pytest.param(TENTH, [5, 14, 13], 0, id="cart: the others take it"),
        # 11 each
        pytest.param(TENTH_OF_LINES, [5, 11, 11], 6, id="line: no other line takes it"),
        pytest.param(FixedPrice(90), [5, 15, 15], 10, id="a price below the floor"),
    ],
)
def test_a_floor_price_limits_the_discount(kind: DiscountKind, shares: list[int], unapplied: int) -> None:
    basket = [Line(1, 105, 1, UNTAXED, floor_price=100), *lines(0, 105, 105)[1:]]

    assert took(kind, basket) == (shares, unapplied)


def test_a_floor_price_applies_to_each_unit() -> None:
    # at most 300 less 3 x 90
    assert took(Absolute(100), [Line(1, 100, 3, UNTAXED, floor_price=90)]) == ([30], 70)


def test_a_maximum_that_the_floor_price_leaves_room_for_is_applied_in_full() -> None:
    basket = [Line(1, 105, 1, UNTAXED, floor_price=100), *lines(0, 105, 105)[1:]]

    # 5, 11 and 11 at most; 20 by these weights is 3.70, 8.15 and 8.15
    assert took(TENTH_OF_LINES, basket, max_amount=20) == ([4, 8, 8], 0)


# ---------------------------------------------------------------- bundles


@pytest.mark.parametrize(
    ("kind", "policy", "basket", "shares"),
    [
        # Three of 50, 50, 40, 40. The dearest cost 140, 41 off: 29.29 by 100 and 11.71 by 40.
        pytest.param(FixedPrice(99, 3), DEFAULT, priced((50, 2), (40, 2)), [29, 12], id="the dearest"),
        # The cheapest cost 130, 31 off: 11.92 by 50 and 19.08 by 80.
        pytest.param(FixedPrice(99, 3), MERCHANT, priced((50, 2), (40, 2)), [12, 19], id="the cheapest"),
        pytest.param(
            FixedPrice(150, 3), DEFAULT, priced((50, 2), (40, 2)), [0, 0], id="dearer than one by one"
        ),
        # 20 and 20 are cheaper one by one; for the merchant it is all four for 120.
        pytest.param(FixedPrice(60, 2), DEFAULT, priced((50, 2), (20, 2)), [40, 0], id="as far as it pays"),
        # 20 off by 100 and 40: 14.29 and 5.71
        pytest.param(FixedPrice(60, 2), MERCHANT, priced((50, 2), (20, 2)), [14, 6], id="all four"),
    ],
)
def test_a_bundle_price_applies_to_whole_groups(
    kind: DiscountKind, policy: TotalsPolicy, basket: list[Line], shares: list[int]
) -> None:
    assert took(kind, basket, policy=policy) == (shares, 0)


# ---------------------------------------------------------------- buy X get Y


@pytest.mark.parametrize(
    ("kind", "prices", "customer", "merchant"),
    [
        # 30 20 10 | 5 is left over
        pytest.param(BuyXGetY(2, 1), [30, 20, 10, 5], [0, 0, 10, 0], [0, 0, 0, 5], id="3 for 2, one over"),
        pytest.param(
            BuyXGetY(2, 1, at_most=1),
            [60, 50, 40, 30, 20, 10],
            [0, 0, 40, 0, 0, 0],
            [0, 0, 0, 0, 0, 10],
            id="at most once",
        ),
        pytest.param(BuyXGetY(1, 1), [20, 20, 20], [0, 20, 0], [0, 0, 20], id="equal prices by key"),
        pytest.param(BuyXGetY(1, 2), [30, 20, 10], [0, 20, 10], [0, 20, 10], id="two of three"),
        # 8 or 7 of the 15
        pytest.param(BuyXGetY(2, 1, 500_000), [30, 20, 15], [0, 0, 8], [0, 0, 8], id="at half price"),
    ],
)
def test_the_free_units_are_the_cheapest_of_each_group_or_of_all(
    kind: DiscountKind, prices: list[int], customer: list[int], merchant: list[int]
) -> None:
    assert took(kind, lines(*prices)) == (customer, 0)
    assert took(kind, lines(*prices), policy=MERCHANT) == (merchant, 0)


def test_a_reduced_unit_may_have_its_price_rounded_instead() -> None:
    assert took(BuyXGetY(2, 1, 500_000), lines(30, 20, 15), policy=ROUND_PRICE) == ([0, 0, 7], 0)


def test_reduced_units_of_several_lines_are_rounded_once() -> None:
    # Half of 15 and 5 is 10, by 15 and 5: 7.5 and 2.5.
    assert took(BuyXGetY(1, 1, 500_000), lines(15, 15, 5, 5)) == ([0, 8, 0, 2], 0)


@pytest.mark.parametrize(
    ("kind", "quantity", "off", "taken"),
    [
        # 100 is left for three units: 34, 33, 33
        pytest.param(BuyXGetY(2, 1), 3, 20, 33, id="the cheapest of three"),
        # 102 is left for four units: 26, 26, 25, 25
        pytest.param(BuyXGetY(1, 1), 4, 58, 51, id="one dear and one cheap"),
        pytest.param(FixedPrice(50, 3), 4, 58, 27, id="the dearest three for 50"),
    ],
)
def test_units_of_a_line_that_does_not_divide_evenly_differ_by_one(
    kind: DiscountKind, quantity: int, off: int, taken: int
) -> None:
    first = PromoCode(code="FIRST", kind=Absolute(off), priority=1)
    second = PromoCode(code="SECOND", kind=kind)

    totals = checkout_totals(priced((40, quantity)), promo_codes=[first, second])

    assert [result.total_amount for result in totals.promo_codes] == [off, taken]


def test_any_number_of_units_is_priced_without_expanding_them() -> None:
    # A third of a billion, rounded down, at 3 each
    assert took(BuyXGetY(2, 1), priced((3, 10**9))) == ([999_999_999], 0)


# ---------------------------------------------------------------- separate rewards

TICKETS, LUNCHES, DESSERTS = Line(1, 8000, 5, UNTAXED), Line(2, 1500, 1, UNTAXED), Line(3, 900, 3, UNTAXED)
MEALS = Scope(lines=frozenset({2, 3}))


@pytest.mark.parametrize(
    ("kind", "scope", "customer", "merchant"),
    [
        # Five tickets make two groups: the dearest two meals, or the cheapest two.
        pytest.param(BuyXGetY(2, 1, rewards=MEALS), {1}, [0, 1500, 900], [0, 0, 1800], id="a meal for two"),
        pytest.param(
            BuyXGetY(1, 1, at_most=1, rewards=MEALS), {1}, [0, 1500, 0], [0, 0, 900], id="at most one"
        ),
        # Lines 1 and 3 are in scope, but line 3 is a reward too: five units count, not eight.
        pytest.param(
            BuyXGetY(5, 1, rewards=MEALS), {1, 3}, [0, 1500, 0], [0, 0, 900], id="a reward is not a purchase"
        ),
        pytest.param(BuyXGetY(1, 5, rewards=MEALS), {1}, [0, 0, 0], [0, 0, 0], id="too few meals"),
    ],
)
def test_bought_units_may_earn_other_units_free(
    kind: DiscountKind, scope: set[int], customer: list[int], merchant: list[int]
) -> None:
    basket = [TICKETS, LUNCHES, DESSERTS]

    assert took(kind, basket, scope=frozenset(scope)) == (customer, 0)
    assert took(kind, basket, scope=frozenset(scope), policy=MERCHANT) == (merchant, 0)


# ---------------------------------------------------------------- near misses


def refused(kind: DiscountKind, basket: list[Line], scope: Scope) -> tuple[RejectionReason, Shortfall | None]:
    (result,) = checkout_totals(basket, promo_codes=[PromoCode(code="A", kind=kind, scope=scope)]).promo_codes
    assert isinstance(result, RejectedCode)
    return result.reason, result.missing


@pytest.mark.parametrize(
    ("kind", "quantity"),
    [
        (BuyXGetY(2, 1), 1),
        (FixedPrice(99, 3), 1),
        # One more lunch to buy and one to get
        (BuyXGetY(3, 1, rewards=Scope(lines=frozenset({9}))), 2),
        (BuyXGetY(2, 1, rewards=Scope(lines=frozenset({9}))), 1),
        (BuyXGetY(3, 1, rewards=Scope(lines=frozenset({2}))), 1),
        (BuyXGetY(3, 3, rewards=Scope(lines=frozenset({2}))), 3),
    ],
)
def test_a_group_rule_says_how_many_units_are_missing(kind: DiscountKind, quantity: int) -> None:
    basket = [Line(1, 100, 2, UNTAXED), Line(2, 100, 1, UNTAXED)]

    reason, missing = refused(kind, basket, Scope(lines=frozenset({1})))

    assert reason is RejectionReason.MINIMUM_NOT_REACHED
    assert missing == Shortfall(quantity=quantity)


@pytest.mark.parametrize(
    "kind",
    [
        FixedPrice(100),
        FixedPrice(500, 2),
        Percentage.percent("0.1"),
        BuyXGetY(1, 1, 1000),
    ],
)
def test_a_discount_with_no_effect_has_no_shortfall(kind: DiscountKind) -> None:
    # 0.1 % of 100 is 0.1 cents, and no unit costs more than the fixed price.
    assert refused(kind, priced((50, 2)), Scope()) == (RejectionReason.NOT_APPLICABLE, None)


@pytest.mark.parametrize("kind", [TENTH, TENTH_OF_LINES, Absolute(10), PerUnit(10)])
def test_a_free_line_cannot_be_discounted(kind: DiscountKind) -> None:
    assert refused(kind, lines(0, 0), Scope()) == (RejectionReason.NOT_APPLICABLE, None)


@pytest.mark.parametrize("kind", [Absolute(100), FixedPrice(100, 2), BuyXGetY(1, 1)])
def test_a_limit_of_0_counts_as_no_unapplied_amount(kind: DiscountKind) -> None:
    # the amount withheld by floor prices, not by a limit
    target = Target([1000, 1000], [500, 500], [1, 1], [0, 1], None)
    assert discount_shares(kind, target, 0, DEFAULT) == ([0, 0], 0)
