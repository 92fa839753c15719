"""The operations of the specification as data: paths, bodies, responses, headers."""

from typing import NamedTuple

from support.specification.specified import (
    ACCESS_PRICE,
    ACCOUNT,
    ARRAY,
    BOOLEAN,
    CHECKOUT,
    DETAIL_STATUSES,
    FILTER_TYPES,
    INSIGHTS,
    INSTANT,
    LANGUAGES,
    NOTICES,
    NUMBER,
    OBJECT,
    PAYMENT_METHOD,
    PAYMENT_STATUS,
    PERSON,
    PRODUCT,
    STRING,
    SUGGESTED,
    UNKNOWN,
    VALIDITY_OPTIONS,
    Fields,
    Kind,
    Nullable,
    OnRequest,
    fields,
    shown,
)


class Operation(NamedTuple):
    """One operation and the kind of its ``data``; the response to the gate has no envelope.

    ``body`` has the fields shown, ``required`` those specified as required; ``absent`` are fields that only
    another operation returns. Some query parameters accept the words of ``filters``.
    """

    method: str
    path: str
    data: Kind
    body: Fields | None = None
    required: frozenset[str] = frozenset()
    filters: tuple[frozenset[str], ...] = ()
    absent: frozenset[str] = frozenset()
    is_bare: bool = False
    has_query: bool = False

    @property
    def name(self) -> str:
        """The method and the path."""
        return f"{self.method} {self.path}"

    @property
    def answer(self) -> Kind:
        """The kind of the whole response."""
        return self.data if self.is_bare else {"data": self.data}


ITEM_REQUEST = {
    **fields(NUMBER, "id productVariantId"),
    **fields(Nullable(NUMBER), "personId parentItemId originatedItemId discountCardTypeId"),
    "validity": Nullable(fields(STRING, "from to")),
}

ACCESS_REQUEST = {
    **fields(INSTANT, "valid_from order_date valid_to"),
    **fields(NUMBER, "dta_product_id dta_consumer_category quantity"),
    **fields(STRING, "currency_code system_product_id system_consumer_category"),
    **fields(UNKNOWN, "depot_flag is_online_pos"),  # their types are not shown
}

REGISTRATION = {
    "redirectUrls": fields(STRING, "success error cancel"),
    "isDefault": BOOLEAN,
    "paymentMethods": ARRAY,
}

_CHECKOUT = "/api/checkout/{checkoutId}"
_DETAILS = "/api/payments/payment-details"
_ACCOUNTS = "/api/accounts"
_JOURNEY = "/api/booking/products/{productId}/journey/validities"

OPERATIONS = (
    Operation(
        "POST",
        f"{_CHECKOUT}/items",
        CHECKOUT,
        {"items": [ITEM_REQUEST]},
        frozenset({"items", *(f"items[].{name}" for name in ITEM_REQUEST)}),
    ),
    Operation("DELETE", f"{_CHECKOUT}/items", CHECKOUT, has_query=True),
    Operation("POST", f"{_CHECKOUT}/checkout-conditions", CHECKOUT, {"formValues": OBJECT}),
    Operation("PATCH", f"{_CHECKOUT}/items/{{itemId}}/quantity", CHECKOUT, {"delta": NUMBER}),
    Operation("POST", f"{_CHECKOUT}/vouchers", CHECKOUT, {"voucherCode": STRING}),
    Operation("GET", f"{_CHECKOUT}/payment/status", PAYMENT_STATUS),
    Operation("POST", f"{_DETAILS}/register", fields(STRING, "transactionId redirectUrl"), REGISTRATION),
    Operation(
        "GET",
        _DETAILS,
        [PAYMENT_METHOD],
        filters=(frozenset(DETAIL_STATUSES), frozenset(FILTER_TYPES)),
        has_query=True,
    ),
    Operation("DELETE", f"{_DETAILS}/{{paymentDetailId}}/default", PAYMENT_METHOD),
    Operation(
        "POST",
        f"{_ACCOUNTS}/authenticate",
        {"type": shown("new_account"), "account": ACCOUNT},
        {"language": LANGUAGES},
    ),
    Operation("GET", f"{_ACCOUNTS}/current", ACCOUNT),
    Operation("POST", f"{_ACCOUNTS}/current/schedule-deletion", ACCOUNT),
    Operation("POST", f"{_ACCOUNTS}/current/persons", PERSON, {"productIds": OnRequest(ARRAY)}),
    Operation("PATCH", f"{_ACCOUNTS}/current/persons/{{personId}}", PERSON, {"productIds": OnRequest(ARRAY)}),
    Operation(
        "GET", "/api/products/{slug}", PRODUCT, filters=(frozenset({"nextAvailability"}),), has_query=True
    ),
    Operation("GET", _JOURNEY, VALIDITY_OPTIONS, absent=frozenset(SUGGESTED), has_query=True),
    Operation("GET", f"{_JOURNEY}/suggested", {**VALIDITY_OPTIONS, **SUGGESTED}, has_query=True),
    Operation("POST", "/api/pricing/external/prices/access", ACCESS_PRICE, ACCESS_REQUEST, is_bare=True),
    Operation("GET", "/api/pricing/insights/distribution", INSIGHTS, has_query=True),
    Operation("GET", "/api/orders/{orderId}/notices", NOTICES),
)
"""All operations of the specification."""

VERSION = "2025-02-18"
"""The operations of the API."""
