"""The fields of a checkout as the specification documents them, transcribed from it by hand.

A type is the name of a JSON type, ``"date-time"``, a set of the words that are shown, a list with the type
of its elements, a dict of fields, or one of the classes below. What the specification leaves open and the
decisions settle stands apart, or is marked, with the section that settles it.
"""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias

Type: TypeAlias = Any
"""str | set[str] | set[bool] | list[Type] | dict[str, Type] | Nullable | Either | MayBeAbsent."""


class Nullable(NamedTuple):
    """``type``, or null; ``decided``: where that is settled, if not in the specification."""

    type: Type
    decided: str = ""


class Either(NamedTuple):
    """One variant where ``field`` is true, the other where it is false."""

    field: str
    if_true: Type
    if_false: Type


class MayBeAbsent(NamedTuple):
    """A field that may be left out."""

    type: Type


# ---------------------------------------------------------------- decided where nothing is shown

# §11.3: `parentItem` is unknown, the elements of `childItems` are not shown.
ITEM_REFERENCE = {"id": "number", "productVariantId": "number"}

# §3.7: how the two variants of a promo code differ is not shown.
REASONS = {
    "UNKNOWN",
    "NOT_YET_VALID",
    "EXPIRED",
    "USED_UP",
    "WRONG_CHANNEL",
    "WRONG_ACCOUNT",
    "WRONG_DAY",
    "MINIMUM_NOT_REACHED",
    "NOT_COMBINABLE",
    "NOT_APPLICABLE",
}
INVALID_PROMO_CODE = {
    "code": "string",
    "valid": {False},
    "totalAmount": "number",
    "reason": REASONS,
    "missing": MayBeAbsent(
        {
            "spend": MayBeAbsent("number"),
            "quantity": MayBeAbsent("number"),
            "until": MayBeAbsent("date-time"),
        }
    ),
}

# §11.5: `weatherGuarantee` is an object.
WEATHER_GUARANTEE = {"available": "boolean", "selected": "boolean", "price": "number"}

# §16: open enumerations, of which the specification shows some words.
CHANNEL_TYPES = {"CONSUMPTION", "WEB", "POS"}
PRODUCT_TYPES = {"TICKET", "PASS", "SERVICE", "FEE"}
MEDIUM_INTENTS = {"SENDING_FEE", "DEPOSIT"}
PURPOSES = {"BILLING", "SHIPPING"}
ITEM_STATUSES = {"RESERVED", "SOLD", "RELEASED"}
DISCOUNT_TYPES = {"ABSOLUTE", "PERCENTAGE", "FIXED_PRICE", "PER_UNIT", "BUY_X_GET_Y"}

# ---------------------------------------------------------------- documented

SALES_CHANNEL = {"uuid": "string", "name": "string", "type": CHANNEL_TYPES}

SUPPORTED_PAYMENT_METHOD = {
    "type": {"PAP", "PFP", "PFC", "APL", "PAY", "VIS", "ECA", "TWI", "DIB", "EPS", "REK"},
    "provider": {"GATEWAY"},
    "supportsAlias": "boolean",
    "supportsRegistrationAndPayment": "boolean",
}

ATTRIBUTE = {
    "name": "string",
    "identifier": "string",
    "value": "string",
    "sortOrder": "number",
    "metaInformation": "object",
    "translation": "string",
}

PRODUCT_SUMMARY = {
    "id": "number",
    "sortOrder": "number",
    "name": "string",
    "translation": "string",
    "identifier": "string",
    "type": PRODUCT_TYPES,
    "isSubscription": "boolean",
    "standalone": "boolean",
    "hasValidity": "boolean",
    "imageUrl": "string",
    "merchant": {"identifier": "string", "timezone": "string"},
    "category": {"id": "number", "name": "string"},
    "slug": "string",
}

