"""Who tells accounts by their tokens, as the settings have it."""

from __future__ import annotations

from secrets import token_bytes
from typing import TYPE_CHECKING, NamedTuple

from faregate_http.identity.access_tokens import AccessTokens
from faregate_http.identity.development_issuer import AUDIENCE
from faregate_http.identity.id_tokens import Identities
from faregate_http.identity.provider_keys import ProviderKeys
from faregate_http.settings import SHORTEST_SECRET

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from faregate_http.identity.development_issuer import DevelopmentIssuer
    from faregate_http.settings import Settings

__all__ = ["Gatekeeper", "gatekeeper_of"]


class Gatekeeper(NamedTuple):
    """Knows the tokens of an identity provider, and the service's own."""

    identities: Identities
    access_tokens: AccessTokens


def gatekeeper_of(
    settings: Settings,
    development: DevelopmentIssuer | None,
    *,
    clock: Callable[[], datetime],
    timer: Callable[[], float],
) -> Gatekeeper | None:
    """Who tells accounts by their tokens; None where the settings name nobody.

    In *development* a secret is made up where none is set: its tokens end with the process.

    Raises:
        InvalidSettings: the secret of the service cannot be one.
    """
    if development is not None:
        identities = Identities(development.issuer, AUDIENCE, keys=development, clock=clock)
        secret = settings.secret or token_bytes(SHORTEST_SECRET)
        return Gatekeeper(identities, AccessTokens(secret, clock))
    issuer, audience, secret_set = settings.identity_issuer, settings.identity_audience, settings.secret
    if issuer is None or audience is None or secret_set is None:
        return None
    keys = ProviderKeys(issuer, settings.identity_jwks, timer=timer)
    identities = Identities(issuer, audience, keys=keys, clock=clock)
    return Gatekeeper(identities, AccessTokens(secret_set, clock))
