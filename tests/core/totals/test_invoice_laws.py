"""Laws of the strict view of EN 16931, with the standard's names of the rules. Decisions §4."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from faregate.basket.policy import PriceBasis
from faregate.tax.rates import VatCategory, VatLevel, VatRate
from faregate.totals.invoice import en16931_totals
from faregate.totals.pipeline import CheckoutTotals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import policies
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.naive_readings import MILLION, half_up

some = Sizes(lines=12, automatic=2, codes=2, vouchers=2)
ZERO = VatRate(parts_per_million=0)
EXEMPT = VatRate(parts_per_million=0, category=VatCategory.E, reason="Museum")
donated_as = st.sampled_from((None, ZERO, EXEMPT))


@st.composite
def categorized(draw: DrawFn, plain: PricingRequest) -> PricingRequest:
    """Return the same checkout with some goods at 0 % exempt."""
    lines = [
        line._replace(rate=draw(st.sampled_from((ZERO, EXEMPT)))) if line.rate == ZERO else line
        for line in plain.lines
    ]
    return plain._replace(lines=tuple(lines))


of_categories = checkouts(sizes=some).flatmap(categorized)


def single_purpose(totals: CheckoutTotals) -> int:
    """Return the amount paid with single-purpose vouchers."""
    return sum(paid.amount for paid in totals.vouchers if paid.voucher.single_purpose)


@given(of_categories, donated_as)
def test_document_totals_add_up_as_the_standard_demands(
    request: PricingRequest, donation: VatRate | None
) -> None:
    totals = priced(request)

    invoice = en16931_totals(totals, donation=donation)

    prepaid_net = sum(row.net for row in invoice.prepaid_goods)
    assert invoice.line_net == sum(line.total_net for line in totals.lines) - prepaid_net  # BR-CO-10
    assert invoice.net == invoice.line_net - invoice.allowances + invoice.charges  # BR-CO-13
    assert invoice.vat == sum(row.vat for row in invoice.breakdown)  # BR-CO-14
    assert invoice.gross == invoice.net + invoice.vat  # BR-CO-15
    assert invoice.due == invoice.gross - invoice.prepaid + invoice.rounding  # BR-CO-16
    assert sum(row.base for row in invoice.breakdown) == invoice.net
    given_away = (0, request.donation) if donation is None else (request.donation, 0)
    assert (invoice.charges, invoice.outside_scope) == given_away


@given(of_categories)
def test_tax_of_every_category_is_its_base_times_its_rate(request: PricingRequest) -> None:
    invoice = en16931_totals(priced(request))

    for row in invoice.breakdown:  # BR-CO-17
        assert row.vat == half_up(Fraction(row.base * row.rate.parts_per_million, MILLION))
    assert [row.rate for row in invoice.breakdown] == sorted({row.rate for row in invoice.breakdown})


@given(checkouts(sizes=some))
def test_categories_change_no_amount(request: PricingRequest) -> None:
    exempt = [line._replace(rate=EXEMPT) if line.rate == ZERO else line for line in request.lines]
    plain, categories = priced(request), priced(request._replace(lines=tuple(exempt)))

    assert [line._replace(rate=ZERO) for line in categories.lines] == [
        line._replace(rate=ZERO) for line in plain.lines
    ]
    assert [row[1:] for row in categories.vat_breakdown] == [row[1:] for row in plain.vat_breakdown]
    assert categories.vouchers == plain.vouchers
    assert replace(en16931_totals(categories), breakdown=(), prepaid_goods=()) == replace(
        en16931_totals(plain), breakdown=(), prepaid_goods=()
    )


@given(of_categories)
def test_all_goods_are_in_the_document_or_prepaid(request: PricingRequest) -> None:
    totals = priced(request)

    invoice = en16931_totals(totals)

    sold: Counter[VatRate] = Counter()
    for line in totals.lines:
        sold[line.rate] += line.total_net
    for vat in invoice.breakdown:
        assert vat.base >= 0
        sold[vat.rate] -= vat.base
    for row in invoice.prepaid_goods:
        assert row.gross > 0
        assert min(row.net, row.vat) >= 0
        sold[row.rate] -= row.net
    assert not any(sold.values())
    assert sum(row.gross for row in invoice.prepaid_goods) == single_purpose(totals)


@given(of_categories, donated_as)
def test_document_and_donation_outside_it_ask_for_the_same_payment(
    request: PricingRequest, donation: VatRate | None
) -> None:
    totals = priced(request)
    exact = en16931_totals(totals, donation=donation)
    cash = en16931_totals(totals, due=totals.cash_due, donation=donation)

    vouchers = sum(paid.amount for paid in totals.vouchers) - single_purpose(totals)
    assert 0 <= exact.prepaid <= vouchers
    assert exact.due + exact.outside_scope == totals.amount_due + vouchers - exact.prepaid
    assert cash.due - exact.due == totals.cash_rounding


@given(checkouts(sizes=some, policy=policies(vat_level=VatLevel.RATE)))
def test_rounding_is_at_most_one_unit_per_rate_and_none_with_net_prices(request: PricingRequest) -> None:
    totals = priced(request)

    invoice = en16931_totals(totals)

    taxed = [row for row in invoice.breakdown if row.rate != ZERO]
    is_exact = request.policy.price_basis is PriceBasis.NET and not invoice.prepaid_goods
    assert abs(invoice.rounding) <= (0 if is_exact else len(taxed))


@given(checkouts(sizes=some), st.integers(0, 10**6))
def test_cash_rounding_goes_into_the_rounding_amount_alone(request: PricingRequest, due: int) -> None:
    totals = priced(request)
    exact, paid = en16931_totals(totals), en16931_totals(totals, due=due)

    assert replace(paid, rounding=0, due=0) == replace(exact, rounding=0, due=0)
    assert paid.rounding - exact.rounding == due - totals.amount_due


@given(of_categories, st.data())
def test_amounts_for_the_whole_document_leave_the_lines_and_change_nothing_else(
    request: PricingRequest, data: st.DataObject
) -> None:
    totals = priced(request)
    assume(not single_purpose(totals))
    known = [result.code for result in totals.promo_codes] + [rule.id for rule in request.automatic]
    shown = data.draw(st.sets(st.sampled_from(known))) if known else set()
    keys = [line.key for line in totals.lines]
    fees = data.draw(st.sets(st.sampled_from(keys))) if keys else set()
    plain = en16931_totals(totals)

    invoice = en16931_totals(totals, allowances=shown, charges=fees)

    assert invoice.line_net == sum(amount for _, amount in invoice.lines)  # BR-CO-10
    assert invoice.allowances == sum(row.amount for row in invoice.document_allowances)  # BR-CO-11
    assert invoice.charges == sum(row.amount for row in invoice.document_charges)  # BR-CO-12
    assert invoice.net == invoice.line_net - invoice.allowances + invoice.charges  # BR-CO-13
    by_rate = Counter({row.rate: row.base for row in invoice.breakdown})  # BR-S-08 and its like
    rates = {line.key: line.rate for line in totals.lines}
    for key, amount in invoice.lines:
        by_rate[rates[key]] -= amount
    for row in invoice.document_charges:
        by_rate[row.rate] -= row.amount
    for row in invoice.document_allowances:
        by_rate[row.rate] += row.amount
    assert not any(by_rate.values())
    same = ("line_net", "allowances", "charges", "document_allowances", "document_charges", "lines")
    assert replace(invoice, **{name: getattr(plain, name) for name in same}) == plain


@given(checkouts(sizes=some))
def test_with_all_discounts_for_the_whole_document_lines_have_list_prices(request: PricingRequest) -> None:
    totals = priced(request)
    assume(not single_purpose(totals))
    every = [result.code for result in totals.promo_codes] + [rule.id for rule in request.automatic]

    invoice = en16931_totals(totals, allowances=every)

    assert invoice.lines == tuple((line.key, line.list_price_net) for line in totals.lines)
    assert invoice.allowances == totals.total_discount_net
    if request.policy.price_basis is PriceBasis.NET:
        amounts: Counter[object] = Counter()
        for row in invoice.document_allowances:
            amounts[row.source] += row.amount
        for applied in totals.auto_discounts:
            assert amounts[applied.discount.id] == applied.total_amount
        for result in totals.promo_codes:
            assert amounts[result.code] == result.total_amount
