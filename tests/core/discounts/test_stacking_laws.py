"""Laws of several promo codes after automatic discounts. Decisions §3.3."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import pricing_lines
from faregate.basket.policy import CodeOrder
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import (
    Conditions,
    PromoCode,
    Threshold,
    UnknownCode,
)
from faregate.discounts.promo_codes import AppliedCode, RejectedCode
from faregate.totals.items import item_totals
from faregate.totals.request import PricingRequest
from support.baskets.reading import after_auto, applied, in_basis, known
from support.baskets.strategies import every_policy, promo_code, scales
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.naive_readings import Taking
from support.oracles.stacking import Refused, promo_codes

some = Sizes(lines=10, automatic=2, codes=4, vouchers=0)
several_codes = checkouts(sizes=some, min_lines=1, min_codes=2)
not_best = every_policy.filter(lambda policy: policy.code_order is not CodeOrder.BEST)


@given(several_codes)
def test_every_code_has_the_outcome_given_by_the_definition(request: PricingRequest) -> None:
    totals = priced(request)

    left, outcomes = promo_codes(request, after_auto(request, totals))
    by_key = sorted(totals.lines, key=lambda line: line.key)
    assert [in_basis(line, request) for line in by_key] == left
    order = [code for code, outcome in outcomes.items() if isinstance(outcome, Taking)]
    assert [result.code for result in applied(totals)] == order
    for result in totals.promo_codes:
        match result, outcomes.get(result.code):
            case AppliedCode(shares=shares, unapplied=unapplied), Taking() as taken:
                of = dict(zip([line.key for line in request.lines], shares, strict=True))
                assert [of[line.key] for line in by_key] == taken.shares
                assert unapplied == taken.unapplied
            case RejectedCode(promo_code=UnknownCode(), reason=reason, missing=missing), None:
                assert (reason, missing) == (RejectionReason.UNKNOWN, None)
            case RejectedCode(reason=reason, missing=missing), refused:
                assert (reason, missing) == refused


@given(several_codes, st.lists(st.integers(1, 8), min_size=4, max_size=4))
def test_every_code_with_a_minimum_has_the_outcome_of_the_definition(
    request: PricingRequest, eighths: list[int]
) -> None:
    # The minimum is near the spend in one of the bases.
    spent = sum(line.unit_price * line.quantity for line in request.lines if line.counted)
    codes = [
        replace(code, conditions=Conditions(thresholds=(Threshold(spend=spent * eighth // 8),)))
        for code, eighth in zip(known(request), eighths, strict=False)
    ]
    request = request._replace(promo_codes=tuple(codes))
    totals = priced(request)

    left, outcomes = promo_codes(request, after_auto(request, totals))
    assert [in_basis(line, request) for line in sorted(totals.lines, key=lambda line: line.key)] == left
    refused = {
        code: (outcome.reason, outcome.missing)
        for code, outcome in outcomes.items()
        if isinstance(outcome, Refused)
    }
    assert refused == {
        result.code: (result.reason, result.missing)
        for result in totals.promo_codes
        if isinstance(result, RejectedCode)
    }


# ---------------------------------------------------------------- one code more


def with_one_that_ranks_last(request: PricingRequest, last: PromoCode) -> PricingRequest:
    return request._replace(
        promo_codes=(*request.promo_codes, replace(last, code="ZZ", lane=9, exclusive=False))
    )


@given(
    checkouts(sizes=some, min_lines=1, policy=not_best, line_quantities=st.just(1)),
    scales.flatmap(promo_code),
)
def test_a_code_that_ranks_last_never_raises_an_item(request: PricingRequest, last: PromoCode) -> None:
    joined = pricing_lines(request.lines)
    request = request._replace(lines=joined.lines)
    totals, other = priced(request), priced(with_one_that_ranks_last(request, last))

    before, after = item_totals(totals, joined.members), item_totals(other, joined.members)

    for one, two in zip(before, after, strict=True):
        assert in_basis(two, request) <= in_basis(one, request)
