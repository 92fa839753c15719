"""What the document says in words: of the interface, its groups of operations, and each operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ABOUT = """\
**Money** is a JSON number in major units of the currency, with at most its decimals; only the price at
the gate is in the smallest unit. **Date-times** are RFC 3339 with offset. A **validity** is half-open.

Every operation but the price at the gate names a sales channel in `service-channel-uuid`, and is
answered in the language that `accept-language` likes best.

**Problems** are `application/problem+json` (RFC 9457). `code` says what is wrong, and each operation
lists those that it answers; `errors` list all faults of one stage: first headers and query, then media
type and size, JSON, the shape of the body, ids, state, and last what is asked as a whole. Nothing is
changed by what is refused.

**Sent again**: a change with an `idempotency-key` has one effect however often it is sent, and gives
the same answer for 24 hours. **Revisions**: a checkout has an `etag`, which `if-match` and `if-none-match`
may name.
"""

TAGS: Mapping[str, str] = {
    "checkout": (
        "Baskets: filled, priced, held and paid. A checkout is opened by its first items, under a UUID "
        "that the client chooses."
    ),
    "pricing": "Prices without a checkout: at the gate, and compared with one another.",
    "booking": "What can be booked: validities with capacity and price.",
    "products": "What is said of a product, and what it costs.",
    "accounts": "Customers who have logged in, and the persons for whom they buy.",
    "payments": "Means of payment that the gateway keeps for an account.",
    "orders": "What became of what was paid.",
}
"""The groups, in the order in which they are shown."""

DESCRIPTIONS: Mapping[str, str] = {
    "getCheckout": (
        "With a token, the first account that asks for an open checkout is given it; from then on it is "
        "no other's. What is expired or paid can still be read."
    ),
    "explainCheckout": (
        "For each figure of the checkout and of its items, the steps that add up to it: who gave or took "
        "how much, to the last cent. It has the `etag` of the checkout. What is paid can be explained as "
        "long as the catalogue still says the same."
    ),
    "addItems": (
        "One item is one unit, with an id that the client chooses; an item that is there already with "
        "the same content adds nothing. List price and VAT rate are those of that moment, places are "
        "held until `expiresAt`. All items are added, or none."
    ),
    "removeItems": "All that hangs below an item goes with it; its places are free again at once.",
    "setConditions": (
        "Answers are merged into those there are: what is not named stays, `null` removes an answer. "
        "`checkoutConditions.formDefinition` of any answer is the JSON Schema of `formValues`."
    ),
    "changeQuantity": (
        "Copies are like the item, at the price of that moment, and have ids from 2147483648 on. A "
        "negative number removes the newest copies first, then the item itself."
    ),
    "addCode": (
        "A promo code first, else a stored-value voucher. A code that does not apply now is kept, says "
        "why, and is looked at again after every change. Entered twice, it counts once."
    ),
    "dropCode": "What it took is given back in every total.",
    "payCheckout": (
        "`expectedTotal` is the `totalGross` that the customer agreed to. Vouchers pay first; what is "
        "left is paid by a payment detail of the account, or on site. What the gateway declines is an "
        "answer: the checkout is open again, and the payment's status says why."
    ),
    "getPaymentStatus": "That of the last attempt; before any it is PENDING, without a provider.",
    "priceAccess": (
        "For turnstiles: no channel, no language, no account. Ids come in one of two pairs; without "
        "`valid_to` it lasts as long as the product does by default. Amounts are in the currency's "
        "smallest unit, with VAT."
    ),
    "priceInsights": (
        "Where a price stands among those of everything that can be booked in some days: its rank, the "
        "percent of which it is the quantile, and the bounds between which a price is typical."
    ),
    "listValidities": (
        "In order of time, then of duration, with the places that are left and the cheapest and dearest "
        "price. Pages of `limit` options; `link` leads to the next."
    ),
    "suggestValidities": (
        "Today, tomorrow, the coming weekend, the first that can be booked and the first weekend after "
        "it; what cannot be booked is left out, and each is there once."
    ),
    "getProduct": "Prices are list prices of one unit; those of the standard variant are named apart.",
    "authenticate": (
        "Answers a token of the service in the header `access-token`, to go on with. Logging in takes "
        "back a deletion that was scheduled."
    ),
    "getAccount": "As it is now; what is not known of it is empty.",
    "scheduleDeletion": "Asked again, the date stays. Orders outlive the account; whom they name does not.",
    "addPerson": (
        "`formDefinition` of the answer is what is asked of everyone and by the products of "
        "`productIds`; `values` must fit it."
    ),
    "changePerson": (
        "Answers are merged into those there are: what is not named stays, `null` removes an answer."
    ),
    "registerPaymentDetail": (
        "Send the customer to `redirectUrl` within 30 minutes; the gateway sends them back to one of "
        "`redirectUrls`, with `transactionId` in the query."
    ),
    "listPaymentDetails": "The oldest first; those of the statuses and types that are named, else all.",
    "unsetDefaultPaymentDetail": (
        "One that is PENDING no longer becomes the default; asked again, nothing changes."
    ),
    "getOrderNotices": (
        "One notice for each ticket that cannot be issued, and one for all others in the end. Until "
        "`isComplete` the answer says in `retry-after` when to ask again."
    ),
}
"""What the summary of an operation leaves out."""
