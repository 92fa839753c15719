"""Laws of refunds: they depend on the set of returned units, and end at what was paid. Decisions §20."""

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from faregate.money.amounts import MinorUnits
from faregate.refunds.policy import PayoutOrder, RefundBasis, RefundPolicy
from faregate.refunds.quote import RefundQuote
from faregate.refunds.steps import refund_trace
from faregate.tax.rates import Tie, VatAmount, VatRate
from support.effort import share_of
from support.oracles import refunds as oracle
from support.oracles.naive_readings import net_of as exact_net_of
from support.oracles.refunds import amount_for, own_price, paid_by_units, refunds
from support.refunds.returns import (
    Case,
    cases,
    crossed_cases,
    figures,
    policies_in_full,
    prepaid_cases,
    quotes_of,
)

many = settings(max_examples=max(share_of(100), settings().max_examples))


def summed(rows: Iterable[VatAmount]) -> tuple[Counter[VatRate], Counter[VatRate]]:
    """Return the net and gross amounts of each rate."""
    nets, grosses = Counter[VatRate](), Counter[VatRate]()
    for row in rows:
        nets[row.rate] += row.net
        grosses[row.rate] += row.gross
    return nets, grosses


def paid_at_rates(case: Case) -> tuple[Counter[VatRate], Counter[VatRate]]:
    return summed(
        VatAmount(line.rate, line.total_net, line.total_gross - line.total_net, line.total_gross)
        for line in case.totals.lines
    )


def given_back(quote: RefundQuote) -> MinorUnits:
    return sum(row.gross for row in quote.lines)


def check_against_the_oracle(case: Case, quotes: list[RefundQuote]) -> None:
    expected = refunds(case.totals, map(set, case.returns), case.policy, case.at)
    for quote, refund in zip(quotes, expected, strict=True):
        assert figures(quote) == {key: tuple(row) for key, row in refund.rows.items()}
        assert {row.rate: (row.net, row.gross) for row in quote.fees} == refund.fees
        assert quote.amount == quote.donation + sum(
            row.gross - row.kept_gross - row.fee for row in refund.rows.values()
        )


@many
@given(cases())
def test_every_amount_is_that_of_an_independent_reading(case: Case) -> None:
    quotes = quotes_of(case)
    check_against_the_oracle(case, quotes)
    check_laws_of_a_sequence(case, quotes)


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, 25))])
def test_every_amount_of_twenty_thousand_orders_with_three_refunds(part: int) -> None:
    @seed(part)
    @settings(max_examples=50)
    @given(crossed_cases(size=4))
    def check(crossed: list[Case]) -> None:
        for case in crossed:
            quotes = quotes_of(case)
            check_against_the_oracle(case, quotes)
            check_laws_of_a_sequence(case, quotes)

    check()


@given(cases())
def test_refunds_of_a_set_add_up_to_price_less_value_of_the_rest_and_never_fall(case: Case) -> None:
    quotes = quotes_of(case)

    sets = accumulate(case.returns, lambda gone, now: gone | now)
    units = paid_by_units(case.totals)
    alone = [amount_for(case.totals, units, set(gone), case.policy.basis) for gone in sets]
    assert list(accumulate(map(given_back, quotes))) == list(accumulate(alone, max))


def check_laws_of_a_sequence(case: Case, quotes: list[RefundQuote]) -> None:
    """Nothing is negative, sums agree, and no means of payment gets more than was paid with it."""
    totals = case.totals
    to_cards, to_vouchers = Counter[str](), Counter[str]()
    for quote in quotes:
        assert quote.amount == sum(row.refund for row in quote.lines) + quote.donation
        assert quote.amount == sum(pay.amount for pay in (*quote.payments, *quote.vouchers))
        taken = sum(row.gross for row in quote.vat_breakdown) - sum(row.gross for row in quote.fees)
        assert quote.amount == taken + quote.donation
        for vat in (*quote.vat_breakdown, *quote.kept, *quote.fees, *quote.prepaid):
            assert vat.net + vat.vat == vat.gross
            assert min(vat.net, vat.vat) >= 0
        for row in quote.lines:
            assert min(row.refund, row.net, row.kept_gross, row.kept_net, row.fee, *row.credited) >= 0
        assert min([pay.amount for pay in (*quote.payments, *quote.vouchers)], default=1) > 0
        assert all(code.amount > 0 and code.uses in (0, 1) for code in quote.codes)
        to_cards.update({pay.name: pay.amount for pay in quote.payments})
        to_vouchers.update({pay.name: pay.amount for pay in quote.vouchers})
    assert to_cards <= Counter({pay.name: pay.amount for pay in case.order.payments})
    assert to_vouchers <= Counter({paid.voucher.code: paid.amount for paid in totals.vouchers})


@given(cases(policies_in_full, whole=True))
def test_returning_everything_ends_at_what_was_paid(case: Case) -> None:
    totals, quotes = case.totals, quotes_of(case)

    assert sum(quote.amount for quote in quotes) == totals.total_gross
    assert summed(row for quote in quotes for row in quote.vat_breakdown) == paid_at_rates(case)
    cards, vouchers = Counter[str](), Counter[str]()
    for quote in quotes:
        cards.update({pay.name: pay.amount for pay in quote.payments})
        vouchers.update({pay.name: pay.amount for pay in quote.vouchers})
    assert cards == Counter({pay.name: pay.amount for pay in case.order.payments})
    assert vouchers == Counter({paid.voucher.code: paid.amount for paid in totals.vouchers})


