"""The fields of a product, of validities and of price insights as the specification has them, by hand.

Types are written as in ``documented_fields``.
"""

from serving.documented_fields import ATTRIBUTE, PRODUCT_TYPES, MayBeAbsent, Nullable

# ---------------------------------------------------------------- decided where nothing is shown

# §16: open enumerations, of which the specification shows some words.
PRICE_MODELS = {"STATIC", "CALENDAR", "STEPPED"}
CTA_COLORS = {"default", "primary"}
CTA_VARIANTS = {"link", "button"}

# §8.6: how a client gets the next page is not shown.
PAGE = {"nextCursor": MayBeAbsent("string")}

# ---------------------------------------------------------------- documented

PRICE_RANGE = {"minPrice": "number", "maxPrice": "number"}

CAPACITY = {"kind": {"range"}, "min": "number", "max": "number"}

# §8.9: the content is not shown.
NEXT_AVAILABILITY = {
    "from": "date-time",
    "to": "date-time",
    "daysUntil": "number",
    "availableCapacity": Nullable(CAPACITY, "§8.9"),
    "price": PRICE_RANGE,
}

IMAGE = {
    "imageUrl": "string",
    "altText": "string",
    "lqip": "string",
    "hotspot": Nullable({"x": "number", "y": "number", "width": "number", "height": "number"}, "§8.9"),
}

CALL_TO_ACTION = {
    "title": "string",
    "color": CTA_COLORS,
    "variant": CTA_VARIANTS,
    "product": Nullable({"slug": "string"}, "§8.9"),
    "link": "string",
    "page": Nullable({"slug": "string"}, "§8.9"),
    "newTab": "boolean",
}

BANNER = {
    "text": "string",
    "color": "string",
    "icon": "string",
    "cta": Nullable(CALL_TO_ACTION, "§8.9"),
}

PRODUCT_CONTENT = {
    "title": "string",
    "caption": "string",
    "shortDescription": "string",
    "description": "string",
    "images": [IMAGE],
    "tags": [{"caption": "string", "description": "string", "icon": "string"}],
    "seoTitle": "string",
    "seoDescription": "string",
    "seoKeywords": ["string"],
    "seoImages": [IMAGE],
    "banner": Nullable(BANNER, "§8.9"),
}

CATALOGUE_MEDIUM = {
    "id": "number",
    "type": {"ACCESS"},
    "name": "string",
    "description": "string",
    "requiredProductVariants": [
        {
            "id": "number",
            "name": "string",
            "translation": "string",
            "vatRate": "number",
            "productId": "number",
            "attributes": [ATTRIBUTE],
        }
    ],
}

CATALOGUE_VARIANT = {
    "id": "number",
    "name": "string",
    "translation": "string",
    "vatRate": "number",
    "productId": "number",
    "availableMedia": [CATALOGUE_MEDIUM],
    "attributes": [ATTRIBUTE],
    "externalIds": [{"system": "string", "kind": "string", "value": "string"}],
    "priceRange": Nullable(PRICE_RANGE, "§8.9"),
}

PRODUCT = {
    "id": "number",
    "sortOrder": "number",
    "name": "string",
    "translation": "string",
    "identifier": "string",
    "type": PRODUCT_TYPES,
    "isSubscription": "boolean",
    "standalone": "boolean",
    "hasValidity": "boolean",
    "priceModel": PRICE_MODELS,
    "content": PRODUCT_CONTENT,
    "merchant": {"identifier": "string", "timezone": "string"},
    "category": {
        "id": "number",
        "title": "string",
        "description": "string",
        "sortOrder": "number",
        "tags": ["string"],
    },
    "standardPriceRange": Nullable(PRICE_RANGE, "§8.9"),
    "standardPriceToday": Nullable("number", "§8.9"),
    "standardProductVariantId": "number",
    "productVariants": [CATALOGUE_VARIANT],
    "nextAvailability": MayBeAbsent(Nullable(NEXT_AVAILABILITY, "§8.9")),
}

VALIDITY_OPTION = {
    "value": {"from": "date-time", "to": "date-time"},
    "availableCapacity": Nullable(CAPACITY, "§8.3"),
    "label": "string",
    "isAvailable": "boolean",
    "price": PRICE_RANGE,
}

VALIDITY_OPTIONS = {
    "options": [VALIDITY_OPTION],
    "hasCapacities": "boolean",
    "availableDurations": [{"value": "string", "label": "string"}],
    "selectionMode": {"single"},
}

SUGGESTED_VALIDITIES = {
    **VALIDITY_OPTIONS,
    "daysUntilNextBookableValidity": Nullable("number", "§8.7"),
    "meanValidityGapDays": Nullable("number", "§8.7"),
}

PRICE_THRESHOLD = {"price": "number", "percentile": "number"}

PRICE_INSIGHTS = {
    "benchmark": {"interpolatedPercent": "number", "price": "number", "percentile": "number"},
    "thresholds": {"upper": PRICE_THRESHOLD, "lower": PRICE_THRESHOLD},
}
