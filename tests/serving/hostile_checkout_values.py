"""Values that no checkout takes, in bodies of the right shape."""

from collections.abc import Iterator
from typing import Any

from serving.hostility import (
    ADD,
    ANSWER,
    CHANGE,
    ENTER,
    PARKING,
    REMOVED,
    USED,
    Kind,
    Refusal,
    Request,
    Row,
    Rows,
    bodies,
)
from serving.service import SUNDAY, Json, day_ticket, item

# ---------------------------------------------------------------- items

ITEM_FIELDS = list(day_ticket(20))
SHOWN = [
    *("status", "totalGross", "listPriceGross", "vatRate", "isDeletable", "quantity", "copyOf", "component"),
    *("quote", "childItems", "product_variant_id", "variant", ""),
]


def item_rows() -> Rows:
    """Items that say too little, too much, or what cannot be."""
    for field in ITEM_FIELDS:
        without = {name: value for name, value in day_ticket(20).items() if name != field}
        yield from _item(Kind.TYPES, f"no {field}", without, "invalid-body", f"/items/0/{field}")
    for field in SHOWN:
        spoilt = {**day_ticket(20), field: 0}
        yield from _item(Kind.READ_ONLY, f"item.{field}", spoilt, "invalid-body", f"/items/0/{field}")
    for start, end in _moments():
        spoilt = day_ticket(20, validity={"from": start, "to": end})
        kind = Kind.RANGES if start.isascii() else Kind.LOOK_ALIKES
        yield from _item(kind, f"from {start!a} to {end!a}", spoilt, "invalid-validity", "/items/0/validity")
    for name, (items, code, pointer) in IMPOSSIBLE_ITEMS.items():
        status = 409 if code in CONFLICTS else 422
        kind = Kind.IDS if "/" + pointer.rpartition("/")[2] in ID_FIELDS else Kind.RANGES
        yield Row(kind, name, ADD.saying({"items": items}), Refusal(status, code, (f"pointer {pointer}",)))
    yield from bodies(Kind.RANGES, ADD, "invalid-checkout", SEVERAL_FAULTS)
    yield from bodies(Kind.TYPES, ADD, "invalid-body", EVERY_FAULT)
    yield from bodies(Kind.SIZES, ADD, "too-many-items", TOO_MANY)
    conflicts = [day_ticket(USED, 102), day_ticket(REMOVED), PARKING | {"id": 20}, day_ticket(21)]
    places = ("pointer /items/0/id", "pointer /items/1/id", "pointer /items/2/productVariantId")
    refusal = Refusal(409, "checkout-conflict", places)
    yield Row(Kind.IDS, "all conflicts", ADD.saying({"items": conflicts}), refusal)


def _item(kind: Kind, name: str, spoilt: Json, code: str, pointer: str) -> Rows:
    return bodies(kind, ADD, code, {name: ({"items": [spoilt]}, pointer)})


def _moments() -> Iterator[tuple[str, str]]:
    """Validities that are none, by their from and to."""
    for nonsense in (
        "x",
        "2026-13-01",
        "2026-02-30",
        "26-12-27",
        "2026-12-27T25:00",
        "2026-12-27T10:00+25:00",
    ):
        yield nonsense, "2026-12-27"
        yield "2026-12-27", nonsense
    for nonsense in (
        "\uff12\uff10\uff12\uff16-12-27",
        "2026-12-27\u0000",
        "2026-12-27\n",
        " 2026-12-27",
        "0000-01-01",
        "-2026-12-27",
    ):
        yield nonsense, "2026-12-27"
    yield "2026-12-28", "2026-12-27"
    yield "2026-12-27T10:00:00+01:00", "2026-12-27T10:00:00+01:00"
    yield "1899-12-31", "1899-12-31"
    yield "0001-01-01", "0001-01-01"
    yield "9999-12-31", "9999-12-31"


