"""Server processes for fault tests; run as a script, this module is one of them.

Each opens its database, completes pending work and listens on its own port like any other server.
"""

import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, NamedTuple

from starlette.types import ASGIApp

from support.processes.forked import Forked, serve_app

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


class Server(NamedTuple):
    """A serving process; ``address`` begins with http."""

    address: str
    process: Forked

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def kill(self) -> None:
        """Kill the process at once, without exceptions or clean-up."""
        self.process.kill()
        self.process.wait(_STOP_SECONDS)

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


@contextmanager
def serving(service: Service) -> Iterator[Server]:
    """Yield a ready server, which is killed after the block."""
    configured = json.dumps(asdict(service))
    folder = Path(service.books).parent
    with Forked("support.faults.servers", configured, cwd=folder, is_strict=True) as process:
        try:
            port = process.stdout.readline().decode().strip()
            assert port, "the server ended while it started"
            server = Server(f"http://127.0.0.1:{port}", process)
            server.wait()
            yield server
        finally:
            process.kill()


def _serve(service: Service) -> None:
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
    serve_app(app, log_level="critical")


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
    _serve(Service(**json.loads(sys.argv[1])))
