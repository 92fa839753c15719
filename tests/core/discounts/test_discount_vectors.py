"""Single and combined discounts. SOURCES.md describes the sources."""

from collections.abc import Callable
from itertools import permutations

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import CodeOrder, Fairness, PercentRounding, Stacking, TotalsPolicy
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    Percentage,
    PromoCode,
)
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.baskets.as_written import basket, cents

AS_ENTERED = TotalsPolicy(code_order=CodeOrder.AS_ENTERED)
TEN = Absolute(cents("10.00"))


def code(name: str, kind: DiscountKind, *, priority: int = 0, exclusive: bool = False) -> PromoCode:
    return PromoCode(code=name, kind=kind, priority=priority, exclusive=exclusive)


def percent(value: int) -> Percentage:
    return Percentage.percent(value)


# ---------------------------------------------------------------- one discount


@pytest.mark.parametrize(
    ("price", "percentage", "discount", "total"),
    [
        # saleor#12040
        pytest.param("19.99", 25, "5.00", "14.99", id="DISC-P11"),
        # Sylius#14522
        pytest.param("10.50", 15, "1.58", "8.92", id="DISC-P13"),
        # ErpNet.FP#151
        pytest.param("25.45", 10, "2.55", "22.90", id="DISC-P14"),
    ],
)
@pytest.mark.parametrize("level", DiscountLevel)
def test_percentage_rounds_the_discount_half_up(
    level: DiscountLevel, price: str, percentage: int, discount: str, total: str
) -> None:
    kind = Percentage.percent(percentage, level=level)

    totals = checkout_totals(basket(price), promo_codes=[code("PERCENT", kind)])

    assert totals.promo_code_discount == cents(discount)
    assert totals.total_gross == cents(total)


@pytest.mark.parametrize(
    ("price", "percentage", "total"),
    [
        # Sylius#14522 wants this; binary floats give 8.92
        pytest.param("10.50", 15, "8.93", id="DISC-P13"),
        # ErpNet.FP#151, the result of the cash register
        pytest.param("25.45", 10, "22.91", id="DISC-P14"),
    ],
)
@pytest.mark.parametrize("level", DiscountLevel)
def test_percentage_may_round_the_price_instead(
    level: DiscountLevel, price: str, percentage: int, total: str
) -> None:
    policy = TotalsPolicy(percent_rounding=PercentRounding.PRICE)
    kind = Percentage.percent(percentage, level=level)

    totals = checkout_totals(basket(price), promo_codes=[code("PERCENT", kind)], policy=policy)

    assert totals.total_gross == cents(total)


def test_discount_of_half_a_cent_is_rounded_up() -> None:
    """DISC-P16: recurly-js#906, as 10 % of 394.95."""
    totals = checkout_totals(basket("394.95"), promo_codes=[code("P10", percent(10))])

    assert totals.promo_code_discount == cents("39.50")


@pytest.mark.parametrize(
    ("level", "discount"),
    [
        # computed
        pytest.param(DiscountLevel.CART, "0.02", id="DISC-P17-cart"),
        pytest.param(DiscountLevel.LINE, "0.03", id="DISC-P17-line"),
    ],
)
def test_percentage_is_rounded_once_per_scope(level: DiscountLevel, discount: str) -> None:
    kind = Percentage.percent(10, level=level)

    totals = checkout_totals(basket("0.05", "0.05", "0.05"), promo_codes=[code("P10", kind)])

    assert totals.promo_code_discount == cents(discount)


def test_discount_above_the_price_is_limited_to_the_price() -> None:
    """DISC-P8: Sylius, feature: 200.00 off goods for 100.00 and shipping for 6.00."""
    totals = checkout_totals(basket("100.00", "6.00"), promo_codes=[code("OFF", Absolute(cents("200.00")))])

    assert totals.total_discount_gross == cents("106.00")
    assert totals.total_gross == 0


# ---------------------------------------------------------------- combined discounts


def entered_in_order(first: DiscountKind, second: DiscountKind, lines: list[Line]) -> CheckoutTotals:
    return checkout_totals(lines, promo_codes=[code("Z", first), code("A", second)], policy=AS_ENTERED)


def ranked_by_priority(first: DiscountKind, second: DiscountKind, lines: list[Line]) -> CheckoutTotals:
    return checkout_totals(lines, promo_codes=[code("A", second, priority=1), code("Z", first, priority=4)])


def ranked_by_lane(first: DiscountKind, second: DiscountKind, lines: list[Line]) -> CheckoutTotals:
    early, late = PromoCode(code="Z", kind=first, lane=1), PromoCode(code="A", kind=second, lane=2)
    return checkout_totals(lines, promo_codes=[late, early])