CONFLICTS = {"id-taken", "id-used", "unique-item"}
ID_FIELDS = {"/id", "/personId", "/parentItemId", "/originatedItemId", "/productVariantId"}
IMPOSSIBLE_ITEMS = {
    "a variant nobody sells": ([day_ticket(20, 999)], "unknown-variant", "/items/0/productVariantId"),
    "the largest variant": ([day_ticket(20, 2**53 - 1)], "unknown-variant", "/items/0/productVariantId"),
    "a variant of another channel": ([day_ticket(20, 711)], "not-sold-here", "/items/0/productVariantId"),
    "a day ticket for no day": ([item(20, 101)], "validity-required", "/items/0/validity"),
    "a lunch for a day": ([item(20, 411, validity=SUNDAY)], "validity-not-wanted", "/items/0/validity"),
    "a day ticket for two days": (
        [day_ticket(20, validity={"from": "2026-12-27", "to": "2026-12-28"})],
        "not-bookable",
        "/items/0/validity",
    ),
    "a card nobody has": (
        [day_ticket(20, discountCardTypeId=99)],
        "unknown-discount-card",
        "/items/0/discountCardTypeId",
    ),
    "a person without an account": ([day_ticket(20, personId=1)], "unknown-person", "/items/0/personId"),
    "a parent that is not there": (
        [day_ticket(20, parentItemId=77)],
        "unknown-item",
        "/items/0/parentItemId",
    ),
    "itself as a parent": ([day_ticket(20, parentItemId=20)], "invalid-checkout", "/items/0/parentItemId"),
    "an origin that is not there": (
        [day_ticket(20, originatedItemId=77)],
        "unknown-item",
        "/items/0/originatedItemId",
    ),
    "itself as an origin": (
        [day_ticket(20, originatedItemId=20)],
        "unknown-item",
        "/items/0/originatedItemId",
    ),
    "insurance alone": ([item(20, 511, validity=SUNDAY)], "needs-parent", "/items/0/parentItemId"),
    "an id twice": ([day_ticket(20), day_ticket(20)], "invalid-checkout", "/items/1/id"),
    "an id that is taken": ([day_ticket(USED, 102)], "id-taken", "/items/0/id"),
    "an id that is taken, another day": (
        [day_ticket(USED, validity={"from": "2026-12-28", "to": "2026-12-28"})],
        "id-taken",
        "/items/0/id",
    ),
    "an id that was removed": ([day_ticket(REMOVED)], "id-used", "/items/0/id"),
    "a second car": ([PARKING | {"id": 20}], "unique-item", "/items/0/productVariantId"),
}
SEVERAL_FAULTS = {
    "one good item and three at fault": (
        {
            "items": [
                day_ticket(20),
                day_ticket(21, 999, discountCardTypeId=99),
                item(22, 101),
                day_ticket(23, personId=8),
            ]
        },
        (
            "/items/1/productVariantId",
            "/items/1/discountCardTypeId",
            "/items/2/validity",
            "/items/3/personId",
        ),
    ),
}
EVERY_FAULT = {
    "every fault of every item": (
        {"items": [{}, day_ticket(20, id=None, personId=0), day_ticket(21, validity={}, price=1)]},
        (
            *(f"/items/0/{field}" for field in ITEM_FIELDS),
            *("/items/1/id", "/items/1/personId"),
            *("/items/2/validity/from", "/items/2/validity/to", "/items/2/price"),
        ),
    ),
}
TOO_MANY = {"500 more": ({"items": [item(100 + n, 411) for n in range(500)]}, "/items")}

# ---------------------------------------------------------------- types and sizes of each field

NO_NUMBERS: list[Any] = [None, True, False, "1", "", 1.5, 1.0, -0.0, 1e2, 1e300, [], [1], {}, {"id": 1}]
NO_STRINGS: list[Any] = [None, True, False, 0, 1, 1.5, [], ["GIFT-100"], {}, {"$ne": ""}]
NO_OBJECT_VALUES: list[Any] = [None, True, False, 0, 1.5, "", "{}", [], [{}]]
NO_LISTS: list[Any] = [None, True, False, 0, 1.5, "", "[]", {}, {"0": {}}]


def _typed() -> Iterator[tuple[Request, Any, str, str]]:
    """A body with one value of the wrong type, the pointer to it, and what is said of it."""
    for value in NO_NUMBERS:
        yield CHANGE, {"delta": value}, "/delta", "expected a whole number"
    for value in (-1_000_001, -(10**30), -(10**63)):
        yield CHANGE, {"delta": value}, "/delta", "expected at least -1000000"
    for value in (1_000_001, 2**31, 2**63, 10**63):
        yield CHANGE, {"delta": value}, "/delta", "expected at most 1000000"
    for value in NO_STRINGS:
        yield ENTER, {"voucherCode": value}, "/voucherCode", "expected a string"
    yield ENTER, {"voucherCode": ""}, "/voucherCode", "expected at least 1 character"
    yield ENTER, {"voucherCode": "x" * 65}, "/voucherCode", "expected at most 64 characters"
    yield ENTER, {"voucherCode": "😀" * 65}, "/voucherCode", "expected at most 64 characters"
    for value in NO_OBJECT_VALUES:
        yield ANSWER, {"formValues": value}, "/formValues", "expected an object"
    for value in NO_LISTS:
        yield ADD, {"items": value}, "/items", "expected an array"
    for value in (None, True, 3, 1.5, "", [], [{}]):
        yield ADD, {"items": [day_ticket(20), value]}, "/items/1", "expected an object"
    yield ADD, {"items": [{}] * 501}, "/items", "expected at most 500 elements, got 501"
    yield from _typed_item_fields()


