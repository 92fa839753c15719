"""Contract of a store of checkouts, independent of the database.

A row is read, the pure core decides, and one conditional write makes the decision durable. Nothing is locked
in between: a write names the revision it is based on, and fails if the row has a newer revision.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from faregate_http.store.records import Record, RecordType


class StoreError(Exception):
    """Base of all errors that a store raises.

    ::

        StoreError
        ├── Stale                 a row is not at the revision that the write is based on
        ├── AnswerTaken           a response is already stored under the scope and key
        ├── SoldOut               capacity that was to be held is no longer available
        ├── TooManyHeld           one holder would hold more than a limit allows
        └── StoreUnavailable      the database cannot be read or written at the moment
    """

    def __reduce__(self) -> tuple[object, ...]:
        # Restored from its state, because the message is not an argument of the class.
        return _restored, (type(self), self.args), self.__dict__


def _restored(kind: type[StoreError], args: tuple[object, ...]) -> StoreError:
    return kind.__new__(kind, *args)


class Stale(StoreError):
    """The row exists already, has another revision, or was deleted: load it and decide again.

    Also raised if another row has a value that must be unique: load the data and decide again.
    """

    def __init__(self, row_id: str | int, revision: int) -> None:
        super().__init__(f"cannot save revision {revision} of {row_id}: another write has changed the row")
        self.row_id = row_id
        self.revision = revision


class AnswerTaken(StoreError):
    """A response is already stored under the scope and key: load it and send it again."""

    def __init__(self, scope: str, key: str) -> None:
        super().__init__(f"a response is already stored under the key {key!r} in the scope {scope!r}")
        self.scope = scope
        self.key = key


class SoldOut(StoreError):
    """A slot of a pool lacks capacity; of several such slots, this is the first, ordered by pool and slot."""

    def __init__(self, pool: str, slot: str) -> None:
        super().__init__(f"pool {pool} has too few units left on {slot}")
        self.pool = pool
        self.slot = slot


class TooManyHeld(StoreError):
    """One holder, or all anonymous holders together, would hold more than a limit allows.

    *until* is the instant at which the first of the other counted holds ends (epoch milliseconds, UTC), or
    None if waiting does not help because no other hold counts.
    """

    def __init__(self, message: str, until: int | None) -> None:
        super().__init__(message)
        self.message = message
        self.until = until


class StoreUnavailable(StoreError):
    """The database cannot be read or written at the moment; the write was not acknowledged."""


class CheckoutHead(NamedTuple):
    """Data needed to decide whether a checkout can be changed; instants are in epoch milliseconds, UTC."""

    channel: str
    account: int | None
    is_closed: bool
    revision: int
    changed_at: int
    expires_at: int
    is_paying: bool = False


class CheckoutRow(NamedTuple):
    """One stored checkout; its instants are in epoch milliseconds, UTC.

    `id` is a UUID as text; `revision` counts from 1; `inputs` is JSON in UTF-8, opaque to the store.
    `is_paying` is True while a payment may still succeed. `holder` is a keyed hash of the address whose
    limits apply to the holds of a checkout without an account; `held_units` is its number of items. Both are
    removed with the holds.
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
    """Response to a request that a client may repeat.

    `fingerprint` identifies the content of the request; `headers` is JSON in UTF-8, opaque to the store;
    `created_at` is in epoch milliseconds, UTC.
    """

    scope: str
    key: str
    fingerprint: bytes
    status: int
    headers: bytes
    body: bytes
    created_at: int


class Hold(NamedTuple):
    """Units of one pool in one slot (a service day or a time of day) that a checkout keeps.

    `slot` is text that sorts by time within its pool (``2026-12-27``, ``2026-12-27T10:00``), otherwise opaque
    to the store. `size` is the capacity for sale, including sold units. Up to `before` units were
    held earlier: if the checkout has lost some of them and they no longer fit, they are not held again.
    """

    pool: str
    slot: str
    units: int
    size: int
    before: int = 0


class HoldLimits(NamedTuple):
    """Limits on anonymous holds; None means unlimited.

    One holder can hold at most *units* units in total, and *share* percent of a slot's size or, if that is
    more, *always* units of it. All anonymous holders together can hold *anonymous_share* percent of a slot.
    """

    units: int | None = 400
    share: int | None = 20
    always: int = 12
    anonymous_share: int | None = None


class SlotCount(NamedTuple):
    """Sold and held units of one pool in one slot; `held` excludes expired holds."""

    pool: str
    slot: str
    sold: int
    held: int


