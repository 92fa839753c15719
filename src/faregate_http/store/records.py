"""What a store keeps beside checkouts: accounts, persons, payment details, payments, orders and tickets.

Each is a row with a key and a revision, as a checkout is, and there is one way to find and to save them all.
What is JSON is opaque to the store. Instants are epoch milliseconds, UTC; `due_at` is when something is to be
done about a row, if anything is. Ids that are numbers are chosen at random, so that none can be guessed.
"""

from typing import NamedTuple, TypeAlias, TypeVar, get_args


class AccountRow(NamedTuple):
    """Whom an identity provider knows as `subject`; both are None once the account is erased.

    It is erased at `due_at`. `profile` is JSON; the revision moves on with every person of the account.
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
    """Somebody whom an account buys for; `answers` are JSON."""

    id: int
    revision: int
    created_at: int
    account: int
    is_owner: bool
    answers: str


class PaymentDetailRow(NamedTuple):
    """A means of payment that is kept, or is being registered under its `transaction_id`.

    One for a single checkout, `checkout_id`, is used once, and needs no account. `code` is what may be shown
    of it, `alias` what the gateway knows it by, `request` (JSON) how it was asked for. At `due_at` it
    expires. `is_default` says what it is, or will be once it is ACTIVE.
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
    """An attempt to pay a checkout; `vouchers` and `errors` are JSON.

    Until `deadline` it may succeed; at `due_at` the gateway is asked what became of it. `amount` is what the
    primary `provider` is to pay, None where nothing is left to pay; `method` is that of the gateway, or the
    tender on site. The customer confirms it at `redirect_url`, if the gateway asks for that. `key` is the
    client's, if it gave one.
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


class OrderRow(NamedTuple):
    """A checkout that was settled, under its id. `figures` (JSON) and `views` are as they were then."""

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


class TicketRow(NamedTuple):
    """What is to be issued for one item of an order; at `due_at` the next attempt is made."""

    id: str
    revision: int
    created_at: int
    order_id: str
    item_id: int
    status: str
    attempts: int
    serial: str | None = None
    due_at: int | None = None


Record: TypeAlias = AccountRow | PersonRow | PaymentDetailRow | PaymentRow | OrderRow | TicketRow

RecordType = TypeVar("RecordType", AccountRow, PersonRow, PaymentDetailRow, PaymentRow, OrderRow, TicketRow)

KINDS: tuple[type[Record], ...] = get_args(Record)
