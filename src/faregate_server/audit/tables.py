"""Rules of the tables themselves: what is counted of each slot, and what rows break that is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from faregate_server.audit.findings import Finding, Rule, slot_name
from faregate_server.store.sql.snapshot_statements import DeclaredKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faregate_server.store.snapshots import Breach, SlotCounts


def slot_findings(book: SlotCounts) -> Iterator[Finding]:
    """Say of a slot where more is taken than there is, or where it is counted wrongly."""
    subject = slot_name(book.pool, book.slot)
    if book.sold + book.held > book.size or min(book.sold, book.held) < 0:
        taken = f"{book.sold} sold and {book.held} held of {book.size}"
        yield Finding(Rule.CAPACITY, subject, taken)
    if (book.sold, book.held) != (book.units_sold, book.units_held):
        counted = f"{book.sold} sold and {book.held} held are counted"
        text = f"{counted}, its holds are {book.units_sold} and {book.units_held}"
        yield Finding(Rule.CAPACITY, subject, text)


def breach_finding(breach: Breach) -> Finding:
    """Say which row breaks what its table declares."""
    return Finding(Rule.DECLARED, _row_name(breach), f"{_complaint(breach)} ({breach.name})")


def _row_name(breach: Breach) -> str:
    key = [str(part) for part in breach.key]
    if breach.table == "holds":
        checkout_id, pool, slot = key
        return f"holds {checkout_id} {slot_name(pool, slot)}"
    return f"{breach.table} {' '.join(key)}".rstrip()


def _complaint(breach: Breach) -> str:
    match breach.kind:
        case DeclaredKind.CHECK:
            return f"not {breach.words}"
        case DeclaredKind.FOREIGN_KEY:
            return f"belongs to a row of {breach.words} that is not there"
        case DeclaredKind.UNIQUE:
            return f"shares {breach.words} with another row"
        case _:
            assert_never(breach.kind)
