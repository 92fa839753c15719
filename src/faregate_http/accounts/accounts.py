"""Customer accounts in the store, found by identity or by access token. Decisions §13."""

import re
from collections.abc import Callable
from datetime import datetime
from secrets import randbelow
from typing import Any, NamedTuple

from faregate_http.accounts.erasure import DELETION_TERM, erase
from faregate_http.identity import PAUSE_SECONDS, Bearer, Gatekeeper, Identity, InvalidToken, KeysUnavailable
from faregate_http.protocol.instants import millis
from faregate_http.protocol.problems import ErrorView, Problem
from faregate_http.protocol.requests import Request
from faregate_http.retries import Retries
from faregate_http.schemas.base import LARGEST_SAFE
from faregate_http.store.contract import Store
from faregate_http.store.records import AccountRow

_BEARER = re.compile(r"bearer +(\S+) *", re.IGNORECASE | re.ASCII)


class Authentication(NamedTuple):
    """Result of a login; ``type`` is new_account, existing_account or restored_account."""

    type: str
    account: AccountRow


class Accounts:
    """The customer accounts in a store. Without a *gatekeeper*, which verifies tokens, nobody can log in."""

    def __init__(self, store: Store, gatekeeper: Gatekeeper | None, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._gatekeeper = gatekeeper
        self._clock = clock
        self._retries = Retries()

    @property
    def gatekeeper(self) -> Gatekeeper:
        """Verifier of account tokens.

        Raises:
            Problem: 503, no identity provider is configured.
        """
        if self._gatekeeper is None:
            raise Problem(503, "identity-not-configured")
        return self._gatekeeper

    async def of_request(self, request: Request) -> AccountRow | None:
        """Return the account whose token *request* carries, or None if it carries no token.

        The customer groups of *request* become those in the token.

        Raises:
            Problem: 401, the token is not accepted; 503, the token cannot be verified.
        """
        header = request.headers.get(b"authorization")
        if header is None:
            return None
        gatekeeper = self.gatekeeper
        try:
            named = await gatekeeper.bearer(_bearer_token(header))
            account = await self._named(named)
        except InvalidToken as error:
            raise invalid_token(ErrorView(str(error), header="authorization")) from None
        except KeysUnavailable:
            raise keys_unavailable() from None
        request.customer_groups = named.customer_groups
        return account

    async def required(self, request: Request) -> AccountRow:
        """Return the account whose token *request* carries; without a token, the request is rejected.

        Raises:
            Problem: 401, the token is missing or not accepted; 503, the token cannot be verified.
        """
        _ = self.gatekeeper
        account = await self.of_request(request)
        if account is None:
            fault = ErrorView("is missing", header="authorization")
            raise _unauthorized("missing-token", fault)
        return account

    async def _named(self, named: Identity | Bearer) -> AccountRow:
        found = self._find(id=named.account) if isinstance(named, Bearer) else self._of_identity(named)
        account = await found
        if account is None or self._is_over(account):
            raise InvalidToken("the token does not belong to an account")
        return account

    async def _of_identity(self, identity: Identity) -> AccountRow | None:
        return await self._find(issuer=identity.issuer, subject=identity.subject)

    async def _find(self, **values: Any) -> AccountRow | None:
        found = await self._store.find(AccountRow, **values)
        return found[0] if found else None

    def _is_over(self, account: AccountRow) -> bool:
        is_due = account.due_at is not None and account.due_at <= millis(self._clock())
        return is_due or account.deleted_at is not None

    async def authenticate(self, identity: Identity, language: str | None, *, default: str) -> Authentication:
        """Open an account for *identity* or find the existing one, and cancel any scheduled deletion.

        *language*, if given, becomes the language of the account; otherwise, a new account gets *default*.
        """
        return await self._retries.until_saved(
            f"{identity.issuer} {identity.subject}",
            lambda: self._authenticated(identity, language, default),
        )

    async def _authenticated(self, identity: Identity, language: str | None, default: str) -> Authentication:
        known = await self._of_identity(identity)
        if known is not None and not self._is_over(known):
            kind = "existing_account" if known.due_at is None else "restored_account"
            changed = known._replace(
                email=identity.email or known.email, language=language or known.language, due_at=None
            )
            return Authentication(kind, await self._saved(known, changed))
        if known is not None:  # due for deletion, but not yet erased
            await erase(self._store, known, self._clock())
        account = AccountRow(
            id=new_id(),
            revision=1,
            created_at=millis(self._clock()),
            issuer=identity.issuer,
            subject=identity.subject,
            email=identity.email or "",
            type="CUSTOMER",
            language=language or default,
            profile="{}",
        )
        await self._store.save(None, records=[account])
        return Authentication("new_account", account)

    async def schedule_deletion(self, account: AccountRow) -> AccountRow:
        """Schedule *account* for deletion in 30 days, unless it already is; return the updated row.

        Raises:
            Problem: 401, the account has since been erased.
            Stale: the account has since been changed.
        """
        current = await self.current(account)
        due_at = current.due_at or millis(self._clock() + DELETION_TERM)
        return await self._saved(current, current._replace(due_at=due_at))

    async def current(self, account: AccountRow) -> AccountRow:
        """Load the current state of *account*.

        Raises:
            Problem: 401, the account has since been erased.
        """
        found = await self._find(id=account.id)
        if found is None or self._is_over(found):
            raise invalid_token(ErrorView("the token does not belong to an account", header="authorization"))
        return found

    async def _saved(self, account: AccountRow, changed: AccountRow) -> AccountRow:
        if changed == account:
            return account
        changed = changed._replace(revision=account.revision + 1)
        await self._store.save(None, records=[changed])
        return changed


def _bearer_token(header: str) -> str:
    match = _BEARER.fullmatch(header)
    if match is None:
        raise InvalidToken("expected the word Bearer and a token")
    return match[1]


def invalid_token(fault: ErrorView) -> Problem:
    """Return the problem for a token that is not accepted; *fault* gives the location and the reason."""
    return _unauthorized("invalid-token", fault)


def _unauthorized(code: str, fault: ErrorView) -> Problem:
    return Problem(401, code, errors=[fault], headers=((b"www-authenticate", b"Bearer"),))


def keys_unavailable() -> Problem:
    """Return the problem for a token that cannot be verified at the moment."""
    return Problem(503, "identity-provider-unavailable", retry_after=PAUSE_SECONDS)


def new_id() -> int:
    """Return a random id that cannot be guessed and is small enough to be exact as a JSON number."""
    return randbelow(LARGEST_SAFE) + 1
