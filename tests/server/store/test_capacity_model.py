"""In any sequence of events, the store counts capacity like a simple model with a dict."""

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from faregate_http.store.contract import CheckoutRow, Hold, SlotCount, SoldOut, Stale, Store
from faregate_server.store.opening import open_store
from support.stores.capacity import ask
from support.stores.postgresql import migrated_database
from support.stores.rows import a_row
from support.stores.sqlite import new_database

pytestmark = pytest.mark.slow

Slot = tuple[str, str]

START = a_row().changed_at
SLOTS: list[Slot] = [(pool, slot) for pool in ("lift", "parking") for slot in ("d1", "d2")]
WANTED = st.dictionaries(st.sampled_from(SLOTS), st.integers(1, 6), max_size=4)
LIFETIMES = st.integers(1, 5)


@dataclass
class Known:
    """The model's state of one checkout."""

    revision: int
    expires_at: int
    holds: dict[Slot, int] = field(default_factory=dict)
    is_closed: bool = False

    def is_expired(self, at: int) -> bool:
        return not self.is_closed and self.expires_at <= at


class CapacityMachine(RuleBasedStateMachine):
    """Checkouts are opened, changed, closed and expire, units are sold, and the capacity changes."""

    def __init__(self) -> None:
        super().__init__()
        self.left = ExitStack()
        self.url = self.left.enter_context(self.a_database())
        self.loop = asyncio.Runner()
        self.store: Store = open_store(self.url)
        self.now = START
        self.known: dict[str, Known] = {}
        self.sizes = dict.fromkeys(SLOTS, 8)
        self.sold = dict.fromkeys(SLOTS, 0)

    def teardown(self) -> None:
        self.loop.run(self.store.close())
        self.loop.close()
        self.left.close()

    def a_database(self) -> AbstractContextManager[str]:
        return a_file()

    # ------------------------------------------------------------ model

    def held(self, slot: Slot, *, without: str | None = None) -> int:
        return sum(
            one.holds.get(slot, 0)
            for name, one in self.known.items()
            if name != without and not one.is_closed and not one.is_expired(self.now)
        )

    def settled(self, slot: Slot) -> int:
        """Return the units that closed checkouts have bought."""
        return sum(one.holds.get(slot, 0) for one in self.known.values() if one.is_closed)

    def first_full(self, name: str, wanted: dict[Slot, int]) -> Slot | None:
        own = self.known[name].holds if name in self.known else {}
        for slot in sorted(wanted):
            more = wanted[slot] - own.get(slot, 0)
            taken = self.sold[slot] + self.settled(slot) + self.held(slot, without=name) + own.get(slot, 0)
            if more > 0 and taken + more > self.sizes[slot]:
                return slot
        return None

    def names(self) -> list[str]:
        """Return the checkouts that accept changes."""
        return [name for name, one in self.known.items() if not (one.is_closed or one.is_expired(self.now))]

    # ------------------------------------------------------------ model and store

    def save(
        self, name: str, lifetime: int, wanted: dict[Slot, int] | None, *, closing: bool = False
    ) -> None:
        before = self.known.get(name)
        after = Known(1 + (before.revision if before else 0), self.now + lifetime, is_closed=closing)
        after.holds = (before.holds if before else {}) if wanted is None else wanted
        full = self.first_full(name, wanted or {})
        holds = None if wanted is None else [Hold(*slot, n, self.sizes[slot]) for slot, n in wanted.items()]
        refused = None
        try:
            self.loop.run(self.store.save(row(name, after, self.now), None, holds))
            self.known[name] = after
        except SoldOut as refusal:
            refused = (refusal.pool, refusal.slot)
        assert refused == full

    @initialize(wanted=WANTED)
    def open_first(self, wanted: dict[Slot, int]) -> None:
        self.save("first", 3, wanted)

    @rule(lifetime=LIFETIMES, wanted=WANTED)
    def open_another(self, lifetime: int, wanted: dict[Slot, int]) -> None:
        self.save(f"c{len(self.known)}", lifetime, wanted)

    @precondition(lambda self: self.names())
    @rule(
        data=st.data(), lifetime=LIFETIMES, wanted=WANTED | st.none(), closing=st.just(False) | st.booleans()
    )
    def change(
        self, data: st.DataObject, lifetime: int, wanted: dict[Slot, int] | None, closing: bool
    ) -> None:
        self.save(data.draw(st.sampled_from(self.names())), lifetime, wanted, closing=closing)

    @precondition(lambda self: self.names())
    @rule(data=st.data(), wanted=WANTED)
    def change_what_has_moved_on(self, data: st.DataObject, wanted: dict[Slot, int]) -> None:
        name = data.draw(st.sampled_from(self.names()))
        holds = [Hold(*slot, units, 99) for slot, units in wanted.items()]
        try:
            self.loop.run(self.store.save(row(name, self.known[name], self.now), None, holds))
        except Stale:
            return
        raise AssertionError("a revision was saved twice")

    @rule(milliseconds=st.integers(1, 3))
    def wait(self, milliseconds: int) -> None:
        self.now += milliseconds

    @rule(slot=st.sampled_from(SLOTS), size=st.integers(0, 20))
    def offer(self, slot: Slot, size: int) -> None:
        self.sizes[slot] = size

    @rule(slot=st.sampled_from(SLOTS))
    def sell(self, slot: Slot) -> None:
        sql = "UPDATE capacity SET sold = sold + 1 WHERE pool = ? AND slot = ? AND sold + held < size"
        ask(self.url, f"{sql} RETURNING 1", *slot)
        ((sold,),) = ask(self.url, SOLD, *slot)
        self.sold[slot] = int(str(sold)) - self.settled(slot)

    @rule()
    def release(self) -> None:
        self.loop.run(self.store.release_expired(self.now))

        (left,) = ask(
            self.url, "SELECT count(*) FROM holds JOIN checkouts ON id = checkout_id AND NOT is_closed"
        )
        assert left == (sum(len(self.known[name].holds) for name in self.names()),)

    @invariant()
    def all_is_counted(self) -> None:
        for without in (None, *list(self.known)[:2]):
            taken = self.loop.run(
                self.store.taken(["lift", "parking"], "d1", "d2", at=self.now, without=without)
            )
            expected = [
                SlotCount(*slot, self.sold[slot] + self.settled(slot), self.held(slot, without=without))
                for slot in SLOTS
            ]
            assert {one for one in taken if one[2:] > (0, 0)} == {one for one in expected if one[2:] > (0, 0)}

    @invariant()
    def the_tables_agree(self) -> None:
        assert ask(self.url, DIFFERENCES) == []


