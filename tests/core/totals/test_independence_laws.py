"""Laws of independence: the figures that a change does not affect. Decisions §3.9, §5, §6."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from random import Random

from hypothesis import assume, given
from hypothesis import strategies as st

from faregate.discounts.kinds import EVERYTHING, Bundle, BuyXGetY, Scope
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals.pipeline import CheckoutTotals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import every_policy, scales, vouchers
from support.baskets.whole_checkouts import Sizes, checkouts, priced

PAID_OR_OWED = {"vouchers", "prepaid", "amount_due", "cash_due"}
few = Sizes(lines=12, automatic=3, codes=4, vouchers=2)


def figures(totals: CheckoutTotals, *, without: Collection[str] = ()) -> dict[str, object]:
    """Return every figure except the request and those in *without*."""
    return {name: value for name, value in totals._asdict().items() if name not in {"request", *without}}


def by_key(totals: CheckoutTotals) -> dict[str, object]:
    """Return every figure, with entries per line by the key of the line instead of its position."""
    keys = [line.key for line in totals.lines]

    def keyed(shares: Sequence[int]) -> dict[int, int]:
        return dict(zip(keys, shares, strict=True))

    codes = [
        (result._replace(shares=()), keyed(result.shares)) if isinstance(result, AppliedCode) else result
        for result in totals.promo_codes
    ]
    automatic = [(applied._replace(shares=()), keyed(applied.shares)) for applied in totals.auto_discounts]
    return figures(totals) | {
        "lines": {line.key: line for line in totals.lines},
        "promo_codes": codes,
        "auto_discounts": automatic,
    }


@given(checkouts(sizes=few, min_lines=2), st.randoms(use_true_random=False))
def test_permuting_lines_only_permutes_their_results(request: PricingRequest, random: Random) -> None:
    shuffled = list(request.lines)
    random.shuffle(shuffled)

    totals = priced(request._replace(lines=tuple(shuffled)))

    assert [line.key for line in totals.lines] == [line.key for line in shuffled]
    assert by_key(totals) == by_key(priced(request))


@given(checkouts(sizes=few), st.randoms(use_true_random=False))
def test_the_order_of_the_automatic_discounts_is_irrelevant(request: PricingRequest, random: Random) -> None:
    shuffled = list(request.automatic)
    random.shuffle(shuffled)

    assert figures(priced(request._replace(automatic=tuple(shuffled)))) == figures(priced(request))


@given(
    checkouts(
        sizes=few, min_codes=2, policy=every_policy.filter(lambda p: p.code_order.value != "as_entered")
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_codes_affects_only_the_order_of_the_results(
    request: PricingRequest, random: Random
) -> None:
    shuffled = list(request.promo_codes)
    random.shuffle(shuffled)

    totals, other = priced(request), priced(request._replace(promo_codes=tuple(shuffled)))

    assert figures(other, without={"promo_codes"}) == figures(totals, without={"promo_codes"})
    assert {result.code: result for result in other.promo_codes} == {
        result.code: result for result in totals.promo_codes
    }


@given(checkouts(sizes=few), st.integers(0, 1000), st.integers(1, 50))
def test_keys_matter_only_by_their_order(request: PricingRequest, shift: int, stretch: int) -> None:
    assume(all(mentions_no_key(discount) for discount in (*request.automatic, *request.promo_codes)))
    renamed = tuple(line._replace(key=line.key * stretch + shift) for line in request.lines)

    totals, other = priced(request), priced(request._replace(lines=renamed))

    assert figures(other, without={"lines"}) == figures(totals, without={"lines"})
    assert [line._replace(key=0) for line in other.lines] == [line._replace(key=0) for line in totals.lines]


def mentions_no_key(discount: object) -> bool:
    kind = getattr(discount, "kind", None)
    scopes: list[Scope] = [getattr(discount, "scope", EVERYTHING)]
    scopes += [kind.rewards] if isinstance(kind, BuyXGetY) and kind.rewards else []
    scopes += [part.scope for part in kind.parts] if isinstance(kind, Bundle) else []
    if conditions := getattr(discount, "conditions", None):
        scopes += [threshold.counting for threshold in conditions.thresholds]
    return not any(scope.lines for scope in scopes)


@given(checkouts(sizes=few), st.integers(1, 10**9))
def test_a_donation_changes_only_itself_the_totals_and_the_amount_due(
    request: PricingRequest, donation: int
) -> None:
    totals, other = priced(request), priced(request._replace(donation=request.donation + donation))

    may_change = {"donation", "total_gross", "total_net", "amount_due", "cash_due"}
    if request.policy.vouchers_pay_donation:
        may_change |= {"vouchers", "prepaid"}
    assert figures(other, without=may_change) == figures(totals, without=may_change)
    assert other.donation == totals.donation + donation
    assert other.total_gross == totals.total_gross + donation
    assert other.total_net == totals.total_net + donation
    if not request.policy.vouchers_pay_donation:
        assert other.amount_due == totals.amount_due + donation


@given(checkouts(sizes=few), st.data())
def test_a_voucher_changes_only_vouchers_and_the_amount_due(
    request: PricingRequest, data: st.DataObject
) -> None:
    others = data.draw(scales.flatmap(vouchers))

    totals, other = priced(request), priced(request._replace(vouchers=others))

    assert figures(other, without=PAID_OR_OWED) == figures(totals, without=PAID_OR_OWED)


@given(checkouts(sizes=few), st.integers(1, 100))
def test_the_cash_step_changes_only_the_cash_due(request: PricingRequest, step: int) -> None:
    policy = replace(request.policy, cash_increment=step)

    totals, other = priced(request), priced(request._replace(policy=policy))

    assert figures(other, without={"cash_due"}) == figures(totals, without={"cash_due"})
