"""What a gate may not ask."""

from collections.abc import Iterable, Iterator
from typing import Any

from serving.gate import ADULT, DTA, EVERY_FIELD, OF_JSON, PATH, SYSTEM, without
from serving.hostile_bodies import (
    full_rows,
    media_rows,
    shape_rows,
    size_rows,
    unknown_rows,
    unreadable_mebibytes,
    unreadable_rows,
)
from serving.hostile_everywhere import method_rows, path_rows, query_rows, version_rows
from serving.hostility import Kind, Refusal, Request, Row, Rows, bodies, dumped, of_each
from serving.service import Json

BARE = without(ADULT, *DTA)
ASK = Request("POST", PATH, dumped(ADULT), OF_JSON)
OPERATIONS = {"ask": ASK}
BEFORE_QUANTITY = dumped(without(ADULT, "quantity")).removesuffix(b"}") + b', "quantity":'


def rows() -> Rows:
    """All of them."""
    yield from of_each(
        OPERATIONS,
        *(version_rows, query_rows, path_rows, media_rows, unreadable_rows, unreadable_mebibytes),
        *(shape_rows, size_rows, unknown_rows(ADULT), full_rows(BEFORE_QUANTITY, b"}", "/quantity")),
    )
    yield from method_rows(OPERATIONS, {})
    yield from _shapes()
    yield from _meanings()


# ---------------------------------------------------------------- the shape of each field

NO_STRINGS: list[Any] = [True, False, 0, 1, 20270116, 1.5, [], ["2027-01-16"], {}, {"$ne": ""}]
NO_NUMBERS: list[Any] = [True, False, "1", "", "0x1", 1.5, 1.0, -0.0, 1e2, 1e300, [], [1], {}, {"$gt": 0}]
NO_FLAGS: list[Any] = [0, 1, -1, 0.5, "true", "false", "", "{}", [], [{}], {"value": True}, {"": None}]
TEXT, WHOLE, FLAG = "expected a string", "expected a whole number", "expected true or false"
MOST_ID, MOST_UNITS = 2**53 - 1, 1_000_000


def _sized(least: int, most: int, *, beyond: Iterable[int] = ()) -> Iterator[tuple[Any, str]]:
    """Values that are no whole number, or none from *least* to *most*."""
    yield from ((value, WHOLE) for value in NO_NUMBERS)
    yield from ((value, f"expected at least {least}") for value in (0, -1, -(2**31), -(2**63), -(10**63)))
    yield from ((value, f"expected at most {most}") for value in (most + 1, 2**64, 10**63, *beyond))


def _text_of(most: int) -> Iterator[tuple[Any, str]]:
    """Values that are no text, or none of one to *most* characters."""
    yield from ((value, TEXT) for value in NO_STRINGS)
    yield "", "expected at least 1 character"
    yield from ((value * (most + 1), f"expected at most {most} characters") for value in ("2", "ü", "😀"))
    yield "2027" * 10_000, f"expected at most {most} characters"


def _spoilt_fields() -> Iterator[tuple[str, Any, str]]:
    """A field, a value that it does not take, and what is said of that."""
    for field in ("valid_from", "order_date", "valid_to"):
        yield from ((field, value, reason) for value, reason in _text_of(40))
    for field in ("valid_from", "order_date", "quantity", "currency_code"):
        yield field, None, WHOLE if field == "quantity" else TEXT
    yield from (("quantity", value, reason) for value, reason in _sized(1, MOST_UNITS, beyond=[2**31]))
    for field in DTA:
        yield from ((field, value, reason) for value, reason in _sized(1, MOST_ID))
    for field in SYSTEM:
        yield from ((field, value, reason) for value, reason in _text_of(64))
    for field in ("depot_flag", "is_online_pos"):
        yield from ((field, value, FLAG) for value in NO_FLAGS)
    yield from (("currency_code", value, TEXT) for value in NO_STRINGS)
    for code in NO_CODES:
        yield "currency_code", code, "expected text that matches ^[A-Z][A-Z][A-Z]$"


NO_CODES = ["", "C", "CH", "CHFF", "chf", "Chf", "C H", "CH1", "CHF ", " CHF", "CHF\n", "\nCHF", "CHF\x00"]
NO_CODES += [
    "\u0421HF",
    "\uff23\uff28\uff26",
    "C\u200bHF",
    "CHF\u0301",
    "ÇHF",
    "CH\u03a6",
    "756",
    "C" * 100_000,
]
REQUIRED = ("valid_from", "order_date", "quantity", "currency_code")
UNKNOWN = ["validFrom", "Quantity", "QUANTITY", "quantity ", "qu\u0430ntity", "", "a/b~c", "__proto__"]
UNKNOWN += ["constructor", "price", "unit_price_cents", "\u0000", "\u200b", "valid_from[]", "x" * 200]


