"""Server processes for fault tests; run as a script, this module is the process that forks them.

It has imported everything, so that a new server starts within a tenth of a second. Each opens its database,
completes pending work and listens on its own port like any other server.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from starlette.types import ASGIApp

INN = Path(__file__).with_name("inn.yaml")

_START_SECONDS = 60
_STOP_SECONDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """The configuration of a server: ``store`` is a name for `store_named`, ``seed`` determines the charges.

    Its gateway uses one of ``plans`` for a charge. ``server`` is ``cli`` for the limits of `faregate serve`;
    ``limits`` replaces constants, by module and name.
    """

    database: str
    books: str
    store: str = "real"
    seed: int = 0
    catalogue: str = str(INN)
    server: str = "plain"
    plans: tuple[str, ...] = ("settle",) * 6 + ("authorize",) * 2 + ("decline", "fail-after")
    limits: dict[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """A serving process; ``address`` begins with http."""

    address: str
    pid: int

    @property
    def is_alive(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def kill(self) -> None:
        """Kill the process at once, without exceptions or clean-up."""
        self.end(signal.SIGKILL)

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End the process, if it runs, and wait until it is gone."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, how)
        deadline = time.monotonic() + _STOP_SECONDS
        while self.is_alive:
            assert time.monotonic() < deadline, "the server does not end"
            time.sleep(0.002)

    def asked(self, path: str, seconds: float = 30) -> int:
        """Return the status of a request; 0: no response."""
        connection = HTTPConnection(self.address.removeprefix("http://"), timeout=seconds)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, HTTPException):
            return 0
        finally:
            connection.close()

    def is_ready(self) -> bool:
        """Return whether the server reports that it is ready."""
        return self.asked("/health/ready") == 200

    def wait(self, seconds: float = _START_SECONDS) -> float:
        """Wait until the server is ready; return the seconds."""
        began = time.monotonic()
        while not self.is_ready():
            assert self.is_alive, "the server has ended"
            assert time.monotonic() < began + seconds, "the server does not become ready"
            time.sleep(0.005)
        return time.monotonic() - began

    def memory(self) -> int:
        """Return the bytes of memory in use."""
        return self._bytes("VmRSS")

    def addresses(self) -> int:
        """Return the bytes of address space, used or not, which RLIMIT_AS limits."""
        return self._bytes("VmSize")

    def _bytes(self, name: str) -> int:
        status = Path(f"/proc/{self.pid}/status").read_text("ascii")
        (line,) = (line for line in status.splitlines() if line.startswith(f"{name}:"))
        return int(line.split()[1]) * 1024


class Nursery:
    """A process that starts servers."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    @contextmanager
    def serving(self, service: Service) -> Iterator[Server]:
        """Yield a ready server, which is stopped after the block."""
        server = self.start(service)
        try:
            server.wait()
            yield server
        finally:
            server.end(signal.SIGKILL)

    def start(self, service: Service) -> Server:
        """Return a server that listens and will soon be ready."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(asdict(service)) + "\n")
        self._process.stdin.flush()
        pid, port = self._process.stdout.readline().split()
        assert port != "0", "the server ended while it started"
        return Server(f"http://127.0.0.1:{port}", int(pid))


@contextmanager
def nursery() -> Iterator[Nursery]:
    """Yield one nursery for any number of servers, which end with it."""
    command = [sys.executable, "-W", "error", "-m", "support.faults.servers"]
    tests = Path(__file__).parents[2]  # the folder of ``support``
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=tests, text=True
    ) as process:
        try:
            yield Nursery(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(_STOP_SECONDS)


def _start_others() -> None:
    import asyncpg  # noqa: F401
    import uvicorn  # noqa: F401

    import support.faults.stores  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # do not wait for children
    started = []
    while line := sys.stdin.readline():
        pid = os.fork()
        if pid == 0:
            _end_as_forked(Service(**json.loads(line)))
        started.append(pid)
    for pid in started:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _end_as_forked(service: Service) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    is_serving = False
    try:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        listening = socket.create_server(("127.0.0.1", 0), backlog=2048)
        serve = _made(service)
        _say(listening.getsockname()[1])
        is_serving = True
        serve(listening)
    except BaseException:
        traceback.print_exc()
        if not is_serving:
            _say(0)  # do not let the parent wait forever
    finally:
        sys.stderr.flush()
        os._exit(0)


def _say(port: int) -> None:
    os.write(1, f"{os.getpid()} {port}\n".encode())


def _made(service: Service) -> Callable[[socket.socket], None]:
    import uvicorn

    import faregate_server.app
    from faregate_cli.serve.middleware import guarded
    from faregate_server.app import create_app
    from faregate_server.store.opening import open_store
    from support.faults.stores import store_named
    from support.payment.till import settings_of

    _set_limits(service.limits or {})
    faregate_server.app.open_store = lambda url: store_named(  # type: ignore[attr-defined]
        service.store, open_store(url)
    )
    settings = settings_of(service.database, catalogue=Path(service.catalogue))
    app: ASGIApp = create_app(settings, gateway=_gateway(service))
    if service.server == "cli":
        app = guarded(app)
    config = uvicorn.Config(app, log_level="critical", access_log=False, ws="none")
    return lambda listening: uvicorn.Server(config).run(sockets=[listening])


def _set_limits(limits: dict[str, float]) -> None:
    """Shorten the delay of pending work, and replace other limits."""
    from datetime import timedelta
    from importlib import import_module

    import faregate_http.background
    import faregate_http.ordering.payments
    import faregate_http.ordering.ticketing
    import faregate_http.payment.rows

    faregate_http.payment.rows.ASK_AFTER = timedelta(seconds=0.3)
    faregate_http.ordering.payments._ASK_AGAIN = timedelta(seconds=0.2)
    faregate_http.ordering.payments._SOON = timedelta(seconds=0.5)
    faregate_http.ordering.payments.GATEWAY_SECONDS = 2
    faregate_http.ordering.ticketing.LEASE = timedelta(seconds=2)
    faregate_http.background.WORK_SECONDS = 0.1
    for name, value in limits.items():
        module, _, constant = name.rpartition(".")
        setattr(import_module(module), constant, value)


def _gateway(service: Service) -> Any:
    import asyncio

    from faregate_http.payment.gateway import Charge
    from support.payment.fake_gateway import BooksInFile, FakeGateway, Plan

    chance = random.Random(service.seed)
    plans = [*map(Plan, service.plans)]

    class Gateway(FakeGateway):
        """Take some milliseconds for a charge and for its result."""

        async def authorize(self, charge: Charge) -> Any:
            self.plans.append(chance.choice(plans))
            return await super().authorize(charge)

    async def on_the_way(_call: str, _charge: Charge) -> None:
        """Wait at an intermediate point."""
        await asyncio.sleep(chance.random() * 0.02)

    gateway = Gateway(BooksInFile(Path(service.books)))
    gateway.before = gateway.after = on_the_way
    return gateway


if __name__ == "__main__":
    _start_others()
