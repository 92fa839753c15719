"""Totals to store keep the rules that took part, and price as before."""

from typing import Any

from hypothesis import given

from faregate.basket.lines import Line
from faregate.basket.policy import SubscriptionBasis, TotalsPolicy
from faregate.discounts.automatic_choice import MAX_RIVALS
from faregate.discounts.kinds import Absolute, AutomaticDiscount, Percentage, PromoCode, UnknownCode
from faregate.documents import dump, verify
from faregate.tax.rates import VatRate
from faregate.totals import with_used_rules
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.totals.request import PricingRequest
from support.baskets.stacked_discounts import automatic, off
from support.baskets.whole_checkouts import Sizes, checkouts, priced

UNTAXED = VatRate.percent(0)
TWO = [Line(1, 1000, 2, UNTAXED), Line(2, 500, 1, UNTAXED)]


def kept(totals: CheckoutTotals) -> list[int]:
    """Return the ids of the automatic discounts that are stored."""
    return [discount.id for discount in with_used_rules(totals).request.automatic]


@given(checkouts(sizes=Sizes(automatic=8), min_automatic=1))
def test_the_stored_price_is_the_price_of_its_request(request: PricingRequest) -> None:
    totals = priced(request)

    stored = with_used_rules(totals)

    assert stored._replace(request=request) == totals
    assert {applied.discount for applied in totals.auto_discounts if applied.total_amount} <= {
        *stored.request.automatic
    }
    assert priced(stored.request) == stored
    assert verify(dump(stored)).difference is None


def test_discounts_that_lost_or_do_not_apply_are_left_out() -> None:
    rules = [automatic(1, off(50), 1), automatic(2, off(100), 1), automatic(3, off(9), 7)]

    assert kept(checkout_totals(TWO, automatic=rules)) == [2]


def test_every_entered_code_is_kept() -> None:
    codes = PromoCode(code="A", kind=Absolute(5)), PromoCode(code="B", kind=Absolute(5), uses_left=0)
    totals = checkout_totals(TWO, promo_codes=[*codes, UnknownCode("C")])

    assert with_used_rules(totals) == totals


def test_a_discount_that_wins_only_in_later_periods_is_kept() -> None:
    small = AutomaticDiscount(id=1, kind=Percentage.percent(50), max_amount=100)
    fixed: Any = {"rate": UNTAXED, "is_subscription": True}
    trial = Line(1, 0, 1, recurring_price=5000, **fixed)
    policy = TotalsPolicy(subscription_basis=SubscriptionBasis.RECURRING)

    totals = checkout_totals([trial], automatic=[small, automatic(2, off(1), 7)], policy=policy)

    assert (totals.auto_discount_amount, totals.total_subscription_gross) == (0, 4900)
    assert kept(totals) == [1]


def test_all_discounts_are_kept_if_there_are_too_many_to_compare() -> None:
    rivals = [automatic(n, Absolute(n), 1, 2) for n in range(1, MAX_RIVALS + 2)]
    totals = checkout_totals(TWO, automatic=rivals)

    assert not totals.automatic_is_exact
    assert len(kept(totals)) == MAX_RIVALS + 1
