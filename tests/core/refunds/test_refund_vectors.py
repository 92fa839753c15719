"""Published examples of refunds; their sources are in ``tests/core/SOURCES.md``."""

from datetime import UTC, datetime, timedelta

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.dates.instants import Interval
from faregate.discounts.kinds import (
    EVERYTHING,
    Absolute,
    BuyXGetY,
    Conditions,
    Percentage,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.refunds.orders import PaidOrder, Payment, ReturnedUnits
from faregate.refunds.policy import FeeStep, Guarantee, RefundBasis, RefundPolicy
from faregate.refunds.quote import RefundQuote
from faregate.refunds.quoting import refund_quote
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, checkout_totals

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)
UNTAXED = VatRate.percent(0)


def order_of(totals: CheckoutTotals) -> PaidOrder:
    return PaidOrder(totals=totals, payments=(Payment(name="card", amount=totals.amount_due),))


def quote(totals: CheckoutTotals, *returned: ReturnedUnits, policy: RefundPolicy) -> RefundQuote:
    return refund_quote(order_of(totals), returned, policy=policy, at=AT)


def goods(*prices: int) -> list[Line]:
    return [Line(key, price, 1, UNTAXED) for key, price in enumerate(prices, 1)]


def spend(amount: int, percent: int) -> PromoCode:
    """Return a code that takes a percentage of a basket of at least this amount."""
    return PromoCode(
        code=f"{percent}OFF",
        kind=Percentage.percent(percent),
        priority=percent,
        exclusive=True,
        conditions=Conditions(thresholds=(Threshold(spend=amount),)),
    )


def units(line: int, *positions: int) -> ReturnedUnits:
    return ReturnedUnits(line=line, units=positions)


@pytest.mark.parametrize(
    ("basis", "percent", "part", "prices", "refunds", "taxes"),
    [
        pytest.param(PriceBasis.NET, 25, 20, (6000, 4000), (1500, 1000), (300, 200), id="REF-S1-exclusive"),
        pytest.param(PriceBasis.GROSS, 25, 20, (6000, 4000), (1200, 800), (240, 160), id="REF-S1-inclusive"),
    ],
)
def test_a_part_of_the_price_is_divided_into_net_and_tax(
    basis: PriceBasis,
    percent: int,
    part: int,
    prices: tuple[int, int],
    refunds: tuple[int, int],
    taxes: tuple[int, int],
) -> None:
    lines = [Line(key, price, 1, VatRate.percent(percent)) for key, price in enumerate(prices)]
    totals = checkout_totals(lines, policy=TotalsPolicy(price_basis=basis))
    payout = Guarantee(payout=Percentage.percent(part), scope=EVERYTHING)

    found = quote(totals, units(0, 0), units(1, 0), policy=RefundPolicy(guarantee=payout))

    assert tuple(row.refund for row in found.lines) == refunds
    net = [row.net - row.kept_net for row in found.lines]
    assert tuple(row.refund - own for row, own in zip(found.lines, net, strict=True)) == taxes
    (row,) = found.vat_breakdown
    assert (row.gross, row.vat) == (sum(refunds), sum(taxes))


@pytest.mark.parametrize(
    ("prices", "discount", "returned", "published", "rounding"),
    [
        pytest.param((10_000, 5_000), 5_000, 1, 6700, 50, id="REF-P1-A"),
        pytest.param((10_000, 5_000), 5_000, 2, 3300, 50, id="REF-P1-B"),
        pytest.param((10_000, 5_000, 2_500), 2_500, 1, 8550, 75, id="REF-P2"),
    ],
)
def test_a_share_is_the_price_less_its_part_of_the_discount(
    prices: tuple[int, ...], discount: int, returned: int, published: int, rounding: int
) -> None:
    totals = checkout_totals(goods(*prices), promo_codes=[PromoCode(code="OFF", kind=Absolute(discount))])

    found = quote(totals, units(returned, 0), policy=RefundPolicy(basis=RefundBasis.SHARE))

    # P1 is rounded to whole units, the share of the price paid in P2 to a whole percentage.
    assert abs(found.amount - published) <= rounding


