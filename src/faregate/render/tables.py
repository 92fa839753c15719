"""HTML tables for traces, with the steps behind each figure, and for subscriptions."""

from collections.abc import Iterator, Sequence
from itertools import islice

from faregate.money.amounts import format_amount
from faregate.render.markup import MAX_ROWS, Table
from faregate.subscriptions.terms import SubscriptionConfiguration
from faregate.trace import Trace


def trace_html(trace: Trace, *, caption: str) -> str:
    """Return an HTML table of *trace*, with amounts in its currency or, without one, in minor units."""
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
    """Yield a table row for *figure* (of *line*, if given), then a row for each of its steps."""
    of_line = "" if line is None else f", line {line}"
    total = format_amount(trace.amount(figure, line=line), trace.currency)
    yield figure.replace("_", " ") + of_line, "", "", "", total
    for step in trace.of(figure, line=line):
        rule, amount = step.rule.value.replace("_", " "), format_amount(step.amount, trace.currency)
        yield "", rule, step.source, step.note, amount


def subscription_html(found: SubscriptionConfiguration) -> str:
    """Return an HTML table with the dates of a subscription and the period of its first payment."""
    paid = f"{found.first.days} of {found.whole.days} days, before {found.first.end}"
    rows = (
        ("starts on", f"{found.starts_on:%Y-%m-%d %H:%M %Z}"),
        ("first payment covers", paid),
        ("next billing", f"{found.next_billing_date:%Y-%m-%d %H:%M %Z}"),
        ("minimum term", f"{found.minimal_run_periods} periods"),
        ("earliest end", found.earliest_end.isoformat()),
        ("pickup", "yes" if found.has_pickup else "no"),
    )
    return Table(("Subscription", str(found.rule)), rows, texts=frozenset({0, 1})).html()
