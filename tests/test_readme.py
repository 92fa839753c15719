"""What the README shows is true: its Python runs as written, its commands run and succeed."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


# What the shown curl commands do, for machines that lack it: options -s, -H and -d.
CURL = """
import sys
from urllib.request import Request, urlopen
_, url, *options = sys.argv[1:]
given = list(zip(options[::2], options[1::2]))
headers = dict(value.split(": ") for name, value in given if name == "-H")
data = dict(given).get("-d")
with urlopen(Request(url, data and data.encode(), headers), timeout=30) as response:
    print(response.read().decode())
"""


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def commands(language: str, prompt: str) -> list[str]:
    lines = [line for block in blocks(language) for line in block.splitlines()]
    return [line.removeprefix(prompt) for line in lines if line.startswith(prompt)]


def test_python_runs_as_shown() -> None:
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks("python")), {}, "README.md", None, 0)

    results = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF).run(examples)

    assert results.attempted > 0
    assert results.failed == 0


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the service as its command starts it, on a port of its own."""
    command = [sys.executable, "-m", "faregate_cli", "serve", "--dev", "--port", "0"]
    folder = tmp_path_factory.mktemp("service")
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        announced = next(line for line in server.stdout if b"curl" in line).decode()
        found = re.search(r"http://[^/]+", announced)
        assert found is not None
        yield found[0]
        server.terminate()


SHOWN = [
    shown.partition("\n")[::2] for block in blocks("console") for shown in f"\n{block}".split("\n$ ")[1:]
]
"""Each command and what is shown below it."""

CALLS = [(command, shown) for command, shown in SHOWN if command.startswith(("curl ", "TOKEN=", "python "))]
"""Those that need the service; ``$TOKEN`` is what the last ``TOKEN=$(...)`` has printed."""


@pytest.mark.parametrize(("command", "shown"), [call for call in SHOWN if call not in CALLS])
def test_command_prints_what_is_shown(command: str, shown: str) -> None:
    assert_prints(shown, succeed(shlex.split(command)))


def test_calls_of_the_service_succeed_one_after_the_other(service: str) -> None:
    token = ""
    for command, shown in CALLS:
        words = shlex.split(command.replace("http://127.0.0.1:8000", service).replace("$TOKEN", token))
        match words:
            case ["curl", *options]:
                assert_prints(shown, succeed([sys.executable, "-c", CURL, *options]))
            case ["python", *options]:
                assert_prints(shown, succeed([sys.executable, *options, service]))
            case _:
                token = token_of(service)


def assert_prints(shown: str, printed: str) -> None:
    """What is left out of *shown* may be anything."""
    for wanted in shown.split("..."):
        assert wanted.strip() in printed


def token_of(service: str) -> str:
    """What ``faregate token`` prints, but for what it says beside it."""
    command = [sys.executable, "-m", "faregate_cli", "token", "--server", service]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.strip()


def succeed(words: list[str]) -> str:
    """What a command prints, 80 columns wide."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    done = subprocess.run(
        words,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PATH": path, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize("command", commands("sh", "make "))
def test_make_knows_the_target(command: str) -> None:
    target = command.split(maxsplit=1)[0]

    done = subprocess.run(
        ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
