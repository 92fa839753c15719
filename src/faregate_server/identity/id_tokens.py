"""Who somebody is, as an OpenID Connect ID token says: verified as OpenID Connect Core 1.0, 3.1.3.7, asks.

Any other token of the same provider, an access or a logout token, is refused. Decisions §13.
"""

from __future__ import annotations

import re
from decimal import Decimal
from hmac import compare_digest
from typing import TYPE_CHECKING, Protocol

from faregate_http.identity import Identity, InvalidToken
from faregate_server.identity.signed_tokens import is_signed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from joserfc.jwk import Key

    from faregate_http.protocol.json_input import Json
    from faregate_server.identity.signed_tokens import SignedToken

ALGORITHMS = frozenset(
    {
        *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
        *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
    }
)
"""Those with a public key; never ``none``, and never one whose key would be a secret."""

CLOCK_SKEW_SECONDS = 60
"""So much the clocks of provider and service may differ."""

MAX_LIFE_SECONDS = 24 * 3600
"""A token that is accepted for longer is none of a login: whoever finds it could use it for ever."""

_MAX_SUBJECT_LENGTH = 255  # OpenID Connect Core 1.0, 2
_MAX_EMAIL_LENGTH = 200  # as long as an answer to a form
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
# No set: what a token says may be anything, also a list, of which a set cannot tell whether it has it.
_ID_TOKEN_TYPES = (None, "JWT", "jwt", "application/jwt")


class Keys(Protocol):
    """The public keys of a provider."""

    async def find(self, key_id: str | None) -> Sequence[Key]:
        """The keys of that id, all of them for None.

        Raises:
            KeysUnavailable: they are not known, and cannot be fetched now.
        """
        ...


class Identities:
    """Verifies the tokens that *issuer* issues to *audience*."""

    def __init__(self, issuer: str, audience: str, *, keys: Keys, clock: Callable[[], datetime]) -> None:
        self.issuer = issuer
        self._audience = audience
        self._keys = keys
        self._clock = clock

    async def of_token(self, token: SignedToken, *, nonce: str | None = None) -> Identity:
        """Who *token* is about; with *nonce*, it must have been issued for that.

        Raises:
            InvalidToken: it is not to be trusted, is for somebody else, or it is not its time.
            KeysUnavailable: the keys of the provider are not known, and cannot be fetched now.
        """
        if token.algorithm not in ALGORITHMS:
            raise InvalidToken("is signed by an algorithm that is not accepted")
        if token.header.get("typ") not in _ID_TOKEN_TYPES:
            raise InvalidToken("is no ID token")
        keys = await self._keys.find(token.key_id)
        if not any(_may_sign(key, token) and is_signed(token, key, algorithms=ALGORITHMS) for key in keys):
            raise InvalidToken("has no signature of the identity provider")
        self._check(token.claims, nonce)
        return _identity(token.claims, self.issuer)

    def _check(self, claims: Mapping[str, Json], nonce: str | None) -> None:
        if claims.get("iss") != self.issuer:
            raise InvalidToken("is not from the identity provider")
        if not _is_for(self._audience, claims):
            raise InvalidToken("is not for this service")
        _check_times(claims, self._clock().timestamp())
        if nonce is not None and not _is_nonce(claims.get("nonce"), nonce):
            raise InvalidToken("was not issued for this nonce")


def _may_sign(key: Key, token: SignedToken) -> bool:
    """Whether the provider means *key* for such signatures."""
    return key.get("use", "sig") == "sig" and key.get("alg", token.algorithm) == token.algorithm


def _is_nonce(claim: Json, nonce: str) -> bool:
    return isinstance(claim, str) and compare_digest(claim.encode(), nonce.encode())


def _is_for(audience: str, claims: Mapping[str, Json]) -> bool:
    given = claims.get("aud")
    named = given if isinstance(given, list) else [given]
    party = claims.get("azp")
    # Where there are several, azp says to which of them it was issued.
    return audience in named and (party == audience or (party is None and len(named) == 1))


def _check_times(claims: Mapping[str, Json], now: float) -> None:
    expires_at, issued_at = _instant(claims, "exp"), _instant(claims, "iat")
    if expires_at - issued_at > MAX_LIFE_SECONDS:
        raise InvalidToken("is accepted for longer than 24 hours")
    if expires_at <= now - CLOCK_SKEW_SECONDS:
        raise InvalidToken("has expired")
    starts_at = _instant(claims, "nbf") if "nbf" in claims else issued_at
    if max(issued_at, starts_at) > now + CLOCK_SKEW_SECONDS:
        raise InvalidToken("is from the future")


def _instant(claims: Mapping[str, Json], name: str) -> int | Decimal:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise InvalidToken(f"has no {name}")
    return value


def _identity(claims: Mapping[str, Json], issuer: str) -> Identity:
    subject = claims.get("sub")
    if (
        not isinstance(subject, str)
        or not 1 <= len(subject) <= _MAX_SUBJECT_LENGTH
        or not subject.isprintable()
    ):
        raise InvalidToken("names nobody")
    return Identity(issuer, subject, _email(claims.get("email")))


def _email(value: Json) -> str | None:
    is_one = isinstance(value, str) and len(value) <= _MAX_EMAIL_LENGTH and value.isprintable()
    return value if is_one and isinstance(value, str) and _EMAIL.fullmatch(value) else None
