"""The refunds that an order has had already. Decisions §20."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from faregate.money.amounts import MinorUnits
from faregate.refunds.quote import RefundQuote
from faregate.totals.pipeline import CheckoutTotals


class History(NamedTuple):
    """Sums over the earlier quotes of an order; ``gone`` and ``credited`` have every line of the order."""

    gone: dict[int, set[int]]
    credited: dict[int, list[MinorUnits]]
    nets: Counter[int]
    refunds: Counter[int]
    donation: MinorUnits
    payments: Counter[str]
    vouchers: Counter[str]


def history_of(totals: CheckoutTotals, quotes: Iterable[RefundQuote]) -> History:
    """Add up the earlier *quotes* of an order with these totals."""
    gone: dict[int, set[int]] = {line.key: set() for line in totals.lines}
    credited = {line.key: [0] * line.quantity for line in totals.lines}
    nets, refunds = Counter[int](), Counter[int]()
    payments, vouchers = Counter[str](), Counter[str]()
    donation = 0
    for quote in quotes:
        for line in quote.lines:
            gone[line.line].update(line.units)
            for unit, amount in enumerate(line.credited):
                credited[line.line][unit] += amount
            nets[line.line] += line.net
            refunds[line.line] += line.refund
        for payment in quote.payments:
            payments[payment.name] += payment.amount
        for voucher in quote.vouchers:
            vouchers[voucher.name] += voucher.amount
        donation += quote.donation
    return History(gone, credited, nets, refunds, donation, payments, vouchers)