class Store(Protocol):
    """Durable checkouts, responses and records; each write is conditional on the revision it is based on.

    An open checkout holds nothing from its `expires_at` on; the holds of a closed one are sold. Even with
    concurrent writes, no slot exceeds its size. Every method raises `StoreUnavailable` if the database cannot
    be read or written.
    """

    async def head(self, checkout_id: str) -> CheckoutHead | None:
        """Return the channel, account, status and expiry of a checkout, or None if it does not exist."""

    async def checkout(self, checkout_id: str) -> CheckoutRow | None:
        """Return a checkout as last saved, or None if it does not exist."""

    async def checkouts_of(self, account: int, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        """Return up to *limit* open checkouts of *account*, ordered by id, starting after the id *after*."""

    async def walk(self, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        """Return up to *limit* checkouts, open or not, ordered by id, starting after the id *after*."""

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        """Return the response stored under *key* in *scope*, or None."""

    async def find(
        self,
        kind: type[RecordType],
        *,
        limit: int = 1000,
        after: RecordType | None = None,
        **values: str | int,
    ) -> list[RecordType]:
        """Return the records of *kind* whose columns are equal to *values*, oldest first.

        *after* is a record of an earlier result; this result starts after it.
        """

    async def due(self, kind: type[RecordType], at: int, *, limit: int = 100) -> list[RecordType]:
        """Return the records of *kind* that are due by *at*, earliest first.

        Kinds without `due_at` have no due records.
        """

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        """Return the usage of *pools* in the slots from *first* to *last*, compared as text.

        Holds count if valid at *at* (epoch milliseconds, UTC), except those of the checkout *without*. The
        order is undefined, and slots without usage may be left out.
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
        """Save everything in one durable transaction, or nothing; return once it is on disk.

        A row or record of revision 1 is inserted; one of revision n > 1 replaces revision n - 1. An *erased*
        record must have its stored revision. Records are erased first, then saved in order.

        The checkout then holds exactly *holds*, except for units that may be left out; None keeps its holds.
        Closing the checkout sells the units it holds. Holds of others that have expired at `changed_at` of
        the row count as released. If a size has dropped below the usage, existing holds stay.

        With *limits*, growing *holds* are counted together with those of the same `holder` in other
        checkouts, in this transaction, so that concurrent saves cannot exceed the limits together.

        A caller that is cancelled while waiting does not know whether the data was saved.

        Raises:
            Stale: the row or a record exists already, has another revision, or was deleted; or another record
                has a value that must be unique. Releasing expired holds makes a new revision, so that no
                decision based on them is saved.
            AnswerTaken: a response is already stored under the scope and key.
            SoldOut: a slot lacks capacity for *holds*; nothing was saved.
            TooManyHeld: *holds* exceed the *limits*; nothing was saved.
            StoreUnavailable: the disk is full, the database is locked or closed, reading or writing fails, or
                too many writes are waiting.
            ValueError: a value that the tables cannot store, such as text that is not UTF-8 or a revision
                below 1; a hold of less than one unit, with a negative size, or of a slot named twice; holds
                without a row.
        """

    async def release_expired(self, at: int) -> int:
        """Release holds expired by *at* (epoch milliseconds, UTC); return the number of checkouts affected.

        This is optional: expired holds never count, and saves with holds release some of them. It keeps
        `taken` fast where many holds expire without such a save.
        """

    async def version(self) -> int | None:
        """Return a number that changes with every save, or None if the database has none."""

    async def purge_answers(self, before: int) -> int:
        """Delete the responses created before *before* (epoch milliseconds, UTC); return their number."""

    async def purge_checkouts(self, after: str, last: str, *, before: int) -> int:
        """Delete the checkouts with ids from *after* (exclusive) to *last* that expired before *before*.

        Return their number. Checkouts that are closed, are being paid for, hold units or have payments are
        kept. The payment details of a deleted checkout are deleted, too. *before* is in epoch milliseconds,
        UTC.
        """

    async def forget_answers(self, owner: str) -> int:
        """Delete the responses whose scope begins with *owner* and a space; return their number."""

    async def truncate_log(self) -> bool:
        """Remove overwritten and erased data from a log next to the database, if there is one.

        Return False if other readers or writers prevent it; try again later. PostgreSQL cleans its own log.
        """

    async def check(self) -> None:
        """Check that the database can be read and written."""

    async def close(self) -> None:
        """Finish queued work and close the database; a second call does nothing."""
