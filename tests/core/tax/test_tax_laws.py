"""Laws of tax: rounded once per rate, the other side shared over the lines. Decisions §4."""

from collections.abc import Callable
from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.money.rounding import RoundingMode
from faregate.tax.rates import GrossNet, Tie, VatLevel, VatRate, gross_from_net, net_from_gross
from faregate.totals.pipeline import LineTotals
from faregate.totals.request import PricingRequest
from support.baskets.strategies import amounts, members, policies, rounding_modes, vat_rates
from support.baskets.whole_checkouts import checkouts, priced
from support.oracles.naive_readings import (
    exact_gross,
    exact_net,
    given_back,
    gross_of,
    hamilton,
    net_of,
)

large = st.one_of(amounts, st.integers(0, 10**18))


@given(large, vat_rates, members(Tie))
@example(299, VatRate.percent(4), Tie.TAX)
@example(299, VatRate.percent(4), Tie.NET)
def test_one_side_is_rounded_and_the_other_is_the_difference(gross: int, rate: VatRate, tie: Tie) -> None:
    assert net_from_gross(gross, rate, tie=tie) == net_of(gross, rate, tie)


@given(large, vat_rates)
def test_gross_is_net_plus_tax_rounded_once(net: int, rate: VatRate) -> None:
    assert gross_from_net(net, rate) == gross_of(net, rate)


@given(large, vat_rates, rounding_modes, members(Tie))
def test_net_lies_between_zero_and_gross_in_every_mode(
    gross: int, rate: VatRate, mode: RoundingMode, tie: Tie
) -> None:
    net = net_from_gross(gross, rate, mode=mode, tie=tie)

    assert 0 <= net <= gross
    assert abs(net - exact_net(gross, rate)) < 1
    assert GrossNet(gross, net).vat == gross - net


@given(large, vat_rates, rounding_modes)
def test_tax_on_top_is_within_one_unit_in_every_mode(net: int, rate: VatRate, mode: RoundingMode) -> None:
    gross = gross_from_net(net, rate, mode=mode)

    assert net <= gross
    assert abs(gross - exact_gross(net, rate)) < 1


@given(large, vat_rates, members(Tie))
def test_net_is_recovered_from_its_gross(net: int, rate: VatRate, tie: Tie) -> None:
    assert net_from_gross(gross_from_net(net, rate), rate, tie=tie) == net


@given(vat_rates)
def test_a_printed_rate_parses_to_the_same_rate(rate: VatRate) -> None:
    assert VatRate.percent(str(rate).removesuffix(" %")) == rate
    assert VatRate.percent(Fraction(rate.parts_per_million, 10_000)) == rate


def in_basis(line: LineTotals, policy: TotalsPolicy) -> tuple[int, int]:
    """Return total and discount in the price basis of the channel."""
    if policy.price_basis is PriceBasis.NET:
        return line.total_net, line.total_discount_net
    return line.total_gross, line.total_discount_gross


def on_other_side(line: LineTotals, policy: TotalsPolicy) -> tuple[int, int]:
    if policy.price_basis is PriceBasis.NET:
        return line.total_gross, line.total_discount_gross
    return line.total_net, line.total_discount_net


def converter(rate: VatRate, policy: TotalsPolicy) -> Callable[[int], int]:
    if policy.price_basis is PriceBasis.NET:
        return lambda net: gross_of(net, rate)
    return lambda gross: net_of(gross, rate, policy.tie)


@given(checkouts(policy=policies(vat_level=VatLevel.RATE)))
def test_the_other_side_is_rounded_once_per_rate_and_given_back(request: PricingRequest) -> None:
    policy, totals = request.policy, priced(request)
    lines = sorted(totals.lines, key=lambda line: line.key)

    for rate in {line.rate for line in lines}:
        of_rate = [line for line in lines if line.rate == rate]
        for kind in (0, 1):
            expected = given_back([in_basis(line, policy)[kind] for line in of_rate], rate, policy)
            assert [on_other_side(line, policy)[kind] for line in of_rate] == expected


@given(checkouts(policy=policies(vat_level=VatLevel.LINE)))
def test_at_line_level_every_line_is_rounded_on_its_own(request: PricingRequest) -> None:
    totals = priced(request)

    for line in totals.lines:
        convert = converter(line.rate, request.policy)
        expected = tuple(map(convert, in_basis(line, request.policy)))
        assert on_other_side(line, request.policy) == expected


@given(checkouts(policy=policies(vat_level=VatLevel.UNIT)))
def test_at_unit_level_every_unit_is_rounded_on_its_own(request: PricingRequest) -> None:
    totals = priced(request)

    for line in totals.lines:
        convert = converter(line.rate, request.policy)
        expected = tuple(
            sum(map(convert, hamilton(amount, [1] * line.quantity)))
            for amount in in_basis(line, request.policy)
        )
        assert on_other_side(line, request.policy) == expected


@given(checkouts())
def test_breakdown_has_each_rate_once_in_ascending_order_with_its_sums(request: PricingRequest) -> None:
    totals = priced(request)

    rates = [row.rate for row in totals.vat_breakdown]
    assert rates == sorted({line.rate for line in request.lines})
    for rate, net, vat, gross in totals.vat_breakdown:
        assert gross == sum(line.total_gross for line in totals.lines if line.rate == rate)
        assert net == sum(line.total_net for line in totals.lines if line.rate == rate)
        assert vat == gross - net
