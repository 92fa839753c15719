"""Hostile requests about means of payment."""

from typing import Any

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
from serving.paying import DETAILS, SHOP, body_of
from serving.raw_requests import CHANNEL, JSON
from serving.service import PARTNERS, VALLEY_STATION, Json

TOKEN = ("authorization", "Bearer <token>")
REGISTER = Request("POST", f"{DETAILS}/register", dumped(body_of()), (*JSON, TOKEN, ("host", "localhost")))
LIST = Request("GET", DETAILS, headers=(*CHANNEL, TOKEN))
UNSET = Request("DELETE", f"{DETAILS}/<detail>/default", headers=(*CHANNEL, TOKEN))
OPERATIONS = {"register": REGISTER, "list": LIST, "default": UNSET}

INVALID = "invalid-request"


def rows() -> Rows:
    """All of them."""
    yield from of_each(OPERATIONS, channel_rows, token_rows, query_rows, path_rows)
    yield from method_rows(OPERATIONS, {})
    yield from of_each(
        {"register": REGISTER},
        *(media_rows, unreadable_rows, unreadable_mebibytes, shape_rows, size_rows, unknown_rows(body_of())),
        full_rows(BEFORE_URL, AFTER_URL, "/redirectUrls/cancel"),
    )
    yield from _registrations()
    yield from _pages()
    yield from _hosts()
    yield from _filters()
    yield from _details()


# ---------------------------------------------------------------- bodies


def with_urls(**urls: Any) -> Json:
    good = {name: f"{SHOP}/{name}" for name in ("success", "error", "cancel")}
    return body_of(redirectUrls={**good, **urls})


def without(name: str) -> Json:
    body = body_of()
    del body[name]
    return body


BEFORE_URL, _, AFTER_URL = dumped(with_urls()).partition(f'"{SHOP}/cancel"'.encode())

ODD_BODIES: dict[str, tuple[Any, Refusal]] = {
    "nothing": ({}, Refusal(422, "invalid-body", tuple(f"pointer /{n}" for n in body_of()))),
    "no object": ([], Refusal(422, "invalid-body", ("pointer ",))),
    "null": (None, Refusal(422, "invalid-body", ("pointer ",))),
    "no default": (without("isDefault"), Refusal(422, "invalid-body", ("pointer /isDefault",))),
    "no methods": (without("paymentMethods"), Refusal(422, "invalid-body", ("pointer /paymentMethods",))),
    "no pages": (without("redirectUrls"), Refusal(422, "invalid-body", ("pointer /redirectUrls",))),
    "an unknown property": (body_of(account=1), Refusal(422, "invalid-body", ("pointer /account",))),
    "an id of its own": (body_of(id=1), Refusal(422, "invalid-body", ("pointer /id",))),
    "a default as text": (body_of(isDefault="true"), Refusal(422, "invalid-body", ("pointer /isDefault",))),
    "a default as a number": (body_of(isDefault=1), Refusal(422, "invalid-body", ("pointer /isDefault",))),
    "a default that is null": (
        body_of(isDefault=None),
        Refusal(422, "invalid-body", ("pointer /isDefault",)),
    ),
    "no method": (body_of(paymentMethods=[]), Refusal(422, "invalid-body", ("pointer /paymentMethods",))),
    "a method that is no list": (
        body_of(paymentMethods="VIS"),
        Refusal(422, "invalid-body", ("pointer /paymentMethods",)),
    ),
    "a method that is an object": (
        body_of(paymentMethods=[{"type": "VIS"}]),
        Refusal(422, "invalid-body", ("pointer /paymentMethods/0",)),
    ),
    "a method that is null": (
        body_of(paymentMethods=["VIS", None]),
        Refusal(422, "invalid-body", ("pointer /paymentMethods/1",)),
    ),
    "a method without a name": (
        body_of(paymentMethods=[""]),
        Refusal(422, "invalid-body", ("pointer /paymentMethods/0",)),
    ),
    "very many methods": (
        body_of(paymentMethods=["VIS"] * 21),
        Refusal(422, "invalid-body", ("pointer /paymentMethods",)),
    ),
    "a method that there is not": (
        body_of(paymentMethods=["VIS", "XXX"]),
        Refusal(422, "invalid-registration", ("pointer /paymentMethods/1",)),
    ),
    "a method that this channel has not": (
        body_of(paymentMethods=["PAP", "TWI", "REK"]),
        Refusal(422, "invalid-registration", ("pointer /paymentMethods/0", "pointer /paymentMethods/2")),
    ),
    "a method in small letters": (
        body_of(paymentMethods=["vis"]),
        Refusal(422, "invalid-registration", ("pointer /paymentMethods/0",)),
    ),
    "a method twice": (
        body_of(paymentMethods=["VIS", "TWI", "VIS"]),
        Refusal(422, "invalid-registration", ("pointer /paymentMethods/2",)),
    ),
    "a filter for a method": (
        body_of(paymentMethods=["card"]),
        Refusal(422, "invalid-registration", ("pointer /paymentMethods/0",)),
    ),
    "pages that are a list": (
        body_of(redirectUrls=[SHOP]),
        Refusal(422, "invalid-body", ("pointer /redirectUrls",)),
    ),
    "a page that is missing": (
        body_of(redirectUrls={"success": SHOP, "error": SHOP}),
        Refusal(422, "invalid-body", ("pointer /redirectUrls/cancel",)),
    ),
    "a page more": (
        with_urls(pending=SHOP),
        Refusal(422, "invalid-body", ("pointer /redirectUrls/pending",)),
    ),
    "a page that is null": (
        with_urls(error=None),
        Refusal(422, "invalid-body", ("pointer /redirectUrls/error",)),
    ),
    "a page that is a number": (
        with_urls(error=1),
        Refusal(422, "invalid-body", ("pointer /redirectUrls/error",)),
    ),
    "no page": (with_urls(cancel=""), Refusal(422, "invalid-body", ("pointer /redirectUrls/cancel",))),
    "a very long page": (
        with_urls(success=f"{SHOP}/{'a' * 2000}"),
        Refusal(422, "invalid-body", ("pointer /redirectUrls/success",)),
    ),
    "everything at once": (
        {
            "redirectUrls": {"success": "http://evil.test", "error": "x", "cancel": SHOP},
            "isDefault": True,
            "paymentMethods": ["PAP"],
        },
        Refusal(
            422,
            "invalid-registration",
            (
                "pointer /redirectUrls/success",
                "pointer /redirectUrls/error",
                "pointer /paymentMethods/0",
            ),
        ),
    ),
}


