"""Laws of the prices of checkouts and of their items. Decisions §3.9, §5, §11.8."""

from dataclasses import replace

from hypothesis import given

from faregate.checkout.model import Checkout
from faregate.totals.pipeline import checkout_totals
from support.checkouts.figures import priced
from support.checkouts.strategies import VILLAGE, checkouts


def unquoted(checkout: Checkout) -> Checkout:
    """Return *checkout* without quotes, except for components, whose price differs from their variant's."""
    items = [item if item.component else item._replace(quote=None) for item in checkout.items]
    return replace(checkout, items=tuple(items))


@given(checkouts())
def test_quoted_items_cost_the_same_while_the_catalogue_is_unchanged(checkout: Checkout) -> None:
    assert replace(priced(unquoted(checkout)), checkout=checkout) == priced(checkout)


@given(checkouts())
def test_leaving_out_rules_that_reach_no_item_changes_nothing(checkout: Checkout) -> None:
    totals = priced(checkout).totals

    every_rule = totals.request._replace(automatic=VILLAGE.automatic_discounts)
    again = checkout_totals(
        every_rule.lines,
        automatic=every_rule.automatic,
        promo_codes=every_rule.promo_codes,
        donation=every_rule.donation,
        vouchers=every_rule.vouchers,
        policy=every_rule.policy,
        context=every_rule.context,
    )
    assert again._replace(request=totals.request) == totals
