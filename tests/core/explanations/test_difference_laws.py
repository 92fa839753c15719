"""Laws of differences: the rows add up to every figure, forwards, backwards and in two steps."""

from collections import Counter

from hypothesis import given, settings

from faregate.documents import decode, encode
from faregate.explanations.differences import Difference, difference
from faregate.explanations.explanation import explain
from faregate.totals.pipeline import CheckoutTotals, LineTotals
from faregate.totals.request import PricingRequest
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.effort import share_of
from support.oracles.price_parts import Part, price_parts

OF_LINE = [name for name in LineTotals._fields if name.startswith(("list_", "total_"))]
OF_LINE += ["auto_discount_amount", "promo_code_discount"]
OF_CHECKOUT = [*OF_LINE, "total_subscription_gross", "total_subscription_net", "donation"]
OF_CHECKOUT += ["amount_due", "cash_due"]
some = Sizes(lines=8, automatic=4, codes=4, vouchers=2)


def difference_of(old: CheckoutTotals, new: CheckoutTotals) -> Difference:
    return difference(explain(old), explain(new))


def sums(found: Difference, figure: str, line: int | None = None) -> tuple[int, int]:
    rows = found.of(figure, line=line)
    return sum(row.old for row in rows), sum(row.new for row in rows)


@given(checkouts(sizes=some), checkouts(sizes=some))
def test_rows_add_up_to_every_figure_of_the_basket(old: PricingRequest, new: PricingRequest) -> None:
    before, after = priced(old), priced(new)

    found = difference_of(before, after)

    for figure in OF_CHECKOUT:
        assert sums(found, figure) == (getattr(before, figure), getattr(after, figure)), figure
        assert found.delta(figure) == getattr(after, figure) - getattr(before, figure)
        assert sum(row.delta for row in found.changes(figure)) == found.delta(figure)
    vat = [sum(row.vat for row in totals.vat_breakdown) for totals in (before, after)]
    assert sums(found, "total_vat") == tuple(vat)
    assert {row.figure for row in found.rows} <= {*OF_CHECKOUT, "total_vat"}


@given(checkouts(sizes=some), checkouts(sizes=some))
def test_rows_of_a_line_add_up_to_every_figure_of_the_line(old: PricingRequest, new: PricingRequest) -> None:
    before, after = ({line.key: line for line in priced(request).lines} for request in (old, new))

    found = difference_of(priced(old), priced(new))

    for figure in OF_LINE:
        for key in before.keys() | after.keys():
            expected = (getattr(lines.get(key), figure, 0) for lines in (before, after))
            assert sums(found, figure, key) == tuple(expected), (figure, key)


@given(checkouts(sizes=some), checkouts(sizes=some))
def test_rows_are_the_parts_of_both_prices(old: PricingRequest, new: PricingRequest) -> None:
    before, after = priced(old), priced(new)

    found = difference_of(before, after)

    for side, totals in (("old", before), ("new", after)):
        parts = Counter[Part]()
        for row in found.rows:
            if row.figure in ("total_gross", "total_net", "total_vat", "amount_due", "cash_due"):
                parts[row.figure, row.line, row.rule.value, row.source] = getattr(row, side)
        assert {part: amount for part, amount in parts.items() if amount} == price_parts(totals)


@settings(max_examples=share_of(20))
@given(checkouts(sizes=some), checkouts(sizes=some))
def test_rows_by_rule_have_the_sum_of_all_lines(old: PricingRequest, new: PricingRequest) -> None:
    found = difference_of(priced(old), priced(new))

    for figure in OF_CHECKOUT:
        rows = found.by_rule(figure)
        keys = [(row.rule, row.source) for row in rows]
        assert len(set(keys)) == len(keys)
        assert (sum(row.old for row in rows), sum(row.new for row in rows)) == sums(found, figure)


@settings(max_examples=share_of(100))
@given(checkouts(sizes=some), checkouts(sizes=some))
def test_a_difference_is_written_and_read_exactly(old: PricingRequest, new: PricingRequest) -> None:
    found = difference_of(priced(old), priced(new))

    assert decode(Difference, encode(found)) == found
