"""The shop as a process with its gateway's books in a file; run as a script, this module is that process.

Background work is done soon, so that a test need not wait.
"""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path

import faregate_http.background
import faregate_http.ordering.payments
import faregate_http.payment.rows
from faregate_server.app import create_app
from support.payment.fake_gateway import BooksInFile, FakeGateway, Plan
from support.payment.till import settings_of
from support.processes.forked import Forked, serve_app
from support.processes.real_server import RealServer, wait_until_ready

_SOON = 0.2


@contextmanager
def servers(url: str, books: Path, *plans: Plan) -> Iterator[list[RealServer]]:
    """Yield a ready server for each of *plans*, the gateway's plan for every charge; all share a database."""
    with ExitStack() as stack:
        started = [stack.enter_context(_process(url, books, plan)) for plan in plans]
        found = [RealServer(_address(process), process) for process in started]
        for server in found:
            wait_until_ready(server)
        yield found


@contextmanager
def _process(url: str, books: Path, plan: Plan) -> Iterator[Forked]:
    asked = (url, books, plan.value)
    with Forked("support.processes.till_server", *asked, cwd=books.parent, is_strict=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _address(process: Forked) -> str:
    return f"http://127.0.0.1:{process.stdout.readline().decode().strip()}"


def _serve(url: str, books: str, plan: str) -> None:
    faregate_http.payment.rows.ASK_AFTER = timedelta(seconds=_SOON)
    faregate_http.ordering.payments._ASK_AGAIN = timedelta(seconds=_SOON)
    faregate_http.background.WORK_SECONDS = _SOON / 2
    gateway = FakeGateway(BooksInFile(Path(books)), default=Plan(plan))
    app = create_app(settings_of(url), gateway=gateway)
    serve_app(app, log_level="critical")


if __name__ == "__main__":
    _serve(*sys.argv[1:4])
