"""Hostile headers, queries, paths and methods for any operation."""

from collections.abc import Mapping, Sequence

from support.hostile.hostility import Refusal, Request, Row, Rows
from support.service.raw_requests import CHANNEL
from support.service.service import VALLEY_STATION, WEBSHOP

VERSION, KEY, MATCH, NONE_MATCH = "api-version", "idempotency-key", "if-match", "if-none-match"
SAID, ORDER_SECRET = "service-channel-uuid", "order-secret"

NOT_FOUND = Refusal(404, "not-found")
INVALID_TOKEN = Refusal(401, "invalid-token", ("header authorization",))


def _refused(*names: str) -> Refusal:
    return Refusal(400, "invalid-request", tuple(f"header {name}" for name in names))


def edge_rows(request: Request) -> Rows:
    """Yield one violation of each rule that all operations share."""
    yield Row("another version", request.beside((VERSION, "2025-02-17")), _refused(VERSION))
    unknown = request.asking("a=1")
    parameters = Refusal(400, "invalid-request", ("parameter a",))
    yield Row("an unknown parameter", unknown, parameters)
    for method in ("PUT", "TRACE", "PROPFIND"):
        yield Row(f"method {method}", request._replace(method=method), Refusal(405, "method-not-allowed"))
    path, _, _ = request.target.partition("?")
    yield Row("a slash more", request._replace(target=f"{path}/"), NOT_FOUND)
    yield Row("a line feed more", request._replace(target=f"{path}%0A/a"), NOT_FOUND)
    if CHANNEL[0] in request.headers:
        yield Row("no channel", request.without(SAID), _refused(SAID))
        other = request.beside((SAID, "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b78"))
        yield Row("an unknown channel", other, Refusal(404, "unknown-channel", (f"header {SAID}",)))
        odd = request.beside((SAID, "x"), (KEY, " "), (MATCH, "x"), (NONE_MATCH, "y"))
        yield Row("odd headers", odd, _refused(SAID, KEY, MATCH, NONE_MATCH))
    if ("authorization", "Bearer <token>") in request.headers:
        missing = Refusal(401, "missing-token", ("header authorization",))
        yield Row("no token", request.without("authorization"), missing)
        yield Row("another token", request.beside(("authorization", "Bearer <token>x")), INVALID_TOKEN)


def body_rows(request: Request) -> Rows:
    """Yield one violation of each rule that all operations with a body share."""
    media = Refusal(415, "unsupported-media-type")
    yield Row("text", request.beside(("content-type", "text/plain")), media)
    yield Row("packed", request.beside(("content-encoding", "gzip")), media)
    yield Row("no JSON", request._replace(body=b'{"a": NaN}'), Refusal(400, "invalid-json", ("pointer /a",)))
    yield Row("no object", request._replace(body=b"[{}]"), Refusal(422, "invalid-body", ("pointer ",)))
    announced = request._replace(body=b"").beside(("content-length", "9" * 20))
    yield Row("too much", announced, Refusal(413, "body-too-large"))


NO_VERSIONS = ["", "2025-2-18", "v2025-02-18", "2025-02-18 ", "latest", "*", "\xff", "2025-02-18" * 6000]
NO_UUIDS = {
    "empty": "",
    "null": "null",
    "without hyphens": WEBSHOP.replace("-", ""),
    "in braces": f"{{{WEBSHOP}}}",
    "a character more": f"{WEBSHOP}0",
    "a character less": WEBSHOP[:-1],
    "no digit": WEBSHOP.replace("a", "g"),
    "two": f"{WEBSHOP}, {WEBSHOP}",
    "a line feed": f"{WEBSHOP}\n",
    "a NUL": f"{WEBSHOP}\x00",
    "latin-1": "\xff" * 36,
    "long": "7" * 60_000,
}
NO_KEYS: Sequence[str | bytes] = ["", " ", "a b", "a\tb", "\x7f", "a\x00", "ü", b"\xff", "k" * 256]
NO_TAGS = ["", "7", "x", '"', '"7', "W/7", '"7" "8"', '*, "7"', "**", '"7";', '"\x00"', "'7'", ", ,"]
LONG_TAGS = ['"' + "7" * 60_000, ", \t" * 20_000, '"a",' * 15_000 + "x"]