@many
@given(prepaid_cases())
def test_single_purpose_vouchers_get_back_what_they_paid_for_the_refunded_lines(case: Case) -> None:
    totals, refunded = case.totals, Counter[int]()
    vouchers = {paid.voucher.code: paid for paid in totals.vouchers}
    singles = {code for code, paid in vouchers.items() if paid.voucher.single_purpose}
    limits = {"card": totals.amount_due}, {"GIFT": vouchers["GIFT"].amount}

    for quote in quotes_of(case):
        before = oracle.given_back(totals, refunded)
        refunded.update({row.line: row.refund for row in quote.lines})
        back = oracle.given_back(totals, refunded) - before
        found = Counter({pay.name: pay.amount for pay in quote.vouchers if pay.name in singles})
        assert found == back
        taxes = Counter[VatRate]()
        for code, amount in back.items():
            voucher, rate = vouchers[code].voucher, vouchers[code].voucher.single_purpose
            spent = voucher.redeemed + vouchers[code].amount - before[code]
            if rate is not None:
                taxes[rate] += spent - exact_net_of(spent, rate, Tie.TAX)
                taxes[rate] -= spent - amount - exact_net_of(spent - amount, rate, Tie.TAX)
        assert Counter({row.rate: row.vat for row in quote.prepaid}) == taxes
        others = quote.amount - back.total()
        to_card = {pay.name: pay.amount for pay in quote.payments}
        if case.policy.payout_order is PayoutOrder.PAYMENTS_FIRST:
            expected, gift = oracle.in_turn(others, *limits)
        elif case.policy.payout_order is PayoutOrder.VOUCHERS_FIRST:
            gift, expected = oracle.in_turn(others, *reversed(limits))
        else:
            card, own = oracle.hamilton(others, [limits[0]["card"], limits[1]["GIFT"]])
            expected, gift = +Counter(card=card), +Counter(GIFT=own)
        assert to_card == expected
        assert {p.name: p.amount for p in quote.vouchers if p.name not in singles} == gift
        limits[0]["card"] -= expected["card"]
        limits[1]["GIFT"] -= gift["GIFT"]


@given(cases(policies_in_full, whole=True))
def test_single_purpose_vouchers_end_at_the_tax_that_their_redemption_declared(case: Case) -> None:
    quotes = quotes_of(case)

    taken = Counter[int]()
    for quote in quotes:
        for row in quote.prepaid:
            taken[row.rate.parts_per_million] += row.vat
    declared = Counter({row.rate.parts_per_million: -row.vat for row in case.totals.prepaid})
    assert taken == declared


@given(cases(whole=True))
def test_refunds_fees_and_kept_parts_end_at_what_was_paid(case: Case) -> None:
    totals, quotes = case.totals, quotes_of(case)

    fees = sum(row.gross for quote in quotes for row in quote.fees)
    kept = sum(row.gross for quote in quotes for row in quote.kept)
    donation = 0 if case.policy.refunds_donation else totals.donation
    assert sum(quote.amount for quote in quotes) + fees + kept + donation == totals.total_gross
    rows = (row for quote in quotes for row in (*quote.vat_breakdown, *quote.kept))
    assert summed(rows) == paid_at_rates(case)


@given(cases(policies_in_full, whole=True), st.permutations(range(3)))
def test_order_of_returns_does_not_change_where_they_end(case: Case, order: list[int]) -> None:
    quotes, others = quotes_of(case), quotes_of(case, [case.returns[n] for n in order])

    def ends(of: list[RefundQuote]) -> tuple[object, ...]:
        amounts = Counter[tuple[str, str]]()
        for quote in of:
            amounts.update({("card", pay.name): pay.amount for pay in quote.payments})
            amounts.update({("voucher", pay.name): pay.amount for pay in quote.vouchers})
            amounts.update({("code", code.code): code.amount for code in quote.codes})
            amounts.update({("uses", code.code): code.uses for code in quote.codes})
        return sum(quote.amount for quote in of), summed(r for q in of for r in q.vat_breakdown), amounts

    assert ends(quotes) == ends(others)


@given(cases(st.builds(RefundPolicy, basis=st.just(RefundBasis.SHARE))), st.permutations(range(3)))
def test_a_share_does_not_depend_on_the_sequence_at_all(case: Case, order: list[int]) -> None:
    alone = paid_by_units(case.totals)

    for quote in quotes_of(case, [case.returns[n] for n in order]):
        for row in quote.lines:
            returned = [alone[row.line, unit] for unit in row.units]
            assert row.gross == row.paid == sum(unit.gross for unit in returned)
            assert row.net == sum(unit.net for unit in returned)


@given(cases(st.builds(RefundPolicy, basis=st.just(RefundBasis.FLOOR))))
def test_a_floor_pays_nothing_or_leaves_the_rest_at_or_above_its_own_price(case: Case) -> None:
    left = case.totals.total_gross - case.totals.donation
    gone: set[tuple[int, int]] = set()

    for units, quote in zip(case.returns, quotes_of(case), strict=True):
        gone |= units
        left -= given_back(quote)
        assert not given_back(quote) or left >= own_price(case.totals, gone)


@given(cases())
def test_trace_adds_up_to_every_refund_and_to_every_payout(case: Case) -> None:
    for quote in quotes_of(case):
        trace = refund_trace(quote)

        for row in quote.lines:
            assert trace.amount("refund", line=row.line) == row.refund
        assert trace.amount("refund") == trace.amount("paid_out") == quote.amount


@given(cases(whole=True))
def test_codes_get_back_their_discount_and_their_use(case: Case) -> None:
    back, uses = Counter[str](), Counter[str]()
    for quote in quotes_of(case):
        back.update({code.code: code.amount for code in quote.codes})
        uses.update({code.code: code.uses for code in quote.codes})

    used = {result.code: result.total_amount for result in case.totals.promo_codes if result.valid}
    assert back == Counter(used)
    assert uses == Counter(dict.fromkeys(used, 1))
