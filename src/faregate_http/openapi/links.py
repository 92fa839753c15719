"""What can be asked next with what was answered: the links between operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

_Json: TypeAlias = dict[str, Any]

_ANSWER = "$response.body#/data"
_CHANNEL = {"header.service-channel-uuid": "$request.header.service-channel-uuid"}
_CHECKOUT = {"path.checkoutId": f"{_ANSWER}/uuid", **_CHANNEL}
_PRODUCT = {"path.productId": f"{_ANSWER}/id", **_CHANNEL}


def _link(operation: str, description: str, parameters: Mapping[str, str]) -> _Json:
    return {"operationId": operation, "description": description, "parameters": {**parameters}}


LINKS: Mapping[str, _Json] = {
    "checkout": _link("getCheckout", "The checkout as it stands.", _CHECKOUT),
    "explanation": _link("explainCheckout", "Why it costs what it costs.", _CHECKOUT),
    "moreItems": _link("addItems", "Add more to it.", _CHECKOUT),
    "lessItems": _link(
        "removeItems", "Remove its first item.", {**_CHECKOUT, "query.itemId": f"{_ANSWER}/items/0/id"}
    ),
    "quantity": _link(
        "changeQuantity",
        "Change the quantity of its first item.",
        {**_CHECKOUT, "path.itemId": f"{_ANSWER}/items/0/id"},
    ),
    "conditions": _link("setConditions", "Answer the questions of its form.", _CHECKOUT),
    "code": _link("addCode", "Enter a promo code or a voucher.", _CHECKOUT),
    "noCode": _link(
        "dropCode",
        "Take its first promo code out again.",
        {**_CHECKOUT, "path.code": f"{_ANSWER}/promoCodes/0/code"},
    ),
    "enteredCode": _link(
        "dropCode",
        "Take the code out again.",
        {**_CHECKOUT, "path.code": "$request.body#/voucherCode"},
    ),
    "payment": _link("payCheckout", "Pay it: `totalGross` is what it costs.", _CHECKOUT),
    "paymentStatus": _link("getPaymentStatus", "How its payment stands.", _CHECKOUT),
    "notices": _link(
        "getOrderNotices",
        "Once it is paid, its order has the same id.",
        {"path.orderId": f"{_ANSWER}/uuid", **_CHANNEL},
    ),
    "validities": _link("listValidities", "When it can be booked.", _PRODUCT),
    "suggestions": _link("suggestValidities", "When it can be booked, in a few options.", _PRODUCT),
    "insights": _link(
        "priceInsights",
        "How its price compares.",
        {"query.productId": f"{_ANSWER}/id", **_CHANNEL},
    ),
    "nextPage": _link(
        "listValidities",
        "The next page.",
        {
            "path.productId": "$request.path.productId",
            "query.cursor": "$response.body#/meta/nextCursor",
            **_CHANNEL,
        },
    ),
    "account": _link("getAccount", "The account, with the token of the answer's headers.", _CHANNEL),
    "person": _link("changePerson", "Answer more questions.", {"path.personId": f"{_ANSWER}/id", **_CHANNEL}),
    "paymentDetails": _link("listPaymentDetails", "What became of it.", _CHANNEL),
    "noDefault": _link(
        "unsetDefaultPaymentDetail",
        "Make the first no default any more.",
        {"path.paymentDetailId": f"{_ANSWER}/0/id", **_CHANNEL},
    ),
}
"""All links, by the names that operations refer to."""

_OF_CHECKOUT = (
    *("checkout", "explanation", "moreItems", "lessItems", "quantity", "conditions", "code", "noCode"),
    *("payment", "paymentStatus"),
)
_OF = {
    "getCheckout": (*_OF_CHECKOUT, "notices"),
    "explainCheckout": ("checkout",),
    "addItems": _OF_CHECKOUT,
    "removeItems": _OF_CHECKOUT,
    "setConditions": _OF_CHECKOUT,
    "changeQuantity": _OF_CHECKOUT,
    "addCode": (*_OF_CHECKOUT, "enteredCode"),
    "dropCode": _OF_CHECKOUT,
    "payCheckout": ("checkout", "explanation", "paymentStatus", "notices"),
    "getProduct": ("validities", "suggestions", "insights"),
    "listValidities": ("nextPage",),
    "authenticate": ("account",),
    "addPerson": ("person",),
    "changePerson": ("person",),
    "registerPaymentDetail": ("paymentDetails",),
    "listPaymentDetails": ("noDefault",),
    "unsetDefaultPaymentDetail": ("paymentDetails",),
}


def links_of(operation: str) -> _Json:
    """The links of what that operation answers, as references."""
    return {name: {"$ref": f"#/components/links/{name}"} for name in _OF.get(operation, ())}