def _registrations() -> Rows:
    for name, (body, refusal) in ODD_BODIES.items():
        yield Row(_kind_of(name), name, REGISTER.saying(body), refusal)
    for channel in (PARTNERS, VALLEY_STATION):
        at_fault = [f"pointer /redirectUrls/{name}" for name in ("success", "error", "cancel")]
        refusal = Refusal(422, "invalid-registration", (*at_fault, "pointer /paymentMethods/0"))
        spoilt = REGISTER.beside(("service-channel-uuid", channel))
        yield Row(Kind.IDS, f"on channel {channel}", spoilt, refusal)
    for name, code in LOOK_ALIKE_METHODS.items():
        refusal = Refusal(422, "invalid-registration", ("pointer /paymentMethods/0",))
        yield Row(
            Kind.LOOK_ALIKES, f"a method {name}", REGISTER.saying(body_of(paymentMethods=[code])), refusal
        )


def _kind_of(name: str) -> Kind:
    if name in {"an unknown property", "an id of its own"}:
        return Kind.READ_ONLY
    return Kind.SIZES if "very" in name else Kind.RANGES if "method" in name else Kind.TYPES


LOOK_ALIKE_METHODS = {
    "in small letters": "vis",
    "of full width": "\uff36IS",
    "with a Cyrillic letter": "VI\u0405",
    "with a dotted I": "V\u0130S",
    "with a long s": "VI\u017f",
    "with a blank": "VIS ",
    "with a NUL": "VIS\u0000",
    "with nothing to be seen": "VIS\u200b",
}

HOSTILE_PAGES = {
    "another host": "https://evil.test/",
    "a longer host": "https://shop.example.evil.test/",
    "a host before it": "https://evilshop.example/",
    "user information": "https://shop.example@evil.test/",
    "user information with a port": "https://shop.example:443@evil.test/",
    "a backslash": "https://shop.example\\@evil.test/",
    "an encoded backslash": "https://shop.example/%5c%5cevil.test",
    "a backslash for a slash": "https:\\\\shop.example/",
    "a fragment": f"{SHOP}#done",
    "plain http": "http://shop.example/",
    "another port": "https://shop.example:8443/",
    "upper-case scheme": "HTTPS://shop.example/",
    "upper-case host": "https://Shop.Example/",
    "a Cyrillic letter": "https://sh\u043ep.example/",
    "a full-width dot": "https://shop\uff0eexample/",
    "an ideographic dot": "https://shop\u3002example/",
    "a dot at the end": "https://shop.example./",
    "an invisible character": "https://shop.example\u200d/",
    "reversed text": "https://shop.example/\u202egnp.exe",
    "a script": "javascript:alert(1)//https://shop.example",
    "data": "data:text/html,https://shop.example",
    "no scheme": "//shop.example/",
    "a path": "/checkout",
    "three slashes": "https:///shop.example/",
    "no slashes": "https:shop.example/",
    "a line feed": "https://shop.example/\nset-cookie: a=b",
    "a carriage return": "https://shop.example/\r",
    "a NUL": "https://shop.example/\x00",
    "an encoded line feed": "https://shop.example/%0d%0aset-cookie:a=b",
    "a blank": "https://shop.example/ x",
    "a tab in the scheme": "ht\ttps://shop.example/",
    "dots in the path": "https://shop.example/a/../b",
    "encoded dots in the path": "https://shop.example/%2e%2e/b",
    "markup": "https://shop.example/<script>alert(1)</script>",
    "a quote": 'https://shop.example/"x',
    "the loopback in digits": "http://2130706433/",
    "another loopback": "http://127.0.0.2/",
    "all addresses": "http://0.0.0.0/",
    "an IPv6 loopback that is not allowed": "http://[::1]/",
    "the service of metadata": "http://169.254.169.254/latest",
    "a host like the loopback": "http://localhost.evil.test/",
    "https on the loopback": "https://localhost/",
    "a port beyond all": "http://localhost:65536/",
    "a transaction of its own": f"{SHOP}?transactionId=1",
    "a transaction of its own, encoded": f"{SHOP}?a=1&transaction%49d=1",
}
# Origins, written otherwise.
LOOK_ALIKE_PAGES = {"a Cyrillic letter", "a full-width dot", "an ideographic dot", "an invisible character"}


