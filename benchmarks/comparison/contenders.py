"""Common parts of the sections: contenders with versions, and reasons for leaving contenders out."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import NamedTuple

from benchmarks.compare import Table, Timer, compared, in_turns


class Effort(NamedTuple):
    """Amount of measuring: rounds of every comparison, and whether the workloads are small."""

    rounds: int
    quick: bool

    def fewer(self, divisor: int) -> int:
        return max(3, self.rounds // divisor)


class Section(NamedTuple):
    """Tables, and a sentence for each contender left out of them."""

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
    """Measure *entries*; *scale* converts seconds to the unit, and ratios are to the entry *base*."""
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
    """Return a name with the version of an installed package; others, such as ``Node 20``, as they are."""
    try:
        return version(package)
    except PackageNotFoundError:
        return package


def optional(name: str) -> ModuleType | None:
    """Return a module if it is installed."""
    return importlib.import_module(name) if importlib.util.find_spec(name.partition(".")[0]) else None


class LeftOut(Exception):
    """A contender that cannot be measured here, and the reason."""


def present(makers: Sequence[Callable[[], Entry]]) -> tuple[list[Entry], list[str]]:
    """Return the entries that can be made, and the reasons for the others."""
    entries, reasons = [], []
    for make in makers:
        try:
            entries.append(make())
        except LeftOut as reason:
            reasons.append(str(reason))
    return entries, reasons
