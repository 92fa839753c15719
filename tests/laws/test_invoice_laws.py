"""Decisions §4: the strict view of EN 16931; the rules are named as in the standard (BR-CO-10 …)."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from faregate.invoice import en16931_totals
from faregate.policy import PriceBasis
from faregate.tax import VatLevel, VatRate
from faregate.totals import PricingRequest
from laws.oracles import MILLION, half_up
from strategies import policies
from whole_checkouts import Sizes, checkouts, priced

some = Sizes(lines=12, automatic=2, codes=2, vouchers=2)


@given(checkouts(sizes=some))
def test_document_totals_add_up_as_the_standard_demands(request: PricingRequest) -> None:
    totals = priced(request)

    invoice = en16931_totals(totals)

    assert invoice.line_net == sum(line.total_net for line in totals.lines)  # BR-CO-10
    assert invoice.net == invoice.line_net - invoice.allowances + invoice.charges  # BR-CO-13
    assert invoice.vat == sum(row.vat for row in invoice.breakdown)  # BR-CO-14
    assert invoice.gross == invoice.net + invoice.vat  # BR-CO-15
    assert invoice.due == invoice.gross - invoice.prepaid + invoice.rounding  # BR-CO-16
    assert sum(row.base for row in invoice.breakdown) == invoice.net
    assert invoice.charges == request.donation


@given(checkouts(sizes=some))
def test_tax_of_every_category_is_its_base_times_its_rate(request: PricingRequest) -> None:
    invoice = en16931_totals(priced(request))

    for row in invoice.breakdown:  # BR-CO-17
        assert row.vat == half_up(Fraction(row.base * row.rate.parts_per_million, MILLION))
    assert [row.rate for row in invoice.breakdown] == sorted({row.rate for row in invoice.breakdown})


@given(checkouts(sizes=some))
def test_strict_view_asks_for_the_same_payment(request: PricingRequest) -> None:
    totals = priced(request)

    assert en16931_totals(totals).due == totals.amount_due
    assert en16931_totals(totals, due=totals.cash_due).due == totals.cash_due


@given(checkouts(sizes=some, policy=policies(vat_level=VatLevel.RATE)))
def test_rounding_is_at_most_one_unit_per_rate_and_none_where_prices_are_net(request: PricingRequest) -> None:
    totals = priced(request)

    rounding = en16931_totals(totals).rounding

    taxed = [row for row in totals.vat_breakdown if row.rate != VatRate(0)]
    in_net = request.policy.price_basis is PriceBasis.NET
    assert abs(rounding) <= (0 if in_net else len(taxed))


@given(checkouts(sizes=some), st.integers(0, 10**6))
def test_cash_rounding_goes_into_the_rounding_amount_alone(request: PricingRequest, due: int) -> None:
    totals = priced(request)
    exact, paid = en16931_totals(totals), en16931_totals(totals, due=due)

    assert paid._replace(rounding=0, due=0) == exact._replace(rounding=0, due=0)
    assert paid.rounding - exact.rounding == due - totals.amount_due
