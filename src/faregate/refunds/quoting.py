"""The refund quote of a return, in one pure function. Decisions §20.

The stages are the amount given back for the set of all returned units, its allocation to the units, the kept
parts, the fees, and the means of payment. An amount is rounded once, at the stage named there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from operator import add

from faregate.arguments.checks import require, rows
from faregate.basket.lines import Cart
from faregate.discounts.eligibility import selected
from faregate.discounts.kinds import Scope
from faregate.errors import InvalidRefund
from faregate.money.amounts import MILLION, MinorUnits
from faregate.money.rounding import rdiv
from faregate.refunds.checks import units_returned
from faregate.refunds.credits import Amounts, Gone, PaidUnits, amount_for, credit, net_of
from faregate.refunds.fees import Fee, FeeBase, fees_of
from faregate.refunds.history import History, history_of
from faregate.refunds.orders import PaidOrder, ReturnedUnits
from faregate.refunds.payouts import pay_out
from faregate.refunds.policy import RefundPolicy
from faregate.refunds.quote import LineRefund, RefundQuote
from faregate.refunds.releases import released_codes
from faregate.tax.rates import Tie, VatAmount, VatRate, net_from_gross
from faregate.totals.pipeline import CheckoutTotals

_DEFAULT_POLICY = RefundPolicy()


def refund_quote(
    order: PaidOrder,
    returned: Iterable[ReturnedUnits],
    *,
    policy: RefundPolicy = _DEFAULT_POLICY,
    at: datetime,
    refunded: Iterable[RefundQuote] = (),
) -> RefundQuote:
    """Quote the refund for units of an order that are *returned* at the instant *at*.

    *refunded* has the earlier quotes of the order that were carried out. The refund of all units returned so
    far does not depend on how they were divided among quotes: it is the price paid less the value of the rest
    (``RefundBasis``), but at least the earlier refunds. A quote is the difference to these.

    >>> from datetime import UTC
    >>> from faregate import Line, Payment, VatRate, checkout_totals
    >>> totals = checkout_totals([Line(1, unit_price=7900, quantity=2, rate=VatRate.percent("8.1"))])
    >>> order = PaidOrder(totals=totals, payments=(Payment(name="card", amount=15800),))
    >>> one = ReturnedUnits(line=1, units=(0,))
    >>> quote = refund_quote(order, [one], at=datetime(2026, 11, 2, tzinfo=UTC))
    >>> quote.amount, quote.payments
    (7900, (Payment(name='card', amount=7900),))

    Raises:
        InvalidRefund: an argument has the wrong type, a line or unit is unknown or has been returned before,
            *at* has no UTC offset, or an earlier quote does not belong to the order; lists every issue.
    """
    require(PaidOrder, order, "order", InvalidRefund)
    require(RefundPolicy, policy, "policy", InvalidRefund)
    returned = rows("returned", returned, InvalidRefund, (ReturnedUnits,))
    quotes = rows("refunded", refunded, InvalidRefund, (RefundQuote,))
    totals, units = order.totals, PaidUnits(order.totals)
    now = units_returned(order, returned, at, quotes, units)
    history = history_of(quotes)
    gone = history.gone | {key: own | history.gone.get(key, set()) for key, own in now.items()}
    before = sum(map(sum, history.credited.values()))
    given = max(amount_for(totals, units, gone, policy.basis) - before, 0)
    credited = credit(totals, units, gone, history.credited, given)
    lines = _credited_lines(totals, units, now, credited, history, _payouts(totals, policy))
    fees = fees_of(_fee_bases(totals, lines, policy), policy.fees, at) if policy.fees else []
    lines = [_with_fee(line, fees) for line in lines] if fees else lines
    refunds = {line.line: line.refund for line in lines}
    donation = totals.donation - history.donation if policy.refunds_donation else 0
    payouts = pay_out(order, history, refunds, donation, policy.payout_order)
    return RefundQuote(
        lines=tuple(lines),
        vat_breakdown=_by_rate(
            (line.rate, line.net - line.kept_net, line.gross - line.kept_gross) for line in lines
        ),
        kept=_by_rate((line.rate, line.kept_net, line.kept_gross) for line in lines),
        fees=_taxed(fees, totals.request.policy.tie) if fees else (),
        donation=donation,
        amount=sum(refunds.values()) + donation,
        payments=payouts.payments,
        vouchers=payouts.vouchers,
        prepaid=payouts.prepaid,
        codes=tuple(released_codes(totals, history.gone, gone)),
    )


def _credited_lines(
    totals: CheckoutTotals,
    units: PaidUnits,
    now: Gone,
    credited: Amounts,
    history: History,
    payouts: Mapping[int, int],
) -> list[LineRefund]:
    """Return the lines with returned or credited units; *payouts* has the share that some lines pay back."""
    found = []
    for line in totals.lines:
        own, returned = credited.get(line.key, ()), now.get(line.key, ())
        if not returned and not any(own):
            continue
        gross, paid = sum(own), units[line.key]
        net = net_of(paid, map(add, history.credited.get(line.key, [0] * len(own)), own))
        net -= history.nets[line.key]
        kept = gross - rdiv(gross * payouts.get(line.key, MILLION), MILLION)
        found.append(
            LineRefund(
                line=line.key,
                units=tuple(sorted(returned)),
                rate=line.rate,
                paid=sum([paid[unit].gross for unit in returned]),
                credited=tuple(own),
                gross=gross,
                net=net,
                kept_gross=kept,
                kept_net=rdiv(net * kept, gross) if kept else 0,
            )
        )
    return found


def _payouts(totals: CheckoutTotals, policy: RefundPolicy) -> dict[int, int]:
    """Return the share of the price, in parts per million, that lines pay back if it is not all of it."""
    shares = {}
    if policy.guarantee is not None:
        covered = _in_scope(policy.guarantee.scope, totals)
        shares = dict.fromkeys(covered, policy.guarantee.payout.parts_per_million)
    if policy.non_refundable is not None:
        shares |= dict.fromkeys(_in_scope(policy.non_refundable, totals), 0)
    return shares


def _in_scope(scope: Scope, totals: CheckoutTotals) -> list[int]:
    cart = Cart.of(totals.request.lines)
    indices = selected(scope, cart, range(len(cart.keys)), totals.request.context)
    return [cart.keys[index] for index in indices]


def _fee_bases(
    totals: CheckoutTotals, refunds: Iterable[LineRefund], policy: RefundPolicy
) -> Iterator[FeeBase]:
    """Yield the refunds on which a fee is charged: those of returned units without a guarantee."""
    lines = {line.key: line for line in totals.request.lines}
    covered = _in_scope(policy.guarantee.scope, totals) if policy.guarantee else ()
    for refund in refunds:
        if refund.units and refund.line not in covered:
            yield FeeBase(lines[refund.line], refund.refund, len(refund.units))


def _with_fee(refund: LineRefund, fees: Iterable[Fee]) -> LineRefund:
    amount = sum([fee.amount for fee in fees if fee.line == refund.line])
    return replace(refund, fee=amount) if amount else refund


def _by_rate(amounts: Iterable[tuple[VatRate, MinorUnits, MinorUnits]]) -> tuple[VatAmount, ...]:
    """Add up net and gross amounts per rate; rates without an amount are left out."""
    sums: dict[VatRate, tuple[MinorUnits, MinorUnits]] = {}
    for rate, net, gross in amounts:
        if gross:
            earlier = sums.get(rate, (0, 0))
            sums[rate] = earlier[0] + net, earlier[1] + gross
    return tuple([VatAmount(rate, net, gross - net, gross) for rate, (net, gross) in sorted(sums.items())])


def _taxed(fees: Iterable[Fee], tie: Tie) -> tuple[VatAmount, ...]:
    """Return the fees per rate; the tax of a rate is rounded once."""
    sums = _by_rate((fee.rate, 0, fee.amount) for fee in fees)
    return _by_rate((rate, net_from_gross(gross, rate, tie=tie), gross) for rate, _, _, gross in sums)