def header_rows(request: Request) -> Rows:
    """Yield invalid headers."""
    for text in NO_VERSIONS:
        yield Row(f"version {text[:20]!r}", request.beside((VERSION, text)), _refused(VERSION))
    for name, text in NO_UUIDS.items():
        yield Row(f"channel {name}", request.beside((SAID, text)), _refused(SAID))
    look_alike = request.beside((SAID, WEBSHOP.replace("a", "а").encode()))  # noqa: RUF001 - Cyrillic
    yield Row("a Cyrillic channel", look_alike, _refused(SAID))
    for name, values in ((KEY, NO_KEYS), (MATCH, NO_TAGS), (NONE_MATCH, [*NO_TAGS, *LONG_TAGS])):
        for value in values:
            yield Row(f"{name} {value[:20]!r}", request.beside((name, value)), _refused(name))
    for name, (one, other) in {
        VERSION: ("2025-02-18", "1"),
        SAID: (WEBSHOP, VALLEY_STATION),
        KEY: ("a", "b"),
    }.items():
        yield Row(f"two of {name}", request.beside((name, one), (name, other)), _refused(name))
    many = request.beside(*((f"x-{n}", "a") for n in range(2_000)), (VERSION, "1"))
    yield Row("very many headers", many, _refused(VERSION))


NO_BEARERS: Mapping[str, str | bytes] = {
    "nothing": "",
    "no token": "Bearer",
    "a blank token": "Bearer ",
    "another scheme": "Basic dmljdGltOnNlY3JldA==",
    "no scheme": "<token>",
    "no blank": "Bearer<token>",
    "two tokens": "Bearer <token> <token>",
    "two schemes": "Bearer <token>, Bearer <token>",
    "a tab": "Bearer\t<token>",
    "quotes": 'Bearer "<token>"',
    "latin-1": "Bearer \xff",
    "a NUL": "Bearer <token>\x00",
    "blanks": f"Bearer {' ' * 60_000}",
    "dots": f"Bearer {'.' * 60_000}",
}


def bearer_rows(request: Request) -> Rows:
    """Yield invalid tokens."""
    for name, value in NO_BEARERS.items():
        yield Row(f"authorization {name}", request.beside(("authorization", value)), INVALID_TOKEN)
    twice = request.beside(("authorization", "Bearer <token>"), ("authorization", "Bearer other"))
    yield Row("two tokens in two headers", twice, _refused("authorization"))


NO_ORDER_SECRETS: Mapping[str, str | bytes] = {
    "empty": "",
    "a blank": " ",
    "of another order": "<other order secret>",
    "half": "<half order secret>",
    "in other letters": "<swapped order secret>",
    "a character more": "<order secret>A",
    "padded": "<order secret>=",
    "two": "<order secret>, <order secret>",
    "in quotes": '"<order secret>"',
    "a bearer": "Bearer <order secret>",
    "a line feed": "<order secret>\n",
    "a NUL": "<order secret>\x00",
    "the order": "<guest order>",
    "a key of the channel": CHANNEL[1][1],
    "a token": "<token>",
    "latin-1": "\xff" * 43,
    "long": "A" * 60_000,
}


def order_secret_rows(request: Request) -> Rows:
    """Yield invalid order secrets: the response must not reveal whether the order exists."""
    for name, value in NO_ORDER_SECRETS.items():
        spoilt = request.beside((ORDER_SECRET, value))
        yield Row(f"secret {name}", spoilt, Refusal(404, "unknown-order"))
    nothing = Refusal(401, "missing-token", ("header authorization",))
    yield Row("no secret", request.without(ORDER_SECRET), nothing)
    for name, two in {"two": ("<order secret>", "x"), "two others": ("x", "y")}.items():
        doubled = request.beside(*((ORDER_SECRET, value) for value in two))
        yield Row(f"{name} in two headers", doubled, _refused(ORDER_SECRET))
    with_token = request.beside(("authorization", "Bearer <order secret>"))
    yield Row("a secret as a token", with_token, INVALID_TOKEN)


NO_ORDERS = [
    *("x", "0", "..", "%00", "%0A", "%20", "%FF", "<order>%00", "<order>%0A", "<order>%20", "%20<order>"),
    *("<order>0", "{<order>}", "urn:uuid:<order>", "<order>;v=1", "<order>%3Fa=1", "%EF%BC%97<order>"),
    *("9" * 5000, "00000000-0000-0000-0000-000000000000", "*", "%25", "<checkout id>", "<payable id>"),
]


def order_rows(request: Request) -> Rows:
    """Yield unknown ids and checkouts that are not orders yet."""
    for text in NO_ORDERS:
        spoilt = request._replace(target=request.target.replace("<order>", text))
        yield Row(f"order {text[:30]}", spoilt, Refusal(404, "unknown-order"))
    of_another = request._replace(target=request.target.replace("<order>", "<foreign order>"))
    for name in ("order secret", "foreign order secret"):
        told = of_another.beside((ORDER_SECRET, f"<{name}>"))
        yield Row(f"another's with the {name}", told, Refusal(404, "unknown-order"))


