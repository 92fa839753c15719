"""Identity for accounts: a provider's verified tokens, and the service's own tokens. Decisions §13."""

from typing import NamedTuple, Protocol

PAUSE_SECONDS = 10
"""Pause in seconds between requests to an identity provider that cannot be reached."""


class InvalidToken(Exception):
    """The token is not accepted; the message gives the reason but no part of the token."""


class KeysUnavailable(Exception):
    """The provider's keys are unknown and cannot be fetched at the moment."""


class Identity(NamedTuple):
    """A user, identified by the provider's ``subject`` and never by an email address, even a verified one."""

    issuer: str
    subject: str
    email: str | None
    customer_groups: frozenset[str] = frozenset()


class Bearer(NamedTuple):
    """The account and the customer groups for which the service issued an access token."""

    account: int
    customer_groups: frozenset[str] = frozenset()


class AccessToken(NamedTuple):
    """Access token issued by the service, valid for ``expires_in`` seconds."""

    text: str
    expires_in: int


class Gatekeeper(Protocol):
    """Verifies tokens of the identity provider and of this service, and issues the latter."""

    async def identity(self, id_token: str, *, nonce: str | None = None) -> Identity:
        """Return the identity in *id_token*; with *nonce*, the token must have been issued for that nonce.

        Raises:
            InvalidToken: the token is not accepted.
            KeysUnavailable: the token cannot be verified at the moment.
        """

    async def bearer(self, token: str) -> Identity | Bearer:
        """Return the account in *token*, or the identity if *token* is an ID token.

        Raises:
            InvalidToken: the token is not accepted.
            KeysUnavailable: the token cannot be verified at the moment.
        """

    def issue(self, account: int, *, customer_groups: frozenset[str] = frozenset()) -> AccessToken:
        """Return an access token for the account with the id *account*, valid from now on."""
