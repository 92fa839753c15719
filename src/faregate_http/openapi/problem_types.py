"""By which problem types each operation refuses, and what they mean. Decisions §15."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from faregate_http.operations import Operation

_Codes: TypeAlias = "Mapping[int, tuple[str, ...]]"

MEANINGS: Mapping[str, str] = {
    # of the request
    "malformed-request": "The request is not HTTP/1.1 or HTTP/1.0, or names no host, or several.",
    "invalid-request": "A header or a query parameter is at fault.",
    "invalid-json": "The body cannot be read as JSON.",
    "invalid-body": "The body is JSON of another shape than is declared.",
    "request-timeout": "The body did not come in time.",
    "body-too-large": "The body is larger than 1 MiB.",
    "unsupported-media-type": "The body is not said to be `application/json`, or is encoded.",
    "method-not-allowed": "The resource has no such method; `allow` names those it has.",
    "idempotency-key-reused": "The Idempotency-Key came before, with another body or query.",
    # of who asks
    "missing-token": "The operation needs the token of an account.",
    "invalid-token": "The token is not accepted: unreadable, expired, or of no account.",
    "too-many-failures": "Too many attempts from this address have failed.",
    "identity-not-configured": "The service has no identity provider, and so no accounts.",
    "identity-provider-unavailable": "The keys of the identity provider cannot be read now.",
    # what is not there
    "unknown-channel": "There is no such sales channel, or it is protected and no live key of it came.",
    "unknown-checkout": "There is none on this channel, it is another account's, or it expired a day ago.",
    "unknown-item": "The checkout has no such item.",
    "unknown-code": "There is no such code, or it was not entered.",
    "unknown-product": "There is no such product on this channel.",
    "unknown-variant": "There is no such product variant.",
    "unknown-person": "The account has no such person.",
    "unknown-payment-detail": "The account has no such payment detail.",
    "unknown-order": "The account has no such order on a channel whose orders can be read.",
    "unknown-discount-card": "There is no such type of discount card.",
    "unknown-medium": "The item is not issued on that medium.",
    "unknown-mapping": "Nothing has these ids.",
    "no-data": "Nothing can be booked then, so that there are no prices to compare with.",
    # what no checkout takes
    "invalid-checkout": "The checkout does not take this: `errors` say why.",
    "not-sold-here": "The product is not sold on this channel.",
    "needs-parent": "The product is only sold with another item.",
    "validity-required": "The product needs a validity.",
    "validity-not-wanted": "The product has no validity.",
    "invalid-validity": "The validity cannot be read, or ends before it begins.",
    "not-bookable": "The validity cannot be booked.",
    "subscription-conflict": "A subscription renews otherwise than the one that is there.",
    "invalid-delta": "The quantity cannot be changed by that number.",
    "too-many-items": "The checkout would have more than 500 items.",
    "too-many-units": "The checkout would have more units, or hold more places, than one without an account.",
    "too-many-held": "Too much is held from this address without an account: wait, or log in.",
    "too-many-codes": "The checkout would have more than 50 codes.",
    # what keeps a checkout from being paid
    "invalid-payment": "It cannot be paid by what the body names.",
    "empty-checkout": "There is nothing to pay for.",
    "owner-required": "The account that buys needs a person.",
    "address-required": "An address, or a part of one, is not given.",
    "terms-not-accepted": "The terms are not accepted.",
    "answer-required": "A question of the form is not answered.",
    "person-required": "An item names no person.",
    "person-incomplete": "The person of an item has not answered a question.",
    "age-not-admitted": "The person of an item is not of an age that its variant is for.",
    "medium-required": "No medium is chosen for an item.",
    # what a checkout does not allow as it stands
    "checkout-conflict": "The checkout does not allow this: `errors` say why.",
    "checkout-closed": "The checkout is paid and takes no changes.",
    "checkout-expired": "The checkout is expired and takes no changes.",
    "catalogue-changed": "Something in it is no longer sold, or what was paid has other prices now.",
    "payment-in-progress": "The checkout is being paid and takes no changes until that has ended.",
    "changed-meanwhile": "The checkout is at another revision than If-Match says.",
    "sold-out": "There are not so many places left.",
    "id-taken": "The checkout has an item of that id, with other content.",
    "id-used": "An item of that id was removed from the checkout.",
    "not-deletable": "The item cannot be removed on its own.",
    "unique-item": "The product is sold once in a checkout.",
    "one-per-person": "The product is sold once for each person.",
    "total-changed": "The checkout costs something else now: look at it again, and agree to that.",
    "too-many-payments": "The checkout was tried to be paid 50 times.",
    # of accounts and payment details
    "invalid-person": "The form does not take these answers.",
    "too-many-persons": "The account has 100 persons.",
    "invalid-registration": "A page or a method is not allowed on this channel.",
    "too-many-payment-details": "The account has 50 payment details that are PENDING or ACTIVE.",
    "gateway-not-configured": "The service has no payment gateway.",
    "public-url-not-configured": "The service does not know where customers reach it.",
    "gateway-unavailable": "The payment gateway does not answer; nothing is changed, nothing is paid.",
    "payment-unclear": "What became of the payment is not known yet: its status will tell.",
    # of the gate
    "invalid-access-request": "This has no price at the gate: `errors` say why.",
    "mapping-required": "An id is missing: those of either pair go together.",
    "mapping-conflict": "The two pairs of ids are different variants.",
    "currency-mismatch": "The product is sold in another currency.",
    "depot-not-allowed": "The product is not kept at the gate.",
    "ordered-too-late": "It is ordered after its first day.",
    "no-price": "There is no price for that time.",
    "sold-counts-stale": "What was sold lately is not known now, and this price follows it.",
    # of the service
    "internal": "Something went wrong here.",
    "busy": "Too many changes of the same, or too much work, at once.",
    "storage-unavailable": "The storage cannot be used now.",
}
"""What each code says, in the order in which they are listed."""

_ALWAYS: _Codes = {
    400: ("malformed-request", "invalid-request"),
    405: ("method-not-allowed",),
    500: ("internal",),
    503: ("busy",),
}
_ON_A_CHANNEL: _Codes = {404: ("unknown-channel",), 503: ("storage-unavailable",)}
_WITH_A_KEY_OF_IT: _Codes = {429: ("too-many-failures",)}
_WITH_A_BODY: _Codes = {
    400: ("invalid-json",),
    408: ("request-timeout",),
    413: ("body-too-large",),
    415: ("unsupported-media-type",),
    422: ("invalid-body",),
}
_WITH_A_KEY: _Codes = {422: ("idempotency-key-reused",)}
_WITH_A_TOKEN: _Codes = {
    401: ("invalid-token",),
    503: ("identity-not-configured", "identity-provider-unavailable"),
}
_WITH_AN_ACCOUNT: _Codes = {401: ("missing-token",)}

_CHECKOUT: _Codes = {404: ("unknown-checkout",), 409: ("catalogue-changed",)}
_CHANGE: _Codes = {
    409: ("checkout-closed", "checkout-expired", "payment-in-progress"),
    412: ("changed-meanwhile",),
}
_ITEMS: _Codes = {
    409: ("sold-out", "unique-item", "one-per-person", "checkout-conflict"),
    422: (
        *("unknown-variant", "unknown-discount-card", "not-sold-here", "needs-parent", "validity-required"),
        *("validity-not-wanted", "not-bookable", "too-many-items", "too-many-units", "invalid-checkout"),
    ),
    429: ("too-many-held",),
}

_OWN: Mapping[str, tuple[_Codes, ...]] = {
    # The first account that asks for a checkout is given it, which is a change.
    "getCheckout": (_CHECKOUT, _CHANGE),
    "explainCheckout": (_CHECKOUT, _CHANGE),
    "addItems": (
        *(_CHECKOUT, _CHANGE, _ITEMS),
        {
            409: ("id-taken", "id-used"),
            422: (
                "invalid-validity",
                "unknown-item",
                "unknown-person",
                "age-not-admitted",
                "subscription-conflict",
            ),
        },
    ),
    "removeItems": (
        *(_CHECKOUT, _CHANGE),
        {404: ("unknown-item",), 409: ("not-deletable", "checkout-conflict")},
    ),
    "setConditions": (
        *(_CHECKOUT, _CHANGE),
        {
            409: ("sold-out", "checkout-conflict"),
            422: (
                *("unknown-item", "unknown-variant", "unknown-medium", "too-many-items"),
                *("too-many-units", "invalid-checkout"),
            ),
            429: ("too-many-held",),
        },
    ),
    "changeQuantity": (
        *(_CHECKOUT, _CHANGE, _ITEMS),
        {404: ("unknown-item",), 409: ("not-deletable",), 422: ("invalid-delta", "subscription-conflict")},
    ),
    "addCode": (
        *(_CHECKOUT, _CHANGE),
        {
            422: ("unknown-code", "too-many-codes"),
        },
    ),
    "dropCode": (_CHECKOUT, _CHANGE, {404: ("unknown-code",)}),
    "payCheckout": (
        *(_CHECKOUT, _CHANGE),
        {
            409: ("sold-out", "checkout-conflict", "total-changed", "too-many-payments"),
            422: (
                *("invalid-payment", "empty-checkout", "owner-required", "address-required"),
                *(
                    "terms-not-accepted",
                    "answer-required",
                    "person-required",
                    "person-incomplete",
                    "age-not-admitted",
                ),
                *("medium-required", "unknown-person", "unknown-variant", "invalid-checkout"),
            ),
            503: ("gateway-unavailable", "payment-unclear"),
        },
    ),
    "getPaymentStatus": (_CHECKOUT,),
    "priceAccess": (
        {
            422: (
                *("mapping-required", "unknown-mapping", "mapping-conflict", "currency-mismatch"),
                *("depot-not-allowed", "ordered-too-late", "invalid-validity", "no-price"),
                "invalid-access-request",
            ),
            503: ("sold-counts-stale",),
        },
    ),
    "priceInsights": ({404: ("unknown-product", "unknown-variant", "no-data")},),
    "listValidities": ({404: ("unknown-product",)},),
    "suggestValidities": ({404: ("unknown-product",)},),
    "getProduct": ({404: ("unknown-product",)},),
    "authenticate": (_WITH_A_TOKEN,),
    "addPerson": ({409: ("too-many-persons",), 422: ("unknown-product", "invalid-person")},),
    "changePerson": ({404: ("unknown-person",), 422: ("unknown-product", "invalid-person")},),
    "registerPaymentDetail": (
        {
            409: ("too-many-payment-details",),
            422: ("invalid-registration",),
            503: ("gateway-not-configured", "public-url-not-configured", "gateway-unavailable"),
        },
    ),
    "unsetDefaultPaymentDetail": ({404: ("unknown-payment-detail",)},),
    "getOrderNotices": ({404: ("unknown-order",)},),
}


def reads_token(operation: Operation) -> bool:
    """Whether a token that comes with a request is looked at: a checkout may be an account's."""
    names_checkout = any(parameter.name == "checkoutId" for parameter in operation.query)
    return operation.needs_account or names_checkout or operation.path.startswith("/api/checkout/")


def problem_codes(operation: Operation) -> dict[int, tuple[str, ...]]:
    """The codes of all problems that *operation* answers, by status, both in order."""
    found: dict[int, set[str]] = {}
    for codes in (*_general(operation), *_OWN.get(operation.name, ())):
        for status, names in codes.items():
            found.setdefault(status, set()).update(names)
    order = list(MEANINGS)
    return {status: tuple(sorted(found[status], key=order.index)) for status in sorted(found)}


def _general(operation: Operation) -> tuple[_Codes, ...]:
    """Those that follow from what its requests are made of."""
    return (
        _ALWAYS,
        *([_ON_A_CHANNEL] if operation.has_channel else []),
        *([_WITH_A_KEY_OF_IT] if operation.has_channel and operation.asks_key else []),
        *([_WITH_A_BODY] if operation.body else []),
        *([_WITH_A_KEY] if operation.is_keyed and (operation.body or operation.query) else []),
        *([_WITH_A_TOKEN] if reads_token(operation) else []),
        *([_WITH_AN_ACCOUNT] if operation.needs_account else []),
    )
