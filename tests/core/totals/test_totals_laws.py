"""Laws of totals: exact identities in minor units. Decisions §5."""

from itertools import groupby

from hypothesis import given

from faregate.basket.policy import PriceBasis, SubscriptionBasis
from faregate.tax.rates import VatLevel
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import policies
from support.baskets.whole_checkouts import checkouts, priced
from support.oracles.naive_readings import given_back

SUMMED = (
    "list_price_gross",
    "list_price_net",
    "total_discount_gross",
    "total_discount_net",
    "auto_discount_amount",
    "promo_code_discount",
)


def goods(totals: CheckoutTotals, side: str) -> int:
    """Return the total without the donation."""
    total: int = getattr(totals, f"total_{side}")
    return total - totals.donation


@given(checkouts())
def test_identities_hold_for_every_line(request: PricingRequest) -> None:
    totals = priced(request)

    in_net = request.policy.price_basis is PriceBasis.NET
    for given_line, line in zip(request.lines, totals.lines, strict=True):
        assert (line.key, line.quantity, line.rate) == (given_line.key, given_line.quantity, given_line.rate)
        listed, discount, total = (
            (line.list_price_net, line.total_discount_net, line.total_net)
            if in_net
            else (line.list_price_gross, line.total_discount_gross, line.total_gross)
        )
        assert listed == given_line.unit_price * given_line.quantity
        assert discount == line.auto_discount_amount + line.promo_code_discount
        assert min(line.auto_discount_amount, line.promo_code_discount) >= 0
        assert total >= min(given_line.floor_price * given_line.quantity, listed)
        assert given_line.discountable or not discount
        assert (line.auto_discount is None) is (line.auto_discount_amount == 0)
        assert 0 <= line.total_discount_net <= line.list_price_net
        assert 0 <= line.total_discount_gross <= line.list_price_gross
        if not line.rate.parts_per_million:
            assert line.total_net == line.total_gross
            assert line.total_discount_net == line.total_discount_gross


@given(checkouts())
def test_identities_hold_for_lines_and_checkout(request: PricingRequest) -> None:
    totals = priced(request)

    priced_things: list[tuple[LineTotals | CheckoutTotals, int]] = [(line, 0) for line in totals.lines]
    for figures, donation in [*priced_things, (totals, request.donation)]:
        assert figures.total_gross == figures.list_price_gross - figures.total_discount_gross + donation
        assert figures.total_net == figures.list_price_net - figures.total_discount_net + donation
        assert 0 <= figures.total_net <= figures.total_gross
        assert 0 <= figures.total_discount_net <= figures.total_discount_gross
        assert 0 <= figures.list_price_net <= figures.list_price_gross
    assert totals.donation == request.donation
    assert totals.request == request


@given(checkouts())
def test_checkout_figures_are_the_sums_over_lines_and_rates(request: PricingRequest) -> None:
    totals = priced(request)

    for figure in SUMMED:
        assert getattr(totals, figure) == sum(getattr(line, figure) for line in totals.lines)
    for side in ("gross", "net"):
        assert goods(totals, side) == sum(getattr(line, f"total_{side}") for line in totals.lines)
        assert goods(totals, side) == sum(getattr(row, side) for row in totals.vat_breakdown)
    assert all(0 <= row.net <= row.gross == row.net + row.vat for row in totals.vat_breakdown)


@given(checkouts(min_codes=1))
def test_promo_code_discount_is_the_sum_of_the_valid_codes(request: PricingRequest) -> None:
    totals = priced(request)

    valid = [result for result in totals.promo_codes if result.valid]
    assert totals.promo_code_discount == sum(result.total_amount for result in valid)
    assert all(result.total_amount > 0 for result in valid)
    assert all(result.total_amount == 0 for result in totals.promo_codes if not result.valid)


@given(checkouts())
def test_auto_discounts_are_the_distinct_winners_in_ascending_key(request: PricingRequest) -> None:
    totals = priced(request)

    by_key = sorted(totals.lines, key=lambda line: line.key)
    winners = [own.discount for line in by_key for own in line.auto_discounts]
    distinct = [winner for n, winner in enumerate(winners) if winner not in winners[:n]]
    assert [applied.discount for applied in totals.auto_discounts] == distinct
    for applied in totals.auto_discounts:
        won = [
            sum(own.amount for own in line.auto_discounts if own.discount == applied.discount)
            for line in totals.lines
        ]
        assert (list(applied.shares), applied.total_amount) == (won, sum(won))


@given(checkouts())
def test_due_is_the_gross_total_less_vouchers_and_never_negative(request: PricingRequest) -> None:
    totals = priced(request)

    assert totals.amount_due == totals.total_gross - sum(paid.amount for paid in totals.vouchers)
    assert totals.amount_due >= 0


@given(checkouts())
def test_cash_due_is_the_nearest_cash_step_and_changes_nothing_else(request: PricingRequest) -> None:
    totals = priced(request)

    step = request.policy.cash_increment
    assert totals.cash_due % step == 0
    assert -step < 2 * (totals.cash_due - totals.amount_due) <= step
    assert totals.cash_rounding == totals.cash_due - totals.amount_due


@given(checkouts(policy=policies(subscription_basis=SubscriptionBasis.FIRST_PERIOD)))
def test_first_period_of_subscriptions_is_the_sum_of_their_totals(request: PricingRequest) -> None:
    totals = priced(request)

    sold = [
        line
        for given_line, line in zip(request.lines, totals.lines, strict=True)
        if given_line.is_subscription
    ]
    assert totals.total_subscription_gross == sum(line.total_gross for line in sold)
    assert totals.total_subscription_net == sum(line.total_net for line in sold)


@given(
    checkouts(
        policy=policies(subscription_basis=SubscriptionBasis.RECURRING, vat_level=VatLevel.RATE), min_lines=2
    )
)
def test_the_recurring_price_is_the_list_price_less_automatic_discounts(
    request: PricingRequest,
) -> None:
    request = request._replace(lines=tuple(line._replace(recurring_price=None) for line in request.lines))

    totals = priced(request)

    sold = sorted(
        (given_line.rate, line.key, given_line.unit_price * line.quantity - line.auto_discount_amount)
        for given_line, line in zip(request.lines, totals.lines, strict=True)
        if given_line.is_subscription
    )
    priced_side, other_side = sum(amount for _, _, amount in sold), 0
    for rate, of_rate in groupby(sold, key=lambda row: row[0]):
        other_side += sum(given_back([amount for _, _, amount in of_rate], rate, request.policy))
    both = (totals.total_subscription_gross, totals.total_subscription_net)
    in_net = request.policy.price_basis is PriceBasis.NET
    assert both == ((other_side, priced_side) if in_net else (priced_side, other_side))


@given(checkouts(policy=policies(subscription_basis=SubscriptionBasis.RECURRING)))
def test_later_periods_are_priced_as_if_the_first_cost_the_same(request: PricingRequest) -> None:
    later = [
        line if line.recurring_price is None else line._replace(unit_price=line.recurring_price)
        for line in request.lines
    ]

    totals, again = priced(request), priced(request._replace(lines=tuple(later)))

    assert totals.total_subscription_gross == again.total_subscription_gross
    assert totals.total_subscription_net == again.total_subscription_net


@given(checkouts())
def test_every_amount_is_a_plain_int(request: PricingRequest) -> None:
    totals = priced(request)

    exact = totals.automatic_is_exact  # the only figure that is a bool
    for figures in (*totals.lines, totals):
        numbers = [value for value in figures if isinstance(value, (int, float)) and value is not exact]
        assert numbers
        assert all(type(number) is int for number in numbers)
