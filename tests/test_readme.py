"""What the README shows is true: its Python runs as written, its commands run and succeed."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


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


@pytest.mark.parametrize("command", commands("console", "$ "))
def test_command_succeeds_and_prints_something(command: str) -> None:
    words = shlex.split(command)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    done = subprocess.run(
        words,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PATH": path},
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert not done.stderr


@pytest.mark.parametrize("command", commands("sh", "make "))
def test_make_knows_the_target(command: str) -> None:
    target = command.split(maxsplit=1)[0]

    done = subprocess.run(
        ["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert done.returncode == 0, done.stderr
