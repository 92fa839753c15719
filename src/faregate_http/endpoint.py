"""The operations of one path as an ASGI application, from request bytes to response bytes."""

import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial

from starlette.types import Receive, Scope, Send

from faregate.errors import FaregateError
from faregate_http.channels import WrongKey
from faregate_http.operations import ForAccount, Operation, WithoutChannel
from faregate_http.protocol.bodies import ClientGone
from faregate_http.protocol.compression import MIN_BYTES, encoded
from faregate_http.protocol.languages import language_of
from faregate_http.protocol.observed import observed
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.refusals import refusal
from faregate_http.protocol.requests import API_VERSION, PlainRequest, Request
from faregate_http.protocol.responses import Response
from faregate_http.services import Services
from faregate_http.store.contract import StoreUnavailable

_log = logging.getLogger("faregate.http")

VERSION = (b"api-version", API_VERSION.encode())
"""Header of every response: the version of the interface."""

_NOT_MODIFIED = 304


class Endpoint:
    """ASGI endpoint for the *operations* of one path; HEAD acts as GET, and other methods get a 405."""

    def __init__(self, operations: Iterable[Operation]) -> None:
        self._operations = {operation.method: operation for operation in operations}
        if "GET" in self._operations:
            self._operations["HEAD"] = self._operations["GET"]
        self._allow = (b"allow", ", ".join(sorted(self._operations)).encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        try:
            response = await self._response(scope, receive)
        except Problem as problem:
            response = _refusal(problem, scope)
        except StoreUnavailable as error:
            # The declared path, because the path as sent may contain a voucher code, which is worth money.
            _log.error("%s %s: %s", scope["method"], self._operations[scope["method"]].path, error)
            response = _refusal(Problem(503, "storage-unavailable", retry_after=1), scope)
        except MemoryError:
            response = _refusal(Problem(503, "busy", retry_after=1), scope)
        except ClientGone:
            return
        await _send(response, scope, send)

    async def _response(self, scope: Scope, receive: Receive) -> Response:
        method = scope["method"]
        operation = self._operations.get(method)
        if operation is None:
            raise Problem(405, "method-not-allowed", headers=(self._allow,))
        observation = observed()
        observation.operation, observation.route = operation.name, operation.path
        services: Services = scope["state"]["services"]
        try:
            return await _handled(operation, scope, receive, services)
        except WrongKey:
            await services.channels.throttle.share((scope.get("client") or ("unknown",))[0])
            raise


async def _handled(operation: Operation, scope: Scope, receive: Receive, services: Services) -> Response:
    handler = operation.handler
    if isinstance(handler, WithoutChannel):
        return await handler.handle(PlainRequest(scope, receive, parameters=operation.query), services)
    channel_of = services.channels.entered if operation.asks_key else services.channels.named
    request = Request(scope, receive, channel_of=channel_of, parameters=operation.query)
    is_keyed = operation.is_keyed
    if is_keyed and operation.is_of_checkout:
        _ = request.checkout_id  # an invalid id is rejected before a response can be stored
    if operation.takes_token:
        request.account = await services.accounts.of_request(request)
    if not isinstance(handler, ForAccount):
        run = partial(handler, request, services)
        return await (_once(operation, request, services, run) if is_keyed else run())
    account = request.account = await services.accounts.required(request)
    run = partial(handler.handle, request, services, account)
    response = await (_once(operation, request, services, run) if is_keyed else run())
    current = handler.current
    if current is not None:
        response = response._replace(body=(await current(request, services, account)).body)
    return response


async def _once(
    operation: Operation, request: Request, services: Services, handle: Callable[[], Awaitable[Response]]
) -> Response:
    """Return the response of *handle*, or the stored response if *request* repeats an earlier one."""
    content = await request.body() if operation.body else repr(sorted(request.query.items())).encode()
    run = partial(_located, operation, handle)
    if not operation.asks_gateway:
        account_id = request.account and request.account.id
        key = request.checkout_id if operation.is_of_checkout else f"{account_id}"
        run = partial(services.retries.until_saved, key, run)
    return await services.idempotency.once(request, content, run)


async def _located(operation: Operation, handle: Callable[[], Awaitable[Response]]) -> Response:
    try:
        return await handle()
    except FaregateError as error:
        if operation.locate is None:
            raise
        raise refusal(error, operation.locate) from error


async def send_problem(problem: Problem, scope: Scope, send: Send) -> None:
    """Respond with *problem*."""
    await _send(_refusal(problem, scope), scope, send)


def _refusal(problem: Problem, scope: Scope) -> Response:
    observed().problem = problem.code
    return problem.response(scope["path"], language_of(scope["headers"]))


def _encoded(response: Response, scope: Scope) -> Response:
    services: Services = scope["state"]["services"]
    try:
        return encoded(response, scope["headers"]) if services.compression else response
    except MemoryError:  # the change is saved: send the response uncompressed
        return response


async def _send(response: Response, scope: Scope, send: Send) -> None:
    # A 304 can replace a large body.
    if len(response.body) >= MIN_BYTES or response.status == _NOT_MODIFIED:
        response = _encoded(response, scope)
    headers = [*response.headers, VERSION]
    if response.status != _NOT_MODIFIED:
        headers.append((b"content-length", str(len(response.body)).encode()))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    body = b"" if scope["method"] == "HEAD" else response.body
    await send({"type": "http.response.body", "body": body})
