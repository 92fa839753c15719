"""Strategies for paid orders, refund policies and returns, and the quotes of a sequence of returns."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import product
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.discounts.kinds import EVERYTHING, Absolute, DiscountLevel, Percentage, PerUnit, Scope
from faregate.refunds.orders import PaidOrder, Payment, ReturnedUnits
from faregate.refunds.policy import FeeStep, Guarantee, PayoutOrder, RefundBasis, RefundPolicy
from faregate.refunds.quote import RefundQuote
from faregate.refunds.quoting import refund_quote
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from support.baskets.strategies import NOW, members, percentages, rarely, scopes, upto, vat_rates
from support.baskets.whole_checkouts import Sizes, checkouts, priced
from support.oracles.refunds import Unit

some = Sizes(lines=8, automatic=3, codes=3, vouchers=3)
few_units = st.sampled_from((1, 1, 2, 3, 5, 10))


class Case(NamedTuple):
    """A paid order, the sets of units that are returned one after another, and the terms."""

    order: PaidOrder
    returns: tuple[frozenset[Unit], ...]
    policy: RefundPolicy
    at: datetime

    @property
    def totals(self) -> CheckoutTotals:
        return self.order.totals


def units_of(totals: CheckoutTotals) -> list[Unit]:
    return [(line.key, unit) for line in totals.lines for unit in range(line.quantity)]


def paid_with_cards(totals: CheckoutTotals, cuts: Iterable[int]) -> PaidOrder:
    """Return an order whose amount due is divided at *cuts* and paid with a card for each part."""
    ends = sorted(cuts)
    parts = [end - start for start, end in zip([0, *ends], [*ends, totals.amount_due], strict=True)]
    payments = tuple(Payment(name=f"card {n}", amount=part) for n, part in enumerate(parts))
    return PaidOrder(totals=totals, payments=payments)


requests = checkouts(sizes=some, line_quantities=few_units)


@st.composite
def paid_orders(draw: DrawFn) -> PaidOrder:
    """Draw an order paid with up to three cards."""
    totals = priced(draw(requests))
    if not totals.amount_due and draw(st.booleans()):
        return PaidOrder(totals=totals)
    return paid_with_cards(totals, [draw(upto(totals.amount_due)) for _ in range(draw(upto(2)))])


_amounts = st.sampled_from((1, 7, 500, 10**6))
_fees: SearchStrategy[Percentage | PerUnit | Absolute | None] = st.one_of(
    st.none(),
    st.builds(Percentage, parts_per_million=percentages, level=members(DiscountLevel)),
    st.builds(PerUnit, _amounts),
    st.builds(Absolute, _amounts, members(DiscountLevel)),
)


@st.composite
def fee_steps(draw: DrawFn) -> tuple[FeeStep, ...]:
    notices = [timedelta(days=days) for days in sorted({draw(upto(5)) for _ in range(2)}, reverse=True)]
    rate = vat_rates
    return tuple(FeeStep(fee=draw(_fees), rate=draw(rate), notice=notice) for notice in [*notices, None])


_scopes = scopes() | st.just(EVERYTHING)
_guarantees = st.builds(Guarantee, payout=st.builds(Percentage, parts_per_million=percentages), scope=_scopes)
policies_in_full = st.builds(
    RefundPolicy,
    basis=members(RefundBasis),
    refunds_donation=st.just(True),
    payout_order=members(PayoutOrder),
)
every_refund_policy = st.builds(
    RefundPolicy,
    basis=members(RefundBasis),
    fees=rarely(fee_steps(), (), one_in=2),
    non_refundable=rarely(_scopes, None, one_in=3),
    guarantee=rarely(_guarantees, None, one_in=3),
    refunds_donation=st.booleans(),
    payout_order=members(PayoutOrder),
)


@st.composite
def cases(
    draw: DrawFn, policy: SearchStrategy[RefundPolicy] = every_refund_policy, *, whole: bool = False
) -> Case:
    """Draw up to three returns of an order or, if *whole*, three that return every unit."""
    order = draw(paid_orders())
    when = [draw(st.sampled_from((0, 1, 2) if whole else (0, 1, 2, 3))) for _ in units_of(order.totals)]
    returns = three_returns(order.totals, when)
    return Case(order, returns, draw(policy), NOW + timedelta(days=draw(st.integers(-8, 8))))


def three_returns(totals: CheckoutTotals, when: Iterable[int]) -> tuple[frozenset[Unit], ...]:
    """Return the units that are returned at each of three times; *when* has a time for each unit."""
    turns = [*zip(units_of(totals), when, strict=True)]
    return tuple(frozenset(unit for unit, turn in turns if turn == n) for n in range(3))


@st.composite
def crossed_cases(draw: DrawFn, size: int) -> list[Case]:
    """Draw *size* requests, and return a case for the lines of each with the rules of each.

    The orders are as varied as those of ``cases`` and take a fraction of the time to draw.
    """
    drawn = [(draw(requests), draw(every_refund_policy)) for _ in range(size)]
    random = Random(draw(st.integers(0, 2**32)))
    found = []
    for (lines, policy), (rules, _) in product(drawn, repeat=2):
        totals = priced(rules._replace(lines=lines.lines))
        order = paid_with_cards(totals, random.choices(range(totals.amount_due + 1), k=random.randrange(3)))
        when = [random.randrange(4) for _ in units_of(totals)]
        at = NOW + timedelta(days=random.randint(-8, 8))
        found.append(Case(order, three_returns(totals, when), policy, at))
    return found


def returned(units: Iterable[Unit]) -> list[ReturnedUnits]:
    return [ReturnedUnits(line=key, units=(unit,)) for key, unit in sorted(units)]


def quotes_of(case: Case, returns: Iterable[frozenset[Unit]] | None = None) -> list[RefundQuote]:
    """Quote the returns of a case, or other *returns*, one after another."""
    quotes: list[RefundQuote] = []
    for units in case.returns if returns is None else returns:
        quotes.append(
            refund_quote(case.order, returned(units), policy=case.policy, at=case.at, refunded=quotes)
        )
    return quotes


def figures(quote: RefundQuote) -> dict[int, Any]:
    """Return the figures of each line of a quote."""
    return {row.line: (row.gross, row.net, row.kept_gross, row.kept_net, row.fee) for row in quote.lines}


_RATES = VatRate.percent("8.1"), VatRate.percent("2.6")


@st.composite
def _single_purpose(draw: DrawFn, code: str) -> Voucher:
    balance = draw(st.integers(1, 3000))
    keys = draw(st.sets(st.integers(1, 4), max_size=2))
    return Voucher(
        code=code,
        balance=balance,
        face_value=balance + draw(upto(500)),
        single_purpose=draw(st.sampled_from(_RATES)),
        scope=Scope(lines=frozenset(keys)),
    )


@st.composite
def prepaid_cases(draw: DrawFn) -> Case:
    """Draw an order paid with several single-purpose vouchers, some for the same lines, and its returns."""
    lines = [
        Line(key, draw(upto(1500)), draw(st.integers(1, 3)), draw(st.sampled_from(_RATES)))
        for key in range(1, draw(st.integers(2, 5)))
    ]
    vouchers = [draw(_single_purpose(code)) for code in "CABD"[: draw(st.integers(1, 4))]]
    gift = Voucher(code="GIFT", balance=draw(upto(1000)))
    totals = checkout_totals(lines, vouchers=[*vouchers, gift], donation=draw(upto(20)))
    order = PaidOrder(totals=totals, payments=(Payment(name="card", amount=totals.amount_due),))
    returns = three_returns(totals, [draw(upto(2)) for _ in units_of(totals)])
    fees = draw(st.sampled_from(((), (FeeStep(fee=PerUnit(50), rate=_RATES[0]),))))
    policy = RefundPolicy(
        basis=draw(members(RefundBasis)), fees=fees, payout_order=draw(members(PayoutOrder))
    )
    return Case(order, returns, policy, NOW)
