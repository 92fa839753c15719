"""Laws of automatic discounts on whole lines: the best one wins, group rules as a whole. Decisions §3.2."""

from hypothesis import given

from faregate.basket.policy import AutomaticChoice
from faregate.totals.pipeline import CheckoutTotals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import policies
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.stacking import best_automatic, in_key_order

several = checkouts(
    policy=policies(automatic_choice=AutomaticChoice.LINE),
    sizes=Sizes(lines=14, codes=0, vouchers=0),
    min_lines=2,
    min_automatic=3,
)


def won(totals: CheckoutTotals) -> dict[int, tuple[int | None, int]]:
    """Return the id of the winner and its amount, by key."""
    return {
        line.key: (line.auto_discount.id if line.auto_discount else None, line.auto_discount_amount)
        for line in totals.lines
    }


@given(several)
def test_every_line_has_the_winner_given_by_the_definition(request: PricingRequest) -> None:
    totals = priced(request)

    expected = best_automatic(request)
    keys = [line.key for line in in_key_order(request)]
    assert won(totals) == dict(zip(keys, zip(expected.ids, expected.amounts, strict=True), strict=True))
