"""Laws of explanations: the steps add up to every figure, to the last minor unit."""

import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from faregate.basket.lines import pricing_lines
from faregate.basket.policy import PriceBasis, Stacking
from faregate.discounts.promo_codes import RejectedCode
from faregate.explanations.explanation import checkout_trace, explain, item_trace
from faregate.money.currency import currency
from faregate.totals.items import item_totals
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate.totals.request import PricingRequest
from faregate.trace import StepKind
from support.baskets.strategies import policies
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.stacking import automatic_alone

OF_LINE = [name for name in LineTotals._fields if name.startswith(("list_", "total_")) or "discount_" in name]
OF_LINE += ["promo_code_discount"]
OF_CHECKOUT = [
    name for name in CheckoutTotals._fields if name.startswith(("list_", "total_")) or "_due" in name
]
OF_CHECKOUT += ["donation", "promo_code_discount", "auto_discount_amount"]
some = Sizes(lines=24, automatic=4, codes=4, vouchers=3)


def test_no_amount_is_left_out() -> None:
    # The other fields are not amounts: key, quantity, rate, discounts, rows and the request.
    others = {"key", "quantity", "rate", "auto_discount", "auto_shares"}
    assert set(LineTotals._fields) - set(OF_LINE) == others
    assert set(CheckoutTotals._fields) - set(OF_CHECKOUT) == {
        "lines",
        "promo_codes",
        "auto_discounts",
        "automatic_is_exact",
        "codes_are_exact",
        "vat_breakdown",
        "vouchers",
        "prepaid",
        "request",
    }


@given(checkouts(sizes=some))
def test_trace_adds_up_to_every_figure_and_explains_no_other(request: PricingRequest) -> None:
    totals = priced(request)

    explained = explain(totals)

    trace = explained.trace
    for line in totals.lines:
        for figure in OF_LINE:
            assert trace.amount(figure, line=line.key) == getattr(line, figure), figure
    for figure in OF_CHECKOUT:
        assert trace.amount(figure) == getattr(totals, figure), figure
    assert {figure for figure, line in trace.figures() if line is None} <= set(OF_CHECKOUT)
    assert {figure for figure, line in trace.figures() if line is not None} <= set(OF_LINE)
    assert {line for _, line in trace.figures()} - {None} <= {line.key for line in totals.lines}
    assert explained.totals is totals
    assert explained.refused == tuple(r for r in totals.promo_codes if isinstance(r, RejectedCode))


@given(checkouts(sizes=some))
def test_trace_of_the_checkout_is_its_part_of_the_whole_trace(request: PricingRequest) -> None:
    totals = priced(request)

    alone = checkout_trace(totals)

    assert list(alone) == [step for step in explain(totals).trace if step.line is None]


@given(checkouts(sizes=some, min_lines=2, line_quantities=st.just(1)))
def test_trace_adds_up_to_every_figure_of_every_item_and_explains_no_other(request: PricingRequest) -> None:
    joined = pricing_lines(request.lines)
    totals = priced(request._replace(lines=joined.lines))

    trace = item_trace(totals, joined.members)

    for item in item_totals(totals, joined.members):
        for figure in OF_LINE:
            assert trace.amount(figure, line=item.key) == getattr(item, figure), figure
    assert {figure for figure, _ in trace.figures()} <= set(OF_LINE)
    assert {line for _, line in trace.figures()} == {item.key for item in request.lines}


@given(checkouts(sizes=some, min_codes=1))
def test_trace_has_the_amount_of_every_code_for_every_line(request: PricingRequest) -> None:
    totals = priced(request)

    trace = explain(totals).trace

    for result in totals.promo_codes:
        taken = Counter[int | None]()
        for step in trace:
            if step.figure == "promo_code_discount" and step.source == result.code:
                taken[step.line] += step.amount
        shares = getattr(result, "shares", [0] * len(totals.lines))
        expected = {line.key: share for line, share in zip(totals.lines, shares, strict=True) if share}
        assert taken.pop(None, 0) == result.total_amount
        assert taken == expected


@given(checkouts(sizes=some))
def test_steps_for_odd_units_and_for_units_given_back_are_single_units(request: PricingRequest) -> None:
    trace = explain(priced(request)).trace

    for step in trace:
        if step.line is not None and step.rule in {StepKind.LARGEST_REMAINDER, StepKind.GIVE_BACK}:
            assert abs(step.amount) == 1


SHARED = re.compile(r": (\d+) x (\d+) / (\d+)$")


@given(checkouts(sizes=some, min_codes=2, policy=policies(stacking=Stacking.SEQUENTIAL)))
def test_the_arithmetic_of_a_shared_amount_is_right(request: PricingRequest) -> None:
    totals = priced(request)
    side = "net" if request.policy.price_basis is PriceBasis.NET else "gross"

    left: Counter[int | None] = Counter()
    for step in explain(totals).trace:
        if step.figure == "promo_code_discount" and (told := SHARED.search(step.note)):
            amount, price, whole = map(int, told.groups())
            assert step.amount == amount * price // whole
            assert price == left[step.line] <= whole
        if step.figure == f"total_{side}" and step.line is not None:
            left[step.line] += step.amount


@given(checkouts(sizes=some))
def test_explanation_names_every_automatic_discount_that_would_apply_and_won_nowhere(
    request: PricingRequest,
) -> None:
    totals = priced(request)

    winners = {applied.discount.id for applied in totals.auto_discounts}
    alone = {discount: sum(taken.shares) for discount, taken in automatic_alone(request).items()}
    expected = {discount: amount for discount, amount in alone.items() if amount and discount not in winners}
    passed_over = explain(totals).passed_over
    assert {passed.discount.id: passed.would_take for passed in passed_over} == expected
    assert len(passed_over) == len(expected)


@given(checkouts(sizes=some))
def test_the_currency_changes_only_the_notes(request: PricingRequest) -> None:
    totals = priced(request)

    plain = [step._replace(note="") for step in explain(totals).trace]
    in_francs = [step._replace(note="") for step in explain(totals, currency=currency("CHF")).trace]

    assert in_francs == plain