@pytest.mark.parametrize(
    ("prices", "discount", "returned", "published"),
    [
        pytest.param([1399] * 3, 1399, 1, 933, id="REF-P3-equal"),
        pytest.param([599, 1399, 1399], 599, 1, 493, id="REF-P3-cheap"),
        pytest.param([599, 1399, 1399], 599, 2, 1152, id="REF-P3-dear"),
    ],
)
def test_a_free_item_is_shared_over_all_items(
    prices: list[int], discount: int, returned: int, published: int
) -> None:
    totals = checkout_totals(goods(*prices), promo_codes=[PromoCode(code="FREE", kind=Absolute(discount))])

    found = quote(totals, units(returned, 0), policy=RefundPolicy())

    assert abs(found.amount - published) <= 1  # the source calls its figures approximate


def test_the_discount_of_a_combination_stays_with_the_discounted_unit() -> None:
    """REF-P4: five shirts and three ties at 10 each; two shirts bought give 10 % off a tie."""
    shirts, ties = Line(1, 1000, 5, UNTAXED, product=1), Line(2, 1000, 3, UNTAXED, product=2)
    deal = PromoCode(
        code="TIE",
        kind=BuyXGetY(2, 1, 100_000, rewards=Scope(products=frozenset({2}))),
        scope=Scope(products=frozenset({1})),
    )
    totals = checkout_totals([shirts, ties], promo_codes=[deal])

    assert totals.total_gross == 7800
    assert quote(totals, units(1, 0), policy=RefundPolicy()).amount == 1000


def test_a_lower_tier_applies_to_the_rest() -> None:
    """REF-R1: 600 less 30 % is 420; without goods for 200, 400 less 20 % is 320: the refund is 100."""
    tiers = [spend(60_000, 30), spend(40_000, 20), spend(20_000, 10)]
    totals = checkout_totals(goods(20_000, 40_000), promo_codes=tiers)

    assert totals.total_gross == 42_000
    for basis in (RefundBasis.REPRICE, RefundBasis.FLOOR):
        assert quote(totals, units(1, 0), policy=RefundPolicy(basis=basis)).amount == 10_000


def test_a_lost_minimum_quantity_leaves_the_rest_at_its_full_price() -> None:
    """REF-R2: 25 % off five items, which cost 52 with a discount of 17; one is kept at its full price."""
    minimum = Conditions(thresholds=(Threshold(quantity=5),))
    code = PromoCode(code="FIVE", kind=Absolute(1700), conditions=minimum)
    totals = checkout_totals(goods(1380, 1380, 1380, 1380, 1380), promo_codes=[code])
    returned = [units(key, 0) for key in range(1, 5)]

    found = quote(totals, *returned, policy=RefundPolicy(basis=RefundBasis.REPRICE))

    assert totals.total_gross == 5200
    assert found.amount == 5200 - 1380


@pytest.mark.parametrize(
    ("days", "fee"),
    [(101, 0), (100, 0), (99, 60), (41, 60), (40, 90), (16, 90), (15, 100), (0, 100)],
    ids=lambda value: f"REF-F1-{value}",
)
def test_a_scale_of_cancellation_fees(days: int, fee: int) -> None:
    scale = [(100, 0), (41, 60), (16, 90), (None, 100)]
    steps = [
        FeeStep(
            notice=None if notice is None else timedelta(days=notice),
            fee=Percentage.percent(percent) if percent else None,
            rate=UNTAXED,
        )
        for notice, percent in scale
    ]
    start = AT + timedelta(days=days)
    line = Line(1, 10_000, 1, UNTAXED, validity=Interval(start, start + timedelta(days=7)))

    found = quote(checkout_totals([line]), units(1, 0), policy=RefundPolicy(fees=tuple(steps)))

    assert found.amount == 10_000 - 100 * fee


def test_a_service_fee_is_not_refunded() -> None:
    """REF-K1: a ticket at 1500 with a service fee of 5 %; 1500 are refunded."""
    ticket, service = Line(1, 150_000, 1, UNTAXED, product=1), Line(2, 7_500, 1, UNTAXED, product=2)
    policy = RefundPolicy(non_refundable=Scope(products=frozenset({2})))

    found = quote(checkout_totals([ticket, service]), units(1, 0), units(2, 0), policy=policy)

    assert found.amount == 150_000
    assert sum(row.gross for row in found.kept) == 7_500
