"""An identity provider for one's own machine: it gives anyone the token of anyone. Decisions §13.

It exists only where the settings say ``is_development``; its key is made at the start and never leaves the
process.
"""

from __future__ import annotations

from secrets import token_bytes
from typing import TYPE_CHECKING, Any

from joserfc import jwt
from joserfc.jwk import ECKey

from faregate_server.identity.access_tokens import AccessTokens
from faregate_server.identity.gatekeeper import OpenIdGatekeeper
from faregate_server.identity.id_tokens import Identities
from faregate_server.settings import SHORTEST_SECRET

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

    from joserfc.jwk import Key

    from faregate_server.settings import Settings

AUDIENCE = "faregate-development"
PATH = "/dev/identity"

_URL = "http://127.0.0.1:8000"
_ALGORITHM = "ES256"
_LIFETIME_SECONDS = 3600


class DevelopmentIssuer:
    """Issues ID tokens in the name of *url*, and has the key to verify them."""

    def __init__(self, url: str, clock: Callable[[], datetime]) -> None:
        self.issuer = f"{url.rstrip('/')}{PATH}"
        self._key = ECKey.generate_key("P-256", {"use": "sig", "alg": _ALGORITHM}, auto_kid=True)
        self._clock = clock

    async def find(self, key_id: str | None) -> Sequence[Key]:
        """The key of that id, or the only one for None."""
        return [self._key] if key_id in {None, self._key.kid} else []

    def gatekeeper(self, secret: bytes | None) -> OpenIdGatekeeper:
        """The gatekeeper that accepts its tokens.

        Without a *secret* one is made up: tokens signed with it end with the process.

        Raises:
            InvalidSettings: the secret is a public key, or a certificate.
        """
        identities = Identities(self.issuer, AUDIENCE, keys=self, clock=self._clock)
        return OpenIdGatekeeper(identities, AccessTokens(secret or token_bytes(SHORTEST_SECRET), self._clock))

    def token(self, subject: str, email: str | None = None, *, nonce: str | None = None) -> str:
        """An ID token that says to be about *subject*."""
        issued_at = int(self._clock().timestamp())
        claims: dict[str, Any] = {
            "iss": self.issuer,
            "aud": AUDIENCE,
            "sub": subject,
            "iat": issued_at,
            "exp": issued_at + _LIFETIME_SECONDS,
            "email": email,
            "nonce": nonce,
        }
        given = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode({"alg": _ALGORITHM, "kid": self._key.kid}, given, self._key)

    def key_set(self) -> Mapping[str, object]:
        """The public half of its key, as a JWK Set."""
        return {"keys": [self._key.as_dict(private=False)]}

    def discovery(self) -> Mapping[str, object]:
        """What it is and has, as OpenID Connect Discovery 1.0 writes it."""
        return {
            "issuer": self.issuer,
            "jwks_uri": f"{self.issuer}/jwks",
            "token_endpoint": f"{self.issuer}/token",
            "response_types_supported": ["id_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [_ALGORITHM],
        }

    def answer(self, token: str) -> Mapping[str, object]:
        """What is answered with *token*."""
        return {"id_token": token, "token_type": "Bearer", "expires_in": _LIFETIME_SECONDS}


def development_issuer(settings: Settings, clock: Callable[[], datetime]) -> DevelopmentIssuer | None:
    """The issuer that the settings ask for; None where this is no development."""
    if not settings.is_development:
        return None
    return DevelopmentIssuer(settings.public_url or _URL, clock)
