"""The command that serves: what it prints works, and what cannot be served is said in one line."""

from __future__ import annotations

import json
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from cli.running import VILLAGE, program, run
from faregate_catalogue import demo_catalogue
from faregate_cli.serving import example_call
from faregate_http.store.locations import shown

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def serving(folder: Path, *options: str | Path) -> Iterator[tuple[subprocess.Popen[bytes], list[str]]]:
    """The running program, and the words of the command that it says to try."""
    command = [sys.executable, "-m", "faregate_cli", "serve", "--port", "0", *map(str, options)]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        assert server.stdout is not None
        try:
            line = next(line for line in server.stdout if b"curl" in line).decode()
            yield server, shlex.split(line)
        finally:
            server.terminate()
            server.communicate(timeout=20)


def call(words: list[str]) -> tuple[int, dict[str, object]]:
    """What the curl command *words* would bring: status and JSON."""
    options = list(zip(words[3::2], words[4::2], strict=True))
    headers = dict(value.split(": ", 1) for name, value in options if name == "-H")
    request = Request(words[2], dict(options)["-d"].encode(), headers)
    try:
        with urlopen(request, timeout=30) as response:
            return response.status, json.loads(response.read())
    except HTTPError as error:
        return error.code, json.loads(error.read())


@pytest.mark.parametrize("options", [(), ("--catalogue", VILLAGE)], ids=["demo resort", "a catalogue"])
def test_what_it_says_to_try_works(tmp_path: Path, options: tuple[str | Path, ...]) -> None:
    with serving(tmp_path, *options) as (_, words):
        status, answer = call(words)

    assert words[:2] == ["curl", "-s"]
    assert status == 200, answer
    assert len(answer["data"]["items"]) == 1  # type: ignore[index]  # JSON
    assert (tmp_path / "faregate.db").exists()


def test_interrupt_ends_it_without_a_trace(tmp_path: Path) -> None:
    with serving(tmp_path) as (server, words):
        call(words)
        server.send_signal(signal.SIGINT)
        _, errors = server.communicate(timeout=20)

    assert server.returncode == 0
    assert b"Traceback" not in errors
    assert b"Application shutdown complete" in errors


def test_taken_port_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        done = program("serve", "--port", port, "--database", f"sqlite:///{tmp_path}/taken.db")

    assert done.returncode != 0
    assert b"already in use" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("database", "message"),
    [
        pytest.param("mysql://gate:secret@db/x", "sqlite:///relative.db", id="another kind"),
        pytest.param("sqlite:///{folder}/none/x.db", "there is no directory", id="no folder"),
        pytest.param("sqlite://", "", id="in memory"),
        pytest.param("nonsense", "", id="no URL"),
        pytest.param("postgresql://gate:secret@127.0.0.1:1/x", "", id="no server"),
        pytest.param("postgresql://gate:secret@db/x?pool=1", "no option pool", id="no such option"),
    ],
)
def test_database_that_cannot_be_used_is_said_in_one_line(
    tmp_path: Path, database: str, message: str
) -> None:
    url = database.format(folder=tmp_path)

    result = run("serve", "--port", "0", "--database", url)

    assert result.exit_code == 1
    assert result.stderr.startswith(f"{shown(url)}: ")
    assert "secret" not in result.stderr
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_faults_of_the_catalogue_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "faulty.yaml"
    file.write_text("currency: XXX\nmerchants: 5\n")

    result = run("serve", "--catalogue", file)

    assert result.exit_code == 1
    assert "faulty.yaml:1: currency" in result.stderr
    assert "nothing is served" in result.stderr


@pytest.mark.parametrize(
    ("today", "start"),
    [
        (date(2026, 6, 30), "2026-07-01"),
        (date(2026, 7, 1), "2027-07-01"),
        (date(2026, 12, 31), "2027-07-01"),
    ],
)
def test_example_is_for_a_day_to_come(today: date, start: str) -> None:
    words = shlex.split(example_call(demo_catalogue(), "http://127.0.0.1:8000", today))

    assert json.loads(words[-1])["items"][0]["validity"] == {"from": start, "to": start}


@pytest.mark.parametrize(("host", "shown"), [("0.0.0.0", "127.0.0.1"), ("::1", "[::1]"), ("::", "127.0.0.1")])
def test_address_is_one_that_can_be_opened(host: str, shown: str) -> None:
    from faregate_cli.serving import _address

    assert _address(host) == shown


def test_missing_extra_says_what_to_install() -> None:
    code = "import sys; sys.modules['uvicorn'] = None\nfrom faregate_cli.__main__ import main\nmain()"

    done = subprocess.run(
        [sys.executable, "-c", code, "serve"], capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 1
    assert done.stderr == "this command needs uvicorn: install faregate[http]\n"
