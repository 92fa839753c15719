"""The refunds that an order has had already. Decisions §20."""

from collections import Counter
from collections.abc import Sequence
from operator import add
from typing import NamedTuple

from faregate.money.amounts import MinorUnits
from faregate.refunds.quote import RefundQuote


class History(NamedTuple):
    """Sums over the earlier quotes of an order, for the lines and means of payment that they name."""

    gone: dict[int, set[int]]
    credited: dict[int, list[MinorUnits]]
    nets: Counter[int]
    refunds: Counter[int]
    donation: MinorUnits
    payments: Counter[str]
    vouchers: Counter[str]


def history_of(quotes: Sequence[RefundQuote]) -> History:
    """Add up the earlier *quotes* of an order."""
    past = History(
        {}, {}, Counter(), Counter(), sum([quote.donation for quote in quotes]), Counter(), Counter()
    )
    for quote in quotes:
        for row in quote.lines:
            past.gone[row.line] = past.gone.get(row.line, set()).union(row.units)
            before = past.credited.get(row.line, [0] * len(row.credited))
            past.credited[row.line] = list(map(add, before, row.credited))
            past.nets[row.line] += row.net
            past.refunds[row.line] += row.refund
        for payment in quote.payments:
            past.payments[payment.name] += payment.amount
        for voucher in quote.vouchers:
            past.vouchers[voucher.name] += voucher.amount
    return past
