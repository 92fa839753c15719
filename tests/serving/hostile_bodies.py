"""Bodies that no operation takes: what is no JSON, what says to be something else, what is too large."""

from collections.abc import Callable, Iterator
from functools import partial

from faregate_http.wire.calls import MOST_BYTES
from serving.hostility import Kind, Refusal, Request, Row, Rows

# ---------------------------------------------------------------- what is no JSON

AT_TOP = ("pointer ",)


def nested(levels: int) -> bytes:
    return b'{"deep":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


UNREADABLE = {
    "nothing": (b"", AT_TOP),
    "blanks": (b" \n\t ", AT_TOP),
    "half an object": (b"{", AT_TOP),
    "half a word": (b"nul", AT_TOP),
    "two values": (b"{} {}", AT_TOP),
    "a comma at the end": (b'{"a": 1,}', AT_TOP),
    "single quotes": (b"{'a': 1}", AT_TOP),
    "names without quotes": (b"{a: 1}", AT_TOP),
    "a comment": (b"{} // nothing", AT_TOP),
    "a form": (b"items=1&items=2", AT_TOP),
    "XML": (b"<items/>", AT_TOP),
    "NaN": (b'{"a": NaN}', ("pointer /a",)),
    "Infinity": (b'{"a": [Infinity]}', ("pointer /a/0",)),
    "-Infinity": (b'{"a~/b": -Infinity}', ("pointer /a~0~1b",)),
    "NaN alone": (b"NaN", AT_TOP),
    "a byte order mark": (b"\xef\xbb\xbf{}", AT_TOP),
    "UTF-16 with a mark": ("{}".encode("utf-16"), AT_TOP),
    "UTF-16 without": ('{"a": 1}'.encode("utf-16-be"), AT_TOP),
    "UTF-32": ("{}".encode("utf-32"), AT_TOP),
    "latin-1": ('{"a": "Zürich"}'.encode("latin-1"), AT_TOP),
    "half a character": ('{"a": "ü'.encode()[:-1], AT_TOP),
    "an overlong character": (b'{"a": "\xc0\x80"}', AT_TOP),
    "an encoded surrogate": (b'{"a": "\xed\xa0\x80"}', AT_TOP),
    "beyond Unicode": (b'{"a": "\xf4\x90\x80\x80"}', AT_TOP),
    "a lone high surrogate": (rb'{"a": "\ud83d"}', ("pointer /a",)),
    "a lone low surrogate": (rb'{"a": "x\ude00"}', ("pointer /a",)),
    "surrogates in the wrong order": (rb'{"a": "\ude00\ud83d"}', ("pointer /a",)),
    "a lone surrogate in a name": (rb'{"\udfff": 1}', AT_TOP),
    "half an escape": (rb'{"a": "\u12"}', AT_TOP),
    "an unknown escape": (rb'{"a": "\x41"}', AT_TOP),
    "a NUL": (b'{"a": "\x00"}', AT_TOP),
    "a line break in a string": (b'{"a": "b\nc"}', AT_TOP),
    "bytes after the end": (b"{}\x00", AT_TOP),
    "a leading zero": (b'{"a": 01}', AT_TOP),
    "a plus": (b'{"a": +1}', AT_TOP),
    "no digit before the point": (b'{"a": .5}', AT_TOP),
    "no digit after the point": (b'{"a": 1.}', AT_TOP),
    "hexadecimal": (b'{"a": 0x10}', AT_TOP),
    "beyond every number": (b'{"a": 1e309}', ("pointer /a",)),
    "below every number": (b'{"a": 1e-309}', ("pointer /a",)),
    "an exponent without end": (b'{"a": 1e99999999999999999999}', ("pointer /a",)),
    "65 digits": (b'{"a": ' + b"9" * 65 + b"}", ("pointer /a",)),
    "a million digits": (b'{"a": ' + b"9" * 1_000_000 + b"}", ("pointer /a",)),
    "a name twice": (b'{"a": 1, "a": 1}', ("pointer /a",)),
    "a name twice, once escaped": (rb'{"a": 1, "\u0061": 2}', ("pointer /a",)),
    "a name twice, deep inside": (b'{"a": [{"b": {"c": 1, "c": 2}}]}', ("pointer /a/0/b/c",)),
    "several at once": (b'{"a": NaN, "a": 2, "b": [1e999]}', ("pointer /a", "pointer /a", "pointer /b/0")),
    "33 levels": (nested(33), (f"pointer /deep{'/0' * 31}",)),
    "33 levels in a list": (b"[" * 33 + b"]" * 33, (f"pointer {'/0' * 32}",)),
    "a hundred thousand levels": (nested(100_000), AT_TOP),
    "a hundred thousand levels, never closed": (b"[" * 100_000, AT_TOP),
}


def unreadable_rows(request: Request) -> Rows:
    """Bodies that are no JSON, or more of it than is accepted."""
    for name, (body, places) in UNREADABLE.items():
        kind = Kind.SIZES if len(body) > 60_000 else Kind.ENCODINGS
        yield Row(kind, name, request._replace(body=body), Refusal(400, "invalid-json", places))