@pytest.mark.parametrize("ordered", [entered_in_order, ranked_by_priority, ranked_by_lane])
@pytest.mark.parametrize(
    ("first", "second", "total"),
    [
        # shopware#1251
        pytest.param(TEN, percent(25), "67.50", id="DISC-P1-amount-first"),
        pytest.param(percent(25), TEN, "65.00", id="DISC-P1-percentage-first"),
        # Sylius, feature: priorities 1 and 4, then swapped
        pytest.param(percent(20), TEN, "70.00", id="DISC-P2-percentage-first"),
        pytest.param(TEN, percent(20), "72.00", id="DISC-P2-amount-first"),
    ],
)
def test_second_code_applies_to_the_price_after_the_first(
    ordered: Callable[[DiscountKind, DiscountKind, list[Line]], CheckoutTotals],
    first: DiscountKind,
    second: DiscountKind,
    total: str,
) -> None:
    totals = ordered(first, second, basket("100.00"))

    assert totals.total_gross == cents(total)


def test_exclusive_code_beats_priority() -> None:
    """DISC-P2: Sylius, feature."""
    codes = [code("TEN", TEN, priority=4), code("P20", percent(20), priority=1, exclusive=True)]

    totals = checkout_totals(basket("100.00"), promo_codes=codes)

    assert totals.total_gross == cents("80.00")
    assert [result.valid for result in totals.promo_codes] == [False, True]


@pytest.mark.parametrize("stacking", Stacking)
def test_percentages_of_a_sale_and_a_code_do_not_add_up_to_free(stacking: Stacking) -> None:
    """DISC-P4: saleor#17453, 40 % sale, then 70 % code; both taken of the list price would make 0.00."""
    sale = AutomaticDiscount(id=1, kind=percent(40))

    totals = checkout_totals(
        basket("100.00"),
        automatic=[sale],
        promo_codes=[code("P70", percent(70))],
        policy=TotalsPolicy(stacking=stacking),
    )

    assert totals.total_gross == cents("18.00") != 0


@pytest.mark.parametrize("lines", [basket("2 x 100.00"), basket("100.00", "100.00")])
def test_code_halves_the_sale_price(lines: list[Line]) -> None:
    """DISC-P5: saleor#13831."""
    sale = AutomaticDiscount(id=1, kind=percent(50))

    totals = checkout_totals(lines, automatic=[sale], promo_codes=[code("P50", percent(50))])

    # Two at 100.00, halved to 100.00; the code takes another 50.00.
    assert totals.total_gross == cents("50.00")


@pytest.mark.parametrize("stacking", Stacking)
@pytest.mark.parametrize(
    "codes", list(permutations([code("A", percent(10)), code("B", Absolute(cents("50.00")))]))
)
def test_codes_together_never_exceed_the_price(codes: tuple[PromoCode, ...], stacking: Stacking) -> None:
    """DISC-P7: odoo PR 63106, 10 % and 50.00 on 50.00, in either order."""
    policy = TotalsPolicy(code_order=CodeOrder.AS_ENTERED, stacking=stacking)

    totals = checkout_totals(basket("50.00"), promo_codes=codes, policy=policy)

    assert totals.total_gross == 0
    assert totals.promo_code_discount == cents("50.00")


# ---------------------------------------------------------------- buy one, get one


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(basket("10.00", "10.00", "1.00", "1.00"), id="four lines"),
        pytest.param(basket("2 x 1.00", "2 x 10.00"), id="two lines"),
    ],
)
@pytest.mark.parametrize(
    ("fairness", "discount"),
    [
        # computed; pretix's help text: the cheapest of each group
        pytest.param(Fairness.CUSTOMER, "11.00", id="DISC-P19-customer"),
        # pretix, discount.py: the cheapest of all
        pytest.param(Fairness.MERCHANT, "2.00", id="DISC-P19-merchant"),
    ],
)
def test_every_second_unit_is_free(lines: list[Line], fairness: Fairness, discount: str) -> None:
    policy = TotalsPolicy(fairness=fairness)
    one_and_one = BuyXGetY(buy=1, get=1)

    by_code = checkout_totals(lines, promo_codes=[code("BOGO", one_and_one)], policy=policy)
    automatic = checkout_totals(lines, automatic=[AutomaticDiscount(id=1, kind=one_and_one)], policy=policy)

    assert by_code.total_discount_gross == cents(discount)
    assert automatic.total_discount_gross == cents(discount)
