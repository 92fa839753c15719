"""A new catalogue or a new process takes over between two requests."""

import asyncio
import os
import random
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Message

from faregate_cli.serve import listening
from faregate_cli.serve.listening import listening_on
from faregate_cli.serve.reloading import ReloadingApp
from faregate_server.settings import InvalidSettings
from support.processes.askers import Tally, asking
from support.processes.program import Program, program
from support.service.service import keyed

SEED = int(os.environ.get("FAREGATE_SEED", random.randrange(10**6)))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals are those of POSIX"),
]

_PASS_ON = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
"""

TAKEN, REFUSED = "reloaded and is now in use", "reloaded catalogue was refused"


def write_catalogue(file: Path, price: str) -> None:
    """Write the demo resort with this gate price of a day ticket."""
    text = files("faregate.files").joinpath("demo_resort.yaml").read_text(encoding="utf-8")
    file.write_text(keyed(text.replace("amount: 79.00", f"amount: {price}")), encoding="utf-8")


def descriptors(server: Program) -> int:
    """Return the number of files that the server has open, without the database file itself.

    SQLite closes that file late: closing it at once would drop the locks of the process's other connections.
    """
    folder = Path(f"/proc/{server.process.pid}/fd")
    return sum(not os.path.realpath(file).endswith(".db") for file in folder.iterdir())


async def asked_while_it_changes(server: Program, catalogue: Path) -> Tally:
    """Return the results of requests during two changes."""
    async with asking(server.port, seed=SEED, fresh=3, kept=6) as tally:
        for number, price in enumerate(("80.00", "81.00"), 1):
            await tally.reached(40)
            write_catalogue(catalogue, price)
            server.process.send_signal(signal.SIGHUP)
            await asyncio.to_thread(server.logged, TAKEN, times=number)
            await tally.reached(20)
    return tally


def test_a_new_catalogue_takes_effect_without_losing_requests(tmp_path: Path) -> None:
    print(f"FAREGATE_SEED={SEED}")  # noqa: T201  # shown when the test fails
    catalogue = tmp_path / "resort.yaml"
    write_catalogue(catalogue, "79.00")
    with program(tmp_path, "--catalogue", str(catalogue)) as server:
        before = descriptors(server)
        tally = asyncio.run(asked_while_it_changes(server, catalogue))
        deadline = time.monotonic() + 10
        while descriptors(server) > before + 2:
            assert time.monotonic() < deadline, "unused descriptors are not closed"
            time.sleep(0.05)
        server.process.terminate()
        status = server.ended()

    assert status == 0
    assert (set(tally.answered), tally.refused, tally.lost.total()) == ({200}, 0, 0)
    assert {price for told in tally.prices.values() for price in told} == {7900, 8000, 8100}
    assert all(told == sorted(told) for told in tally.prices.values()), "the previous one answered again"


def test_a_faulty_catalogue_is_reported_and_the_previous_one_stays(tmp_path: Path) -> None:
    catalogue = tmp_path / "resort.yaml"
    write_catalogue(catalogue, "79.00")
    with program(tmp_path, "--catalogue", str(catalogue)) as server:
        before = server.get("/api/products/11")
        catalogue.write_text("currency: XXX\n")
        server.process.send_signal(signal.SIGHUP)
        server.logged(REFUSED)
        during = server.get("/health/ready")
        catalogue.unlink()
        server.process.send_signal(signal.SIGHUP)
        server.logged(REFUSED, times=2)
        after = server.get("/api/products/11")
        log = server.log.read_text(encoding="utf-8")

    assert (before[0], during[0]) == (after[0], 200)
    assert before[2] == after[2]
    assert "resort.yaml:1: currency" in log
    assert "Traceback" not in log


class Numbered:
    """Makes numbered applications that respond with their number once *gate* is open, and log their lives."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.gate = asyncio.Event()
        self.fails = False
        self._made = 0

    def make(self) -> Starlette:
        self._made += 1
        name = str(self._made)

        async def answer(_request: Request) -> Response:
            """Wait at the gate, then respond."""
            self.events.append(f"{name} is asked")
            await self.gate.wait()
            return Response(name)

        @asynccontextmanager
        async def life(_app: Starlette) -> AsyncIterator[None]:
            """Run the lifespan, or fail to."""
            if self.fails:
                raise OSError("the database is missing")
            self.events.append(f"{name} begins")
            yield
            self.events.append(f"{name} ends")

        return Starlette(routes=[Route("/", answer)], lifespan=life)


async def answered_by(service: ReloadingApp) -> str:
    """Return the response of *service*."""
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=service), base_url="http://here"
    ) as client:
        return (await client.get("/")).text


@asynccontextmanager
async def living(service: ReloadingApp) -> AsyncIterator[None]:
    """Run *service* from the start of its server to the end."""
    told: asyncio.Queue[Message] = asyncio.Queue()
    said: asyncio.Queue[Message] = asyncio.Queue()
    life = asyncio.create_task(service({"type": "lifespan"}, told.get, said.put))
    await told.put({"type": "lifespan.startup"})
    assert (await said.get())["type"] == "lifespan.startup.complete"
    yield
    await told.put({"type": "lifespan.shutdown"})
    assert (await said.get())["type"] == "lifespan.shutdown.complete"
    await life


