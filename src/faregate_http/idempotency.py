"""Idempotency keys: the response to a request is stored under the request's key. Decisions §11.6."""

import logging
from asyncio import Event
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from hashlib import sha256
from urllib.parse import quote

from faregate_http.admission.queueing import waiting_elsewhere
from faregate_http.protocol.instants import millis
from faregate_http.protocol.observed import observed
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import Response
from faregate_http.protocol.stored_responses import KeyedRequest, replayed
from faregate_http.store.contract import AnswerTaken, Store, StoreUnavailable

_log = logging.getLogger("faregate.http")

KEPT_FOR = timedelta(hours=24)

_SERVER_ERROR = 500
_RETRY_AFTER = b"retry-after"


def owner_of(account: int) -> str:
    """Return the prefix shared by the scopes of all idempotency keys of an account."""
    return f"account {account}"


def _scope_of(request: Request) -> str:
    """Return the scope of *request*'s idempotency key: account (if any), channel, method and path."""
    # A UUID may have capitals; other parts of a path may contain anything.
    path = quote(request.path.lower())
    owner = "" if request.account is None else f"{owner_of(request.account.id)} "
    return f"{owner}{request.channel.uuid} {request.method} {path}"


def _is_passing(problem: Problem) -> bool:
    """Return True for a problem that may disappear by itself and is therefore not stored."""
    return problem.status >= _SERVER_ERROR or any(name == _RETRY_AFTER for name, _ in problem.headers)


class Idempotency:
    """Responses stored under idempotency keys, and the requests with such keys that are in progress."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._running: dict[tuple[str, str], Event] = {}

    async def once(
        self, request: Request, content: bytes, run: Callable[[], Awaitable[Response]]
    ) -> Response:
        """Return the response stored under the key of *request*, or call *run* and store its response.

        A second request with this key waits for the first. Server errors and responses with ``retry-after``
        are not stored. *run* may have stored its response itself, in one transaction with its change.

        Raises:
            Problem: 422, the key was used with other *content*, which is the body or the query.
        """
        key = request.headers.get(b"idempotency-key")
        if key is None:
            return await run()
        keyed = request.keyed = KeyedRequest(_scope_of(request), key, sha256(content).digest())
        slot = keyed.scope, keyed.key
        while slot in self._running:
            with waiting_elsewhere():
                await self._running[slot].wait()
        try:
            self._running[slot] = Event()
            return await self._stored(keyed) or await self._new(keyed, request, run)
        finally:
            running = self._running.pop(slot, None)
            if running is not None:
                running.set()

    async def _stored(self, keyed: KeyedRequest) -> Response | None:
        stored = await self._store.answer(keyed.scope, keyed.key)
        if stored is None:
            return None
        if stored.created_at < millis(self._clock() - KEPT_FOR):
            await self._store.purge_answers(millis(self._clock() - KEPT_FOR))
            return None
        if stored.fingerprint != keyed.fingerprint:
            raise Problem(422, "idempotency-key-reused")
        observed().is_replay = True
        return replayed(stored)

    async def _new(
        self, keyed: KeyedRequest, request: Request, run: Callable[[], Awaitable[Response]]
    ) -> Response:
        try:
            response = await run()
        except Problem as problem:
            if _is_passing(problem):
                raise
            response = problem.response(request.path, request.language)
        except AnswerTaken:  # another process came first
            return await self._stored(keyed) or await self._new(keyed, request, run)
        if not response.is_stored:
            try:
                await self._store.save(None, keyed.stored(response, self._clock()))
            except AnswerTaken:
                return await self._stored(keyed) or response
            except StoreUnavailable as error:  # the change is saved: a problem would say the opposite
                _log.warning("the response could not be stored under its Idempotency-Key: %s", error)
        return response
