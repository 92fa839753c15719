"""What is hostile to any operation: headers, queries, paths and methods that nobody can mean."""

from collections.abc import Mapping, Sequence

from serving.hostility import Kind, Refusal, Request, Row, Rows
from serving.service import VALLEY_STATION, WEBSHOP

VERSION, KEY, MATCH, NONE_MATCH = "api-version", "idempotency-key", "if-match", "if-none-match"
SAID = "service-channel-uuid"

NOT_FOUND = Refusal(404, "not-found")

# ---------------------------------------------------------------- headers

NO_VERSIONS = ["", "2025-02-17", "2025-2-18", "v2025-02-18", "2025-02-18 ", "latest", "*", "\xff"]
NO_UUIDS = {
    "empty": "",
    "null": "null",
    "any": "*",
    "without hyphens": WEBSHOP.replace("-", ""),
    "in braces": f"{{{WEBSHOP}}}",
    "a URN": f"urn:uuid:{WEBSHOP}",
    "a character more": f"{WEBSHOP}0",
    "a character less": WEBSHOP[:-1],
    "underscores": WEBSHOP.replace("-", "_"),
    "no digit": WEBSHOP.replace("a", "g"),
    "two": f"{WEBSHOP}, {WEBSHOP}",
    "a line feed": f"{WEBSHOP}\n",
    "a blank": f"{WEBSHOP} ",
    "a NUL": f"{WEBSHOP}\x00",
    "latin-1": "\xff" * 36,
}
NO_KEYS: Sequence[str | bytes] = ["", " ", "a b", "a\tb", "\x7f", "a\x00", "ü", "ключ".encode(), b"\xff"]
NO_TAGS = ["", "7", "x", '"', '"7', "W/7", '"7" "8"', '*, "7"', "**", '"7";', '"\x00"', "'7'", ", ,"]


def _refused(*names: str) -> Refusal:
    return Refusal(400, "invalid-request", tuple(f"header {name}" for name in names))


def version_rows(request: Request) -> Rows:
    """Headers at fault that every operation looks at."""
    for text in NO_VERSIONS:
        yield Row(Kind.HEADERS, f"version {text!r}", request.beside((VERSION, text)), _refused(VERSION))
    twice = request.beside((VERSION, "2025-02-18"), (VERSION, "1"))
    yield Row(Kind.HEADERS, "two versions", twice, _refused(VERSION))
    long = request.beside((VERSION, "2025-02-18" * 6000))
    yield Row(Kind.SIZES, "a long version", long, _refused(VERSION))


def channel_rows(request: Request) -> Rows:
    """Headers at fault that every operation on a channel looks at."""
    yield from version_rows(request)
    yield Row(Kind.HEADERS, "no channel", request.without(SAID), _refused(SAID))
    for name, text in NO_UUIDS.items():
        yield Row(Kind.HEADERS, f"channel {name}", request.beside((SAID, text)), _refused(SAID))
    look_alike = request.beside((SAID, WEBSHOP.replace("a", "а").encode()))  # noqa: RUF001 - Cyrillic
    yield Row(Kind.LOOK_ALIKES, "a Cyrillic channel", look_alike, _refused(SAID))
    yield Row(Kind.SIZES, "a long channel", request.beside((SAID, "7" * 60_000)), _refused(SAID))
    two = request.beside((SAID, WEBSHOP), (SAID, VALLEY_STATION))
    yield Row(Kind.HEADERS, "two channels", two, _refused(SAID))
    unknown = request.beside((SAID, "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b78"))
    yield Row(Kind.IDS, "an unknown channel", unknown, Refusal(404, "unknown-channel", (f"header {SAID}",)))
    for name, values in ((KEY, NO_KEYS), (MATCH, NO_TAGS), (NONE_MATCH, NO_TAGS)):
        for value in values:
            yield Row(Kind.HEADERS, f"{name} {value!r}", request.beside((name, value)), _refused(name))
    yield from _several_at_fault(request)


