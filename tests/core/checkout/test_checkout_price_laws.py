"""Laws of the prices of checkouts and of their items. Decisions §3.9, §5, §11.8."""

from dataclasses import replace

from hypothesis import given

from faregate.basket.policy import PriceBasis
from faregate.checkout.model import Checkout, CheckoutItem
from faregate.totals.pipeline import checkout_totals
from support.checkouts.figures import priced
from support.checkouts.strategies import VILLAGE, checkouts, filled


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


@given(filled())
def test_components_are_not_discounted_and_count_towards_no_minimum(checkout: Checkout) -> None:
    bare = replace(checkout, items=tuple([item for item in checkout.items if not item.component]))
    fees: list[CheckoutItem] = [item for item in checkout.items if item.component]

    result, without = priced(checkout), priced(bare)

    for item, total in zip(checkout.items, result.items, strict=True):
        assert not item.component or total.total_discount_gross == total.total_discount_net == 0
    for figure in ("promo_code_discount", "auto_discount_amount"):
        assert getattr(result.totals, figure) == getattr(without.totals, figure)
    for code, same in zip(result.totals.promo_codes, without.totals.promo_codes, strict=True):
        assert (code.valid, code.total_amount) == (same.valid, same.total_amount)
    in_net = VILLAGE.channel(checkout.channel).policy.price_basis is PriceBasis.NET
    list_price = "list_price_net" if in_net else "list_price_gross"
    assert getattr(result.totals, list_price) - getattr(without.totals, list_price) == sum(
        item.quote.list_price for item in fees if item.quote
    )
