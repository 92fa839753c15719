"""Comparison of all contenders in one table: ``python -m benchmarks.compare``.

Every round times all contenders in turn (A, B, C, A, B, C …). A ratio is the median over the rounds of a
contender's time divided by the floor's time in the same round, which cancels most other load on a shared
machine. A time is that of the fastest round. The garbage collector is off during timing, unless ``--gc``
is given.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple, TypeAlias

from benchmarks.north_star import CONTENDERS, FLOOR
from benchmarks.workload import SIZES, Contender

SAMPLE_SECONDS = 0.01
PACKAGES = ("faregate", "prices", "py-moneyed", "numpy", "pydantic")

FOUNDATIONS = "import dataclasses, fractions, datetime"
BARE = "pass"
IMPORTS = (
    BARE,
    "import faregate",
    "from faregate import checkout_totals",
    FOUNDATIONS,
    "import prices",
    "import moneyed",
    "import numpy",
    "from pydantic import BaseModel",
)


class Measured(NamedTuple):
    """Seconds in the fastest round, and the median over the rounds of the ratio to the base."""

    seconds: float
    ratio: float


class Growth(NamedTuple):
    """Cost of a line at 1000 lines divided by its cost at 100; 1.0 is linear."""

    name: str
    factor: float


# ---------------------------------------------------------------- measuring

Timer: TypeAlias = Callable[[int], float]
"""Function that makes this number of calls and returns the seconds of one call."""


def timer(call: Callable[[], object]) -> Timer:
    return partial(_seconds, call)


def interleaved(
    calls: Sequence[Callable[[], object]], rounds: int, *, collect: bool = False
) -> list[list[float]]:
    """Return seconds per call: a list per call with one figure per round."""
    return in_turns([timer(call) for call in calls], rounds, collect=collect)


def in_turns(timers: Sequence[Timer], rounds: int, *, collect: bool = False) -> list[list[float]]:
    """Do the same for timers with a clock of their own."""
    repeats = [_repeats(own) for own in timers]
    seconds: list[list[float]] = [[] for _ in timers]
    with _garbage(collect=collect):
        for _ in range(rounds):
            for measure, count, own in zip(timers, repeats, seconds, strict=True):
                own.append(measure(count))
            gc.collect()
    return seconds


def _repeats(measure: Timer) -> int:
    """Return the number of calls for one sample, warming the call up."""
    if min(measure(1), measure(1)) > SAMPLE_SECONDS:
        return 1
    return max(1, round(SAMPLE_SECONDS / min(measure(1) for _ in range(5))))


def _seconds(call: Callable[[], object], count: int) -> float:
    repeats = range(count)
    start = perf_counter()
    for _ in repeats:
        call()
    return (perf_counter() - start) / count


@contextmanager
def _garbage(*, collect: bool) -> Iterator[None]:
    gc.collect()
    if not collect:
        gc.disable()
    try:
        yield
    finally:
        gc.enable()


def compared(seconds: Sequence[Sequence[float]], base: int) -> list[Measured]:
    """Compare each contender with the one at *base*, round by round."""
    measured = []
    for own in seconds:
        ratios = [mine / other for mine, other in zip(own, seconds[base], strict=True)]
        measured.append(Measured(min(own), median(ratios)))
    return measured


def measure_prices(
    contenders: Sequence[Contender[Any, Any]], n: int, rounds: int, *, collect: bool
) -> list[Measured]:
    calls = [contender.call(n) for contender in contenders]
    return compared(interleaved(calls, rounds, collect=collect), contenders.index(FLOOR))


def growth(contenders: Sequence[Contender[Any, Any]], rounds: int, *, collect: bool) -> list[Growth]:
    """Measure both sizes in one run, on the same state of the machine."""
    factors = []
    for contender in contenders:
        short, long = interleaved([contender.call(100), contender.call(1000)], rounds, collect=collect)
        factor = median(b / a for a, b in zip(short, long, strict=True)) / 10
        factors.append(Growth(contender.name, factor))
    return factors


def measure_imports(rounds: int) -> list[Measured]:
    """Time whole processes, including start and end of the interpreter."""
    for statement in IMPORTS:  # writes the bytecode and fills the file cache
        _run(statement)
    seconds: list[list[float]] = [[] for _ in IMPORTS]
    for _ in range(rounds):
        for statement, own in zip(IMPORTS, seconds, strict=True):
            own.append(_run(statement))
    return compared(seconds, IMPORTS.index(FOUNDATIONS))


def _run(statement: str) -> float:
    start = perf_counter()
    subprocess.run([sys.executable, "-c", statement], check=True)
    return perf_counter() - start


# ---------------------------------------------------------------- printing


class Table(NamedTuple):
    """Cells as text; the first column is aligned left, the others right."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def plain(self) -> str:
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows, strict=True)]
        lines = [self._aligned(row, widths) for row in (self.head, *self.rows)]
        return "\n".join([self.title, "-" * len(lines[0]), *lines])

    def markdown(self) -> str:
        rule = ["---", *(["---:"] * (len(self.head) - 1))]
        rows = (self.head, rule, *self.rows)
        return "\n".join([f"**{self.title}**", "", *(f"| {' | '.join(row)} |" for row in rows)])

    @staticmethod
    def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
        first, *others = row
        cells = [cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True)]
        return "  ".join([first.ljust(widths[0]), *cells])


