"""A local identity provider under full control of a test: keys, tokens and failures."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from joserfc import jws
from joserfc.jwk import ECKey, Key, OctKey, OKPKey, RSAKey

from support.service.service import START, Json

AUDIENCE = "tickets"
SECRET = "0123456789abcdef0123456789abcdef"

ALGORITHMS = {
    "RSA": ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    "P-256": ("ES256",),
    "P-384": ("ES384",),
    "P-521": ("ES512",),
    "Ed25519": ("EdDSA", "Ed25519"),
}


def new_key(kind: str, key_id: str, **parameters: Any) -> Key:
    """Return an RSA key or an elliptic-curve key."""
    given: Any = {"kid": key_id, "use": "sig", **parameters}
    match kind:
        case "RSA":
            return RSAKey.generate_key(2048, given)
        case "Ed25519":
            return OKPKey.generate_key("Ed25519", given)
        case _:
            return ECKey.generate_key(kind, given)


RSA = new_key("RSA", "rsa-1")
EC = new_key("P-256", "ec-1")
STRANGER = new_key("P-256", "ec-1")
"""A foreign key with the id of one of the provider's keys."""


class Way(Enum):
    """The provider's behaviour."""

    WELL = auto()
    NOT_AT_ALL = auto()
    WITH_AN_ERROR = auto()
    WITH_A_REDIRECTION = auto()
    WITH_TOO_MUCH = auto()
    WITH_NO_JSON = auto()
    WITH_NO_KEYS = auto()
    AS_ANOTHER_ISSUER = auto()
    WITH_A_STRANGE_PLACE = auto()
    WITH_NONSENSE = auto()


_BODIES: dict[Way, bytes] = {
    Way.WITH_NO_JSON: b"<html>",
    Way.WITH_NO_KEYS: b'{"keys": [{"kty": "oct", "k": "c2VjcmV0"}, {"kty": "new"}, 1, {"kty": "RSA"}]}',
    Way.WITH_NONSENSE: b"[]",
}


class Provider:
    """The state of the provider; a test changes it and reads the requested paths in ``asked``."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.keys: list[Key] = [RSA, EC]
        self.way = Way.WELL
        self.asked: list[str] = []

    def claims(self, **claims: Any) -> Json:
        """Return the claims of a valid token with changes; None omits a claim."""
        now = int(START.timestamp())
        good = {"iss": self.url, "aud": AUDIENCE, "sub": "ada", "iat": now, "exp": now + 3600}
        return {name: value for name, value in {**good, **claims}.items() if value is not None}

    def token(self, **claims: Any) -> str:
        """Return a token that is valid except for *claims*."""
        return signed(self.claims(**claims))

    def answer(self, path: str) -> tuple[int, bytes]:
        """Return status and body of the response."""
        if self.way is Way.WITH_AN_ERROR:
            return 500, b"{}"
        if path == "/jwks":
            keys = [key.as_dict(private=False) for key in self.keys]
            much = b" " * 300_000 if self.way is Way.WITH_TOO_MUCH else b""
            return 200, _BODIES.get(self.way) or much + json.dumps({"keys": keys}).encode()
        return 200, json.dumps(self._discovery()).encode()

    def _discovery(self) -> Json:
        issuer = "http://other.example" if self.way is Way.AS_ANOTHER_ISSUER else self.url
        # Bound to this machine only: other addresses would work, but also expose the provider to the network.
        elsewhere = self.url.replace("127.0.0.1", "0.0.0.0")
        place = elsewhere if self.way is Way.WITH_A_STRANGE_PLACE else self.url
        return {"issuer": issuer, "jwks_uri": f"{place}/jwks"}


def signed(claims: Any, key: Key = EC, *, algorithm: str = "ES256", **header: Any) -> str:
    """Return a token with any *claims*; None omits a header."""
    parts = {"alg": algorithm, "typ": "JWT", "kid": key.get("kid"), **header}
    given = {name: value for name, value in parts.items() if value is not None}
    payload = claims if isinstance(claims, bytes) else json.dumps(claims).encode()
    return jws.serialize_compact(given, payload, key, registry=_AnyAlgorithm(strict_check_header=False))


class _AnyAlgorithm(jws.JWSRegistry):
    def get_alg(self, name: str) -> Any:
        return self.algorithms[name]

    def check_header(self, header: Any) -> None:
        pass


def with_secret(secret: str | bytes, claims: Any, **header: Any) -> str:
    """Return a token signed with a secret."""
    return signed(claims, OctKey.import_key(secret), algorithm="HS256", **header)


@contextmanager
def providing() -> Iterator[Provider]:
    """Yield a provider on a free port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        provider = Provider(f"http://127.0.0.1:{server.server_port}")
        server.RequestHandlerClass = _handler(lambda: provider)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()


def _handler(provider: Callable[[], Provider]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            provider().asked.append(self.path)
            if provider().way is Way.NOT_AT_ALL:
                return
            status, body = provider().answer(self.path.removeprefix("/elsewhere"))
            if provider().way is Way.WITH_A_REDIRECTION and not self.path.startswith("/elsewhere"):
                self.send_response(302)
                self.send_header("location", f"/elsewhere{self.path}")
            else:
                self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: Any) -> None:
            pass

    return Handler
