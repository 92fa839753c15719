"""The resources of the specification as data: fields, types and enumerated words.

Transcribed by hand from what is shown; unspecified parts are ``UNKNOWN`` or omitted.
"""

from typing import Any, NamedTuple, TypeAlias

Kind: TypeAlias = Any
"""A type name, a set of words, a list of a kind, a dict of fields, or one of the classes below."""

STRING, NUMBER, BOOLEAN, OBJECT, INSTANT = "string", "number", "boolean", "object", "date-time"
ARRAY, UNKNOWN = "array", "unknown"

Fields: TypeAlias = dict[str, Kind]


class Nullable(NamedTuple):
    """A kind that is specified as nullable."""

    kind: Kind


class Shown(NamedTuple):
    """Words shown as examples of a longer list."""

    words: frozenset[str]


class OneOf(NamedTuple):
    """Variants of an object."""

    variants: tuple[Fields, ...]


class OnRequest(NamedTuple):
    """A field that is present on request, or in one of two variants."""

    kind: Kind


def fields(kind: Kind, names: str) -> Fields:
    """Return fields of the same kind."""
    return dict.fromkeys(names.split(), kind)


def shown(words: str) -> Shown:
    """Return example words."""
    return Shown(frozenset(words.split()))


LANGUAGES = {"en", "de", "fr", "it"}
DETAIL_STATUSES = {"PENDING", "ACTIVE", "EXPIRED", "DECLINED"}
FILTER_TYPES = {"TWI", "PAP", "DIB", "REK", "PFP", "PFC", "anonymous", "card", "voucher"}
METHODS = shown("TWI PFP PFC")

SALES_CHANNEL = {**fields(STRING, "uuid name"), "type": shown("CONSUMPTION WEB")}

SUPPORTED_PAYMENT_METHOD = {
    "type": {"PAP", "PFP", "PFC", "APL", "PAY", "VIS", "ECA", "TWI", "DIB", "EPS", "REK"},
    "provider": {"GATEWAY"},
    **fields(BOOLEAN, "supportsAlias supportsRegistrationAndPayment"),
}

ATTRIBUTE = {
    **fields(STRING, "name identifier value translation"),
    "sortOrder": NUMBER,
    "metaInformation": OBJECT,
}

MERCHANT = fields(STRING, "identifier timezone")

PRODUCT_HEAD = {
    **fields(NUMBER, "id sortOrder"),
    **fields(STRING, "name translation identifier"),
    "type": shown("TICKET"),
    **fields(BOOLEAN, "isSubscription standalone hasValidity"),
    "merchant": MERCHANT,
}

PRODUCT_SUMMARY = {
    **PRODUCT_HEAD,
    **fields(STRING, "imageUrl slug"),
    "category": {"id": NUMBER, "name": STRING},
}

VARIANT = {
    **fields(NUMBER, "id vatRate productId"),
    **fields(STRING, "name translation"),
    "attributes": [ATTRIBUTE],
}

MEDIUM_HEAD = {"id": NUMBER, **fields(STRING, "name description"), "type": shown("ACCESS")}

MEDIUM = {
    **MEDIUM_HEAD,
    "priceComponents": [{"price": NUMBER, "productVariant": VARIANT, "intent": shown("SENDING_FEE")}],
}

ITEM_VARIANT = {**VARIANT, "product": PRODUCT_SUMMARY, "availableMedia": [MEDIUM]}

VALID_PROMO_CODE = {
    **fields(NUMBER, "id discount totalAmount"),
    **fields(STRING, "code displayName description"),
    "discountType": shown("ABSOLUTE"),
    "valid": {True},
}

# The difference between the two is not shown; this field identifies an invalid code.
INVALID_PROMO_CODE = {"code": STRING, "valid": {False}}

AUTOMATIC_DISCOUNT = {
    **fields(NUMBER, "id discount"),
    **fields(STRING, "displayName description"),
    "discountType": shown("ABSOLUTE"),
}

