"""The examples run and print what they do."""

from __future__ import annotations

import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.processes.development import development_server

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PURCHASE = ROOT / "examples" / "purchase.py"
STEPS = "log in, person, Day ticket, items, WINTER10, ALP-50, conditions, card, paid, paid, order, tickets"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a development server on a free port."""
    with development_server(tmp_path_factory.mktemp("development")) as address:
        yield address


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the purchase to its end."""
    command = [sys.executable, "-W", "error", str(PURCHASE), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def steps_of(done: subprocess.CompletedProcess[str]) -> list[tuple[str, str]]:
    """Return the first and last word of each line."""
    assert done.returncode == 0, done.stderr
    return [(line[:12].strip(), line.split()[-1]) for line in done.stdout.splitlines()]


def test_the_purchase_is_made_and_every_step_is_printed(server: str) -> None:
    steps = steps_of(run(server))

    paid = [Decimal(amount) for step, amount in steps if step == "paid"]
    (total,) = [Decimal(amount) for step, amount in steps if step == "order"]
    assert ", ".join(step for step, _ in steps) == STEPS
    assert paid[1] == 50
    assert sum(paid) == total
    assert steps[-1] == ("tickets", "TICKETS_ISSUED")


def test_the_purchase_can_be_repeated_with_what_is_left_of_the_voucher(server: str) -> None:
    run(server)

    steps = steps_of(run(server))

    assert [step for step, _ in steps].count("paid") == 1
    assert steps[-1] == ("tickets", "TICKETS_ISSUED")


def test_without_a_server_it_says_how_to_start_one() -> None:
    done = run("http://127.0.0.1:1")

    assert done.returncode == 1
    assert done.stderr == "http://127.0.0.1:1: nobody answers; start it with: faregate serve --dev\n"


@pytest.mark.slow
def test_the_picture_shows_the_current_responses(tmp_path: Path) -> None:
    drawn = tmp_path / "overview.svg"

    subprocess.run(
        [sys.executable, "-W", "error", ROOT / "examples" / "overview.py", drawn], timeout=60, check=True
    )

    stored = words(ROOT / "docs" / "overview.svg")
    assert len(stored) > 150
    assert words(drawn) == stored


def words(picture: Path) -> list[str]:
    """Return all texts in a picture in order."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", picture.read_text(encoding="utf-8"))
