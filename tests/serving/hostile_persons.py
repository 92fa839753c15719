"""Hostile requests about persons."""

from typing import Any

from serving.customers import ADA, PERSONS
from serving.hostile_bodies import (
    full_rows,
    media_rows,
    shape_rows,
    size_rows,
    unknown_rows,
    unreadable_mebibytes,
    unreadable_rows,
)
from serving.hostile_everywhere import channel_rows, method_rows, path_rows, query_rows, token_rows
from serving.hostility import Kind, Refusal, Request, Row, Rows, dumped, of_each
from serving.raw_requests import JSON
from serving.service import Json

HEADERS = (*JSON, ("authorization", "Bearer <token>"))
ADD = Request("POST", PERSONS, dumped({"values": ADA}), HEADERS)
CHANGE = Request("PATCH", f"{PERSONS}/<person>", dumped({"values": ADA}), HEADERS)
OPERATIONS = {"add": ADD, "change": CHANGE}

UNKNOWN = Refusal(404, "unknown-person")


def rows() -> Rows:
    """All of them."""
    yield from of_each(OPERATIONS, channel_rows, token_rows, query_rows)
    yield from of_each({"add": ADD}, lambda add: path_rows(add, behind=Refusal(405, "method-not-allowed")))
    yield from of_each({"change": CHANGE}, path_rows)
    yield from method_rows(OPERATIONS, {})
    yield from of_each(
        OPERATIONS, media_rows, unreadable_rows, shape_rows, size_rows, unknown_rows(GOOD), _bodies
    )
    yield from of_each(
        {"add": ADD},
        unreadable_mebibytes,
        full_rows(b'{"values":{"firstName":"A","lastName":', b"}}", "/values/lastName", "invalid-person"),
    )
    yield from _persons()


# ---------------------------------------------------------------- ids

UNKNOWN_IDS = [
    "0",
    "-1",
    "x",
    "1.0",
    "%20x",
    "9" * 17,
    "99999999999999999999",
    "1e3",
    "%EF%BC%90",
    "null",
    "current",
]
LOOK_ALIKE_IDS = ["%EF%BC%91", "%D9%A1", "%C2%B9", "<person>%E2%80%8B"]
OF_OTHERS = ["<foreign person>", "12345", "<detail>", "<order>"]


def _persons() -> Rows:
    """Persons that there are not, or somebody else's: all the same."""
    for text in (*UNKNOWN_IDS, *LOOK_ALIKE_IDS, *OF_OTHERS, "<person>%0A", "<person>%00", "+<person>"):
        kind = Kind.LOOK_ALIKES if text in LOOK_ALIKE_IDS else Kind.IDS
        yield Row(kind, f"person {text[:30]}", CHANGE._replace(target=f"{PERSONS}/{text}"), UNKNOWN)
    stranger = CHANGE.beside(("authorization", "Bearer <foreign token>"))
    yield Row(Kind.IDS, "by another account", stranger, UNKNOWN)


# ---------------------------------------------------------------- bodies


def _bodies(request: Request) -> Rows:
    for name, (body, status, code, where) in PERSON_BODIES.items():
        yield Row(_kind_of(name), name, request.saying(body), Refusal(status, code, where))
    for text in ("\u202eada", "a\u2028b", "\u0085"):
        for part in ("firstName", "lastName"):
            if not text.isprintable() and text != "\u202eada":
                spoilt = request.saying({"values": {**ADA, part: text}})
                refusal = Refusal(422, "invalid-person", (f"pointer /values/{part}",))
                yield Row(Kind.LOOK_ALIKES, f"{part} {text!a}", spoilt, refusal)


def _kind_of(name: str) -> Kind:
    if name in {"owner", "account", "id"}:
        return Kind.READ_ONLY
    if "product" in name and ("unknown" in name or "variant" in name):
        return Kind.IDS
    if "long" in name or "many" in name:
        return Kind.SIZES
    return (
        Kind.RANGES if name in {"no such day", "product 0", "empty name", "name with a zero"} else Kind.TYPES
    )