ADDRESS = {
    "id": NUMBER,
    **fields(STRING, "addressLine1 addressLine2 zip city state countryCode"),
    "purpose": [shown("BILLING")],
}

# All four keys are always present; those that do not apply to the period are null.
RENEWAL = {
    "period": {"DAYS", "MONTHLY", "YEARLY"},
    **fields(Nullable(NUMBER), "day month daysAmount"),
}

SUBSCRIPTION_CONFIGURATION = {
    **fields(INSTANT, "startsOn nextBillingDate"),
    "hasPickup": BOOLEAN,
    "startConfiguration": {"CURRENT_DAY", "RENEWAL_DATE"},
    "minimalRunPeriods": NUMBER,
    "renewal": RENEWAL,
}

VOUCHER_METHOD = {
    "provider": {"VOUCHER_A", "VOUCHER_B"},
    "type": {"voucher"},
    "id": NUMBER,
    "isDefault": BOOLEAN,
    "status": DETAIL_STATUSES,
    "code": STRING,
}

GATEWAY_METHOD = {
    "provider": {"GATEWAY"},
    **fields(STRING, "refno transactionId brand code"),
    **fields(METHODS, "paymentMethod type"),
    "id": NUMBER,
    "isDefault": BOOLEAN,
    "status": DETAIL_STATUSES,
}

PAYMENT_METHOD = OneOf((GATEWAY_METHOD, VOUCHER_METHOD))

AMOUNTS = (
    "listPriceGross listPriceNet promoCodeDiscount autoDiscountAmount totalDiscountGross totalDiscountNet"
)

CHECKOUT_ITEM = {
    **fields(NUMBER, f"id parentItemId {AMOUNTS} totalGross totalNet vatRate"),
    "status": shown("RESERVED"),
    "productVariant": ITEM_VARIANT,
    "validity": fields(STRING, "from to"),
    "parentItem": UNKNOWN,
    "childItems": ARRAY,
    "autoDiscount": AUTOMATIC_DISCOUNT,
    **fields(BOOLEAN, "displayPrice isDeletable requiresPersonalization requiresValidation requiresMedium"),
    **fields(BOOLEAN, "isConfirmationRequired isFlexTicket isMaxOneTicketPerPerson isUniqueItem"),
    **fields(BOOLEAN, "supportsWeatherGuarantee hasWeatherGuarantee"),
    "personFieldsDefinition": OBJECT,
}

CHECKOUT = {
    **fields(STRING, "uuid currency"),
    **fields(INSTANT, "expiresAt startedAt lastUpdateAt"),
    "status": {"EXPIRED", "OPEN", "CLOSED"},
    "referenceNumber": Nullable(STRING),
    "salesChannel": SALES_CHANNEL,
    "checkoutConditions": fields(OBJECT, "defaultValues formDefinition values"),
    "supportedPaymentMethods": [SUPPORTED_PAYMENT_METHOD],
    "items": [CHECKOUT_ITEM],
    **fields(NUMBER, f"{AMOUNTS} totalSubscriptionGross totalSubscriptionNet totalGross totalNet"),
    "promoCodes": [OneOf((VALID_PROMO_CODE, INVALID_PROMO_CODE))],
    "subscriptionConfiguration": Nullable(SUBSCRIPTION_CONFIGURATION),
    "autoDiscounts": [AUTOMATIC_DISCOUNT],
    "donation": Nullable({"type": {"DONATION"}, "amount": NUMBER}),
    **fields(BOOLEAN, "requiresOwner requiresBillingAddress requiresShippingAddress"),
    **fields(Nullable(ADDRESS), "billingAddress shippingAddress"),
    "paymentMethod": Nullable(PAYMENT_METHOD),
    "vouchers": [{"code": STRING, "system": shown("VOUCHER_B"), "amount": NUMBER}],
    **fields(BOOLEAN, "canUsePromoCodes canUseVouchers"),
    "metadata": {"weatherGuarantee": OBJECT},
}

