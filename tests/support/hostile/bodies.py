"""Bodies that every operation refuses: invalid JSON, wrong media types, excessive sizes."""

from collections.abc import Callable, Iterator
from functools import partial

from faregate_http.protocol.bodies import MOST_BYTES
from support.hostile.hostility import Refusal, Request, Row, Rows

AT_TOP = ("pointer ",)

MEDIA_TYPES: dict[str, list[str]] = {
    "none": [],
    "empty": [""],
    "text": ["text/plain"],
    "a form": ["application/x-www-form-urlencoded"],
    "parts": ["multipart/form-data; boundary=x"],
    "octets": ["application/octet-stream"],
    "another JSON": ["application/problem+json"],
    "a patch": ["application/merge-patch+json"],
    "JSON lines": ["application/jsonl"],
    "text JSON": ["text/json"],
    "any": ["*/*"],
    "a list": ["application/json, application/json"],
    "latin-1": ["application/json; charset=latin-1"],
    "utf-16": ["application/json; charset=utf-16"],
    "another parameter": ["application/json; profile=x"],
    "half a parameter": ["application/json;"],
    "longer": ["application/json5"],
    "in quotes": ['"application/json"'],
    "other letters": ["application/j\u017fon"],
}
ENCODINGS = ["gzip", "deflate", "br", "identity", "gzip, gzip", ""]


def media_rows(request: Request) -> Rows:
    """Yield bodies whose declared type or encoding is wrong."""
    refusal = Refusal(415, "unsupported-media-type")
    for name, values in MEDIA_TYPES.items():
        headers = [("content-type", value.encode()) for value in values]
        spoilt = request.without("content-type").beside(*headers)
        yield Row(f"type {name}", spoilt, refusal)
    for encoding in ENCODINGS:
        yield Row(f"encoding {encoding}", request.beside(("content-encoding", encoding)), refusal)
    long = request.beside(("content-type", "application/json" + " " * 60_000 + ";"))
    yield Row("a long type", long, refusal)
    two = request.beside(("content-type", "application/json"), ("content-type", "text/plain"))
    yield Row("two types", two, Refusal(400, "invalid-request", ("header content-type",)))


A_BYTE_TOO_MANY, TWICE_TOO_MANY = b" " * (MOST_BYTES + 1), b"[" * (2 * MOST_BYTES)


def size_rows(request: Request) -> Rows:
    """Yield bodies that exceed the size limit, and announcements of such bodies."""
    refusal = Refusal(413, "body-too-large")
    for name, body in {"a byte too many": A_BYTE_TOO_MANY, "twice too many": TWICE_TOO_MANY}.items():
        yield Row(name, request._replace(body=body), refusal)
    for text in (str(MOST_BYTES + 1), "9" * 20, "9" * 4000, "9" * 60_000):
        announced = request._replace(body=b"").beside(("content-length", text))
        yield Row(f"{text[:20]} announced", announced, refusal)


def _full(before: bytes, unit: bytes, after: bytes) -> bytes:
    return before + unit * ((MOST_BYTES - len(before) - len(after)) // len(unit)) + after


def _names(before: bytes, after: bytes) -> bytes:
    return before + b"{" + b",".join(b'"%d":1' % n for n in range(85_000)) + b"}" + after


def mebibytes(before: bytes, after: bytes) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Yield valid JSON texts of a mebibyte, one for each shape of value, between *before* and *after*."""
    string = before + b'"', b'"' + after
    several = before + b"[", b"1]" + after
    yield "letters", partial(_full, string[0], b"a", string[1])
    yield "blanks", partial(_full, string[0], b" ", string[1])
    yield "dots", partial(_full, string[0], b".", string[1])
    yield "a@", partial(_full, string[0], b"a@", string[1])
    yield "escapes", partial(_full, string[0], rb"\u0041", string[1])
    yield "backslashes", partial(_full, string[0], rb"\\", string[1])
    yield "pairs of surrogates", partial(_full, string[0], rb"\ud83d\ude00", string[1])
    yield "combining marks", partial(_full, string[0], "\u0301".encode(), string[1])
    yield "numbers", partial(_full, several[0], b"1,", several[1])
    yield "fractions", partial(_full, several[0], b"0.1,", several[1])
    yield "words", partial(_full, several[0], b'"",', several[1])
    yield "lists", partial(_full, several[0], b"[]" + b" " * 115 + b",", several[1])
    yield "objects", partial(_full, several[0], b'{"a":1}' + b" " * 110 + b",", several[1])
    yield "names", partial(_names, before, after)
    yield "a name", partial(_full, before + b'{"', b"a", b'":1}' + after)


def full_rows(
    before: bytes, after: bytes, pointer: str, code: str = "invalid-body"
) -> Callable[[Request], Rows]:
    """Return a table with values of a mebibyte at *pointer*, none of which fits there."""

    def rows(request: Request) -> Rows:
        refusal = Refusal(422, code, (f"pointer {pointer}",))
        for name, body in mebibytes(before, after):
            yield Row(f"a mebibyte of {name} at {pointer}", request._replace(body=body), refusal)

    return rows


UNREADABLE_MEBIBYTES = {
    "numbers beyond all": (b'{"a":[', b"1e999,", b"1]}"),
    "no numbers": (b'{"a":[', b"NaN,", b"1]}"),
    "lone surrogates": (b'{"a":[', rb'"\ud83d",', b"1]}"),
    "the same name": (b"{", b'"a":0.1,', b'"b":1}'),
    "open lists": (b'{"a":', b"[", b""),
    "open objects": (b"", b'{"a":', b""),
    "digits": (b'{"a":', b"9", b"}"),
    "digits of an exponent": (b'{"a":1e', b"9", b"}"),
    "minus signs": (b'{"a":', b"-", b"}"),
    "no UTF-8": (b'{"a":"', b"\xff", b'"}'),
    "NULs": (b'{"a":"', b"\x00", b'"}'),
    "blanks": (b"", b" ", b""),
}


def unreadable_mebibytes(request: Request) -> Rows:
    """Yield invalid JSON of a mebibyte."""
    for name, (before, unit, after) in UNREADABLE_MEBIBYTES.items():
        spoilt = request._replace(body=partial(_full, before, unit, after))
        yield Row(f"a mebibyte of {name}", spoilt, Refusal(400, "invalid-json", _places_of(name)))


def _places_of(name: str) -> tuple[str, ...]:
    match name:
        case "numbers beyond all" | "no numbers" | "lone surrogates":
            return tuple(f"pointer /a/{n}" for n in range(20))
        case "the same name" | "digits" | "digits of an exponent":
            return ("pointer /a",)
        case _:
            return AT_TOP


def mebibyte_names(request: Request) -> Rows:
    """Yield unknown property names, in large numbers and of great length."""
    for name, where in {"x" * 200: f"pointer /{'x' * 200}", "x" * 201: "pointer "}.items():
        spoilt = request.saying({"items": [], name: 1})
        yield Row(f"a name of {len(name)}", spoilt, Refusal(422, "invalid-body", (where,)))
