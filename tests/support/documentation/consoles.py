"""The console of one page: a shell that continues from block to block, and a service."""

from __future__ import annotations

import os
import re
import select
import shlex
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from support.documentation.sessions import Block

SHOWN_ADDRESS = "http://127.0.0.1:8000"
SECONDS = 60

_EXAMPLE = "python examples/"
# Pages write "curl"; this script replaces it on machines without curl and supports a few options.
_CURL = Path(__file__).with_name("curl.py")


class Command(NamedTuple):
    """A command and its displayed output."""

    text: str
    shown: str


class Outcome(NamedTuple):
    """The status and output of a command."""

    status: int
    printed: str
    complained: str


def commands(block: Block) -> list[Command]:
    """Return the commands of a console block; a trailing backslash continues a line."""
    text = re.sub(r"\\\n\s*", "", f"\n{block.text}")
    return [Command(*shown.partition("\n")[::2]) for shown in text.split("\n$ ")[1:]]


def is_shown(shown: str, printed: str) -> bool:
    """Return whether *printed* matches *shown*, in which ``...`` matches any text that is not empty."""
    if bool(shown.strip()) != bool(printed.strip()):
        return False
    pattern = ".*".join(re.escape(part) for part in _trimmed(shown).split("..."))
    return re.fullmatch(pattern, _trimmed(printed), re.DOTALL) is not None


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


class Console:
    """A runner of a page's commands in *folder*, with a service for commands that call one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @cached_property
    def service(self) -> str:
        """The address of the page's service, started on first use."""
        return self._open.enter_context(_served(self._folder))

    @cached_property
    def _shell(self) -> _Shell:
        shell = self._open.enter_context(_started_shell(self._folder))
        shell.run(f'curl() {{ {shlex.quote(sys.executable)} {shlex.quote(str(_CURL))} "$@"; }}')
        return shell

    def faults(self, block: Block) -> str:
        """Return how the output of *block* differs from the displayed one; empty if it does not."""
        known = commands(block)
        pairs = zip(known, [*known[1:], Command("", "")], strict=False)
        faults = [self._fault(command, following.text) for command, following in pairs]
        return "\n".join(filter(None, faults)) or ("" if known else "no command: begin commands with $")

    def _fault(self, command: Command, following: str) -> str:
        outcome = self._shell.run(self._addressed(command.text))
        failed = outcome.status != 0
        printed = outcome.printed + (outcome.complained if failed else "")
        if failed and following != "echo $?":
            return f"$ {command.text}\nended with {outcome.status} (or add '$ echo $?'): {printed}"
        if outcome.complained and not failed and not command.text.startswith("TOKEN="):
            return f"$ {command.text}\nprints on standard error: {outcome.complained}"
        if not is_shown(command.shown, printed):
            return f"$ {command.text}\nprints:\n{printed}\ninstead of:\n{command.shown}"
        return ""

    def _addressed(self, text: str) -> str:
        """Return the command with the address of the page's service."""
        if text.startswith(_EXAMPLE):
            return f"{text} {self.service}"
        if text.startswith("TOKEN="):
            return text.replace("faregate token", f"faregate token --server {self.service}")
        if "curl " in text and SHOWN_ADDRESS in text:
            return text.replace(SHOWN_ADDRESS, self.service)
        return text


class _Shell:
    """A shell that reads commands from a pipe and replies to each with its status."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self._process = process
        self._printed, self._complained = folder / ".printed", folder / ".complained"
        self._status = 0

    def run(self, text: str) -> Outcome:
        """Run *text* with the variables and status of the previous commands."""
        assert self._process.stdin is not None
        kept = f">{shlex.quote(str(self._printed))} 2>{shlex.quote(str(self._complained))} </dev/null"
        self._process.stdin.write(f"(exit {self._status}); eval {shlex.quote(text)} {kept}; echo $?\n")
        self._process.stdin.flush()
        self._status = int(self._answer())
        return Outcome(self._status, self._printed.read_text("utf-8"), self._complained.read_text("utf-8"))

    def _answer(self) -> str:
        output = self._process.stdout
        assert output is not None
        if not select.select([output], [], [], SECONDS)[0]:
            raise TimeoutError(f"no response within {SECONDS} seconds")
        return output.readline()


@contextmanager
def _started_shell(folder: Path) -> Iterator[_Shell]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with subprocess.Popen(
        ["bash", "--noprofile", "--norc"],
        cwd=folder,
        env={**_environment(), "PATH": path, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield _Shell(process, folder)
        finally:
            process.kill()


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Yield the address of a service started by its command on a free port."""
    command = [sys.executable, "-m", "faregate_cli", "serve", "--dev", "--port", "0"]
    log = folder / ".service.log"
    with (
        log.open("w") as said,
        subprocess.Popen(
            command, cwd=folder, env=_environment(), stdout=subprocess.PIPE, stderr=said, text=True
        ) as server,
    ):
        try:
            yield _announced(server.stdout or (), log)
        finally:
            server.terminate()


def _announced(lines: Iterable[str], log: Path) -> str:
    """Return the address in the example call that the service prints."""
    for line in lines:
        if found := re.search(r"curl.* (http://[^/]+)", line):
            return found[1]
    raise ChildProcessError(f"the service does not start: {log.read_text()}")


def _environment() -> dict[str, str]:
    """Return the environment without settings of the service."""
    return {name: value for name, value in os.environ.items() if not name.startswith("FAREGATE_")}
