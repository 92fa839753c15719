"""Hostile requests to what is beside the interface: health, metrics and its description."""

from collections.abc import Iterator

from serving.hostile_everywhere import METHODS, NO_TAGS, NO_VERSIONS, NOT_FOUND
from serving.hostility import Kind, Plain, Refusal, Request, Row, Rows, of_each

OPERATIONS = {
    name: Request("GET", path, headers=())
    for name, path in {
        "description": "/openapi.json",
        "live": "/health/live",
        "ready": "/health/ready",
        "metrics": "/metrics",
        "documentation": "/docs",
    }.items()
}

NOT_ALLOWED = Refusal(405, "method-not-allowed")


def rows() -> Rows:
    """All of them."""
    yield from of_each(OPERATIONS, _methods, _paths, _headers, _queries)


def _methods(request: Request) -> Rows:
    for method in (*METHODS, "X" * 300):
        if method != "GET":
            yield Row(Kind.PATHS, f"method {method[:9]}", request._replace(method=method), NOT_ALLOWED)


NO_PATHS = {
    Kind.PATHS: [
        "{}/",
        "/{}",
        "{}/..",
        "{}%2F",
        "{}%0A",
        "{};a=1",
        "/x/..{}",
        "/%2e%2e{}",
        "{}.json",
        "/etc/passwd",
    ],
    Kind.ENCODINGS: ["{}%00", "{}%FF", "{}%zz", "{}%C0%80", "{}\u00fc", "/%252e%252e{}", "{}%3Fa=1", "{}%23"],
    Kind.LOOK_ALIKES: ["/%EF%BC%8F{}", "{}%E2%80%8B", "/%E2%80%AE{}", "{}%CC%81", "{}%C2%A0"],
}
NO_NAMES = ["{}" + "/a" * 10_000, "{}" + "a" * 60_000, "{}" + "%41" * 20_000, "/" * 60_000 + "{}"]


def _paths(request: Request) -> Rows:
    for kind, forms in NO_PATHS.items():
        for form in forms:
            yield Row(kind, f"path {form}", request._replace(target=form.format(request.target)), NOT_FOUND)
    for form in NO_NAMES:
        spoilt = request._replace(target=form.format(request.target))
        yield Row(Kind.SIZES, f"path {form[:9]} {len(form)}", spoilt, NOT_FOUND)
    capitals = request._replace(target=request.target.upper())
    yield Row(Kind.LOOK_ALIKES, "capitals", capitals, NOT_FOUND)


ACCEPTED = [
    *(
        "",
        "*/*",
        "text/html",
        "application/openmetrics-text;version=x",
        "text/plain;version=a.b",
        "\xff",
        "q=" * 99,
    ),
    *("application/openmetrics-text;version=99999999999999999999", "application/openmetrics-text;escaping=x"),
    *(
        "application/openmetrics-text;version=-1",
        "text/plain;version=\x00",
        ";;;,,,",
        "application/openmetrics-text;version",
    ),
]


def _headers(request: Request) -> Rows:
    """What is not looked at does no harm, and what is looked at neither."""
    for name, value in _odd_headers():
        kind = Kind.SIZES if len(value) > 1000 else Kind.HEADERS
        yield Row(kind, f"{name}: {value[:60]!a}", request.beside((name, value)), Plain(200))
    many = request.beside(*((f"x-{n}", "a") for n in range(2_000)))
    yield Row(Kind.SIZES, "very many headers", many, Plain(200))


def _odd_headers() -> Iterator[tuple[str, str]]:
    yield from (
        ("accept", text) for text in (*ACCEPTED, "a/b," * 15_000, "application/openmetrics-text;" * 2_000)
    )
    yield from (("accept-language", text) for text in ("", "de;q=9", "*;q=0", "\xff\x00", "d" + ",d" * 9999))
    yield from (("accept-encoding", text) for text in ("gzip", "*;q=0", "\xff", "br, " * 9999))
    yield from (
        ("x-request-id", text) for text in ("", "a b", "a\r\nset-cookie: b", "\xff" * 9, "a" * 60_000)
    )
    yield from (("if-none-match", text) for text in (*NO_TAGS, '"a",' * 15_000))
    yield from (("api-version", text) for text in NO_VERSIONS)
    yield from (("range", text) for text in ("bytes=0-1", "bytes=-1", "bytes=9-1", "x", "bytes=0-1," * 5_000))
    yield from (("host", text) for text in ("", "[", "evil.test", "\xff"))
    yield "authorization", "Bearer <token>x"
    yield "expect", "200-ok"
    yield "transfer-encoding", "x"
    yield "content-length", "-1"


ODD_QUERIES = {
    Kind.ENCODINGS: ["%", "a=%zz", "a=%ff", "%00=%00", "\xff=1", "name[]=faregate_requests_total"],
    Kind.SIZES: ["x" * 60_000, "%zz" * 20_000, "a=1&" * 15_000],
}


def _queries(request: Request) -> Rows:
    for kind, odd in ODD_QUERIES.items():
        for query in odd:
            yield Row(kind, f"?{query[:40]!a}", request.asking(query), Plain(200))
