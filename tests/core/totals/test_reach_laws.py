"""The cases that the strategies must draw, without which the laws prove nothing."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import Phase, find, settings
from hypothesis.errors import NoSuchExample

from faregate.basket.policy import CodeOrder, PriceBasis
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.promo_codes import AppliedCode, RejectedCode
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import MOST_LINES, policies
from support.baskets.whole_checkouts import checkouts, priced
from support.oracles.stacking import automatic_alone

pytestmark = pytest.mark.long
search = settings(max_examples=3_000, database=None, derandomize=True, phases=[Phase.generate])


def valid(totals: CheckoutTotals) -> list[AppliedCode]:
    return [result for result in totals.promo_codes if isinstance(result, AppliedCode)]


def reasons(totals: CheckoutTotals) -> set[RejectionReason]:
    return {result.reason for result in totals.promo_codes if isinstance(result, RejectedCode)}


def is_at_its_floor(totals: CheckoutTotals) -> bool:
    in_net = totals.request.policy.price_basis is PriceBasis.NET
    return any(
        given_line.floor_price * given_line.quantity == (line.total_net if in_net else line.total_gross)
        and given_line.floor_price
        and line.total_discount_gross
        for given_line, line in zip(totals.request.lines, totals.lines, strict=True)
    )


def group_rules_that_lost(totals: CheckoutTotals) -> set[int]:
    """Return the group rules that would have taken something on their own."""
    alone = automatic_alone(totals.request)
    rules = {
        d.id
        for d in totals.request.automatic
        if d.is_group_rule and d.id in alone and any(alone[d.id].shares)
    }
    return rules - {applied.discount.id for applied in totals.auto_discounts}


def refusing(reason: RejectionReason) -> Callable[[CheckoutTotals], bool]:
    return lambda totals: reason in reasons(totals)


CASES: dict[str, Callable[[CheckoutTotals], object]] = {
    "no line at all": lambda totals: not totals.lines,
    "more than forty lines": lambda totals: 40 < len(totals.lines) <= MOST_LINES,
    "three rates, one of them zero": lambda totals: (
        len(totals.vat_breakdown) >= 3 and totals.vat_breakdown[0].rate == VatRate(parts_per_million=0)
    ),
    "everything free": lambda totals: totals.lines and totals.list_price_gross and not totals.total_gross,
    "an amount that times a million is beyond a float": lambda totals: totals.total_gross * 10**6 > 2**53,
    "three valid codes": lambda totals: len(valid(totals)) >= 3,
    "three valid codes and an automatic discount": lambda totals: (
        len(valid(totals)) >= 3 and totals.auto_discounts
    ),
    "two winners": lambda totals: len(totals.auto_discounts) >= 2,
    "a group rule beside another winner": lambda totals: (
        len(totals.auto_discounts) >= 2 and any(won.discount.is_group_rule for won in totals.auto_discounts)
    ),
    "a group rule that lost": group_rules_that_lost,
    "a line at its floor price": is_at_its_floor,
    "a code not applied in full": lambda totals: any(result.unapplied for result in valid(totals)),
    "an automatic discount not applied in full": lambda totals: any(
        won.unapplied for won in totals.auto_discounts
    ),
    "an exclusive code that stands alone": lambda totals: (
        RejectionReason.NOT_COMBINABLE in reasons(totals) and valid(totals)[0].promo_code.exclusive
    ),
    "a code at its cap": lambda totals: any(
        result.total_amount == result.promo_code.max_amount for result in valid(totals)
    ),
    "a code that uses up its budget": lambda totals: any(
        result.total_amount == result.promo_code.budget_left for result in valid(totals)
    ),
    "a subscription": lambda totals: totals.total_subscription_gross,
    "a donation, vouchers, and something still due": lambda totals: (
        totals.donation and sum(paid.amount > 0 for paid in totals.vouchers) >= 2 and totals.amount_due
    ),
    "a single-purpose voucher": lambda totals: totals.prepaid,
    "cash rounding up": lambda totals: totals.cash_rounding > 0,
    "cash rounding down": lambda totals: totals.cash_rounding < 0,
    # A time of day has laws of its own: columns refuse it, so these checkouts have none.
    **{
        f"refused: {reason.value}": refusing(reason)
        for reason in RejectionReason
        if reason is not RejectionReason.WRONG_TIME
    },
}


def test_every_kind_of_checkout_is_drawn() -> None:
    missing = set(CASES)

    def was_the_last(request: PricingRequest) -> bool:
        """Return whether all kinds have been drawn."""
        totals = priced(request)
        missing.difference_update([case for case in missing if CASES[case](totals)])
        return not missing

    with suppress(NoSuchExample):
        find(checkouts(), was_the_last, settings=search)

    assert missing == set()


def test_checkouts_whose_best_order_beats_the_ranked_one_are_drawn() -> None:
    def is_cheaper(request: PricingRequest) -> bool:
        ranked = replace(request.policy, code_order=CodeOrder.RANKED)
        other = priced(request._replace(policy=ranked))
        return priced(request).promo_code_discount > other.promo_code_discount

    find(checkouts(policy=policies(code_order=CodeOrder.BEST), min_codes=3), is_cheaper, settings=search)
