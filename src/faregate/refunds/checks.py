"""The units of a return, and the checks of its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from faregate.errors import InvalidRefund, Issues
from faregate.refunds.credits import Gone
from faregate.refunds.orders import ReturnedUnits
from faregate.refunds.quote import RefundQuote
from faregate.totals.pipeline import CheckoutTotals


def units_returned(
    totals: CheckoutTotals, returned: Sequence[ReturnedUnits], at: datetime, quotes: Sequence[RefundQuote]
) -> dict[int, set[int]]:
    """Check the arguments of a quote, and return the positions of the units of each line returned now.

    Raises:
        InvalidRefund: an argument is invalid; lists every issue.
    """
    quantities = {line.key: line.quantity for line in totals.lines}
    issues = Issues()
    if getattr(at, "tzinfo", None) is None:
        issues.add(("at",), f"expected a datetime with a UTC offset, got {at}")
    gone: dict[int, set[int]] = {}
    for index, quote in enumerate(quotes):
        for row in quote.lines:
            gone.setdefault(row.line, set()).update(row.units)
            if quantities.get(row.line) != len(row.credited):
                issues.add(("refunded", index), f"line {row.line} does not fit the order")
    now: dict[int, set[int]] = {}
    for index, each in enumerate(returned):
        for message in _messages(each, quantities, gone, now):
            issues.add(("returned", index), message)
    issues.check(InvalidRefund)
    return now


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
