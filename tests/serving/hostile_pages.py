"""Hostile requests to what is there for people: the pages of the sandbox, and the issuer for development."""

from urllib.parse import urlencode

from serving.hostile_bodies import (
    full_rows,
    media_rows,
    shape_rows,
    size_rows,
    unknown_rows,
    unreadable_mebibytes,
    unreadable_rows,
)
from serving.hostile_everywhere import NOT_FOUND, method_rows, query_rows, version_rows
from serving.hostility import Kind, Plain, Request, Row, Rows, bodies, dumped, of_each
from serving.paying import FORM, PAGES

HOST = ("host", "localhost")
DISCOVERY = Request("GET", "/dev/identity/.well-known/openid-configuration", headers=(HOST,))
KEYS = Request("GET", "/dev/identity/jwks", headers=(HOST,))
GIVE = Request(
    "POST",
    "/dev/identity/token",
    dumped({"subject": "ada"}),
    (HOST, ("content-type", "application/json")),
)
ISSUER = {"discovery": DISCOVERY, "keys": KEYS, "token": GIVE}
SHOW = Request("GET", f"{PAGES}/<link>", headers=(HOST,))
SUBMIT = Request(
    "POST", f"{PAGES}/<link>", b"token=<form token>&action=cancel", (HOST, ("content-type", FORM))
)
PAGE = {"show": SHOW, "submit": SUBMIT}
OPERATIONS = ISSUER | PAGE


def rows() -> Rows:
    """All of them."""
    yield from of_each(ISSUER, version_rows, query_rows, _elsewhere)
    yield from method_rows(OPERATIONS, {"show": "GET, HEAD, POST", "submit": "GET, HEAD, POST"})
    yield from of_each(
        {"token": GIVE},
        *(media_rows, unreadable_rows, unreadable_mebibytes, shape_rows, size_rows),
        *(unknown_rows({"subject": "ada"}), full_rows(b'{"subject":', b"}", "/subject")),
    )
    for kind, spoilt in ODD_SUBJECTS.items():
        yield from bodies(kind, GIVE, "invalid-body", spoilt)
    yield from of_each(PAGE, _unknown_pages)
    yield from _forms()


# ---------------------------------------------------------------- the issuer

STRANGE_HOSTS = [
    *(
        "",
        "evil.test",
        "localhost.evil.test",
        "evil.test@localhost",
        "localhost@evil.test",
        "127.0.0.1.evil.test",
    ),
    *(
        "0.0.0.0",
        "[::]",
        "169.254.169.254",
        "localhost:80:80",
        "localhost ",
        "localhost\x00",
        "\xff",
        "a, localhost",
    ),
]
LOOK_ALIKE_HOSTS = ["l\xf6calhost", "1\xb927.0.0.1", "localhost\xad", "\xaelocalhost"]
FORWARDED = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-forwarded-x"]


def _elsewhere(request: Request) -> Rows:
    """It is for this machine only, and asked for by its name; nobody passes anything on to it."""
    for kind, hosts in ((Kind.HEADERS, STRANGE_HOSTS), (Kind.LOOK_ALIKES, LOOK_ALIKE_HOSTS)):
        for host in hosts:
            yield Row(kind, f"host {host!a}", request.beside(("host", host)), NOT_FOUND)
    yield Row(Kind.HEADERS, "no host", request.without("host"), NOT_FOUND)
    yield Row(Kind.HEADERS, "two hosts", request.beside(HOST, HOST), NOT_FOUND)
    for name in FORWARDED:
        for value in ("127.0.0.1", "localhost", ""):
            yield Row(Kind.HEADERS, f"{name}: {value}", request.beside((name, value)), NOT_FOUND)
    for tail in ("/", "/..", "%2F", "%00", "%0A", ";a=1", "/a"):
        spoilt = request._replace(target=request.target + tail)
        yield Row(Kind.PATHS, f"path {tail}", spoilt, NOT_FOUND)
    yield Row(Kind.SIZES, "a long path", request._replace(target=request.target + "/a" * 10_000), NOT_FOUND)


SUBJECTS = {
    name: ({"subject": value}, "/subject")
    for name, value in {
        "null": None,
        "a number": 1,
        "true": True,
        "a list": ["ada"],
        "an object": {"ada": 1},
    }.items()
}
ODD_SUBJECTS: dict[Kind, dict[str, tuple[object, str]]] = {
    Kind.TYPES: {f"a subject that is {name}": spoilt for name, spoilt in SUBJECTS.items()},
    Kind.RANGES: {
        "an empty subject": ({"subject": ""}, "/subject"),
        "an empty nonce": ({"nonce": ""}, "/nonce"),
        "a short address": ({"email": "a@"}, "/email"),
        "an empty address": ({"email": ""}, "/email"),
    },
    Kind.SIZES: {
        "a long subject": ({"subject": "a" * 256}, "/subject"),
        "a long nonce": ({"nonce": "a" * 256}, "/nonce"),
        "a long address": ({"email": "a" * 201}, "/email"),
    },
    Kind.READ_ONLY: {
        name: ({"subject": "ada", name: "x"}, f"/{name}")
        for name in ("iss", "aud", "exp", "iat", "alg", "kid", "sub", "groups")
    },
}

