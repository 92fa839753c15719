"""One effect however often a request is sent: its response is stored under the key. Decisions §11.6."""

from __future__ import annotations

import logging
import zlib
from asyncio import Event
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from faregate_http.protocol.instants import millis
from faregate_http.protocol.observed import observed
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.responses import Response
from faregate_http.store.contract import AnswerTaken, StoredAnswer, StoreUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from faregate_http.store.contract import Store

_log = logging.getLogger("faregate.http")

KEPT_FOR = timedelta(hours=24)

_SERVER_ERROR = 500
_RETRY_AFTER = b"retry-after"

_FAST = 1
_PACKED = zlib.compress(b"", _FAST)[:2]
"""What was packed begins so, and no JSON text does: one that was kept as it is, is given as it is."""
_REPLAYED = (b"idempotency-replayed", b"true")


def owner_of(account: int) -> str:
    """Whose a key is that an account brings: so the scopes begin of what is kept for it."""
    return f"account {account}"


class KeyedRequest(NamedTuple):
    """A request that its client may send again: ``fingerprint`` tells its body from another."""

    scope: str
    key: str
    fingerprint: bytes

    @classmethod
    def of(cls, scope: str, key: str, body: bytes) -> KeyedRequest:
        """The request with that *body*."""
        return cls(scope, key, sha256(body).digest())

    def kept(self, response: Response, at: datetime) -> StoredAnswer:
        """*answer* as the store keeps it."""
        headers = msgspec.json.encode(
            [[part.decode("latin-1") for part in pair] for pair in response.headers]
        )
        return StoredAnswer(
            self.scope,
            self.key,
            self.fingerprint,
            response.status,
            headers,
            _packed(response.body),
            millis(at),
        )


def _packed(body: bytes) -> bytes:
    # Whoever repeats a request under ever new keys has all its answers kept: a whole checkout each.
    return zlib.compress(body, _FAST)


def _unpacked(body: bytes) -> bytes:
    return zlib.decompress(body) if body.startswith(_PACKED) else body


def _is_passing(problem: Problem) -> bool:
    """Whether the same request may be answered otherwise, with nothing changed by anyone."""
    return problem.status >= _SERVER_ERROR or any(name == _RETRY_AFTER for name, _ in problem.headers)


class Answers:
    """The answers that were given, and the requests that are being answered."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._clock = clock
        self._running: dict[tuple[str, str], Event] = {}

    async def once(
        self, request: KeyedRequest, path: str, run: Callable[[], Awaitable[Response]]
    ) -> Response:
        """The answer kept for *request*, or that of *run*, which then is kept.

        A second request of that key waits for the first. Server errors are not kept, nor what says to try
        again later. *run* may have saved its answer itself, in one transaction with what it changed.

        Raises:
            Problem: 422, the key was used with another body or query.
        """
        slot = request.scope, request.key
        while slot in self._running:
            await self._running[slot].wait()
        try:
            self._running[slot] = Event()
            return await self._given(request) or await self._answered(request, path, run)
        finally:
            running = self._running.pop(slot, None)
            if running is not None:
                running.set()

    async def _given(self, request: KeyedRequest) -> Response | None:
        stored = await self._store.answer(request.scope, request.key)
        if stored is None:
            return None
        if stored.created_at < millis(self._clock() - KEPT_FOR):
            await self._store.purge_answers(millis(self._clock() - KEPT_FOR))
            return None
        if stored.fingerprint != request.fingerprint:
            raise Problem(
                422, "idempotency-key-reused", "This Idempotency-Key came before, with another body or query."
            )
        pairs = msgspec.json.decode(stored.headers, type=list[tuple[str, str]])
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]
        observed().is_replay = True
        return Response(stored.status, _unpacked(stored.body), (*headers, _REPLAYED))

    async def _answered(
        self, request: KeyedRequest, path: str, run: Callable[[], Awaitable[Response]]
    ) -> Response:
        try:
            response = await run()
        except Problem as problem:
            if _is_passing(problem):
                raise
            response = problem.response(path)
        except AnswerTaken:  # another process was quicker
            return await self._given(request) or await self._answered(request, path, run)
        if not response.is_stored:
            try:
                await self._store.save(None, request.kept(response, self._clock()))
            except AnswerTaken:
                return await self._given(request) or response
            except StoreUnavailable as error:  # what was done is done: a refusal would deny it
                _log.warning("an answer is not kept for its Idempotency-Key: %s", error)
        return response
