"""What the sections have in common: a contender with its version, and what is left out with the reason."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import NamedTuple

from benchmarks.compare import Table, Timer, compared, in_turns


class Effort(NamedTuple):
    """How much is measured: rounds of every comparison, and whether the workloads are made small."""

    rounds: int
    quick: bool

    def fewer(self, divisor: int) -> int:
        return max(3, self.rounds // divisor)


class Section(NamedTuple):
    """Tables, and a sentence for each contender that is not in them."""

    title: str
    tables: Sequence[Table]
    left_out: Sequence[str] = ()


class Entry(NamedTuple):
    """A contender as a row of a table."""

    name: str
    package: str
    timer: Timer
    answer: str


def measured_table(
    title: str, unit: str, entries: Sequence[Entry], rounds: int, *, base: str, scale: float
) -> Table:
    """*scale* makes the unit out of seconds of one call; ratios are to the entry called *base*."""
    names = [entry.name for entry in entries]
    times = compared(in_turns([entry.timer for entry in entries], rounds), names.index(base))
    rows = [
        [
            entry.name,
            of_version(entry.package),
            three_digits(own.seconds * scale),
            ratio(own.ratio),
            entry.answer,
        ]
        for entry, own in zip(entries, times, strict=True)
    ]
    return Table(title, ["", "version", unit, f"to {base}", "answer"], rows)


def three_digits(value: float) -> str:
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:,.{digits}f}"


def ratio(value: float) -> str:
    return f"{three_digits(value)}x"


def of_version(package: str) -> str:
    """Of an installed distribution; what is none is its own version, such as ``Node 20``."""
    try:
        return version(package)
    except PackageNotFoundError:
        return package


def optional(name: str) -> ModuleType | None:
    """A module, if it is installed."""
    return importlib.import_module(name) if importlib.util.find_spec(name.partition(".")[0]) else None


class LeftOut(Exception):
    """A contender cannot be measured here; the text says why."""


def present(makers: Sequence[Callable[[], Entry]]) -> tuple[list[Entry], list[str]]:
    """The entries that can be made, and why the others can not."""
    entries, reasons = [], []
    for make in makers:
        try:
            entries.append(make())
        except LeftOut as reason:
            reasons.append(str(reason))
    return entries, reasons
