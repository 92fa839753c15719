"""Records other than checkouts: accounts, persons, payment details, payments, orders and tickets.

Each is a row with a key and a revision, and all kinds are found and saved in the same way. JSON columns are
opaque to the store. Instants are epoch milliseconds, UTC; `due_at` is when a row needs work, if ever. Numeric
ids are random, so that they cannot be guessed.
"""

from typing import NamedTuple, TypeAlias, TypeVar, get_args


class AccountRow(NamedTuple):
    """Account that an identity provider (`issuer`) knows as `subject`; both are None once it is erased.

    The account is erased at `due_at`. `profile` is JSON. Every change to its persons increases the revision.
    """

    id: int
    revision: int
    created_at: int
    issuer: str | None
    subject: str | None
    email: str
    type: str
    language: str
    profile: str
    deleted_at: int | None = None
    due_at: int | None = None


class PersonRow(NamedTuple):
    """Person saved in an account; `answers` is JSON."""

    id: int
    revision: int
    created_at: int
    account: int
    is_owner: bool
    answers: str


class PaymentDetailRow(NamedTuple):
    """Means of payment, registered or being registered under its `transaction_id`.

    A detail with a `checkout_id` is used once, for that checkout, and needs no account. `code` is shown to
    customers, `alias` is the gateway's name for it, `request` (JSON) is the registration request. It expires
    at `due_at`. `is_default` takes effect once the detail is ACTIVE.
    """

    id: int
    revision: int
    created_at: int
    account: int | None
    checkout_id: str | None
    transaction_id: str
    status: str
    is_default: bool
    method: str | None
    brand: str
    code: str
    alias: str | None
    request: str
    due_at: int | None = None


class PaymentRow(NamedTuple):
    """Attempt to pay a checkout; `vouchers` and `errors` are JSON.

    It may succeed until `deadline`; at `due_at` the gateway is asked for the result. `amount` is to be paid
    through the primary `provider`, which is None if nothing is left to pay. `method` is the method at the
    gateway or the tender on site. The customer confirms at `redirect_url` if the gateway asks for
    confirmation. `key` is the client's Idempotency-Key, if any. `language` is the customer's language.
    """

    id: str
    revision: int
    created_at: int
    checkout_id: str
    status: str
    provider: str | None
    detail_id: int | None
    method: str | None
    amount: int
    currency: str
    vouchers: str
    errors: str
    deadline: int
    redirect_url: str | None = None
    key: str | None = None
    due_at: int | None = None
    language: str = "en"


class OrderRow(NamedTuple):
    """Settled checkout, with the same id. `figures` (JSON), `views` and `pricing` do not change.

    `pricing` (JSON) has the totals and the pricing request.
    """

    id: str
    revision: int
    created_at: int
    account: int | None
    channel: str
    channel_type: str
    reference: str
    currency: str
    total: int
    figures: str
    views: bytes
    pricing: str


class TicketRow(NamedTuple):
    """Ticket to issue for one item of an order; the next attempt is due at `due_at`.

    `content` (JSON) is what is printed, or None once the ticket is issued or has failed.
    """

    id: str
    revision: int
    created_at: int
    order_id: str
    item_id: int
    status: str
    attempts: int
    serial: str | None = None
    due_at: int | None = None
    content: str | None = None


Record: TypeAlias = AccountRow | PersonRow | PaymentDetailRow | PaymentRow | OrderRow | TicketRow

RecordType = TypeVar("RecordType", AccountRow, PersonRow, PaymentDetailRow, PaymentRow, OrderRow, TicketRow)

KINDS: tuple[type[Record], ...] = get_args(Record)
