"""Under load, requests begin in the order of their urgency or are refused, and nothing is done for nobody."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faregate_http.admission.decisions import Load
from faregate_http.admission.queueing import Admission, waiting_elsewhere
from faregate_http.app import OPERATIONS
from faregate_http.operations import Operation
from faregate_http.options import AdmissionLimits
from faregate_http.overload import AdmissionMiddleware
from support.service.raw_requests import JSON, problem_of
from support.service.raw_requests import Reply as RawReply

_BY_NAME = {operation.name: operation for operation in OPERATIONS}
OPEN, CHANGE, DROP, PAY = (
    _BY_NAME[name] for name in ("addItems", "setConditions", "removeItems", "payCheckout")
)
ONE = AdmissionLimits(in_progress=1, waiting=1, wait_seconds=5.0, request_seconds=10.0)


class Work:
    """Work that begins with the body of its request, if it has one, and lasts until it is released."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.released = asyncio.Event()

    def __call__(self, name: str) -> ASGIApp:
        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["method"] != "DELETE":
                await receive()
            self.begun.append(name)
            await self.released.wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})

        return app


class Client:
    """A client that sends one request and may hang up."""

    def __init__(self, *body: bytes) -> None:
        self.sent: list[Message] = []
        self.hung_up = asyncio.Event()
        self._pieces = [*body] or [b"{}"]

    async def receive(self) -> Message:
        if self._pieces:
            piece = self._pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(self._pieces)}
        await self.hung_up.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"]) if self.sent else 0


def ask(admission: Admission, operation: Operation, app: ASGIApp, client: Client) -> asyncio.Task[None]:
    """Start a request."""
    scope = {
        "type": "http",
        "method": operation.method,
        "path": operation.path,
        "headers": [(name.encode(), str(value).encode()) for name, value in JSON],
    }
    wrapped = AdmissionMiddleware(app, admission, [operation])

    async def whole() -> None:
        await wrapped(scope, client.receive, client.send)

    return asyncio.create_task(whole())


async def turns(number: int = 100) -> None:
    for _ in range(number):
        await asyncio.sleep(0)


def admission_of(limits: AdmissionLimits = ONE) -> Admission:
    return Admission(limits, asyncio.get_running_loop().time, lambda: 0.5)


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())  # type: ignore[arg-type]


async def order_of_work(admission: Admission, operations: Sequence[Operation]) -> list[str]:
    """Return the order in which requests begin that arrive while another one is in progress."""
    first, work = Work(), Work()
    work.released.set()
    tasks = [ask(admission, OPEN, first("first"), Client())]
    await turns()
    tasks += [ask(admission, operation, work(operation.name), Client()) for operation in operations]
    await turns()
    first.released.set()
    await asyncio.gather(*tasks)
    return work.begun


def test_payments_begin_before_changes_and_changes_before_new_checkouts() -> None:
    async def test() -> None:
        begun = await order_of_work(admission_of(), [OPEN, CHANGE, PAY, DROP])

        assert begun == ["payCheckout", "setConditions", "removeItems", "addItems"]

    run(test)


async def most_at_once(admission: Admission, number: int) -> tuple[int, list[Client]]:
    work, clients = Work(), [Client() for _ in range(number)]
    tasks = [ask(admission, OPEN, work("open"), client) for client in clients]
    await turns(500)
    begun = len(work.begun)
    work.released.set()
    await asyncio.gather(*tasks)
    return begun, clients


def test_work_in_progress_is_bounded_and_the_rest_is_refused_at_once() -> None:
    limits = AdmissionLimits(in_progress=8, waiting=10, wait_seconds=5.0, request_seconds=10.0)

    async def test() -> None:
        begun, clients = await most_at_once(admission_of(limits), 40)

        assert begun == 6  # two of the eight places are left to payments and changes
        statuses = [client.status for client in clients]
        assert set(statuses) == {200, 503}
        assert statuses.count(200) == 6 + 10

    run(test)


def test_a_refusal_is_a_problem_with_a_pause() -> None:
    async def test() -> None:
        admission, work = admission_of(ONE._replace(waiting=0)), Work()
        first = ask(admission, OPEN, work("first"), Client())
        await turns()
        client = Client()
        await ask(admission, OPEN, work("second"), client)

        start, body = client.sent
        reply = RawReply(start["status"], tuple(start["headers"]), body["body"])
        problem_of(reply, 503, "overloaded")
        assert reply.header("retry-after") == "1"
        work.released.set()
        await first
        assert work.begun == ["first"]

    run(test)


def test_a_request_that_waits_too_long_is_refused_and_leaves_the_queue() -> None:
    async def test() -> None:
        admission, work = admission_of(ONE._replace(wait_seconds=0.01)), Work()
        first = ask(admission, OPEN, work("first"), Client())
        await turns()
        client = Client()
        await ask(admission, PAY, work("second"), client)

        assert (client.status, admission.load.waiting) == (503, (0, 0, 0))
        work.released.set()
        await first
        assert admission.load.in_progress == 0

    run(test)


@pytest.mark.parametrize("operation", [PAY, DROP], ids=["with a body", "without"])
def test_nothing_is_done_for_a_client_that_hangs_up_while_it_waits(operation: Operation) -> None:
    async def test() -> None:
        admission, work = admission_of(), Work()
        first = ask(admission, OPEN, work("first"), Client())
        await turns()
        client = Client()
        waiting = ask(admission, operation, work("gone"), client)
        await turns()
        assert sum(admission.load.waiting) == 1
        client.hung_up.set()
        work.released.set()
        await asyncio.gather(first, waiting)

        assert (work.begun, client.sent) == (["first"], [])
        assert admission.load == Load(ONE, pace=admission.load.pace)

    run(test)


