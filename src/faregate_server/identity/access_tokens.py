"""The service's own access tokens: signed with its secret, and valid for one hour at this service only.

Their type (``at+jwt``, RFC 9068), algorithm, issuer and audience differ from those of an identity provider's
tokens, so that one cannot be mistaken for the other. Decisions §13.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from joserfc import jwt
from joserfc.jwk import OctKey

from faregate_http.identity import Bearer, InvalidToken
from faregate_server.identity.customer_groups import groups_in
from faregate_server.identity.signed_tokens import SignedToken, is_signed
from faregate_server.settings import InvalidSettings

LIFETIME = timedelta(hours=1)

_ALGORITHM = "HS256"
_TYPE = "at+jwt"
_ISSUER = "urn:faregate"
_AUDIENCE = "urn:faregate:api"
_GROUPS = "groups"


class AccessTokens:
    """An issuer and verifier of access tokens signed with *secret*; tokens of *old_secrets* stay valid.

    Raises:
        InvalidSettings: a secret is a public key or a certificate.
    """

    def __init__(
        self, secret: bytes, clock: Callable[[], datetime], *, old_secrets: Sequence[bytes] = ()
    ) -> None:
        self._key = signing_key(secret)
        self._keys = (self._key, *map(signing_key, old_secrets))
        self._clock = clock

    def issue(self, account: int, *, customer_groups: frozenset[str] = frozenset()) -> str:
        """Return a token for the account with the id *account*, valid for an hour from now.

        >>> from datetime import UTC, datetime
        >>> from faregate_server.identity.signed_tokens import read_token
        >>> tokens = AccessTokens(b"-" * 32, lambda: datetime(2026, 12, 1, tzinfo=UTC))
        >>> tokens.bearer_of(read_token(tokens.issue(7))).account
        7
        """
        issued_at = int(self._clock().timestamp())
        claims: dict[str, object] = {
            "iss": _ISSUER,
            "aud": _AUDIENCE,
            "sub": str(account),
            "iat": issued_at,
            "exp": issued_at + int(LIFETIME.total_seconds()),
        }
        if customer_groups:
            claims[_GROUPS] = sorted(customer_groups)
        header = {"alg": _ALGORITHM, "typ": _TYPE}
        return jwt.encode(header, claims, self._key, algorithms=[_ALGORITHM])

    def owns(self, token: SignedToken) -> bool:
        """Return True if *token* looks like one of this service's access tokens; nothing is verified."""
        return token.algorithm == _ALGORITHM

    def bearer_of(self, token: SignedToken) -> Bearer:
        """Return the account and the customer groups that *token* was issued for.

        Raises:
            InvalidToken: the signature, the issuer or the audience is wrong, or the token has expired.
        """
        claims = token.claims
        if not any(is_signed(token, key, algorithms=[_ALGORITHM]) for key in self._keys):
            raise InvalidToken("has an invalid signature")
        is_ours = (claims.get("iss"), claims.get("aud")) == (_ISSUER, _AUDIENCE)
        if not is_ours or token.header.get("typ") != _TYPE:
            raise InvalidToken("is not intended for this service")
        if int(str(claims["exp"])) <= self._clock().timestamp():
            raise InvalidToken("has expired")
        return Bearer(int(str(claims["sub"])), groups_in(claims.get(_GROUPS)))


def signing_key(secret: bytes) -> OctKey:
    """Return *secret* as a key for signing tokens.

    >>> signing_key(b"-" * 32).key_type
    'oct'

    Raises:
        InvalidSettings: the secret is a public key or a certificate.
    """
    try:
        return OctKey.import_key(secret)
    except ValueError:
        raise InvalidSettings("the token secret is a public key or a certificate: use random bytes") from None