GOOD: Json = {"values": ADA}
PERSON_BODIES: dict[str, tuple[Any, int, str, tuple[str, ...]]] = {
    "nothing": ({}, 422, "invalid-body", ("pointer /values",)),
    "a list": ([], 422, "invalid-body", ("pointer ",)),
    "values are a list": ({"values": []}, 422, "invalid-body", ("pointer /values",)),
    "values are null": ({"values": None}, 422, "invalid-body", ("pointer /values",)),
    "owner": ({**GOOD, "isOwner": True}, 422, "invalid-body", ("pointer /isOwner",)),
    "account": ({**GOOD, "accountId": 1}, 422, "invalid-body", ("pointer /accountId",)),
    "id": ({**GOOD, "id": 1}, 422, "invalid-body", ("pointer /id",)),
    "products are null": ({**GOOD, "productIds": None}, 422, "invalid-body", ("pointer /productIds",)),
    "product as text": ({**GOOD, "productIds": ["21"]}, 422, "invalid-body", ("pointer /productIds/0",)),
    "product is true": ({**GOOD, "productIds": [True]}, 422, "invalid-body", ("pointer /productIds/0",)),
    "product 0": ({**GOOD, "productIds": [0]}, 422, "invalid-body", ("pointer /productIds/0",)),
    "product half": ({**GOOD, "productIds": [21.5]}, 422, "invalid-body", ("pointer /productIds/0",)),
    "many products": ({**GOOD, "productIds": [21] * 101}, 422, "invalid-body", ("pointer /productIds",)),
    "unknown products": (
        {**GOOD, "productIds": [21, 999, 2**53 - 1]},
        422,
        "unknown-product",
        ("pointer /productIds/1", "pointer /productIds/2"),
    ),
    "variant for product": (
        {**GOOD, "productIds": [211]},
        422,
        "unknown-product",
        ("pointer /productIds/0",),
    ),
    "unknown question": (
        {"values": {**ADA, "shoeSize": 1}},
        422,
        "invalid-person",
        ("pointer /values/shoeSize",),
    ),
    "unknown question, null": (
        {"values": {**ADA, "shoeSize": None}},
        422,
        "invalid-person",
        ("pointer /values/shoeSize",),
    ),
    "odd names": (
        {"values": {**ADA, "a/b": 1, "c~d": 2, "": 3, "__proto__": 4}},
        422,
        "invalid-person",
        ("pointer /values/a~1b", "pointer /values/c~0d", "pointer /values/", "pointer /values/__proto__"),
    ),
    "long name": ({"values": {**ADA, "x" * 300: 1}}, 422, "invalid-person", ("pointer /values",)),
    "many values": ({"values": {f"x{n}": 1 for n in range(201)}}, 422, "invalid-body", ("pointer /values",)),
    "number for a name": (
        {"values": {**ADA, "firstName": 1}},
        422,
        "invalid-person",
        ("pointer /values/firstName",),
    ),
    "object for a name": (
        {"values": {**ADA, "firstName": {"a": None}}},
        422,
        "invalid-person",
        ("pointer /values/firstName",),
    ),
    "empty name": (
        {"values": {**ADA, "firstName": ""}},
        422,
        "invalid-person",
        ("pointer /values/firstName",),
    ),
    "name of two lines": (
        {"values": {**ADA, "lastName": "a\nb"}},
        422,
        "invalid-person",
        ("pointer /values/lastName",),
    ),
    "name with a zero": (
        {"values": {**ADA, "lastName": "a\0"}},
        422,
        "invalid-person",
        ("pointer /values/lastName",),
    ),
    "very long name": (
        {"values": {**ADA, "lastName": "a" * 81}},
        422,
        "invalid-person",
        ("pointer /values/lastName",),
    ),
    "no such day": (
        {"values": {**ADA, "dateOfBirth": "2001-02-30"}},
        422,
        "invalid-person",
        ("pointer /values/dateOfBirth",),
    ),
    "day in letters": (
        {"values": {**ADA, "dateOfBirth": "1.2.2001"}},
        422,
        "invalid-person",
        ("pointer /values/dateOfBirth",),
    ),
    "date-time": (
        {"values": {**ADA, "dateOfBirth": "2001-02-03T00:00:00Z"}},
        422,
        "invalid-person",
        ("pointer /values/dateOfBirth",) * 2,
    ),
    "no address": (
        {"values": {**ADA, "email": "ada"}},
        422,
        "invalid-person",
        ("pointer /values/email",) * 2,
    ),
    "null for a required name": (
        {"values": {"firstName": "A", "lastName": None}},
        422,
        "invalid-person",
        ("pointer /values/lastName",),
    ),
}