def test_an_application_ends_after_the_last_of_its_requests() -> None:
    async def changed() -> tuple[list[str], list[str]]:
        """Return the responses to a request before and one after a change, and the events."""
        numbered = Numbered()
        service = ReloadingApp(numbered.make)
        async with living(service):
            early = asyncio.create_task(answered_by(service))
            while "1 is asked" not in numbered.events:
                await asyncio.sleep(0)
            service.renew()
            while "2 begins" not in numbered.events:
                await asyncio.sleep(0)
            late = asyncio.create_task(answered_by(service))
            while "2 is asked" not in numbered.events:
                await asyncio.sleep(0)
            assert "1 ends" not in numbered.events
            numbered.gate.set()
            answers = [await early, await late]
            await service.renewed()
        return answers, numbered.events

    answers, events = asyncio.run(changed())

    assert answers == ["1", "2"]
    assert events == ["1 begins", "1 is asked", "2 begins", "2 is asked", "1 ends", "2 ends"]


def test_reloads_requested_during_a_reload_cause_one_more() -> None:
    async def changed() -> tuple[str, list[str]]:
        """Return the response after three renewals requested at once, and the events."""
        numbered = Numbered()
        numbered.gate.set()
        service = ReloadingApp(numbered.make)
        async with living(service):
            service.renew()
            await asyncio.sleep(0)
            service.renew()
            service.renew()
            await service.renewed()
            answer = await answered_by(service)
            service.drain()
            service.renew()
        return answer, numbered.events

    answer, events = asyncio.run(changed())

    assert answer == "3"
    assert [event for event in events if event.endswith("begins")] == ["1 begins", "2 begins", "3 begins"]
    assert len(events) == 2 * 3 + 1


def test_application_that_fails_to_start_does_not_take_over(caplog: pytest.LogCaptureFixture) -> None:
    async def changed() -> str:
        """Return the response after a failed change."""
        numbered = Numbered()
        numbered.gate.set()
        service = ReloadingApp(numbered.make)
        async with living(service):
            numbered.fails = True
            service.renew()
            await service.renewed()
            return await answered_by(service)

    assert asyncio.run(changed()) == "1"
    assert "stays in use: the database is missing" in caplog.text


def passing_on(listening: socket.socket) -> dict[str, Any]:
    """Return options to start a process that listens on that socket, as systemd would."""
    number = listening.fileno()
    return {"before": (sys.executable, "-c", _PASS_ON, str(number)), "pass_fds": (number,)}


async def asked_all_along(folder: Path, port: int, lives: int, **how: Any) -> tuple[Tally, list[int]]:
    """Return the results of requests before and after a change of processes, and their exit statuses."""
    statuses = []
    with ExitStack() as stack:
        async with asking(port, seed=SEED, fresh=8, kept=4, ends_when_refused=False) as tally:
            for _ in range(lives - 1):
                server = await asyncio.to_thread(stack.enter_context, program(folder, port=port, **how))
                await tally.reached(100)
                server.process.terminate()
                statuses.append(await asyncio.to_thread(server.ended))
            last = await asyncio.to_thread(stack.enter_context, program(folder, port=port, **how))
            await tally.reached(100)
        last.process.terminate()
        statuses.append(await asyncio.to_thread(last.ended))
    return tally, statuses


@pytest.mark.slow
def test_another_process_takes_over_if_the_socket_is_kept(tmp_path: Path) -> None:
    print(f"FAREGATE_SEED={SEED}")  # noqa: T201  # shown when the test fails
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as kept:
        port = kept.getsockname()[1]
        tally, statuses = asyncio.run(asked_all_along(tmp_path, port, 2, **passing_on(kept)))

    assert statuses == [0, 0]
    assert (set(tally.answered), tally.refused, tally.lost.total()) == ({200}, 0, 0)


def test_clients_are_refused_meanwhile_if_the_socket_is_not_kept(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]

    tally, statuses = asyncio.run(asked_all_along(tmp_path, port, 1))

    assert statuses == [0]
    assert set(tally.answered) == {200}
    assert tally.refused > 0


@pytest.fixture
def passed(monkeypatch: pytest.MonkeyPatch) -> Callable[[int, str], None]:
    """Return a function that passes a descriptor on to this process."""

    def pass_on(descriptor: int, number: str) -> None:
        monkeypatch.setattr(listening, "_FIRST", os.dup(descriptor))
        monkeypatch.setenv("LISTEN_FDS", number)
        monkeypatch.setenv("LISTEN_PID", str(os.getpid()))

    return pass_on


def test_a_passed_socket_is_used_for_listening(
    passed: Callable[[int, str], None],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as kept:
        passed(kept.fileno(), "1")
        with listening_on("127.0.0.1", 0) as found:
            assert found.getsockname() == kept.getsockname()


def test_socket_passed_to_another_process_is_ignored(
    passed: Callable[[int, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as kept:
        passed(kept.fileno(), "1")
        monkeypatch.setenv("LISTEN_PID", "1")
        with listening_on("127.0.0.1", 0) as found:
            assert found.getsockname() != kept.getsockname()


def test_sockets_that_cannot_listen_are_refused(passed: Callable[[int, str], None], tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as local, (tmp_path / "file").open("wb") as file:
        passed(local.fileno(), "2")
        with pytest.raises(InvalidSettings, match="expected one socket to listen on, got LISTEN_FDS=2"):
            listening_on("127.0.0.1", 0)
        passed(local.fileno(), "1")
        with pytest.raises(InvalidSettings, match="expected a TCP socket, got AF_UNIX SOCK_STREAM"):
            listening_on("127.0.0.1", 0)
        passed(file.fileno(), "1")
        with pytest.raises(InvalidSettings, match="is not a socket"):
            listening_on("127.0.0.1", 0)
