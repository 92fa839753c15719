"""Verification of OpenID Connect ID tokens (OpenID Connect Core 1.0, 3.1.3.7).

Other tokens from the same provider, such as access or logout tokens, are refused. Decisions §13.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from hmac import compare_digest
from typing import Protocol

from joserfc.jwk import Key

from faregate_http.identity import Identity, InvalidToken
from faregate_http.protocol.json_input import Json
from faregate_server.identity.customer_groups import groups_in
from faregate_server.identity.signed_tokens import SignedToken, is_signed

ALGORITHMS = frozenset(
    {
        *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
        *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
    }
)
"""The accepted signature algorithms; ``none`` and symmetric algorithms are never accepted."""

CLOCK_SKEW_SECONDS = 60
"""Maximum difference between the provider's clock and the service's."""

MAX_LIFE_SECONDS = 24 * 3600
"""Maximum lifetime of an ID token, so that a stolen one cannot be used indefinitely."""

_MAX_SUBJECT_LENGTH = 255  # OpenID Connect Core 1.0, 2
_MAX_EMAIL_LENGTH = 200  # the same maximum as for an answer in a form
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")
# A tuple, because a claim may be unhashable, such as a list, and cannot be looked up in a set.
_ID_TOKEN_TYPES = (None, "JWT", "jwt", "application/jwt")


class Keys(Protocol):
    """The public keys of an identity provider."""

    async def find(self, key_id: str | None) -> Sequence[Key]:
        """Return the keys with the id *key_id*, or all keys if it is None.

        Raises:
            KeysUnavailable: the keys are unknown and cannot be fetched.
        """
        ...


class Identities:
    """A verifier of the ID tokens that *issuer* issues for *audience*.

    *groups_claim* is the name of the claim with the customer groups, or None if tokens have no groups.
    """

    def __init__(
        self,
        issuer: str,
        audience: str,
        *,
        keys: Keys,
        clock: Callable[[], datetime],
        groups_claim: str | None = None,
    ) -> None:
        self.issuer = issuer
        self._audience = audience
        self._keys = keys
        self._clock = clock
        self._groups_claim = groups_claim

    async def of_token(self, token: SignedToken, *, nonce: str | None = None) -> Identity:
        """Return the identity that *token* proves; the token must contain *nonce* if one is given.

        Raises:
            InvalidToken: the token is not trusted, has the wrong audience, is not valid yet or has expired.
            KeysUnavailable: the provider's keys are unknown and cannot be fetched.
        """
        if token.algorithm not in ALGORITHMS:
            raise InvalidToken("is signed with an algorithm that is not accepted")
        if token.header.get("typ") not in _ID_TOKEN_TYPES:
            raise InvalidToken("is not an ID token")
        keys = await self._keys.find(token.key_id)
        if not any(_may_sign(key, token) and is_signed(token, key, algorithms=ALGORITHMS) for key in keys):
            raise InvalidToken("is not signed by the identity provider")
        self._check(token.claims, nonce)
        identity = _identity(token.claims, self.issuer)
        if self._groups_claim is None:
            return identity
        return identity._replace(customer_groups=groups_in(token.claims.get(self._groups_claim)))

    def _check(self, claims: Mapping[str, Json], nonce: str | None) -> None:
        if claims.get("iss") != self.issuer:
            raise InvalidToken("was not issued by the identity provider")
        if not _is_for(self._audience, claims):
            raise InvalidToken("is not intended for this service")
        _check_times(claims, self._clock().timestamp())
        if nonce is not None and not _is_nonce(claims.get("nonce"), nonce):
            raise InvalidToken("does not contain the expected nonce")


def _may_sign(key: Key, token: SignedToken) -> bool:
    """Return True if the declared use and algorithm of *key* allow it to sign *token*."""
    return key.get("use", "sig") == "sig" and key.get("alg", token.algorithm) == token.algorithm


def _is_nonce(claim: Json, nonce: str) -> bool:
    return isinstance(claim, str) and compare_digest(claim.encode(), nonce.encode())


def _is_for(audience: str, claims: Mapping[str, Json]) -> bool:
    given = claims.get("aud")
    named = given if isinstance(given, list) else [given]
    party = claims.get("azp")
    # With several audiences, azp names the one that the token was issued to.
    return audience in named and (party == audience or (party is None and len(named) == 1))


def _check_times(claims: Mapping[str, Json], now: float) -> None:
    expires_at, issued_at = _instant(claims, "exp"), _instant(claims, "iat")
    if expires_at - issued_at > MAX_LIFE_SECONDS:
        raise InvalidToken("is valid for longer than 24 hours")
    if expires_at <= now - CLOCK_SKEW_SECONDS:
        raise InvalidToken("has expired")
    starts_at = _instant(claims, "nbf") if "nbf" in claims else issued_at
    if max(issued_at, starts_at) > now + CLOCK_SKEW_SECONDS:
        raise InvalidToken("is not valid yet")


def _instant(claims: Mapping[str, Json], name: str) -> int | Decimal:
    value = claims.get(name)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise InvalidToken(f"has no valid {name} claim")
    return value


def _identity(claims: Mapping[str, Json], issuer: str) -> Identity:
    subject = claims.get("sub")
    if (
        not isinstance(subject, str)
        or not 1 <= len(subject) <= _MAX_SUBJECT_LENGTH
        or not subject.isprintable()
    ):
        raise InvalidToken("has no valid sub claim")
    return Identity(issuer, subject, _email(claims.get("email")))


def _email(value: Json) -> str | None:
    is_one = isinstance(value, str) and len(value) <= _MAX_EMAIL_LENGTH and value.isprintable()
    return value if is_one and isinstance(value, str) and _EMAIL.fullmatch(value) else None
