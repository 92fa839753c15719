"""Programs as forks of one process that has imported the service: they start in milliseconds.

Such a process has its own standard output, signals and exit like any other. The start of Python itself
(options, encoding of its streams) cannot be tested in this way.
"""

import os
import runpy
import signal
import socket
import sys
import warnings
from collections.abc import Mapping, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

from starlette.types import ASGIApp

FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        "pytest",
        "uvicorn",
        "httpx2",
        "faregate_cli.app",
        "faregate_cli.serve.serving",
        "faregate_server.app",
        "support.payment.till",
    ]
)


class Forked:
    """``python -m module *arguments`` in the directory *cwd*, with standard error in the file *log*.

    With *is_strict*, warnings are errors.
    """

    def __init__(
        self,
        module: str,
        *arguments: str | Path,
        cwd: Path,
        log: Path | None = None,
        environment: Mapping[str, str] | None = None,
        is_strict: bool = False,
    ) -> None:
        ours, theirs = FORKS.Pipe(duplex=False)
        given = dict(os.environ if environment is None else environment)
        told = (module, [*map(str, arguments)], cwd, log, given, is_strict, theirs)
        self._process = FORKS.Process(target=_run, args=told, daemon=True)
        self._process.start()
        theirs.close()
        self._ours = ours  # closes the wrapped socket when garbage-collected
        self.stdout = os.fdopen(os.dup(ours.fileno()), "rb")

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        """Return the status of the process if it has ended."""
        return self._process.exitcode

    def wait(self, seconds: float | None = None) -> int:
        """Wait until the process ends; return its status."""
        self._process.join(seconds)
        if self._process.exitcode is None:
            raise TimeoutError(f"the process has not ended after {seconds} s")
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal if the process still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Terminate the process."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the process at once."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait until the process ends; kill it if the block failed."""
        if kind is not None:
            self.kill()
        self.wait(60)
        self.stdout.close()
        self._ours.close()


def serve_app(app: ASGIApp, *, log_level: str = "error") -> None:
    """Print a free port of this machine, then serve *app* on it; requests until it has started wait."""
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(app, log_level=log_level, access_log=False, ws="none"))
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        print(listening.getsockname()[1], flush=True)  # noqa: T201  # to the process that started it
        server.run(sockets=[listening])


def _run(
    module: str,
    arguments: Sequence[str],
    cwd: Path,
    log: Path | None,
    environment: Mapping[str, str],
    is_strict: bool,
    output: Connection,
) -> None:
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    errors = os.open(log or os.devnull, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    for descriptor, taken in ((output.fileno(), 1), (errors, 2)):
        os.dup2(descriptor, taken)
    output.close()
    os.close(errors)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    sys.argv = [module, *arguments]
    if is_strict:
        warnings.simplefilter("error")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    runpy.run_module(module, run_name="__main__", alter_sys=True)
