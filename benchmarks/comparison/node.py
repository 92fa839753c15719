"""Contenders in JavaScript: a process each that reads lines of JSON and has a clock of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any, Self

from benchmarks.comparison.contenders import LeftOut
from benchmarks.workload import DONATION, PERCENT_OFF, UNITS_OFF, Figures, Priced, basket, reference

FOLDER = Path(__file__).parent / "node"
WARM_UP_SECONDS = 2.0
WARM_UP_CALLS = 20


@cache
def node_version() -> str:
    found = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True)
    return found.stdout.strip().removeprefix("v")


def require(package: str) -> None:
    """Raise LeftOut unless Node and the package are installed."""
    if shutil.which("node") is None:
        raise LeftOut(f"{package}: left out, Node is not installed.")
    if not (FOLDER / "node_modules" / package).exists():
        raise LeftOut(f"{package}: left out, not installed (npm ci in benchmarks/comparison/node).")


def package_version(package: str) -> str:
    manifest = (FOLDER / "node_modules" / package / "package.json").read_text(encoding="utf-8")
    return str(json.loads(manifest)["version"])


class NodePeer:
    """A script of ``node/`` that runs until it is closed."""

    def __init__(self, script: str) -> None:
        command = ["node", str(FOLDER / script)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def priced(self, n: int) -> Priced:
        """Send A(n), and read the result, rounded to cents if it has fractions."""
        answer = self._ask(request(n))
        self._warm_up()
        return Priced([in_cents(row) for row in answer["rows"]], in_cents(answer["totals"]))

    def seconds(self, count: int) -> float:
        return float(self._ask({"count": count})["seconds"])

    def _warm_up(self) -> None:
        """Run often enough for Node to compile the code, which then runs ten times as fast."""
        start = perf_counter()
        while perf_counter() - start < WARM_UP_SECONDS:
            self.seconds(WARM_UP_CALLS)

    def _ask(self, question: object) -> dict[str, Any]:
        pipes = self._process.stdin, self._process.stdout
        if pipes[0] is None or pipes[1] is None:
            raise ValueError("the process has no pipes")
        pipes[0].write(json.dumps(question) + "\n")
        pipes[0].flush()
        answer: dict[str, Any] = json.loads(pipes[1].readline())
        return answer


def request(n: int) -> dict[str, Any]:
    return {
        "lines": [(line.unit_price, line.quantity, line.per_mille) for line in basket(n)],
        "automatic": UNITS_OFF,
        "percent": PERCENT_OFF,
        "donation": DONATION,
        "shares": [(row.automatic, row.promo) for row in reference(n).rows],
    }


def in_cents(row: Sequence[float]) -> Figures:
    return Figures(*(int(Decimal(repr(amount)).quantize(Decimal(1), ROUND_HALF_UP)) for amount in row))
