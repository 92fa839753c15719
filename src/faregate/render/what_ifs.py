"""Reports of a change of rules as text and HTML: a table for each bridge, then what the figures assume."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from html import escape
from textwrap import wrap

from faregate.insights.what_if import Bridge, BridgeStep, UnmatchedCode, WhatIf
from faregate.money.amounts import MinorUnits, format_amount
from faregate.money.currency import Currency
from faregate.money.rounding import round_half_even
from faregate.render.markup import MAX_ROWS, Table, tag
from faregate.render.wording import printable

_MAX_CODES = 10
_NO_VALUE = "(none)"


def what_if_text(found: WhatIf, *, width: int = 72, currency: Currency | None = None) -> str:
    """Return the bridges and the notes as plain text, *width* columns wide."""
    unit = currency or found.currency
    tables = [_tabulated(_rows(bridge, unit), width) for bridge in found.bridges]
    notes = [line for note in what_if_notes(found, unit) for line in wrap(note, max(width, 1))]
    return "\n\n".join([_title(found, unit), *tables, "\n".join(notes)])


def what_if_html(found: WhatIf, *, currency: Currency | None = None) -> str:
    """Return the bridges and the notes as HTML."""
    unit = currency or found.currency
    tables = [
        Table(head, rows, totals=frozenset({len(rows) - 1})).html()
        for head, *rows in (_rows(bridge, unit) for bridge in found.bridges)
    ]
    notes = [tag("p", escape(note)) for note in (_title(found, unit), *what_if_notes(found, unit))]
    return "".join([notes[0], *tables, *notes[1:]])


def what_if_notes(found: WhatIf, currency: Currency | None) -> Iterator[str]:
    """Yield sentences about the assumption behind *found*, its break-even elasticity, returns and codes."""
    if found.elasticity is None:
        yield "These figures assume that nobody changed what they bought."
    else:
        signed = _signed(found.response, currency)
        by = f" by {printable(found.bridges[0].column)}" if found.bridges[0].column else ""
        yield (
            f"With an elasticity of {_decimal(found.elasticity)}{by}, buyers"
            f" respond with {signed}: the total becomes {format_amount(found.expected, currency)}"
            f" ({_signed(found.expected - found.before, currency)})."
        )
    even = found.break_even
    yield f"Break-even elasticity: {'none' if even is None else _decimal(even)}."
    if found.returns:
        yield f"{_counted(found.returns, 'return')} priced as separate orders; a refund may differ."
    for rules, codes in (("old", found.unmatched_before), ("new", found.unmatched_after)):
        if codes:
            yield f"Codes without effect under the {rules} rules: {_codes(codes)}."


def _title(found: WhatIf, currency: Currency | None) -> str:
    unit = "minor units" if currency is None else currency.code
    counts = (
        _counted(found.checkouts, "order"),
        _counted(found.lines, "line"),
        _counted(found.returns, "return"),
    )
    return f"{', '.join(counts)}, amounts in {unit} with VAT"


def _rows(bridge: Bridge, currency: Currency | None) -> list[Sequence[str]]:
    """Return the head, the steps with the largest changes, one row for all others, and the total."""
    steps = bridge.steps
    if len(steps) > MAX_ROWS:
        chosen = {*sorted(steps, key=lambda step: -abs(step.change))[: MAX_ROWS - 2]}
        others = Bridge("", tuple([step for step in steps if step not in chosen]))
        rest = BridgeStep(f"{len(others.steps)} others", others.before, others.after)
        steps = (*[step for step in steps if step in chosen], rest)
    total = BridgeStep("Total", bridge.before, bridge.after)
    head = (printable(bridge.column), "Before", "After", "Change", "%")
    return [head, *(_cells(step, currency) for step in (*steps, total))]


def _cells(step: BridgeStep, currency: Currency | None) -> Sequence[str]:
    percent = _decimal(Fraction(100 * step.change, step.before)) if step.before else ""
    return (
        _NO_VALUE if step.key is None else printable(step.key),
        format_amount(step.before, currency),
        format_amount(step.after, currency),
        _signed(step.change, currency),
        f"+{percent}" if percent and step.change * step.before > 0 else percent,
    )


def _tabulated(rows: Sequence[Sequence[str]], width: int) -> str:
    sizes = [max(map(len, column)) for column in zip(*rows, strict=True)]
    space = max(width - sum(sizes[1:]) - 2 * len(sizes[1:]), 1)
    lines = [[f"{cells[0][:space]:<{space}}", *map(str.rjust, cells[1:], sizes[1:])] for cells in rows]
    return "\n".join("  ".join(cells).rstrip() for cells in lines)


def _codes(codes: Sequence[UnmatchedCode]) -> str:
    shown = [
        f"{printable(code)} ({_counted(checkouts, 'order')}, {'never valid' if is_known else 'unknown'})"
        for code, checkouts, is_known in codes[:_MAX_CODES]
    ]
    more = len(codes) - _MAX_CODES
    return ", ".join([*shown, *([f"and {more} more"] if more > 0 else [])])


def _signed(amount: MinorUnits, currency: Currency | None) -> str:
    return f"{'+' if amount > 0 else ''}{format_amount(amount, currency)}"


def _decimal(number: Fraction) -> str:
    """Return *number* with two decimals, rounded half to even."""
    hundredths = round_half_even(100 * number)
    whole, rest = divmod(abs(hundredths), 100)
    return f"{'-' if hundredths < 0 else ''}{whole}.{rest:02}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