PROVIDER = {
    "type": shown("ON_SITE VOUCHER_B"),
    "status": shown("FAILED"),
    "paymentMethod": {"provider": shown("VOUCHER_A"), "type": shown("voucher")},
    "amount": NUMBER,
}

ONE_PROVIDER = {
    "status": shown("FAILED"),
    "totalAmount": NUMBER,
    "currency": STRING,
    "errors": [STRING],
    "primaryPaymentProvider": PROVIDER,
}

# Two variants, with and without these fields; one schema describes both.
PAYMENT_STATUS = {**ONE_PROVIDER, "secondaryPaymentProviders": OnRequest([PROVIDER])}

NOTICES = {
    "notices": [{"id": STRING, "level": shown("info"), "type": shown("TICKETING_ERROR_REPORT_TO_STAFF")}],
    "isComplete": BOOLEAN,
}

ACCOUNT = {
    "id": NUMBER,
    **fields(STRING, "email company"),
    "type": shown("ADMIN"),
    "language": LANGUAGES,
    **fields(INSTANT, "deletedAt scheduledForDeletionAfter"),
    "metaInformation": {
        "acceptedNewsletter": BOOLEAN,
        **fields(STRING, "syncErrorWrite syncErrorRead"),
        "importedData": {"importedFrom": STRING},
    },
}

PERSON = {
    **fields(NUMBER, "id accountId"),
    **fields(OBJECT, "formDefinition defaultValues values"),
    "isOwner": BOOLEAN,
}

PRICE_RANGE = fields(NUMBER, "minPrice maxPrice")

IMAGE = {**fields(STRING, "imageUrl altText lqip"), "hotspot": fields(NUMBER, "x y width height")}

CALL_TO_ACTION = {
    **fields(STRING, "title link"),
    "color": shown("default"),
    "variant": shown("link"),
    **fields({"slug": STRING}, "product page"),
    "newTab": BOOLEAN,
}

PRODUCT_CONTENT = {
    **fields(STRING, "title caption shortDescription description seoTitle seoDescription"),
    **fields([IMAGE], "images seoImages"),
    "tags": [fields(STRING, "caption description icon")],
    "seoKeywords": [STRING],
    "banner": {**fields(STRING, "text color icon"), "cta": CALL_TO_ACTION},
}

CATALOGUE_VARIANT = {
    **VARIANT,
    "availableMedia": [{**MEDIUM_HEAD, "requiredProductVariants": [VARIANT]}],
    "externalIds": [fields(STRING, "system kind value")],
    "priceRange": PRICE_RANGE,
}

PRODUCT = {
    **PRODUCT_HEAD,
    "priceModel": shown("STATIC"),
    "content": PRODUCT_CONTENT,
    "category": {
        **fields(NUMBER, "id sortOrder"),
        **fields(STRING, "title description"),
        "tags": [STRING],
    },
    "standardPriceRange": PRICE_RANGE,
    **fields(NUMBER, "standardPriceToday standardProductVariantId"),
    "productVariants": [CATALOGUE_VARIANT],
    "nextAvailability": OnRequest(OBJECT),
}

VALIDITY_OPTIONS = {
    "options": [
        {
            "value": fields(STRING, "from to"),
            "availableCapacity": {"kind": shown("range"), **fields(NUMBER, "min max")},
            "label": STRING,
            "isAvailable": BOOLEAN,
            "price": PRICE_RANGE,
        }
    ],
    "hasCapacities": BOOLEAN,
    "availableDurations": [fields(STRING, "value label")],
    "selectionMode": shown("single"),
}

SUGGESTED = fields(NUMBER, "daysUntilNextBookableValidity meanValidityGapDays")

THRESHOLD = fields(NUMBER, "price percentile")

INSIGHTS = {
    "benchmark": fields(NUMBER, "interpolatedPercent price percentile"),
    "thresholds": fields(THRESHOLD, "upper lower"),
}

ACCESS_PRICE = {**fields(NUMBER, "calculated_price_cents unit_price_cents"), "currency_code": STRING}
