"""Sweeps: audits of a whole database that other processes may write to at the same time."""

from collections import Counter
from collections.abc import Iterator

from faregate.catalogue.catalogue import Catalogue
from faregate_http.store.contract import StoreUnavailable
from faregate_server.audit.charges import Charges, charge_findings, unknown_charges
from faregate_server.audit.checkouts import checkout_findings, hold_findings, payment_findings
from faregate_server.audit.findings import Finding, Rule, slot_name
from faregate_server.audit.orders import order_findings
from faregate_server.store.snapshots import History, SlotCounts, Snapshot, open_snapshot

_NOTHING_YET = dict.fromkeys(("checkouts", "orders", "payments", "tickets", "holds", "slots"), 0)


class Sweep:
    """An audit of the database at *url*; iterating over the sweep yields the findings.

    All findings describe the same state of the database. The audit only reads it; other processes may write
    at the same time. With *catalogue*, checkouts are also checked against it; with *charges*, payments are
    also compared with those of the gateway. Iteration blocks the calling thread. ``looked_at`` counts the
    rows audited so far per type, such as "orders".

    >>> import tempfile
    >>> from faregate_server.store.migrate import migrate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = migrate(f"sqlite:///{folder}/checkouts.db")
    ...     list(Sweep(f"sqlite:///{folder}/checkouts.db"))
    []
    """

    def __init__(
        self, url: str, *, catalogue: Catalogue | None = None, charges: Charges | None = None
    ) -> None:
        self._url = url
        self._catalogue = catalogue
        self._charges = Counter(charges)
        self.looked_at = Counter(_NOTHING_YET)

    def __iter__(self) -> Iterator[Finding]:
        """Audit the current state of the database and yield the findings.

        Raises:
            StoreError: the database cannot be read, or is not at the expected revision.
        """
        self.looked_at = Counter(_NOTHING_YET)
        with open_snapshot(self._url) as snapshot:
            damages = [Finding(Rule.DAMAGE, "database", text) for text in snapshot.damage()]
            yield from damages
            try:
                yield from self._rows(snapshot)
            except StoreUnavailable as error:
                if not damages:
                    raise
                yield Finding(Rule.DAMAGE, "database", f"the rest cannot be read: {error}")

    def _rows(self, snapshot: Snapshot) -> Iterator[Finding]:
        for name in snapshot.missing():
            yield Finding(Rule.SCHEMA, name, "is missing or disabled")
        for slot in snapshot.slots():
            self.looked_at["slots"] += 1
            yield from _slot_findings(slot)
        charges = self._charges.copy()
        for history in snapshot.histories():
            self._count(history)
            yield from self._history(history)
            yield from charge_findings(history.payments, charges)
        yield from unknown_charges(charges)

    def _history(self, history: History) -> Iterator[Finding]:
        yield from order_findings(history)
        yield from payment_findings(history)
        yield from hold_findings(history)
        yield from checkout_findings(history, self._catalogue)

    def _count(self, history: History) -> None:
        self.looked_at["checkouts"] += 1
        self.looked_at["orders"] += history.order is not None
        self.looked_at["payments"] += len(history.payments)
        self.looked_at["tickets"] += len(history.tickets)
        self.looked_at["holds"] += len(history.holds)


def _slot_findings(slot: SlotCounts) -> Iterator[Finding]:
    if (slot.sold, slot.held) != (slot.units_sold, slot.units_held):
        counted = f"{slot.sold} sold and {slot.held} held units are counted"
        text = f"{counted}, but its holds add up to {slot.units_sold} and {slot.units_held}"
        yield Finding(Rule.CAPACITY, slot_name(slot.pool, slot.slot), text)