MEDIUM = {
    "description": "string",
    "name": "string",
    "type": {"ACCESS"},
    "id": "number",
    "priceComponents": [
        {
            "price": "number",
            "productVariant": {
                "id": "number",
                "name": "string",
                "translation": "string",
                "vatRate": "number",
                "productId": "number",
                "attributes": [ATTRIBUTE],
            },
            "intent": MEDIUM_INTENTS,
        }
    ],
}

PRODUCT_VARIANT = {
    "id": "number",
    "productId": "number",
    "name": "string",
    "translation": "string",
    "vatRate": "number",
    "attributes": [ATTRIBUTE],
    "product": PRODUCT_SUMMARY,
    "availableMedia": [MEDIUM],
}

VALID_PROMO_CODE = {
    "id": "number",
    "code": "string",
    "displayName": "string",
    "description": "string",
    "discount": "number",
    "discountType": DISCOUNT_TYPES,
    "valid": {True},
    "totalAmount": "number",
}

PROMO_CODE = Either("valid", VALID_PROMO_CODE, INVALID_PROMO_CODE)

AUTOMATIC_DISCOUNT = {
    "id": "number",
    "displayName": "string",
    "description": "string",
    "discountType": DISCOUNT_TYPES,
    "discount": "number",
}

ADDRESS = {
    "id": "number",
    "addressLine1": "string",
    "addressLine2": "string",
    "zip": "string",
    "city": "string",
    "state": "string",
    "countryCode": "string",
    "purpose": [PURPOSES],
}

CHECKOUT_ITEM = {
    "id": "number",
    "parentItemId": Nullable("number", "§11.3"),
    "status": ITEM_STATUSES,
    "productVariant": PRODUCT_VARIANT,
    "validity": Nullable({"from": "string", "to": "string"}, "§11.7"),
    "parentItem": Nullable(ITEM_REFERENCE, "§11.3"),
    "childItems": [ITEM_REFERENCE],
    "listPriceGross": "number",
    "listPriceNet": "number",
    "promoCodeDiscount": "number",
    "autoDiscount": Nullable(AUTOMATIC_DISCOUNT, "§5"),
    "autoDiscountAmount": "number",
    "totalDiscountGross": "number",
    "totalDiscountNet": "number",
    "totalGross": "number",
    "totalNet": "number",
    "vatRate": "number",
    "displayPrice": "boolean",
    "isDeletable": "boolean",
    "requiresPersonalization": "boolean",
    "requiresValidation": "boolean",
    "requiresMedium": "boolean",
    "isConfirmationRequired": "boolean",
    "isFlexTicket": "boolean",
    "isMaxOneTicketPerPerson": "boolean",
    "isUniqueItem": "boolean",
    "supportsWeatherGuarantee": "boolean",
    "hasWeatherGuarantee": "boolean",
    "personFieldsDefinition": "object",
}

SUBSCRIPTION_CONFIGURATION = {
    "startsOn": "date-time",
    "nextBillingDate": "date-time",
    "hasPickup": "boolean",
    "startConfiguration": {"CURRENT_DAY", "RENEWAL_DATE"},
    "minimalRunPeriods": "number",
    "renewal": {
        "period": {"DAYS", "YEARLY", "MONTHLY"},
        "day": Nullable("number"),
        "month": Nullable("number"),
        "daysAmount": Nullable("number"),
    },
}

PAYMENT_METHOD = "object"