def _shapes() -> Rows:
    for field, value, reason in _spoilt_fields():
        refusal = Refusal(422, "invalid-body", (f"pointer /{field}",), (reason,))
        spoilt = ASK.saying(EVERY_FIELD | {field: value})
        yield Row(_kind_of(value, reason), f"{field} {str(value)[:40]!a}", spoilt, refusal)
    for field in REQUIRED:
        refusal = Refusal(422, "invalid-body", (f"pointer /{field}",), ("is missing",))
        yield Row(Kind.TYPES, f"no {field}", ASK.saying(without(EVERY_FIELD, field)), refusal)
    for name in UNKNOWN:
        pointer = f"/{name.replace('~', '~0').replace('/', '~1')}"
        kind = Kind.READ_ONLY if "price" in name else Kind.LOOK_ALIKES
        yield from bodies(
            kind, ASK, "invalid-body", {f"property {name[:40]!a}": (ADULT | {name: 1}, pointer)}
        )
    yield from bodies(Kind.TYPES, ASK, "invalid-body", {"all fields": (ALL_AT_FAULT, ALL_BUT_THE_DATE)})


def _kind_of(value: Any, reason: str) -> Kind:
    if isinstance(value, str) and not value.isascii():
        return Kind.LOOK_ALIKES
    return Kind.RANGES if "at least" in reason or "at most" in reason else Kind.TYPES


ALL_AT_FAULT = {
    "valid_from": 1,
    "order_date": "yesterday",
    "valid_to": [],
    "quantity": 0,
    "currency_code": "EURO",
    "dta_product_id": "1",
    "dta_consumer_category": 1.0,
    "system_product_id": "",
    "system_consumer_category": {},
    "depot_flag": "no",
    "is_online_pos": 1,
    "channel": None,
}
# What a text means is not asked while the shape is wrong.
ALL_BUT_THE_DATE = [f"/{name}" for name in ALL_AT_FAULT if name != "order_date"]

# ---------------------------------------------------------------- what the fields mean

NO_MOMENTS = [
    "now",
    "tomorrow",
    "16.01.2027",
    "01/16/2027",
    "2027-1-16",
    "27-01-16",
    "20270116",
    "2027-01",
    "2027-W02-6",
    "2027-016",
    "2027-02-29",
    "2027-13-01",
    "2027-00-10",
    "2027-01-32",
    "0000-01-01",
    "2027-01-16T",
    "2027-01-16T24:00:00Z",
    "2027-01-16T25:00",
    "2027-01-16T09:60:00Z",
    "2027-01-16T09:00:61Z",
    "2027-01-16T9:00:00Z",
    "2027-01-16 09:00:00Z ",
    " 2027-01-16",
    "2027-01-16\n",
    "2027-01-16T09:00:00Z\n",
    "2027-01-16T09:00:00+25:00",
    "2027-01-16T09:00:00+01:0",
    "2027-01-16T09:00:00+0a:00",
    "2027-01-16T09:00:00 Europe/Zurich",
    "2027-01-16T09:00:00ZZ",
    "1800000000",
    "1.8e9",
    "P1D",
    "null",
    "NaN",
    "\x00",
    "２０２７-01-16",  # noqa: RUF001 - digits that are none here
    "2027-01-1\u0666",
    "2027\u201301\u201316",
    "2027\u201101\u201116",
    "2027-01-16\u200b",
    "2027-01-16T09:00:00\u2212" + "01:00",
]