def _pages() -> Rows:
    """Customers are sent nowhere else."""
    for name, url in HOSTILE_PAGES.items():
        for which in ("success", "error", "cancel"):
            refusal = Refusal(422, "invalid-registration", (f"pointer /redirectUrls/{which}",))
            kind = Kind.LOOK_ALIKES if name in LOOK_ALIKE_PAGES else Kind.PATHS
            yield Row(kind, f"{which}: {name}", REGISTER.saying(with_urls(**{which: url})), refusal)


NO_HOSTS = [
    *(
        "",
        "evil.test/a",
        "me@evil.test",
        "<script>",
        "evil.test:99999999",
        "a b",
        "a\r\nset-cookie: b",
        "[",
        "\xff",
    ),
    *("a" * 254, "a,b", "http://evil.test"),
]


def _hosts() -> Rows:
    """Where a customer is sent to hangs on the host."""
    refusal = Refusal(503, "public-url-not-configured")
    yield Row(Kind.HEADERS, "no host", REGISTER.without("host"), refusal)
    for host in NO_HOSTS:
        yield Row(Kind.HEADERS, f"host {host[:30]!a}", REGISTER.beside(("host", host)), refusal)
    two = REGISTER.beside(("host", "a"), ("host", "b"))
    yield Row(Kind.HEADERS, "two hosts", two, Refusal(400, INVALID, ("header host",)))


# ---------------------------------------------------------------- queries and ids

QUERIES: dict[str, tuple[str, ...]] = {
    "status=active": ("status",),
    "status=": ("status",),
    "status=ACTIVE,PENDING": ("status",),
    "status=ACTIVE&status=GONE": ("status",),
    "type=VIS": ("type",),
    "type=Card": ("type",),
    "type=%27%20OR%201=1": ("type",),
    "type=%ff": ("type",),
    "type=c%D0%B0rd": ("type",),
    "type=%EF%BD%83ard": ("type",),
    "status=ACT%C4%B0VE": ("status",),
    "account=1": ("account",),
    "limit=1": ("limit",),
    "status=x&type=y": ("status", "type"),
}


def _filters() -> Rows:
    for query, names in QUERIES.items():
        refusal = Refusal(400, INVALID, tuple(f"parameter {name}" for name in names))
        kind = Kind.LOOK_ALIKES if "%" in query else Kind.TYPES
        yield Row(kind, f"?{query}", LIST.asking(query), refusal)
    often = LIST.asking("&".join(["status=ACTIVE"] * 501))
    yield Row(Kind.SIZES, "a status 501 times", often, Refusal(400, INVALID, ("parameter status",)))


IDS = [
    *("0", "-1", "1.0", "1e3", "01", "+1", "x", "null", "%20", "1%00", "9" * 16, "9" * 400, "\u0661", "7"),
    *("1%27%20OR%201=1", "1%3B", "__proto__"),
]
OF_OTHERS = ["<foreign detail>", "<person>", "<foreign registration>", "<registration>"]


def _details() -> Rows:
    """Details that there are not, that are not details, or somebody else's: all the same."""
    for text in (*IDS, *OF_OTHERS):
        kind = Kind.IDS if text.isascii() else Kind.LOOK_ALIKES
        spoilt = UNSET._replace(target=f"{DETAILS}/{text}/default")
        yield Row(kind, f"detail {text[:30]!a}", spoilt, Refusal(404, "unknown-payment-detail"))