CHECKOUT = {
    "uuid": "string",
    "expiresAt": "date-time",
    "startedAt": "date-time",
    "lastUpdateAt": "date-time",
    "status": {"EXPIRED", "OPEN", "CLOSED"},
    "referenceNumber": Nullable("string"),
    "salesChannel": SALES_CHANNEL,
    "checkoutConditions": {"defaultValues": "object", "formDefinition": "object", "values": "object"},
    "supportedPaymentMethods": [SUPPORTED_PAYMENT_METHOD],
    "items": [CHECKOUT_ITEM],
    "currency": "string",
    "listPriceGross": "number",
    "listPriceNet": "number",
    "promoCodes": [PROMO_CODE],
    "promoCodeDiscount": "number",
    "subscriptionConfiguration": Nullable(SUBSCRIPTION_CONFIGURATION),
    "autoDiscounts": [AUTOMATIC_DISCOUNT],
    "autoDiscountAmount": "number",
    "totalDiscountGross": "number",
    "totalDiscountNet": "number",
    "totalSubscriptionGross": "number",
    "totalSubscriptionNet": "number",
    "donation": Nullable({"type": {"DONATION"}, "amount": "number"}),
    "totalGross": "number",
    "totalNet": "number",
    "requiresOwner": "boolean",
    "requiresBillingAddress": "boolean",
    "requiresShippingAddress": "boolean",
    "billingAddress": Nullable(ADDRESS),
    "shippingAddress": Nullable(ADDRESS),
    "paymentMethod": Nullable(PAYMENT_METHOD),
    "vouchers": [
        {"code": "string", "system": {"VOUCHER_B"}, "amount": "number", "reason": MayBeAbsent(REASONS)}
    ],
    "canUsePromoCodes": "boolean",
    "canUseVouchers": "boolean",
    "metadata": {"weatherGuarantee": WEATHER_GUARANTEE},
    "cashDue": MayBeAbsent("number"),
}

# ---------------------------------------------------------------- checking


def undocumented(value: Any, documented: Type = CHECKOUT, path: str = "") -> Iterator[str]:
    """Every way in which *value* is not what is documented: a missing field, one too many, a wrong type."""
    match documented:
        case Nullable(inner):
            yield from undocumented(value, inner, path) if value is not None else ()
        case MayBeAbsent(inner):
            yield from undocumented(value, inner, path)
        case Either(field, if_true, if_false):
            yield from undocumented(value, if_true if value[field] else if_false, path)
        case dict():
            yield from _undocumented_fields(value, documented, path)
        case [element]:
            if not isinstance(value, list):
                yield f"{path}: {value!r} is no array"
                return
            for part in value:
                yield from undocumented(part, element, f"{path}[]")
        case _:
            yield from _undocumented_value(value, documented, path)


def _undocumented_value(value: Any, documented: str | set[str] | set[bool], path: str) -> Iterator[str]:
    if isinstance(documented, set):
        if value not in documented:
            yield f"{path}: {value!r} is none of {sorted(documented)}"
    elif not _is_of_type(value, documented):
        yield f"{path}: {value!r} is no {documented}"


def _undocumented_fields(value: Any, fields: dict[str, Type], path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: {value!r} is no object"
        return
    for name, documented in fields.items():
        optional = isinstance(documented, MayBeAbsent)
        if name in value:
            yield from undocumented(value[name], documented, _below(path, name))
        elif not optional:
            yield f"{_below(path, name)}: missing"
    yield from (f"{_below(path, name)}: not documented" for name in value if name not in fields)


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _is_of_type(value: Any, name: str) -> bool:
    match name:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "number":
            return isinstance(value, int | Decimal) and not isinstance(value, bool)
        case "object":
            return isinstance(value, dict)
        case "date-time":
            return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
        case _:
            raise ValueError(name)


def nullable_fields(documented: Type = CHECKOUT, path: str = "") -> Iterator[tuple[str, str]]:
    """The paths that may be null, each with where that is decided."""
    match documented:
        case Nullable(inner, decided):
            yield path, decided
            yield from nullable_fields(inner, path)
        case MayBeAbsent(inner):
            yield from nullable_fields(inner, path)
        case Either(_, if_true, if_false):
            yield from nullable_fields(if_true, path)
            yield from nullable_fields(if_false, path)
        case dict():
            for name, part in documented.items():
                yield from nullable_fields(part, _below(path, name))
        case [element]:
            yield from nullable_fields(element, f"{path}[]")


def values_at(value: Any, path: str) -> Iterator[Any]:
    """What stands at *path*, once for each element of the arrays on the way."""
    first, _, rest = path.partition(".")
    part = value[first.removesuffix("[]")]
    for found in part if first.endswith("[]") else [part]:
        if not rest:
            yield found
        elif found is not None:
            yield from values_at(found, rest)