SOLD = "SELECT coalesce((SELECT sold FROM capacity WHERE pool = ? AND slot = ?), 0)"

DIFFERENCES = """
    SELECT pool, slot, held, sum(units) FROM capacity LEFT JOIN holds USING (pool, slot) GROUP BY pool, slot
    HAVING held <> coalesce(sum(units) FILTER (WHERE NOT is_sold), 0) OR sold + held > size
        OR sold < coalesce(sum(units) FILTER (WHERE is_sold), 0)
    UNION ALL
    SELECT id, '', CAST(has_holds AS integer), count(units)
    FROM checkouts LEFT JOIN holds ON id = checkout_id GROUP BY id
    HAVING has_holds <> (count(units) > 0)
"""


def row(name: str, known: Known, now: int) -> CheckoutRow:
    return a_row(name, revision=known.revision)._replace(
        changed_at=now, expires_at=known.expires_at, is_closed=known.is_closed
    )


@contextmanager
def a_file() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        yield new_database(Path(folder) / "checkouts.db")


TestCapacity = CapacityMachine.TestCase
TestCapacity.settings = settings(stateful_step_count=20, deadline=None)


class PostgresqlCapacityMachine(CapacityMachine):
    """The same machine on PostgreSQL."""

    def a_database(self) -> AbstractContextManager[str]:
        return migrated_database()


TestPostgresqlCapacity = PostgresqlCapacityMachine.TestCase
# Fewer examples, since each manual query opens a connection.
TestPostgresqlCapacity.settings = settings(stateful_step_count=20, deadline=None, max_examples=15)
