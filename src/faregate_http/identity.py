"""Identity as accounts need it: whom a token names, and tokens of the service's own. Decisions §13."""

from __future__ import annotations

from typing import NamedTuple, Protocol

PAUSE_SECONDS = 10
"""Pause between two requests to an identity provider that cannot be reached."""


class InvalidToken(Exception):
    """A token is not accepted; the message says why and repeats nothing of the token."""


class KeysUnavailable(Exception):
    """The provider's keys are not known, and it cannot be asked for them now."""


class Identity(NamedTuple):
    """Whom a provider knows as ``subject``; an e-mail address, verified or not, identifies nobody."""

    issuer: str
    subject: str
    email: str | None


class AccessToken(NamedTuple):
    """A token of the service's own, accepted for ``expires_in`` seconds."""

    text: str
    expires_in: int


class Gatekeeper(Protocol):
    """Verifies tokens, and issues the service's own."""

    async def identity(self, id_token: str, *, nonce: str | None = None) -> Identity:
        """Return the identity that *id_token* names; with *nonce*, the token must have been issued for it.

        Raises:
            InvalidToken: the token is not accepted.
            KeysUnavailable: the token cannot be verified now.
        """

    async def bearer(self, token: str) -> Identity | int:
        """Return the id of the account that *token* was issued for; of an ID token, the identity it names.

        Raises:
            InvalidToken: the token is not accepted.
            KeysUnavailable: the token cannot be verified now.
        """

    def issue(self, account: int) -> AccessToken:
        """Return a token for the account of that id, valid from now on."""
