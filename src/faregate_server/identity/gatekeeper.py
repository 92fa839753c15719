"""Authentication of accounts by their tokens, as configured in the settings."""

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from faregate_http.identity import AccessToken, Bearer, Identity
from faregate_server.identity.access_tokens import LIFETIME, AccessTokens
from faregate_server.identity.id_tokens import Identities
from faregate_server.identity.provider_keys import ProviderKeys
from faregate_server.identity.signed_tokens import read_token
from faregate_server.settings import Settings


class OpenIdGatekeeper(NamedTuple):
    """A `Gatekeeper` that accepts an OpenID Connect provider's ID tokens and the service's access tokens."""

    identities: Identities
    access_tokens: AccessTokens

    async def identity(self, id_token: str, *, nonce: str | None = None) -> Identity:
        """Return the identity that *id_token* proves; the token must contain *nonce* if one is given."""
        return await self.identities.of_token(read_token(id_token), nonce=nonce)

    async def bearer(self, token: str) -> Identity | Bearer:
        """Return the account in an access token, or the identity that an ID token proves."""
        signed = read_token(token)
        if self.access_tokens.owns(signed):
            return self.access_tokens.bearer_of(signed)
        return await self.identities.of_token(signed)

    def issue(self, account: int, *, customer_groups: frozenset[str] = frozenset()) -> AccessToken:
        """Return a new access token for the account with the id *account*."""
        text = self.access_tokens.issue(account, customer_groups=customer_groups)
        return AccessToken(text, int(LIFETIME.total_seconds()))


def gatekeeper_of(
    settings: Settings, *, clock: Callable[[], datetime], timer: Callable[[], float]
) -> OpenIdGatekeeper | None:
    """Return the gatekeeper for *settings*, or None if the issuer, the audience or the secret is not set.

    Raises:
        InvalidSettings: a secret of the service is a public key or a certificate.
    """
    issuer, audience, secret_set = settings.identity_issuer, settings.identity_audience, settings.secret
    if issuer is None or audience is None or secret_set is None:
        return None
    keys = ProviderKeys(issuer, settings.identity_jwks, timer=timer)
    groups_claim = settings.identity_groups_claim
    identities = Identities(issuer, audience, keys=keys, clock=clock, groups_claim=groups_claim)
    return OpenIdGatekeeper(identities, AccessTokens(secret_set, clock, old_secrets=settings.old_secrets))
