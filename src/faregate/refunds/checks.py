"""The units of a return, and the checks of its arguments."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from faregate.errors import InvalidRefund, Issues
from faregate.refunds.credits import Gone, PaidUnits
from faregate.refunds.orders import PaidOrder, ReturnedUnits
from faregate.refunds.quote import LineRefund, RefundQuote
from faregate.totals.pipeline import LineTotals


def units_returned(
    order: PaidOrder,
    returned: Sequence[ReturnedUnits],
    at: datetime,
    quotes: Sequence[RefundQuote],
    paid: PaidUnits,
) -> dict[int, set[int]]:
    """Check the arguments of a quote, and return the positions of the units of each line returned now.

    Raises:
        InvalidRefund: an argument is invalid; lists every issue.
    """
    quantities = {line.key: line.quantity for line in order.totals.lines}
    issues = Issues()
    if getattr(at, "tzinfo", None) is None:
        issues.add(("at",), f"expected a datetime with a UTC offset, got {at}")
    gone = dict[int, set[int]]()
    for index, quote in enumerate(quotes):
        for message in _misfits(quote, order, paid, gone):
            issues.add(("refunded", index), message)
    now: dict[int, set[int]] = {}
    for index, each in enumerate(returned):
        for message in _messages(each, quantities, gone, now):
            issues.add(("returned", index), message)
    issues.check(InvalidRefund)
    return now


def _misfits(
    quote: RefundQuote, order: PaidOrder, paid: PaidUnits, gone: dict[int, set[int]]
) -> Iterator[str]:
    """Add the units of *quote* to those *gone*, and yield what does not fit the order."""
    lines = {line.key: line for line in order.totals.lines}
    for row in quote.lines:
        own = gone.setdefault(row.line, set())
        if not own.isdisjoint(row.units):
            yield f"an earlier quote has units of line {row.line} that this one has too"
        elif not _fits(row, lines.get(row.line), paid):
            yield f"line {row.line} does not fit the order"
        own.update(row.units)
    names = {*[pay.name for pay in order.payments], *[each.voucher.code for each in order.totals.vouchers]}
    for pay in (*quote.payments, *quote.vouchers):
        if pay.name not in names:
            yield f"the order was not paid with {pay.name!r}"
    if not _adds_up(quote):
        yield "its amounts do not add up"


def _fits(row: LineRefund, line: LineTotals | None, paid: PaidUnits) -> bool:
    if line is None or row.rate != line.rate or len(row.credited) != line.quantity:
        return False
    if not all(0 <= unit < line.quantity for unit in row.units) or len({*row.units}) < len(row.units):
        return False
    units = paid[row.line]
    within = all(0 <= amount <= unit.gross for unit, amount in zip(units, row.credited, strict=True))
    return within and row.gross == sum(row.credited) and row.paid == sum([units[n].gross for n in row.units])


def _adds_up(quote: RefundQuote) -> bool:
    net = sum([row.net - row.kept_net for row in quote.lines])
    paid = sum([pay.amount for pay in (*quote.payments, *quote.vouchers)])
    refunds = sum([row.refund for row in quote.lines]) + quote.donation
    return paid == refunds == quote.amount and net == sum([row.net for row in quote.vat_breakdown])


def _messages(
    each: ReturnedUnits, quantities: Mapping[int, int], gone: Gone, now: dict[int, set[int]]
) -> Iterator[str]:
    """Add the units of *each* to those returned *now*, and yield what is wrong with them."""
    quantity = quantities.get(each.line)
    if quantity is None:
        yield f"unknown line {each.line}, expected one of {sorted(quantities)}"
        return
    own = now.setdefault(each.line, set())
    for unit in range(quantity) if each.units is None else each.units:
        if not 0 <= unit < quantity:
            yield f"line {each.line} has no unit {unit}, expected 0 to {quantity - 1}"
        elif unit in own or unit in gone.get(each.line, ()):
            yield f"unit {unit} of line {each.line} is returned already"
        else:
            own.add(unit)
