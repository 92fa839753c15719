"""Hostile requests about accounts: logging in, looking at one, having it deleted."""

from serving.customers import AUTHENTICATE, CURRENT
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
from serving.hostile_tokens import hostile_tokens
from serving.hostility import Kind, Refusal, Request, Row, Rows, dumped, of_each
from serving.identity_provider import Provider
from serving.raw_requests import CHANNEL, JSON

TOKEN = ("authorization", "Bearer <token>")
LOGIN = Request("POST", AUTHENTICATE, dumped({"idToken": "<id token>"}), JSON)
SHOW = Request("GET", CURRENT, headers=(*CHANNEL, TOKEN))
DELETE = Request("POST", f"{CURRENT}/schedule-deletion", headers=(*CHANNEL, TOKEN))
OPERATIONS = {"login": LOGIN, "show": SHOW, "delete": DELETE}

TOKENS = list(hostile_tokens(Provider("http://127.0.0.1:1"), "access"))


def rows() -> Rows:
    """All of them."""
    yield from of_each(OPERATIONS, channel_rows, query_rows, path_rows)
    yield from of_each({"show": SHOW, "delete": DELETE}, token_rows)
    yield from method_rows(OPERATIONS, {})
    yield from of_each(
        {"login": LOGIN},
        *(media_rows, unreadable_rows, unreadable_mebibytes, shape_rows, size_rows),
        *(unknown_rows({"idToken": "a"}), full_rows(b'{"idToken":', b"}", "/idToken")),
    )
    for name, (body, status, code, places) in LOGINS.items():
        yield Row(_kind_of(name), f"login {name}", LOGIN._replace(body=body), Refusal(status, code, places))
    yield from _tokens()


def _tokens() -> Rows:
    """Tokens that are not believed, as those of a login and of an account."""
    for name in TOKENS:
        kind = Kind.SIZES if "16,385" in name or "many" in name else Kind.HEADERS
        logging_in = LOGIN.saying({"idToken": f"<token: {name}>"})
        refusal = Refusal(401, "invalid-token", ("pointer /idToken",))
        if "16,385" not in name:  # that is too long for the body, as another row says
            yield Row(kind, f"ID token {name}", logging_in, refusal)
        carried = "<token>x" if name == "access token of the service" else f"<token: {name}>"
        bearer = SHOW.beside(("authorization", f"Bearer {carried}"))
        refused = Refusal(401, "invalid-token", ("header authorization",))
        yield Row(kind, f"bearer of {name}", bearer, refused)
    for name in ("checkout id", "person", "detail", "order"):
        bearer = SHOW.beside(("authorization", f"Bearer <{name}>"))
        refused = Refusal(401, "invalid-token", ("header authorization",))
        yield Row(Kind.IDS, f"the id of a {name} for a token", bearer, refused)


def _kind_of(name: str) -> Kind:
    if name in {"email", "account", "type"}:
        return Kind.READ_ONLY
    if name in {"language in capitals", "snake case", "look-alike language", "full-width language"}:
        return Kind.LOOK_ALIKES
    if name in {"language", "empty nonce", "long nonce", "empty token"}:
        return Kind.RANGES
    return Kind.SIZES if "huge" in name or name == "large" else Kind.TYPES


LOGINS: dict[str, tuple[bytes, int, str, tuple[str, ...]]] = {
    "empty": (b"", 400, "invalid-json", ("pointer ",)),
    "cut off": (b'{"idToken": ', 400, "invalid-json", ("pointer ",)),
    "not UTF-8": (b'{"idToken": "\xff"}', 400, "invalid-json", ("pointer ",)),
    "twice": (b'{"idToken": "a", "idToken": "b"}', 400, "invalid-json", ("pointer /idToken",)),
    "a list": (b"[]", 422, "invalid-body", ("pointer ",)),
    "null": (b"null", 422, "invalid-body", ("pointer ",)),
    "nothing": (b"{}", 422, "invalid-body", ("pointer /idToken",)),
    "null token": (b'{"idToken": null}', 422, "invalid-body", ("pointer /idToken",)),
    "numeric token": (b'{"idToken": 1}', 422, "invalid-body", ("pointer /idToken",)),
    "empty token": (b'{"idToken": ""}', 422, "invalid-body", ("pointer /idToken",)),
    "huge token": (
        b'{"idToken": "' + b"a" * 16_385 + b'"}',
        422,
        "invalid-body",
        ("pointer /idToken",),
    ),
    "snake case": (
        b'{"id_token": "a"}',
        422,
        "invalid-body",
        ("pointer /idToken", "pointer /id_token"),
    ),
    "language": (b'{"idToken": "a", "language": "es"}', 422, "invalid-body", ("pointer /language",)),
    "language in capitals": (
        b'{"idToken": "a", "language": "DE"}',
        422,
        "invalid-body",
        ("pointer /language",),
    ),
    "numeric language": (b'{"idToken": "a", "language": 1}', 422, "invalid-body", ("pointer /language",)),
    "empty nonce": (b'{"idToken": "a", "nonce": ""}', 422, "invalid-body", ("pointer /nonce",)),
    "long nonce": (
        b'{"idToken": "a", "nonce": "' + b"n" * 256 + b'"}',
        422,
        "invalid-body",
        ("pointer /nonce",),
    ),
    "email": (b'{"idToken": "a", "email": "a@b.ch"}', 422, "invalid-body", ("pointer /email",)),
    "account": (b'{"idToken": "a", "accountId": 1}', 422, "invalid-body", ("pointer /accountId",)),
    "type": (b'{"idToken": "a", "type": "ADMIN"}', 422, "invalid-body", ("pointer /type",)),
    "large": (b'{"idToken": "' + b"a" * 2**20 + b'"}', 413, "body-too-large", ()),
    "look-alike language": (
        '{"idToken": "a", "language": "\u0435n"}'.encode(),
        422,
        "invalid-body",
        ("pointer /language",),
    ),
    "full-width language": (
        '{"idToken": "a", "language": "\uff45n"}'.encode(),
        422,
        "invalid-body",
        ("pointer /language",),
    ),
}