NO_OBJECTS = {
    "null": b"null",
    "a boolean": b"true",
    "a number": b"3",
    "a fraction": b"0.5",
    "a string": b'"{}"',
    "an empty list": b"[]",
    "a list of an object": b"[{}]",
}


def shape_rows(request: Request) -> Rows:
    """Bodies that are no object."""
    for name, body in NO_OBJECTS.items():
        refusal = Refusal(422, "invalid-body", AT_TOP)
        yield Row(Kind.TYPES, f"{name} for a body", request._replace(body=body), refusal)


# What an operation shows, or keeps, and no client says; and what is only spelt like something that it says.
READ_ONLY = [
    *(
        "uuid",
        "status",
        "account",
        "accountId",
        "revision",
        "createdAt",
        "expiresAt",
        "totalGross",
        "currency",
    ),
    *("__proto__", "constructor", "$ref", "isAdmin", "", "a/b~c"),
]
LOOK_ALIKES = {"ITEMS", "Delta", "voucherCode ", "form_values", "\u200b", "\u0000", "id\u0430", "\uff49d"}


def unknown_rows(good: dict[str, object]) -> Callable[[Request], Rows]:
    """Properties beside those of a *good* body."""

    def rows(request: Request) -> Rows:
        for kind, names in ((Kind.READ_ONLY, READ_ONLY), (Kind.LOOK_ALIKES, sorted(LOOK_ALIKES))):
            for name in names:
                pointer = f"pointer /{name.replace('~', '~0').replace('/', '~1')}"
                spoilt = request.saying(good | {name: 1})
                yield Row(kind, f"property {name!a}", spoilt, Refusal(422, "invalid-body", (pointer,)))
        longest = {"x" * 200: ("pointer /" + "x" * 200,), "x" * 201: AT_TOP}
        for name, places in longest.items():
            spoilt = request.saying(good | {name: 1})
            yield Row(Kind.SIZES, f"a name of {len(name)}", spoilt, Refusal(422, "invalid-body", places))

    return rows


# ---------------------------------------------------------------- media types

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
    """Bodies that say to be something else than JSON as it is."""
    refusal = Refusal(415, "unsupported-media-type")
    for name, values in MEDIA_TYPES.items():
        headers = [("content-type", value.encode()) for value in values]
        spoilt = request.without("content-type").beside(*headers)
        yield Row(Kind.HEADERS, f"type {name}", spoilt, refusal)
    for encoding in ENCODINGS:
        yield Row(
            Kind.HEADERS, f"encoding {encoding}", request.beside(("content-encoding", encoding)), refusal
        )
    long = request.beside(("content-type", "application/json" + " " * 60_000 + ";"))
    yield Row(Kind.SIZES, "a long type", long, refusal)
    two = request.beside(("content-type", "application/json"), ("content-type", "text/plain"))
    yield Row(Kind.HEADERS, "two types", two, Refusal(400, "invalid-request", ("header content-type",)))


# ---------------------------------------------------------------- sizes


A_BYTE_TOO_MANY, TWICE_TOO_MANY = b" " * (MOST_BYTES + 1), b"[" * (2 * MOST_BYTES)


def size_rows(request: Request) -> Rows:
    """Bodies of more than is read, and announcements of such."""
    refusal = Refusal(413, "body-too-large")
    for name, body in {"a byte too many": A_BYTE_TOO_MANY, "twice too many": TWICE_TOO_MANY}.items():
        yield Row(Kind.SIZES, name, request._replace(body=body), refusal)
    for text in (str(MOST_BYTES + 1), "9" * 20, "9" * 4000, "9" * 60_000):
        announced = request._replace(body=b"").beside(("content-length", text))
        yield Row(Kind.SIZES, f"{text[:20]} announced", announced, refusal)


def _full(before: bytes, unit: bytes, after: bytes) -> bytes:
    return before + unit * ((MOST_BYTES - len(before) - len(after)) // len(unit)) + after


def _names(before: bytes, after: bytes) -> bytes:
    return before + b"{" + b",".join(b'"%d":1' % n for n in range(85_000)) + b"}" + after


def mebibytes(before: bytes, after: bytes) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Texts of a mebibyte that are JSON: by name a value of each shape, *before* and *after* around it."""
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
    """A value of a mebibyte at *pointer*, which no shape of it fits."""

    def rows(request: Request) -> Rows:
        refusal = Refusal(422, code, (f"pointer {pointer}",))
        for name, body in mebibytes(before, after):
            yield Row(Kind.SIZES, f"a mebibyte of {name} at {pointer}", request._replace(body=body), refusal)

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
    """Mebibytes that are no JSON."""
    for name, (before, unit, after) in UNREADABLE_MEBIBYTES.items():
        spoilt = request._replace(body=partial(_full, before, unit, after))
        yield Row(Kind.SIZES, f"a mebibyte of {name}", spoilt, Refusal(400, "invalid-json", _places_of(name)))


def _places_of(name: str) -> tuple[str, ...]:
    match name:
        case "numbers beyond all" | "no numbers" | "lone surrogates":
            return tuple(f"pointer /a/{n}" for n in range(20))
        case "the same name" | "digits" | "digits of an exponent":
            return ("pointer /a",)
        case _:
            return AT_TOP
