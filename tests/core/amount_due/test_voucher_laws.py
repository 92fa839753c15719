"""Laws of vouchers and donations: a voucher changes neither totals nor tax. Decisions §6."""

from datetime import datetime, timedelta
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from faregate.amount_due.donation import donation_amount
from faregate.amount_due.vouchers import Redemption, Voucher, prepaid_breakdown, redeem
from faregate.basket.policy import SinglePurposeRest
from faregate.tax.rates import VatRate
from faregate.totals.request import PricingRequest
from support.baskets.strategies import (
    NOW,
    amounts,
    for_any_purpose,
    policies,
    scales,
    vat_rates,
    vouchers,
)
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.naive_readings import exact_net, half_up

due_and_vouchers = scales.flatmap(
    lambda scale: st.tuples(st.integers(0, 12 * scale), vouchers(scale).map(for_any_purpose))
)


def in_order_of_use(redemptions: tuple[Redemption, ...], at: datetime = NOW) -> list[Redemption]:
    """Return valid vouchers by earliest expiry, smaller balance and code; without expiry last."""
    far = NOW + timedelta(days=10_000)
    live = [paid for paid in redemptions if paid.voucher.expires_at is None or paid.voucher.expires_at > at]
    return sorted(
        live, key=lambda paid: (paid.voucher.expires_at or far, paid.voucher.balance, paid.voucher.code)
    )


@given(due_and_vouchers, st.randoms(use_true_random=False))
def test_the_order_of_vouchers_affects_only_the_order_of_the_results(
    case: tuple[int, tuple[Voucher, ...]], random: Random
) -> None:
    due, given_vouchers = case
    shuffled = random.sample(given_vouchers, len(given_vouchers))

    redemptions = redeem(shuffled, due, at=NOW)

    assert [paid.voucher for paid in redemptions] == shuffled
    assert set(redemptions) == set(redeem(given_vouchers, due, at=NOW))


paying = Sizes(lines=8, automatic=1, codes=1, vouchers=4)


def paid_by_hand(request: PricingRequest, due: int) -> list[int]:
    """Return the amount of each voucher: single-purpose vouchers first, up to the price of their goods."""
    of_rate: dict[int, int] = {}
    for row in priced(request).lines:
        parts = row.rate.parts_per_million
        of_rate[parts] = of_rate.get(parts, 0) + row.total_gross
    is_refused = (
        request.policy.single_purpose_rest is SinglePurposeRest.REFUSE
        and sum(map(bool, of_rate.values())) > 1
    )
    order = in_order_of_use(
        tuple(Redemption(voucher, 0) for voucher in request.vouchers), request.context.at or NOW
    )
    amounts = {voucher.code: 0 for voucher in request.vouchers}
    for redemption in sorted(order, key=lambda paid: paid.voucher.single_purpose is None):
        voucher = redemption.voucher
        rate = voucher.single_purpose
        amount = min(voucher.balance, due)
        if rate is not None:
            amount = 0 if is_refused else min(amount, of_rate.get(rate.parts_per_million, 0))
            of_rate[rate.parts_per_million] = of_rate.get(rate.parts_per_million, 0) - amount
        amounts[voucher.code] = amount
        due -= amount
    return [amounts[voucher.code] for voucher in request.vouchers]


@given(vat_rates, st.integers(0, 1_000), st.lists(st.integers(1, 10**6), min_size=1, max_size=20))
def test_a_voucher_offsets_exactly_the_tax_declared_when_it_was_sold(
    rate: VatRate, used: int, redeemed: list[int]
) -> None:
    face_value = left = sum(redeemed) + used
    declared, given_back = half_up(face_value - exact_net(face_value, rate)), 0

    for amount in [*redeemed, used]:
        card = Voucher(code="A", balance=left, face_value=face_value, single_purpose=rate)
        for row in prepaid_breakdown([Redemption(card, amount)]):
            exact = amount - exact_net(amount, rate)
            assert abs(-row.vat - exact) < 1
            assert row.vat <= 0
            given_back -= row.vat
        left -= amount
        assert given_back <= declared

    assert given_back == declared


@given(checkouts(sizes=paying))
def test_prepaid_tax_exceeds_that_of_the_goods_by_less_than_a_unit_per_voucher(
    request: PricingRequest,
) -> None:
    totals = priced(request)
    gross = {row.rate.parts_per_million: row.gross for row in totals.vat_breakdown}

    for row in totals.prepaid:
        assert -row.gross <= gross[row.rate.parts_per_million]
        exact = -row.gross - exact_net(-row.gross, row.rate)
        assert -row.vat - exact < sum(paid.voucher.single_purpose == row.rate for paid in totals.vouchers)


@given(checkouts(sizes=paying, policy=policies(vouchers_pay_donation=False)))
def test_vouchers_do_not_pay_the_donation(request: PricingRequest) -> None:
    totals = priced(request)

    goods = totals.total_gross - totals.donation
    assert totals.amount_due >= totals.donation
    assert [paid.amount for paid in totals.vouchers] == paid_by_hand(request, goods)


@given(checkouts(sizes=paying, policy=policies(vouchers_pay_donation=True)))
def test_vouchers_pay_the_donation_if_the_policy_allows(request: PricingRequest) -> None:
    totals = priced(request)

    assert [paid.amount for paid in totals.vouchers] == paid_by_hand(request, totals.total_gross)


@given(checkouts(sizes=paying))
def test_single_purpose_vouchers_report_a_negative_base_per_rate(request: PricingRequest) -> None:
    totals = priced(request)

    paid: dict[int, int] = {}
    for redemption in totals.vouchers:
        voucher, amount = redemption.voucher, redemption.amount
        if voucher.single_purpose is not None and amount:
            parts = voucher.single_purpose.parts_per_million
            paid[parts] = paid.get(parts, 0) + amount
    assert {row.rate.parts_per_million: -row.gross for row in totals.prepaid} == paid
    assert list(totals.prepaid) == sorted(totals.prepaid)
    for _, net, vat, gross in totals.prepaid:
        assert gross == net + vat
        assert gross <= vat <= 0


@given(amounts, st.one_of(st.integers(1, 12), amounts.filter(bool)))
def test_a_donation_rounds_up_to_the_next_step(total: int, step: int) -> None:
    donation = donation_amount(total, step=step)

    assert (total + donation) % step == 0
    assert 0 <= donation < step
