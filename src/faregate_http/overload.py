"""Middleware that lets requests begin in the order of their urgency, and refuses those that are too many."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faregate_http.admission.decisions import Step, step_of
from faregate_http.admission.queueing import Admission, Place
from faregate_http.endpoint import send_problem
from faregate_http.operations import Operation
from faregate_http.protocol.bodies import ClientGone
from faregate_http.protocol.observed import observed
from faregate_http.protocol.problems import Problem


class _Turn:
    """One request in *place*: its deadline, and the messages that take and return the place."""

    def __init__(self, place: Place, step: Step, receive: Receive, send: Send) -> None:
        self._place, self._step, self._receive, self._send = place, step, receive, send
        self._has_begun = False
        self.deadline = asyncio.timeout(None)

    async def begin(self) -> None:
        self._has_begun = True
        admission = self._place.admission
        self.deadline.reschedule(asyncio.get_running_loop().time() + admission.load.limits.request_seconds)
        await admission.enter(self._step, self._receive)
        self._place.is_taken = True

    async def receive(self) -> Message:
        message = await self._receive()
        is_last = message["type"] == "http.request" and not message.get("more_body", False)
        if is_last and not self._has_begun:
            await self.begin()
        return message

    async def send(self, message: Message) -> None:
        self._place.leave()
        if not self.deadline.expired():
            self.deadline.reschedule(None)
        await self._send(message)


class AdmissionMiddleware:
    """Middleware around *app*, which serves *operations*: requests that change something need a place.

    A request takes a place once its body has arrived, so that slow clients hold none, and returns it when
    its response begins. Work that misses the deadline is cancelled; the change may have been saved.
    """

    def __init__(self, app: ASGIApp, admission: Admission, operations: Iterable[Operation]) -> None:
        self._app = app
        self._admission = admission
        self._steps = {
            operation.method: (operation, step)
            for operation in operations
            if (step := step_of(operation.method, operation.path)) is not None
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on in its turn, or refuse it."""
        if scope["method"] not in self._steps:
            await self._app(scope, receive, send)
            return
        operation, step = self._steps[scope["method"]]
        observation = observed()
        observation.operation, observation.route = operation.name, operation.path
        try:
            self._admission.check(step)
            await self._in_turn(operation, step, scope, receive, send)
        except Problem as problem:
            await send_problem(problem, scope, send)
        except MemoryError:  # in this middleware; the endpoint handles its own
            await send_problem(Problem(503, "busy", retry_after=1), scope, send)
        except ClientGone:
            return

    async def _in_turn(
        self, operation: Operation, step: Step, scope: Scope, receive: Receive, send: Send
    ) -> None:
        place = Place(self._admission)
        turn = _Turn(place, step, receive, send)
        try:
            async with turn.deadline:
                if operation.body is None:
                    await turn.begin()
                await self._app(scope, turn.receive, turn.send)
        except TimeoutError:
            if not turn.deadline.expired():
                raise
            # As after a crash, the change may have been saved.
            code = "payment-unclear" if operation.name == "payCheckout" else "storage-unavailable"
            raise Problem(503, code, retry_after=2) from None
        finally:
            place.leave()