def test_a_slow_body_holds_no_place() -> None:
    async def test() -> None:
        admission, work = admission_of(), Work()
        work.released.set()
        slow = Client(b"{", b"}")
        arrives = asyncio.Event()
        receive = slow.receive

        async def late() -> Message:
            if len(slow._pieces) == 1:
                await arrives.wait()
            return await receive()

        slow.receive = late  # type: ignore[method-assign]

        async def reads(scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            await work("slow")(scope, receive, send)

        waiting = ask(admission, OPEN, reads, slow)
        await turns()
        await ask(admission, OPEN, work("quick"), Client())
        arrives.set()
        await waiting

        assert work.begun == ["quick", "slow"]

    run(test)


@pytest.mark.parametrize(("operation", "code"), [(PAY, "payment-unclear"), (CHANGE, "storage-unavailable")])
def test_work_that_misses_the_deadline_is_cancelled_and_its_outcome_is_unclear(
    operation: Operation, code: str
) -> None:
    async def test() -> None:
        admission, work, client = admission_of(ONE._replace(request_seconds=0.01)), Work(), Client()
        await ask(admission, operation, work("stuck"), client)

        start, body = client.sent
        problem_of(RawReply(start["status"], tuple(start["headers"]), body["body"]), 503, code)
        assert admission.load.in_progress == 0

    run(test)


def test_a_time_out_of_the_work_itself_is_not_the_deadline() -> None:
    async def app(_scope: Scope, receive: Receive, _send: Send) -> None:
        await receive()
        raise TimeoutError

    async def test() -> None:
        with pytest.raises(TimeoutError):
            await ask(admission_of(), OPEN, app, Client())

    run(test)


def test_running_out_of_memory_is_503() -> None:
    async def app(_scope: Scope, receive: Receive, _send: Send) -> None:
        await receive()
        raise MemoryError

    async def test() -> None:
        admission, client = admission_of(), Client()
        await ask(admission, OPEN, app, client)

        assert (client.status, admission.load.in_progress) == (503, 0)

    run(test)


def test_a_place_is_returned_when_the_response_begins() -> None:
    async def test() -> None:
        admission, ends = admission_of(), asyncio.Event()

        async def app(_scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await ends.wait()

        slow_reader = ask(admission, OPEN, app, Client())
        await turns()

        assert admission.load.in_progress == 0
        ends.set()
        await slow_reader

    run(test)


def test_a_request_that_waits_for_another_service_holds_no_place() -> None:
    async def test() -> None:
        admission, gateway, work = admission_of(), asyncio.Event(), Work()
        work.released.set()
        held: list[int] = []

        async def pays(_scope: Scope, receive: Receive, send: Send) -> None:
            await receive()
            with waiting_elsewhere():
                await gateway.wait()
            held.append(admission.load.in_progress)
            await send({"type": "http.response.start", "status": 200, "headers": []})

        paying = ask(admission, PAY, pays, Client())
        await turns()
        await ask(admission, OPEN, work("meanwhile"), Client())
        gateway.set()
        await paying

        assert (work.begun, held, admission.load.in_progress) == (["meanwhile"], [1], 0)

    run(test)


def test_outside_a_request_there_is_no_place_to_give_up() -> None:
    with waiting_elsewhere():
        pass


def test_a_request_that_is_cancelled_while_it_waits_leaves_the_queue() -> None:
    async def test() -> None:
        admission, work = admission_of(), Work()
        first = ask(admission, OPEN, work("first"), Client())
        await turns()
        waiting = ask(admission, CHANGE, work("cancelled"), Client())
        await turns()
        waiting.cancel()
        await asyncio.wait([waiting])
        work.released.set()
        await first

        assert (work.begun, admission.load.waiting) == (["first"], (0, 0, 0))

    run(test)


def test_refusals_end_with_the_queue() -> None:
    async def test() -> None:
        now = [100.0]
        admission = Admission(ONE._replace(waiting=0), lambda: now[0], lambda: 0.5)
        work = Work()
        first = ask(admission, OPEN, work("first"), Client())
        await turns()
        pauses: list[Any] = []
        for now[0] in (100.0, 104.0, 140.0):
            client = Client()
            await ask(admission, OPEN, work("refused"), client)
            pauses.append(dict(client.sent[0]["headers"])[b"retry-after"])
        work.released.set()
        await first

        assert pauses == [b"1", b"5", b"30"]
        assert admission.load.refusing_since is None

    run(test)


def test_a_request_leaves_no_garbage_that_only_a_collection_frees() -> None:
    async def test() -> None:
        admission, work = admission_of(), Work()
        work.released.set()
        gc.disable()
        try:
            request = weakref.ref(ask(admission, OPEN, work("open"), Client()))
            await turns()
            assert request() is None
        finally:
            gc.enable()

    run(test)


def test_reads_are_not_behind_it() -> None:
    async def test() -> None:
        admission, work = admission_of(ONE._replace(waiting=0)), Work()
        first = ask(admission, OPEN, work("first"), Client())
        await turns()
        reads = ask(admission, _BY_NAME["getCheckout"], work("read"), Client())
        gate = ask(admission, _BY_NAME["priceAccess"], work("gate"), Client())
        await turns()

        assert work.begun == ["first", "read", "gate"]
        work.released.set()
        await asyncio.gather(first, reads, gate)

    run(test)