def _typed_item_fields() -> Iterator[tuple[Request, Any, str, str]]:
    largest = {"id": 2**31 - 1}
    for field in (
        "id",
        "productVariantId",
        "personId",
        "parentItemId",
        "originatedItemId",
        "discountCardTypeId",
    ):
        most = largest.get(field, 2**53 - 1)
        is_required = field in {"id", "productVariantId"}
        values = [
            (value, "expected a whole number") for value in NO_NUMBERS if is_required or value is not None
        ]
        values += [(value, "expected at least 1") for value in (0, -1, -(2**63), -(10**60))]
        values += [(value, f"expected at most {most}") for value in (most + 1, 2**63, 2**64, 10**60)]
        for value, reason in values:
            yield ADD, {"items": [day_ticket(20, **{field: value})]}, f"/items/0/{field}", reason
    for value in NO_OBJECT_VALUES[1:]:
        yield ADD, {"items": [day_ticket(20, validity=value)]}, "/items/0/validity", "expected an object"
    for field in ("from", "to"):
        cases = [(value, "expected a string") for value in NO_STRINGS]
        cases += [("", "expected at least 1 character"), ("2" * 41, "expected at most 40 characters")]
        for value, reason in cases:
            body = {"items": [day_ticket(20, validity=SUNDAY | {field: value})]}
            yield ADD, body, f"/items/0/validity/{field}", reason


def typed_rows() -> Rows:
    """One value of the wrong type or size."""
    for request, body, pointer, reason in _typed():
        kind = Kind.RANGES if "at least" in reason or "at most" in reason else Kind.TYPES
        refusal = Refusal(422, "invalid-body", (f"pointer {pointer}",), (reason,))
        yield Row(kind, f"{str(body)[:60]!a} {pointer}", request.saying(body), refusal)


# ---------------------------------------------------------------- quantities and codes

IMPOSSIBLE_DELTAS = {
    "nothing": (0, "invalid-delta"),
    "more than there are": (-2, "invalid-delta"),
    "far more than there are": (-1_000_000, "invalid-delta"),
    "more than there is room for": (497, "too-many-items"),
    "far more than there is room for": (1_000_000, "too-many-items"),
}


def delta_rows() -> Rows:
    """Quantities that cannot be."""
    for name, (delta, code) in IMPOSSIBLE_DELTAS.items():
        yield from bodies(Kind.RANGES, CHANGE, code, {name: ({"delta": delta}, "/delta")})
    second = CHANGE._replace(target="<checkout>/items/3/quantity").saying({"delta": 1})
    yield Row(Kind.RANGES, "a second car", second, Refusal(409, "unique-item", ("pointer /delta",)))


LOOK_ALIKES = {
    "unknown": "SUMMER99",
    "blank": " ",
    "blanks": " \t \u00a0\u2003 ",
    "a NUL": "\u0000",
    "a NUL behind a good one": "GIFT-100\u0000",
    "a control character within": "GIFT\u0007-100",
    "a line break within": "GIFT\n-100",
    "Cyrillic": "S\u041aI59",
    "Greek": "S\u039a\u039959",
    "a hyphen that is none": "GIFT\u2010100",
    "a combining mark": "SKI\u030159",
    "other digits": "SKI\u0665\u0669",
    "two codes": "SKI59 WINTER10",
    "a wildcard": "%",
    "SQL": "' OR '1'='1",
    "a template": "{{7*7}}${7*7}",
    "a path": "../../etc/passwd",
    "emoji": "😀",
    "64 characters": "x" * 64,
    "64 large characters": "😀" * 64,
    "a noncharacter": "\uffff",
}


def code_rows() -> Rows:
    """Codes that look like one, and are none."""
    spoilt = {name: ({"voucherCode": code}, "/voucherCode") for name, code in LOOK_ALIKES.items()}
    return bodies(Kind.LOOK_ALIKES, ENTER, "unknown-code", spoilt)
