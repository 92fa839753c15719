"""Break the core on purpose and print the mutants that no test notices.

    python tools/mutants.py [MODULE ...]

mutmut (settings: ``[tool.mutmut]`` in ``pyproject.toml``) mutates a copy of the core in ``build/mutants``.
The tests are collected once. Each mutant then runs the tests that reach it in a fork, fastest first, so a
mutant costs less than a tenth of a second instead of a start of pytest. The run fails if less than
``MIN_NOTICED`` percent of all mutants are noticed.

A run of all modules, the default, rewrites the table in ``tools/mutants.md``. A run of some modules rewrites
their rows and the total. ``--again`` keeps the last results and repeats only the survivors.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import sys
import time
from collections import Counter
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import mutmut.__main__ as mutmut_run
from mutmut.configuration import config
from mutmut.mutation.data import MutantLineSpans
from mutmut.runners.harness import PytestRunner
from mutmut.state import state
from mutmut.stats import status_by_exit_code
from mutmut.utils.file_utils import change_cwd
from mutmut.workers import isolation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pytest

ROOT = Path(__file__).parents[1]
COPY, PAGE = ROOT / "build/mutants", ROOT / "tools/mutants.md"
COPIED = (
    "pyproject.toml",
    "src/faregate",
    "tests/conftest.py",
    "tests/support",
    "examples",
    "tests/core",
    "tests/files",
)
CORE = Path("src/faregate")
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
SECONDS_BETWEEN_FIGURES = 10
MOST_MEMORY = 4 << 30
"""Memory limit of a mutant in bytes: one that never ends may also fill the memory."""
NOT_NOTICED = ("survived", "no tests", "suspicious")
SUSPICIOUS = 35
"""Exit code that mutmut reads as neither killed nor alive."""
MIN_NOTICED = 94
"""Percentage of mutants that the tests must notice."""


class Survivor(NamedTuple):
    """A mutant that no test notices, named by the change: a number would move with every edit."""

    module: str
    function: str
    change: str

    def __str__(self) -> str:
        return f"{self.module}: `{self.function}`: `{self.change}`"


# ---------------------------------------------------------------- running


class CollectedOnce(PytestRunner):
    """A runner that collects all tests once; mutmut forks it for every mutant."""

    session: pytest.Session
    items: dict[str, pytest.Item]

    def collect(self) -> None:
        """Collect the tests once."""
        from _pytest.config import _prepareconfig
        from _pytest.main import Session

        if hasattr(self, "session"):
            return
        # Without a terminal nothing is printed; a short traceback costs a killed mutant the least.
        options = ["--rootdir=.", "--exitfirst", "-p", "no:terminal", *config().pytest_add_cli_args]
        settings = _prepareconfig([*options, *config().pytest_add_cli_args_test_selection])
        settings.option.tbstyle = "native"
        settings._do_configure()
        self.session = Session.from_config(settings)
        settings.hook.pytest_sessionstart(session=self.session)
        settings.hook.pytest_collection(session=self.session)
        self.items = {item.nodeid: item for item in self.session.items}

    def run_stats(self, *, tests: Iterable[str]) -> int:
        """Record which test reaches which function, in a fork so that no mutant finds a filled cache."""

        def measured() -> tuple[int, dict[str, set[str]], dict[str, float]]:
            code = PytestRunner.run_stats(self, tests=tests)
            return code, dict(state().tests_by_mangled_function_name), state().duration_by_test

        code, reached, durations = isolation.run_in_fork_with_result(measured)
        state().tests_by_mangled_function_name.update(reached)
        state().duration_by_test.update(durations)
        return code

    def run_tests(self, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        """Run *tests* (empty: all) under the active mutant; without a mutant, in a fork."""
        with change_cwd("mutants"):
            self.collect()
            if mutant_name is None:
                return isolation.run_in_fork(self.loop, tests or self.items)
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
            if not self.items.keys() >= set(tests):
                return SUSPICIOUS  # a test that cannot be run has noticed nothing
            return self.loop(tests)  # the quickest first

    def loop(self, tests: Iterable[str]) -> int:
        """Run *tests* in order and return 1 if one fails."""
        self.session.items = [self.items[test] for test in tests]
        try:
            self.session.config.hook.pytest_runtestloop(session=self.session)
        except Exception:
            return 1
        return int(self.session.testsfailed > 0)


def prepare() -> None:
    """Copy the core and its tests; mutmut detects what has changed."""
    shutil.rmtree(COPY / "mutants/tests", ignore_errors=True)
    for name in COPIED:
        source, target = ROOT / name, COPY / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)


def forget_survivors(modules: Sequence[str]) -> None:
    """Forget the survivors of *modules* and the recorded reach of the tests, so that mutmut repeats both."""
    Path("mutants/mutmut-stats.json").unlink(missing_ok=True)
    for path in Path("mutants", CORE).rglob("*.py"):
        path.unlink()  # a module left out of the last run is a plain copy, which mutmut takes for unchanged
    for path in results(modules):
        found = json.loads(path.read_text("utf-8"))
        codes = found["exit_code_by_key"]
        found["exit_code_by_key"] = {
            key: code if status_of(code) == "killed" else None for key, code in codes.items()
        }
        path.write_text(json.dumps(found), "utf-8")


def run(modules: Sequence[str], *, children: int) -> None:
    """Run the mutants that have no result yet."""
    # What mutmut leaves unclosed in a fork would be an error of the tests; other plugins cost time.
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    isolation.PytestRunner = CollectedOnce
    show, shown = mutmut_run.print_stats, [0.0]

    def now_and_then(found: object, **options: bool) -> None:
        if time.monotonic() - shown[0] > SECONDS_BETWEEN_FIGURES or options:
            shown[0] = time.monotonic()
            show(found, force_output=True)

    mutmut_run.print_stats = now_and_then  # it counts all mutants whenever it is called
    if modules:
        config().only_mutate = [f"{CORE / path_of(module)}" for module in modules]
    mutmut_run._run((), children)


# ---------------------------------------------------------------- reading


def results(modules: Sequence[str] = ()) -> list[Path]:
    """Return the files with the results of *modules* (empty: all)."""
    found = [path for path in sorted(Path("mutants", CORE).rglob("*.meta")) if is_there(module_of(path))]
    return [path for path in found if not modules or module_of(path) in modules]


def module_of(path: Path) -> str:
    """Return the module whose results are in *path*."""
    name = path.relative_to(Path("mutants", CORE)).as_posix().removesuffix(".py.meta")
    return name.replace("/", ".")


def path_of(module: str) -> Path:
    """Return the file of *module*, relative to the core."""
    return Path(f"{module.replace('.', '/')}.py")


def status_of(code: int | None) -> str:
    """Return the mutmut status of an exit code."""
    return status_by_exit_code[code]


def survivors(path: Path) -> Iterator[Survivor]:
    """Yield the survivors in the results at *path*."""
    codes = json.loads(path.read_text("utf-8"))["exit_code_by_key"]
    spans = MutantLineSpans.load(CORE / path_of(module_of(path)))
    for key, code in codes.items():
        if status_of(code) in NOT_NOTICED:
            mutant = key.rpartition(".")[2]
            mangled = mutant.partition("__mutmut_")[0]
            before, after = spans.read_function_sources([f"{mangled}__mutmut_orig", mutant])
            function = re.sub("^x[_ǁ]", "", mangled).replace("ǁ", ".")
            yield Survivor(module_of(path), function, change(before, after))


def change(before: str, after: str) -> str:
    """Return the tokens that differ, with a few around them.

    >>> change("def f(a): return a < 1", "def f(a): return a <= 1")
    '): return a «< → <=» 1'
    """
    old, new = (re.findall(r"\w+|\s+|[-+*/%|&<>=!]=|.", text.partition("(")[2]) for text in (before, after))
    start = alike(old, new)
    end = alike(old[start:][::-1], new[start:][::-1])
    inner, outer = old[start : len(old) - end], new[start : len(new) - end]
    left = "".join(old[max(0, start - 7) : start]).rpartition("\n")[2]
    right = "".join(old[len(old) - end :][:5]).partition("\n")[0]
    text = f"{left}«{''.join(inner)} → {''.join(outer)}»{right}"
    return " ".join(text.replace("`", "'").split())


def alike(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the common prefix."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


# ---------------------------------------------------------------- comparing


class Row(NamedTuple):
    """The results of a module; mutants stopped for time or memory count as noticed."""

    mutants: int
    killed: int
    stopped: int
    survived: int
    untested: int

    @classmethod
    def of(cls, statuses: Iterable[str]) -> Row:
        """Return the row of mutants with these *statuses*."""
        counts = Counter(statuses)
        noticed = counts.total() - sum(counts[status] for status in NOT_NOTICED)
        killed = counts["killed"]
        return cls(counts.total(), killed, noticed - killed, counts["survived"], counts["no tests"])

    @property
    def noticed(self) -> float:
        """Percentage of mutants that a test noticed."""
        return 100 * (self.killed + self.stopped) / self.mutants

    def line(self, name: str) -> str:
        """Return the row as a line of the page."""
        cells = " | ".join(f"{cell:,}" for cell in self)
        return f"| {name} | {cells} | {self.noticed:.1f} % |"


def rows_of(page: str) -> dict[str, Row]:
    """Return the rows of the table, without modules that no longer exist."""
    read = re.findall(r"^\| ([\w.]+) \| (\d[\d,| ]*) \| [\d.]+ % \|$", page, re.MULTILINE)
    return {
        module: Row(*[int(cell.replace(",", "")) for cell in cells.split(" | ")])
        for module, cells in read
        if is_there(module)
    }


def is_there(module: str) -> bool:
    """Return whether the core still has *module*."""
    return (ROOT / CORE / path_of(module)).exists()


def current_rows(page: str, modules: Sequence[str]) -> dict[str, Row]:
    """Return the rows of *modules* (empty: all) from their results, and the other rows from the *page*."""
    rows = rows_of(page)
    for path in results(modules):
        codes = json.loads(path.read_text("utf-8"))["exit_code_by_key"].values()
        if None in codes:
            continue  # interrupted: keep the row of the last complete run
        rows.pop(module_of(path), None)
        if codes:
            rows[module_of(path)] = Row.of(map(status_of, codes))
    return rows


def total(rows: Mapping[str, Row]) -> Row:
    """Return the sum of all *rows*."""
    return Row(*map(sum, zip(*rows.values(), strict=True)))


def table(rows: Mapping[str, Row]) -> str:
    """Return the table of the page."""
    heads = ("module", "mutants", "killed", "timeouts", "survived", "no tests", "noticed")
    lines = [f"| {' | '.join(heads)} |", "| --- " + "| ---: " * 6 + "|"]
    return "\n".join([*lines, *(rows[name].line(name) for name in sorted(rows)), total(rows).line("**all**")])


def main() -> int:
    """Run the mutants, print the survivors and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="as in money.rounding; default: all")
    parser.add_argument("--again", action="store_true", help="only what survived the last run")
    parser.add_argument("--children", type=int, default=os.cpu_count())
    given = parser.parse_args()
    if not given.again:
        shutil.rmtree(COPY, ignore_errors=True)
    prepare()
    os.chdir(COPY)
    forget_survivors(given.modules)
    run(given.modules, children=given.children)
    for survivor in sorted(each for path in results(given.modules) for each in survivors(path)):
        print(survivor)
    page = PAGE.read_text("utf-8")
    before, after = page.partition(BEGIN)[0], page.partition(END)[2]
    rows = current_rows(page, given.modules)
    PAGE.write_text(f"{before}{BEGIN}\n{table(rows)}\n{END}{after}", "utf-8")
    return int(total(rows).noticed < MIN_NOTICED)


if __name__ == "__main__":
    sys.exit(main())