# ---------------------------------------------------------------- the page

UNKNOWN_PAGES = [
    *("0" * 32, "0", "x" * 32, "F" * 32, "0" * 31, "0" * 33, "0" * 5000, "%00", "%0a", "..%2f", "'", "%ff"),
    "\u0660" * 32,
]


def _unknown_pages(request: Request) -> Rows:
    """Registrations that there are not: a page says so, or there is no page at such a path."""
    of_others = ["<registration>", "<registration>-<half form token>", "<foreign registration>-<form token>"]
    of_others += ["<person>", "<checkout id>", "<order>", "<detail>"]
    for text in (*UNKNOWN_PAGES, *of_others, "<link>%0a", "<link>%00", "<link>/"):
        kind = Kind.IDS if text in of_others else Kind.LOOK_ALIKES if not text.isascii() else Kind.PATHS
        yield Row(kind, f"page {text[:34]!a}", request._replace(target=f"{PAGES}/{text}"), Plain(404))
    for text in ("%EF%BC%90" * 32, "%D9%A0" * 32, "<link>%E2%80%8B"):
        spoilt = request._replace(target=f"{PAGES}/{text}")
        yield Row(Kind.LOOK_ALIKES, f"page {text[:34]}", spoilt, Plain(404))


FORMS: dict[str, tuple[dict[str, str] | bytes, int]] = {
    "nothing": (b"", 403),
    "no token": ({"action": "succeed", "method": "VIS", "instrument": "pays"}, 403),
    "an empty token": ({"token": "", "action": "cancel"}, 403),
    "a guessed token": ({"token": "A" * 32, "action": "cancel"}, 403),
    "a token of other letters": ({"token": "\u00e9" * 32, "action": "cancel"}, 403),
    "half a token": ({"token": "<half form token>", "action": "cancel"}, 403),
    "the token in capitals": ({"token": "<swapped form token>", "action": "cancel"}, 403),
    "no action": ({"token": "<form token>", "method": "VIS", "instrument": "pays"}, 422),
    "another action": ({"token": "<form token>", "action": "refund"}, 422),
    "an action in capitals": ({"token": "<form token>", "action": "CANCEL"}, 422),
    "no method": ({"token": "<form token>", "action": "succeed", "instrument": "pays"}, 422),
    "a method that was not asked for": (
        {"token": "<form token>", "action": "succeed", "method": "TWI", "instrument": "pays"},
        422,
    ),
    "a method that there is not": (
        {"token": "<form token>", "action": "succeed", "method": "<b>", "instrument": "pays"},
        422,
    ),
    "no instrument": ({"token": "<form token>", "action": "succeed", "method": "VIS"}, 422),
    "another instrument": (
        {"token": "<form token>", "action": "succeed", "method": "VIS", "instrument": "gold"},
        422,
    ),
    "an alias for an instrument": (
        {"token": "<form token>", "action": "succeed", "method": "VIS", "instrument": "pays:forged"},
        422,
    ),
    "a field that there is not": ({"token": "<form token>", "action": "cancel", "alias": "pays:1"}, 400),
    "a field twice": (b"token=<form token>&action=cancel&action=succeed", 400),
    "the token twice": (b"token=<form token>&token=<form token>&action=cancel", 400),
    "very many fields": (b"token=<form token>&action=cancel" + b"&a=1" * 10, 400),
    "no pairs": (b"token", 400),
    "JSON": (b'{"action": "cancel"}', 400),
    "bytes that are no text": (b"token=\xff\xfe&action=cancel", 400),
    "escapes that are no text": (b"token=%ff&action=cancel", 400),
    "a very long form": (b"token=<form token>&action=cancel&method=" + b"a" * 4096, 413),
}


def _forms() -> Rows:
    """Forms that are not the page's."""
    for name, (fields, status) in FORMS.items():
        body = fields if isinstance(fields, bytes) else urlencode(fields, safe="<>").encode()
        body = body.replace(b"+token>", b" token>").replace(b"+form", b" form")
        kind = Kind.READ_ONLY if name == "a field that there is not" else Kind.TYPES
        yield Row(kind, name, SUBMIT._replace(body=body), Plain(status))
    yield Row(Kind.IDS, "the token of another", SUBMIT._replace(body=OF_ANOTHER), Plain(403))
    for media_type in KINDS:
        headers = () if media_type is None else (("content-type", media_type),)
        spoilt = SUBMIT.without("content-type").beside(*headers)
        yield Row(Kind.HEADERS, f"a form as {media_type}", spoilt, Plain(415))
    for name, unit in {"signs": b"&", "escapes": b"%41", "fields": b"&a=1", "pluses": b"+"}.items():
        body = b"token=<form token>&action=cancel" + unit * (2**20 // len(unit))
        yield Row(Kind.SIZES, f"a mebibyte of {name}", SUBMIT._replace(body=body), Plain(413))


OF_ANOTHER = b"token=<foreign form token>&action=cancel"
KINDS = [None, "", "text/plain", "multipart/form-data; boundary=x", "application/json", f"{FORM}; charset=x"]