ODD_QUERIES: Mapping[str, Sequence[str]] = {
    "%": ["%"],
    "a=%zz": ["a", "a"],
    "a=%F": ["a", "a"],
    "a=%C0%80": ["a", "a"],
    "a=%ED%A0%80": ["a", "a"],
    "\xff=1": ["\ufffd"],
    "%ff=%ff": ["%ff"],
    "%00=%00": ["\x00"],
    "a%0d%0aset-cookie:b=1": ["a\r\nset-cookie:b"],
    "a+b=1": ["a b"],
    "%EF%BD%81=1": ["\uff41"],
    "a%E2%80%8B=1": ["a\u200b"],
    "access_token=<token>": ["access_token"],
    "x" * 60_000: ["x" * 40],
    "%zz" * 20_000: ["%zz" * 13 + "%"],
    "%41" * 20_000: ["A" * 40],
    "&".join(f"p{n}" for n in range(10_000)): [f"p{n}" for n in range(1000)],
    "&" * 60_000 + "a": ["a"],
    "a=" + "1" * 60_000: ["a"],
    "a=1&" * 15_000: ["a"],
}


def query_rows(request: Request) -> Rows:
    """Yield invalid queries."""
    for query, names in ODD_QUERIES.items():
        places = tuple(f"parameter {name}" for name in names)
        yield Row(f"?{query[:40]}", request.asking(query), Refusal(400, "invalid-request", places))


PATHS = {
    "a slash before": "/{0}",
    "two slashes inside": "/api//{1}",
    "capitals": "/API/{1}",
    "dots": "/api/../api/{1}",
    "escaped dots": "/api/%2e%2e/api/{1}",
    "a dot": "/api/./{1}",
    "a path behind": "{0}/..",
    "an escaped slash behind": "{0}%2F",
    "a line feed before": "/%0Aapi/{1}",
    "a parameter inside": "/api;a=1/{1}",
    "a NUL inside": "/api%00/{1}",
    "full width": "/%EF%BD%81pi/{1}",
    "escaped twice": "/%2561pi/{1}",
    "a backslash": "/api%5C{1}",
    "a long path": "{0}/" + "a" * 20_000,
    "a deep path": "{0}" + "/a" * 10_000,
    "a flood of escapes": "{0}" + "/%41" * 10_000,
}


def path_rows(request: Request) -> Rows:
    """Yield paths similar to that of a checkout operation, all unknown."""
    for name, form in PATHS.items():
        below_api = request.target.replace("<checkout>", "checkout/<checkout id>")
        spoilt = form.format(request.target, below_api)
        yield Row(f"path: {name}", request._replace(target=spoilt), NOT_FOUND)


NO_IDS = [
    *("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"),  # nil and max
    "7d9e6c1a-0b51-1c58-8a10-3a3f6a1f2b77",  # version 1, of a clock and an address
    "7d9e6c1a-0b51-4c58-ca10-3a3f6a1f2b77",  # another variant
    *("x", "0", "..", "%00", "%0A", "%20", "%FF", "<checkout id>%00", "<checkout id>%0A"),
    *("<checkout id>%20", "%20<checkout id>", "<checkout id>0", "{<checkout id>}", "urn:uuid:<checkout id>"),
    *("<checkout id>;v=1", "<checkout id>%3Fa=1", "<checkout id>%23a", "%EF%BC%97<checkout id>", "9" * 5000),
]
NO_NUMBERS = [
    *("0", "01", "+1", "-1", "1.0", "1e0", "x", "%20", "1%20", "%201", "1%0A", "1%00", "%00", "1,2", "0x1"),
    *("1;a=1", "1%3Fa", "9" * 17, "9" * 5000, "%FF", "..", "null", "%EF%BC%91", "%D9%A1", "%C2%B9"),
]
NO_CODES = ["GIFT-100", "WINTER10%00", "WINTER%2010", "%FF", "x" * 5000, "%25", "*", "..", "%20", "%D0%A1"]


def id_rows(request: Request) -> Rows:
    """Yield unknown checkout ids, with and without a key."""
    for text in NO_IDS:
        spoilt = request._replace(target=request.target.replace("<checkout>", f"/api/checkout/{text}"))
        for name, asked in (("", spoilt), (" with a key", spoilt.beside((KEY, "k")))):
            yield Row(f"id {text[:30]}{name}", asked, Refusal(404, "unknown-checkout"))