def _several_at_fault(request: Request) -> Rows:
    yield Row(Kind.SIZES, "a long key", request.beside((KEY, "k" * 256)), _refused(KEY))
    yield Row(Kind.SIZES, "a very long key", request.beside((KEY, "k" * 60_000)), _refused(KEY))
    yield Row(Kind.SIZES, "a long tag", request.beside((MATCH, '"' + "7" * 60_000)), _refused(MATCH))
    commas = request.beside((NONE_MATCH, ", \t" * 20_000))
    yield Row(Kind.SIZES, "nothing but commas", commas, _refused(NONE_MATCH))
    tags = request.beside((NONE_MATCH, '"a",' * 15_000 + "x"))
    yield Row(Kind.SIZES, "very many tags", tags, _refused(NONE_MATCH))
    yield Row(Kind.HEADERS, "two keys", request.beside((KEY, "a"), (KEY, "b")), _refused(KEY))
    faulty = request.without(SAID).beside(
        (SAID, "x"), (VERSION, "1"), (KEY, ""), (MATCH, "x"), (NONE_MATCH, "y")
    )
    yield Row(Kind.HEADERS, "all at once", faulty, _refused(VERSION, SAID, KEY, MATCH, NONE_MATCH))
    many = request.beside(*((f"x-{n}", "a") for n in range(2_000)), (VERSION, "1"))
    yield Row(Kind.SIZES, "very many headers", many, _refused(VERSION))


NO_BEARERS: Mapping[str, str | bytes] = {
    "nothing": "",
    "no token": "Bearer",
    "a blank token": "Bearer ",
    "another scheme": "Basic dmljdGltOnNlY3JldA==",
    "a made-up scheme": "Token <token>",
    "no scheme": "<token>",
    "no blank": "Bearer<token>",
    "two tokens": "Bearer <token> <token>",
    "two schemes": "Bearer <token>, Bearer <token>",
    "a tab": "Bearer\t<token>",
    "quotes": 'Bearer "<token>"',
    "null": "Bearer null",
    "latin-1": "Bearer \xff",
    "a NUL": "Bearer <token>\x00",
}


def token_rows(request: Request) -> Rows:
    """What is no token, for an operation that asks for one."""
    missing = Refusal(401, "missing-token", ("header authorization",))
    yield Row(Kind.HEADERS, "no authorization", request.without("authorization"), missing)
    yield from bearer_rows(request)


def bearer_rows(request: Request) -> Rows:
    """What is no token, for an operation that needs none."""
    refused = Refusal(401, "invalid-token", ("header authorization",))
    for name, value in NO_BEARERS.items():
        yield Row(Kind.HEADERS, f"authorization {name}", request.beside(("authorization", value)), refused)
    for name, text in {"blanks": " " * 60_000, "a": "a" * 60_000, "dots": "." * 60_000}.items():
        value = f"Bearer {text}"
        yield Row(Kind.SIZES, f"authorization {name}", request.beside(("authorization", value)), refused)
    good = dict(request.headers).get("authorization", "Bearer <token>")
    twice = request.beside(("authorization", good), ("authorization", "Bearer other"))
    yield Row(Kind.HEADERS, "two tokens in two headers", twice, _refused("authorization"))


# ---------------------------------------------------------------- queries