# What is asked beside the four required fields, the code, and the places at fault.
MEANT: list[tuple[Json, str, tuple[str, ...]]] = [
    # No pair, half a pair, both halves of none.
    ({}, "mapping-required", ("/dta_product_id",)),
    (dict.fromkeys((*DTA, *SYSTEM)), "mapping-required", ("/dta_product_id",)),
    ({"dta_product_id": 1}, "mapping-required", ("/dta_consumer_category",)),
    ({"dta_consumer_category": 1}, "mapping-required", ("/dta_product_id",)),
    ({"system_product_id": "P1"}, "mapping-required", ("/system_consumer_category",)),
    ({"system_consumer_category": "A"}, "mapping-required", ("/system_product_id",)),
    (
        {"dta_product_id": 1, "system_consumer_category": "A"},
        "mapping-required",
        ("/dta_consumer_category", "/system_product_id"),
    ),
    (DTA | {"system_product_id": "P1"}, "mapping-required", ("/system_consumer_category",)),
    # Ids of nothing.
    (DTA | {"dta_product_id": 999}, "unknown-mapping", ("/dta_product_id",)),
    (DTA | {"dta_consumer_category": 999}, "unknown-mapping", ("/dta_product_id",)),
    (DTA | {"dta_product_id": MOST_ID}, "unknown-mapping", ("/dta_product_id",)),
    (SYSTEM | {"system_product_id": "P9"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "p1"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "P1 "}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "P1\x00"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "\u0420" + "1"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "P\uff11"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "P\u200b1"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_consumer_category": "\u0410"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_consumer_category": "A\u0301"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_consumer_category": "' OR 1=1 --"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_consumer_category": "😀" * 64}, "unknown-mapping", ("/system_product_id",)),
    ({"system_product_id": "1", "system_consumer_category": "1"}, "unknown-mapping", ("/system_product_id",)),
    (DTA | SYSTEM | {"dta_product_id": 7_777}, "unknown-mapping", ("/dta_product_id",)),
    (
        {"dta_product_id": 7_777, "dta_consumer_category": 1, **SYSTEM, "system_product_id": "?"},
        "unknown-mapping",
        ("/dta_product_id", "/system_product_id"),
    ),
    # Two pairs that do not agree.
    (DTA | SYSTEM | {"system_consumer_category": "B"}, "mapping-conflict", ("/system_product_id",)),
    (DTA | SYSTEM | {"dta_product_id": 2}, "mapping-conflict", ("/system_product_id",)),
    # The money of somebody else.
    *[
        (DTA | {"currency_code": code}, "currency-mismatch", ("/currency_code",))
        for code in ("EUR", "XXX", "CHW")
    ],
    # Kept at the gate, which is not for tickets of several days.
    (DTA | {"dta_product_id": 2, "depot_flag": True}, "depot-not-allowed", ("/depot_flag",)),
    # Ordered after the first day.
    (DTA | {"order_date": "2027-01-17"}, "ordered-too-late", ("/order_date",)),
    (DTA | {"order_date": "2027-01-16T23:00:00Z"}, "ordered-too-late", ("/order_date",)),
    (DTA | {"order_date": "8999-12-01"}, "ordered-too-late", ("/order_date",)),
    # Ends that cannot be.
    (DTA | {"valid_to": "2027-01-15"}, "invalid-validity", ("/valid_to",)),
    (DTA | {"valid_to": "2027-01-16T08:30:00+01:00"}, "invalid-validity", ("/valid_to",)),
    (DTA | {"valid_to": "2027-01-16T07:29:59Z"}, "invalid-validity", ("/valid_to",)),
    (DTA | {"valid_from": "2027-01-16", "valid_to": "2027-01-17"}, "invalid-validity", ("/valid_to",)),
    (DTA | {"valid_from": "2027-01-16", "valid_to": "2027-01-16T13:00"}, "invalid-validity", ("/valid_to",)),
    (
        DTA | {"dta_product_id": 2, "valid_from": "2027-01-16", "valid_to": "2027-01-23"},
        "invalid-validity",
        ("/valid_to",),
    ),
    (
        DTA | {"dta_product_id": 3, "valid_from": "2027-03-28T00:00", "valid_to": "2027-03-28T04:00"},
        "invalid-validity",  # three hours
        ("/valid_to",),
    ),
]


def _meanings() -> Rows:
    for field in ("valid_from", "order_date", "valid_to"):
        for moment in NO_MOMENTS:
            kind = Kind.RANGES if moment.isascii() else Kind.LOOK_ALIKES
            spoilt = {f"{field} {moment!a}": (ADULT | {field: moment}, f"/{field}")}
            yield from bodies(kind, ASK, "invalid-validity", spoilt)
    for fields, code, pointers in MEANT:
        kind = Kind.IDS if "mapping" in code else Kind.RANGES
        yield from bodies(kind, ASK, code, {f"{code} {str(fields)[:90]!a}": (BARE | fields, pointers)})
    yield from bodies(Kind.RANGES, ASK, "invalid-access-request", SEVERAL)


SEVERAL: dict[str, tuple[object, tuple[str, ...]]] = {
    "late, in other money, to its end before": (
        ADULT | {"order_date": "2027-02-01", "valid_to": "2027-01-02", "currency_code": "EUR"},
        ("/order_date", "/currency_code", "/valid_to"),
    ),
    "nothing that can be read, and no such product": (
        ADULT | {"dta_product_id": 999, "valid_from": "soon", "order_date": "late", "valid_to": "never"},
        ("/valid_from", "/order_date", "/valid_to", "/dta_product_id"),
    ),
}
