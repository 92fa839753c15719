"""An identity provider for development that issues a token for any subject on request. Decisions §13.

The provider exists only if ``is_development`` is set. Its private key is created at startup and never leaves
the process.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from secrets import token_bytes
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey, Key

from faregate_server.identity.access_tokens import AccessTokens
from faregate_server.identity.gatekeeper import OpenIdGatekeeper
from faregate_server.identity.id_tokens import Identities
from faregate_server.settings import SHORTEST_SECRET, Settings

AUDIENCE = "faregate-development"
PATH = "/dev/identity"

_URL = "http://127.0.0.1:8000"
_ALGORITHM = "ES256"
_LIFETIME_SECONDS = 3600


class DevelopmentIssuer:
    """An issuer of ID tokens for the service at *url*, with the key that signs and verifies them."""

    def __init__(self, url: str, clock: Callable[[], datetime]) -> None:
        self.issuer = f"{url.rstrip('/')}{PATH}"
        self._key = ECKey.generate_key("P-256", {"use": "sig", "alg": _ALGORITHM}, auto_kid=True)
        self._clock = clock

    async def find(self, key_id: str | None) -> Sequence[Key]:
        """Return the issuer's only key in a list, or an empty list if *key_id* is the id of another key."""
        return [self._key] if key_id in {None, self._key.kid} else []

    def gatekeeper(self, secret: bytes | None) -> OpenIdGatekeeper:
        """Return a gatekeeper that accepts this issuer's tokens.

        The service's access tokens are signed with *secret* or, if it is None, with a random secret that is
        lost when the process ends.

        Raises:
            InvalidSettings: the secret is a public key or a certificate.
        """
        identities = Identities(self.issuer, AUDIENCE, keys=self, clock=self._clock)
        return OpenIdGatekeeper(identities, AccessTokens(secret or token_bytes(SHORTEST_SECRET), self._clock))

    def token(self, subject: str, email: str | None = None, *, nonce: str | None = None) -> str:
        """Return an ID token for *subject*, with the claims *email* and *nonce* if they are given."""
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
        """Return the public key as a JWK Set."""
        return {"keys": [self._key.as_dict(private=False)]}

    def discovery(self) -> Mapping[str, object]:
        """Return the issuer's discovery document, as OpenID Connect Discovery 1.0 defines it."""
        return {
            "issuer": self.issuer,
            "jwks_uri": f"{self.issuer}/jwks",
            "token_endpoint": f"{self.issuer}/token",
            "response_types_supported": ["id_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [_ALGORITHM],
        }

    def answer(self, token: str) -> Mapping[str, object]:
        """Return the body of a token response that contains the ID token *token*."""
        return {"id_token": token, "token_type": "Bearer", "expires_in": _LIFETIME_SECONDS}


def development_issuer(settings: Settings, clock: Callable[[], datetime]) -> DevelopmentIssuer | None:
    """Return the development issuer if ``is_development`` is set, otherwise None."""
    if not settings.is_development:
        return None
    return DevelopmentIssuer(settings.public_url or _URL, clock)
