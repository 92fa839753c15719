"""The load generator: wrk on 64 connections that stay open and send the next request after each response.

wrk is a Debian package: ``tools/debian-packages.sh load``. `http_load.lua` checks every response: its status
and the length of its body, or that the body is one of the possible ones.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LONGEST_LIFE_SECONDS = 1800
"""Maximum lifetime of the processes of a comparison, whatever happens."""

_SCRIPT = Path(__file__).with_suffix(".lua")
_MARK = "faregate "


class UnexpectedAnswer(Exception):
    """A response with another status, length or body than expected, or no response."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Requests to ``port``, and the response expected to each.

    ``requests`` are sent in turn; `http_load.lua` describes the bytes in them that are replaced. ``answers``
    are the possible bodies, if given.
    """

    port: int
    requests: Path
    answers: Path | None = None
    status: int = 200
    length: int = 0
    connections: int = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Number of responses, seconds, and percentiles of the response time in milliseconds."""

    answers: int
    seconds: float
    p50: float
    p99: float


def write_blocks(file: Path, blocks: Iterable[bytes]) -> Path:
    """Write *blocks* in the format of the load generator."""
    file.write_bytes(b"".join(b"%d\n%b" % (len(block), block) for block in blocks))
    return file


def run(job: Job, *, seconds: float, seed: int) -> Result:
    """Send requests for *seconds*, rounded to whole seconds by wrk; ids are made from *seed*.

    Raises:
        UnexpectedAnswer: a response is not the expected one.
    """
    command = [
        _wrk(),
        "--threads",
        "1",
        "--connections",
        f"{job.connections}",
        "--duration",
        f"{seconds:.0f}s",
    ]
    command += ["--timeout", "30s", "--script", str(_SCRIPT), f"http://127.0.0.1:{job.port}", "--"]
    command += [str(job.status), str(job.length), str(seed), str(job.requests)]
    command += [str(job.answers)] if job.answers else []
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith(_MARK)]
    if not lines:
        raise UnexpectedAnswer(done.stdout + done.stderr)
    return _result(lines[0].removeprefix(_MARK))


def _result(line: str) -> Result:
    *figures, example = line.split(" ", 6)
    answers, duration, p50, p99, failed, wrong = map(int, figures)
    if failed or wrong or not answers:
        raise UnexpectedAnswer(f"{answers} answers, {failed} failed, {wrong} wrong: {example}")
    return Result(answers=answers, seconds=duration / 1e6, p50=p50 / 1e3, p99=p99 / 1e3)


def _wrk() -> str:
    found = shutil.which("wrk")
    if found is None:
        raise SystemExit("wrk is missing: install it with tools/debian-packages.sh load")
    return found
