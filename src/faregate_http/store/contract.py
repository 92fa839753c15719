"""What a store of checkouts promises, whichever database keeps them.

The event loop reads a row, the pure core decides, one conditional write makes the decision durable. Nothing
is locked in between: a write names the revision it was decided on, and is refused when that has moved on.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from faregate_http.store.records import Record, RecordType


class StoreError(Exception):
    """What a store refuses or cannot do.

    ::

        StoreError
        ├── Stale                 a row is not at the revision the write was decided on
        ├── AnswerTaken           that scope and key have an answer already
        ├── SoldOut               a place that was to be held is not there any more
        ├── TooManyHeld           one holder would hold more than a limit allows
        ├── StoreUnavailable      the database cannot read or write now
        ├── NewerDatabase         the database is of a revision this code does not know
        ├── OlderDatabase         the database has to be migrated before it can be read
        └── UnsupportedDatabase   no store keeps its rows there (also a ValueError)
    """

    def __reduce__(self) -> tuple[object, ...]:
        # By its state, not by calling the class again: its message is made of other arguments.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[StoreError], args: tuple[object, ...]) -> StoreError:
    return kind.__new__(kind, *args)


class Stale(StoreError):
    """The row exists already, has another revision, or is gone: load it and decide again.

    So it is, too, where another row has what only one may have: load what was decided on, and decide again.
    """

    def __init__(self, row_id: str | int, revision: int) -> None:
        super().__init__(f"{row_id} moved on: it cannot become revision {revision}")
        self.row_id = row_id
        self.revision = revision


class AnswerTaken(StoreError):
    """That scope and key have an answer already: read it and give it again."""

    def __init__(self, scope: str, key: str) -> None:
        super().__init__(f"an answer is stored already for key {key!r} of {scope!r}")
        self.scope = scope
        self.key = key


class SoldOut(StoreError):
    """The places are not there any more: the first slot, in order of pool and slot, that has too few."""

    def __init__(self, pool: str, slot: str) -> None:
        super().__init__(f"pool {pool} has too few places left on {slot}")
        self.pool = pool
        self.slot = slot


class TooManyHeld(StoreError):
    """One holder, or all anonymous ones together, would hold more than a limit allows.

    *until* is when the first of the other holds that count ends (epoch milliseconds, UTC); None: no other
    hold counts, so that waiting does not help.
    """

    def __init__(self, message: str, until: int | None) -> None:
        super().__init__(message)
        self.message = message
        self.until = until


class StoreUnavailable(StoreError):
    """The database cannot read or write now; a write that raises this was not acknowledged."""


class NewerDatabase(StoreError):
    """The database is at *found*, a revision this code does not know; *known* is the newest it does."""

    def __init__(self, found: str, known: str) -> None:
        super().__init__(
            f"the database is at revision {found}, this code knows revisions up to {known}: start a newer one"
        )
        self.found = found
        self.known = known


class OlderDatabase(StoreError):
    """The database is at *found*, or has no tables where that is None; *needed* is what is read."""

    def __init__(self, found: str | None, needed: str) -> None:
        where = "has no tables of faregate" if found is None else f"is at revision {found}"
        super().__init__(f"the database {where}, revision {needed} is needed: run faregate migrate first")
        self.found = found
        self.needed = needed


class UnsupportedDatabase(StoreError, ValueError):
    """No store keeps its rows in what the URL names."""


class CheckoutHead(NamedTuple):
    """What decides whether and how a checkout may be touched; instants in epoch milliseconds, UTC."""

    channel: str
    account: int | None
    is_closed: bool
    revision: int
    changed_at: int
    expires_at: int
    is_paying: bool = False


class CheckoutRow(NamedTuple):
    """One stored checkout; instants in epoch milliseconds, UTC.

    `id` is the text of a UUID, `revision` counts from 1, `inputs` is JSON in UTF-8 and opaque to the store.
    One that `is_paying` has a payment that may still succeed. `holder` is a keyed hash of the address that
    holds its places where no account vouches for it, and `held_units` its number of items then; both go with
    the holds.
    """

    id: str
    channel: str
    account: int | None
    is_closed: bool
    revision: int
    started_at: int
    changed_at: int
    expires_at: int
    inputs: bytes
    is_paying: bool = False
    holder: int | None = None
    held_units: int = 0


class StoredAnswer(NamedTuple):
    """The answer given to one request that a client may repeat.

    `fingerprint` tells whether a repeated key carries the same request, `headers` is JSON in UTF-8 and opaque
    to the store, `created_at` is in epoch milliseconds, UTC.
    """

    scope: str
    key: str
    fingerprint: bytes
    status: int
    headers: bytes
    body: bytes
    created_at: int


class Hold(NamedTuple):
    """Places of one pool in one slot, a service day or a time of one, that one checkout keeps.

    `slot` is text that sorts by time within its pool (``2026-12-27``, ``2026-12-27T10:00``) and means nothing
    else to the store; `size` is how many places there are for sale, taken ones included. Up to `before` units
    are no new claim: what of them the checkout does not hold yet, it goes without if there is no place.
    """

    pool: str
    slot: str
    units: int
    size: int
    before: int = 0


class HoldLimits(NamedTuple):
    """Limits on anonymous holds; None: no limit.

    One holder holds at most *units* units, and of a slot at most *share* percent of its size but always
    *always* places. All anonymous holders together hold at most *anonymous_share* percent of a slot.
    """

    units: int | None = 400
    share: int | None = 20
    always: int = 12
    anonymous_share: int | None = None


class SlotCount(NamedTuple):
    """What is taken of the places of one pool in one slot; `held` counts no hold that has expired."""

    pool: str
    slot: str
    sold: int
    held: int


class Store(Protocol):
    """Checkouts, given answers and records, durable, each write conditional on what it was decided on.

    A checkout that is not closed holds nothing from its `expires_at` on; what one held that is closed is
    sold. Whatever is written at once, and by whomever, no slot has more places taken than there are.
    Every method raises `StoreUnavailable` where the database cannot be read or written.
    """

    async def head(self, checkout_id: str) -> CheckoutHead | None:
        """Return who may touch the checkout and until when; None if there is no such checkout."""

    async def checkout(self, checkout_id: str) -> CheckoutRow | None:
        """Return the checkout as last saved; None if there is no such checkout."""

    async def checkouts_of(self, account: int, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        """Return the open checkouts of *account* in order of their ids, beginning after *after*."""

    async def walk(self, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        """Return checkouts of every kind in order of their ids, beginning after *after*."""

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        """Return the answer kept for *key* of *scope*; None if there is none."""

    async def find(
        self,
        kind: type[RecordType],
        *,
        limit: int = 1000,
        after: RecordType | None = None,
        **values: str | int,
    ) -> list[RecordType]:
        """Return the records of *kind* whose columns have all those *values*, the oldest first.

        With *after*, a record that was found so, those behind it.
        """

    async def due(self, kind: type[RecordType], at: int, *, limit: int = 100) -> list[RecordType]:
        """Return the records of *kind* that something is to be done about at *at*, the first due first.

        There are none of a kind without `due_at`.
        """

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        """Return what is taken of *pools* in the slots from *first* to *last*, compared as text.

        Holds count at the instant *at* (epoch milliseconds, UTC), those of the checkout *without* do not.
        The counts come in any order; slots of which nothing is taken may be left out.
        """

    async def save(
        self,
        row: CheckoutRow | None,
        answer: StoredAnswer | None = None,
        holds: Sequence[Hold] | None = None,
        *,
        records: Sequence[Record] = (),
        erased: Sequence[Record] = (),
        limits: HoldLimits | None = None,
    ) -> None:
        """Save all of it in one durable transaction, or nothing; return once on disk.

        A row or record of revision 1 is inserted, one of revision n > 1 replaces revision n - 1; what is
        *erased* must be at its revision. Records are erased first, and saved in their order.

        The checkout then holds exactly *holds*, but for what it goes without; None leaves it what it holds.
        What it holds when its row is closed is sold. Others' holds that have expired at `changed_at` of the
        row are free. Where the size has sunk below what is taken, what is held already stays.

        With *limits*, where *holds* grow, what the row's `holder` holds in other checkouts is counted in
        this transaction, so that saves at the same time do not exceed them together.

        A caller that is cancelled while it waits does not know whether it was saved.

        Raises:
            Stale: the row or a record exists already, has another revision, or is gone; or another record has
                what only one may have. Releasing what an expired checkout holds makes a revision, so that
                nothing is saved that was decided on its holds.
            AnswerTaken: that scope and key have an answer.
            SoldOut: a slot has too few places for *holds*; nothing was saved.
            TooManyHeld: the *limits* do not allow *holds*; nothing was saved.
            StoreUnavailable: disk full, locked, input or output error, closed, too many writes waiting.
            ValueError: a value the tables do not take: text that is not UTF-8, a revision below 1 …; a hold
                of less than one unit, of a size below 0, of a slot named twice; holds without a row.
        """

    async def release_expired(self, at: int) -> int:
        """Release what checkouts hold that have expired at *at* (epoch milliseconds, UTC); return how many.

        Nobody has to call it: expired holds count nowhere, and saves with holds release some of them. Where
        many expire with no such save after them, it keeps `taken` quick.
        """

    async def version(self) -> int | None:
        """Return a number that is another after anything was saved; None: this database has none."""

    async def purge_answers(self, before: int) -> int:
        """Delete the answers created before *before* (epoch milliseconds, UTC); return how many."""

    async def forget_answers(self, owner: str) -> int:
        """Delete the answers whose scope begins with *owner* and a blank; return how many."""

    async def truncate_log(self) -> bool:
        """Let nothing that was overwritten or erased remain in a log beside the database, if it keeps one.

        False: it still does, since others read or write; ask again. PostgreSQL looks after its own.
        """

    async def check(self) -> None:
        """Return when the database can be read and written."""

    async def close(self) -> None:
        """Finish what is queued and let go of the database; a second call does nothing."""
