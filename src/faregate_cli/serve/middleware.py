"""Guards against requests that uvicorn accepts but the application should not see. Decisions §15."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faregate_http.protocol.languages import language_of
from faregate_http.protocol.problems import Problem

BODY_SECONDS = 30.0
"""Maximum time in seconds for receiving a body: enough for the largest one at half a megabit per second."""

_CLOSE = (b"connection", b"close")
_WITHOUT_HOST = "1.0"
_VERSIONS = frozenset({"1.1", _WITHOUT_HOST})


class HttpRules:
    """Middleware that refuses ambiguous requests with 400 ``malformed-request``.

    Such requests use HTTP/0.9, lack or repeat the host (RFC 9112, 3.2), or have trailers: uvicorn adds these
    to the headers, where they could name another client. After a request to upgrade, uvicorn reads no
    further, so the response to it closes the connection.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        names = [name for name, _ in scope["headers"]]
        if not _has_one_host(scope) or b"trailer" in names:
            await refuse(Problem(400, "malformed-request"), scope, send)
        else:
            await self._app(scope, receive, closing(send) if b"upgrade" in names else send)


def closing(send: Send, when: Callable[[], bool] = lambda: True) -> Send:
    """Wrap *send* to add ``connection: close`` to responses that begin while *when* returns True."""

    async def send_last(message: Message) -> None:
        if message["type"] == "http.response.start" and when():
            message = {**message, "headers": [*message.get("headers", ()), _CLOSE]}
        await send(message)

    return send_last


def _has_one_host(scope: Scope) -> bool:
    hosts = [value for name, value in scope["headers"] if name == b"host"]
    version = scope["http_version"]
    return version in _VERSIONS and len(hosts) <= 1 and (version == _WITHOUT_HOST or any(hosts))


class BodyDeadline:
    """Middleware that responds with 408 ``request-timeout`` if a body takes longer than `BODY_SECONDS`.

    The application is then told that the client has disconnected, and its response is dropped.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with a deadline for its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        deadline = asyncio.get_running_loop().time() + BODY_SECONDS
        is_complete = has_begun = is_refused = False

        async def receive_in_time() -> Message:
            nonlocal is_complete, is_refused
            if is_complete:  # only the end of the connection can follow
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                is_complete = is_refused = True
                if not has_begun:
                    await refuse(Problem(408, "request-timeout"), scope, send)
                return {"type": "http.disconnect"}
            is_complete = not message.get("more_body", False)
            return message

        async def send_unless_refused(message: Message) -> None:
            nonlocal has_begun
            if not is_refused:
                has_begun = True
                await send(message)

        await self._app(scope, receive_in_time, send_unless_refused)


def guarded(app: ASGIApp) -> ASGIApp:
    """Return *app* wrapped in `BodyDeadline` and `HttpRules`."""
    return BodyDeadline(HttpRules(app))


async def refuse(problem: Problem, scope: Scope, send: Send) -> None:
    """Respond with *problem*, and close the connection."""
    answer = problem.response(scope["path"], language_of(scope["headers"]))
    length = (b"content-length", b"%d" % len(answer.body))
    headers = [*answer.headers, length, _CLOSE]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})
