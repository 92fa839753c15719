"""First and recurring payments of subscriptions, worked out by hand. Decisions §5, §7."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, SubscriptionBasis, TotalsPolicy
from faregate.discounts.eligibility import Context
from faregate.discounts.kinds import Absolute, Conditions, PromoCode, Threshold
from faregate.errors import InvalidLines
from faregate.totals.pipeline import checkout_totals
from support.baskets.totals_by_hand import TENTH_OFF
from support.shops.small_shop import NOW, VAT

PASS = Line(1, 60_000, 1, VAT, is_subscription=True)
FIFTY_OFF = PromoCode(code="FIFTY", kind=Absolute(5000))


@pytest.mark.parametrize(
    ("basis", "gross", "net"),
    [
        (SubscriptionBasis.FIRST_PERIOD, 49_000, 45_328),
        (SubscriptionBasis.RECURRING, 54_000, 49_954),
    ],
)
def test_subscription_totals_are_the_first_or_the_recurring_payment(
    basis: SubscriptionBasis, gross: int, net: int
) -> None:
    # 600.00 less a tenth is 540.00, including 40.46 at 8.1 %; less 50.00 it is 490.00, including 36.72.
    totals = checkout_totals(
        [PASS],
        automatic=[TENTH_OFF],
        promo_codes=[FIFTY_OFF],
        policy=TotalsPolicy(subscription_basis=basis),
    )

    assert (totals.total_subscription_gross, totals.total_subscription_net) == (gross, net)


def test_recurring_totals_follow_the_price_of_a_whole_period() -> None:
    # A first period of 150.00 now; 600.00 less a tenth later. The tenth requires at least 500.00.
    from_500 = replace(TENTH_OFF, conditions=Conditions(thresholds=(Threshold(50_000),)))
    stub = PASS._replace(unit_price=15_000, recurring_price=60_000)

    first, later = (
        checkout_totals([stub], automatic=[from_500], policy=TotalsPolicy(subscription_basis=basis))
        for basis in SubscriptionBasis
    )

    assert (first.total_gross, first.auto_discount_amount) == (later.total_gross, 0) == (15_000, 0)
    assert (first.total_subscription_gross, later.total_subscription_gross) == (15_000, 54_000)


def test_recurring_totals_are_discounted_by_the_instant_of_the_checkout() -> None:
    over = replace(TENTH_OFF, conditions=Conditions(ends_at=NOW))
    stub = PASS._replace(unit_price=15_000, recurring_price=60_000)
    policy = TotalsPolicy(subscription_basis=SubscriptionBasis.RECURRING)

    assert [
        checkout_totals(
            [stub], automatic=[over], policy=policy, context=Context(at=at)
        ).total_subscription_gross
        for at in (NOW - timedelta(seconds=1), NOW)
    ] == [54_000, 60_000]


def test_a_recurring_price_must_be_an_amount() -> None:
    policy = TotalsPolicy(subscription_basis=SubscriptionBasis.RECURRING)

    with pytest.raises(InvalidLines, match=r"^line 1: recurring_price is -1, expected at least 0$"):
        checkout_totals([PASS._replace(recurring_price=-1)], policy=policy)


def test_recurring_totals_of_net_prices_are_taxed_on_top() -> None:
    policy = TotalsPolicy(price_basis=PriceBasis.NET, subscription_basis=SubscriptionBasis.RECURRING)

    totals = checkout_totals([PASS], automatic=[TENTH_OFF], promo_codes=[FIFTY_OFF], policy=policy)

    # 43.74 on 540.00
    assert (totals.total_subscription_gross, totals.total_subscription_net) == (58_374, 54_000)
