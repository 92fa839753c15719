"""Values as tables: a trace with the steps of each figure, a subscription as it is ordered."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from faregate.money.amounts import format_amount
from faregate.render.markup import MAX_ROWS, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from faregate.subscriptions.schedule import SubscriptionConfiguration
    from faregate.trace import Trace


def trace_html(trace: Trace, *, caption: str) -> str:
    """Return the table of a trace; amounts are in its currency, or in minor units where it names none."""
    every = (row for figure, line in trace.figures() for row in _rows(trace, figure, line))
    rows = [*islice(every, MAX_ROWS)]
    return Table(
        ("Figure", "Rule", "Source", "Note", "Amount"),
        rows,
        texts=frozenset(range(4)),
        totals=frozenset(index for index, row in enumerate(rows) if row[0]),
        caption=caption,
        size=len(trace) + len(trace.figures()),
    ).html()


def _rows(trace: Trace, figure: str, line: int | None) -> Iterator[Sequence[str]]:
    """Yield what a figure comes to, then the steps to it."""
    of_line = "" if line is None else f", line {line}"
    total = format_amount(trace.amount(figure, line=line), trace.currency)
    yield figure.replace("_", " ") + of_line, "", "", "", total
    for step in trace.of(figure, line=line):
        rule, amount = step.rule.value.replace("_", " "), format_amount(step.amount, trace.currency)
        yield "", rule, step.source, step.note, amount


def subscription_html(found: SubscriptionConfiguration) -> str:
    """Return a table with a row for each date that is settled, and what is paid first."""
    paid = f"{found.first.days} of {found.whole.days} days, those before {found.first.end}"
    rows = (
        ("starts on", f"{found.starts_on:%Y-%m-%d %H:%M %Z}"),
        ("first payment is for", paid),
        ("next billing", f"{found.next_billing_date:%Y-%m-%d %H:%M %Z}"),
        ("runs at least", f"{found.minimal_run_periods} periods"),
        ("may end on", found.earliest_end.isoformat()),
        ("is fetched", "yes" if found.has_pickup else "no"),
    )
    return Table(("Subscription", str(found.rule)), rows, texts=frozenset({0, 1})).html()
