"""The public keys of an identity provider, fetched on demand and kept while it is unreachable."""

import logging
import warnings
from asyncio import Lock, to_thread, wait_for
from collections.abc import Callable, Sequence
from http.client import HTTPException
from math import inf
from time import monotonic
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, build_opener

from joserfc.errors import JoseError, SecurityWarning
from joserfc.jwk import JWKRegistry, Key

from faregate_http.identity import PAUSE_SECONDS, KeysUnavailable
from faregate_http.protocol.hosts import is_loopback
from faregate_http.protocol.json_input import InvalidJson, Json, read_json
from faregate_server.settings import url_fault

_log = logging.getLogger("faregate.http")

FRESH_SECONDS = 600
"""Age in seconds at which keys are fetched again, so that a withdrawn key is not trusted for long."""

KEPT_SECONDS = 24 * 60 * 60
"""Maximum age in seconds of keys that are still trusted while the provider cannot be reached."""

_ATTEMPT_SECONDS = 10
_WAIT_SECONDS = 5
_MAX_BYTES = 1 << 18
_MAX_KEYS = 100
_PIECE = 1 << 14
_DISCOVERY = "/.well-known/openid-configuration"


class ProviderKeys:
    """The keys of *issuer*, fetched from *jwks_url* or else from the URL in its discovery document.

    *timer* returns a time in seconds; *fetch* returns the JSON at a URL.
    """

    def __init__(
        self,
        issuer: str,
        jwks_url: str | None = None,
        *,
        timer: Callable[[], float] = monotonic,
        fetch: Callable[[str], Json] | None = None,
    ) -> None:
        self._issuer = issuer
        self._jwks_url = jwks_url
        self._timer = timer
        self._fetch = fetch or fetch_json
        self._keys: Sequence[Key] = ()
        self._fetched_at = -inf
        self._asked_at = -inf
        self._lock = Lock()

    async def find(self, key_id: str | None) -> Sequence[Key]:
        """Return the keys with the id *key_id*, or all keys if it is None; an unknown id may cause a fetch.

        Raises:
            KeysUnavailable: no trusted keys are known, and the provider cannot be reached.
        """
        if self._age() > FRESH_SECONDS and not (self._is_usable() and self._lock.locked()):
            await self._ask()
        if self._is_usable() and not self._named(key_id):
            await self._ask()
        if not self._is_usable():
            raise KeysUnavailable
        return self._named(key_id)

    def _age(self) -> float:
        return self._timer() - self._fetched_at

    def _is_usable(self) -> bool:
        return self._age() <= KEPT_SECONDS

    def _named(self, key_id: str | None) -> Sequence[Key]:
        return [key for key in self._keys if key_id is None or key.get("kid") == key_id]

    async def _ask(self) -> None:
        """Fetch the keys, unless that was tried a moment ago: clients can name unknown keys at will.

        Concurrent calls share one request to the provider and its result.
        """
        async with self._lock:
            if self._timer() - self._asked_at < PAUSE_SECONDS:
                return
            try:
                self._keys = read_keys(await wait_for(to_thread(self._fetched), _ATTEMPT_SECONDS))
                self._fetched_at = self._timer()
            except (OSError, ValueError, HTTPException) as error:
                # The text of the error is left out, because it comes from another server and does not belong
                # in the log.
                _log.warning("the keys of %s cannot be fetched: %s", self._issuer, type(error).__name__)
            finally:
                self._asked_at = self._timer()

    def _fetched(self) -> Json:
        return self._fetch(self._jwks_url or self._discovered_url())

    def _discovered_url(self) -> str:
        document = self._fetch(self._issuer.rstrip("/") + _DISCOVERY)
        if not isinstance(document, dict) or document.get("issuer") != self._issuer:
            raise ValueError("the discovery document names a different issuer")
        url = document.get("jwks_uri")
        if not isinstance(url, str) or url_fault(url, may_ask=True):
            raise ValueError("the discovery document has no trustworthy jwks_uri")
        return url


def read_keys(document: Json) -> Sequence[Key]:
    """Return the keys in the JWK Set *document*, except those of unknown types (see RFC 7517, 5).

    Raises:
        ValueError: *document* is not a JWK Set, or none of its keys can be used.
    """
    entries = document.get("keys") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ValueError("the document is not a JWK Set")  # noqa: TRY004 - of a document, not of an argument
    found = [key for entry in entries[:_MAX_KEYS] if (key := _key(entry)) is not None]
    if not found:
        raise ValueError("the JWK Set has no usable key")
    return found


def _key(entry: Any) -> Key | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", SecurityWarning)  # reject keys that are too short
            key = JWKRegistry.import_key(entry)
    except (JoseError, SecurityWarning, ValueError, TypeError, KeyError, AttributeError):
        return None
    return None if key.key_type == "oct" else key


class _NoRedirects(HTTPRedirectHandler):
    """An HTTP handler that does not follow redirects, because they could lead to any server."""

    def redirect_request(self, *_arguments: object, **_named: object) -> None:
        """Return None, so that the redirect is not followed."""


def fetch_json(url: str) -> Json:
    """Return the JSON at *url*, which must arrive within about 10 seconds and not exceed 256 KiB.

    Raises:
        OSError: the server cannot be reached in time, or responds with an error or a redirect.
        HTTPException: the server does not speak HTTP.
        ValueError: the response is too large or is not JSON.
    """
    try:
        return read_json(_body(url))
    except HTTPError as error:
        error.close()
        raise OSError(f"the server responded with status {error.code}") from None
    except InvalidJson as error:
        raise ValueError("the response is not JSON") from error


def _body(url: str) -> bytes:
    handlers: list[Any] = [_NoRedirects]
    if is_loopback(urlsplit(url).hostname or ""):
        handlers.append(ProxyHandler({}))
    deadline = monotonic() + _ATTEMPT_SECONDS
    with build_opener(*handlers).open(url, timeout=_WAIT_SECONDS) as response:
        body = b""
        while piece := response.read1(_PIECE):
            body += piece
            if len(body) > _MAX_BYTES or monotonic() > deadline:
                raise ValueError("the response is too large or too slow")
    return body