def price_table(contenders: Sequence[Contender[Any, Any]], rounds: int, *, collect: bool) -> Table:
    columns = [measure_prices(contenders, n, rounds, collect=collect) for n in SIZES]
    growths = growth(contenders, rounds, collect=collect)
    rows = []
    for contender, measured, grown in zip(contenders, zip(*columns, strict=True), growths, strict=True):
        cells = [f"{own.seconds * 1e6:,.1f} ({own.ratio:.2f}x)" for own in measured]
        rows.append([contender.name, *cells, f"{grown.factor:.2f}", _answer(contender)])
    head = ["", *(f"{n} lines" if n > 1 else "1 line" for n in SIZES), "growth", "answer"]
    return Table("Pricing A(n): µs per basket (ratio to the floor)", head, rows)


def _answer(contender: Contender[Any, Any]) -> str:
    """Check the result at every size before timing, and describe the largest size if it is not exact."""
    differences = [contender.difference(n) for n in SIZES]
    if contender.is_exact:
        return "exact"
    last = differences[-1]
    return f"gross {last.gross:+}, net {last.net:+} cents at {SIZES[-1]}"


def import_table(rounds: int) -> Table:
    measured = measure_imports(rounds)
    bare = measured[IMPORTS.index(BARE)].seconds
    foundations = measured[IMPORTS.index(FOUNDATIONS)].seconds - bare
    rows = []
    for statement, own in zip(IMPORTS, measured, strict=True):
        beyond = own.seconds - bare
        cells = [f"{own.seconds * 1e3:.1f}", f"{own.ratio:.2f}x"]
        rows.append([f"`{statement}`", *cells, f"{beyond * 1e3:+.1f}", f"{beyond / foundations:.2f}x"])
    head = ["python -c", "process, ms", "ratio", "over bare, ms", "ratio"]
    return Table(f"Import (ratios to `{FOUNDATIONS}`)", head, rows)


def environment(*, collect: bool) -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    collector = "on" if collect else "off while timing"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return (
        f"{python} ({platform.system()} {platform.machine()}); {packages}; "
        f"{_processor()}, {os.cpu_count()} cores; garbage collector {collector}"
    )


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or "unknown processor"
    names = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else "unknown processor"


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="rounds of every comparison")
    parser.add_argument("--markdown", action="store_true", help="print what README.md shows")
    parser.add_argument("--gc", action="store_true", help="leave the garbage collector on")
    parser.add_argument("--only", choices=("pricing", "import"), help="one of the two tables")
    options = parser.parse_args(None if arguments is None else list(arguments))
    for contender in CONTENDERS:
        for n in SIZES:
            contender.difference(n)
    tables = []
    if options.only != "import":
        tables.append(price_table(CONTENDERS, options.rounds, collect=options.gc))
    if options.only != "pricing":
        tables.append(import_table(max(5, options.rounds // 2)))
    shown = [table.markdown() if options.markdown else table.plain() for table in tables]
    print("\n\n".join([environment(collect=options.gc), *shown]))


if __name__ == "__main__":
    main()