ODD_QUERIES: Mapping[Kind, Mapping[str, Sequence[str]]] = {
    Kind.ENCODINGS: {
        "%": ["%"],
        "a=%zz": ["a", "a"],
        "a=%F": ["a", "a"],
        "a=%ff": ["a", "a"],
        "a=%C0%80": ["a", "a"],
        "a=%ED%A0%80": ["a", "a"],
        "\xff=1": ["\ufffd"],
        "%ff=%ff": ["%ff"],
        "%00=%00": ["\x00"],
        "a%0d%0aset-cookie:b=1": ["a\r\nset-cookie:b"],
        "a+b=1": ["a b"],
    },
    Kind.READ_ONLY: {
        "a=1&b=2": ["a", "b"],
        "status=SETTLED": ["status"],
        "account=1": ["account"],
        "service-channel-uuid=" + WEBSHOP: ["service-channel-uuid"],
        "access_token=<token>": ["access_token"],
        "_method=DELETE": ["_method"],
    },
    Kind.LOOK_ALIKES: {
        "%D0%B0=1": ["\u0430"],
        "%EF%BD%81=1": ["\uff41"],
        "a%E2%80%8B=1": ["a\u200b"],
        "%C4%B1temId=1": ["\u0131temId"],
    },
    Kind.SIZES: {
        "x" * 60_000: ["x" * 40],
        "%zz" * 20_000: ["%zz" * 13 + "%"],
        "%41" * 20_000: ["A" * 40],
        "&".join(f"p{n}" for n in range(10_000)): [f"p{n}" for n in range(1000)],
        "&" * 60_000 + "a": ["a"],
        "a=" + "1" * 60_000: ["a"],
        "a=1&" * 15_000: ["a"],
    },
}


def query_rows(request: Request, *, but: Sequence[str] = ()) -> Rows:
    """Queries at fault; not those that ask for a parameter that the operation knows."""
    for kind, odd in ODD_QUERIES.items():
        for query, names in odd.items():
            if not set(names) & set(but):
                places = tuple(f"parameter {name}" for name in names)
                yield Row(
                    kind, f"?{query[:40]}", request.asking(query), Refusal(400, "invalid-request", places)
                )


# ---------------------------------------------------------------- paths

PATHS = {
    "a slash more": "{0}/",
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
    "Cyrillic": "/%D0%B0pi/{1}",
    "escaped twice": "/%2561pi/{1}",
    "a backslash": "/api%5C{1}",
    "another extension": "{0}/.json",
}
LOOK_ALIKE_PATHS = frozenset({"full width", "Cyrillic"})


BEHIND = frozenset({"a path behind", "another extension"})


def path_rows(request: Request, *, behind: Refusal = NOT_FOUND) -> Rows:
    """Paths beside that of an operation, which nothing answers; *behind*, what those of one more part get."""
    path, _, _ = request.target.partition("?")
    for name, form in PATHS.items():
        kind = Kind.LOOK_ALIKES if name in LOOK_ALIKE_PATHS else Kind.PATHS
        spoilt = form.format(path, _below_api(path))
        refusal = behind if name in BEHIND else NOT_FOUND
        yield Row(kind, f"path: {name}", request._replace(target=spoilt), refusal)
    long, deep = (request._replace(target=path + tail) for tail in ("/" + "a" * 20_000, "/a" * 10_000))
    yield Row(Kind.SIZES, "a long path", long, behind)
    yield Row(Kind.SIZES, "a deep path", deep, NOT_FOUND)
    escaped = request._replace(target=path + "/%41" * 10_000)
    yield Row(Kind.SIZES, "a flood of escapes in the path", escaped, NOT_FOUND)


_NAMED = {"<checkout>": "checkout/<checkout id>", "<payable>": "checkout/<payable id>", "/api/": ""}


def _below_api(path: str) -> str:
    for name, plain in _NAMED.items():
        path = path.replace(name, plain)
    return path


METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", ""]


def method_rows(operations: Mapping[str, Request], allowed: Mapping[str, str]) -> Rows:
    """Methods that the paths of *operations* lack, and HEAD where there is no GET.

    *allowed* says which each has, where they are several.
    """
    for operation, request in operations.items():
        has = allowed.get(operation, "GET, HEAD" if request.method == "GET" else request.method)
        for method in (*METHODS, "HEAD", "X" * 300):
            if method not in has.split(", "):
                refusal = Refusal(405, "method-not-allowed", allow=has)
                yield Row(Kind.PATHS, f"{operation}: {method[:9]}", request._replace(method=method), refusal)
