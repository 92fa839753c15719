"""Break the core on purpose, and tell what no test notices: ``python tools/mutants.py [MODULE ...]``.

mutmut (settings: ``[tool.mutmut]`` in ``pyproject.toml``) mutates a copy of the core in ``build/mutants``.
The tests are collected once, and every mutant runs those that reach it in a fork, the quickest first; so a
mutant costs less than a tenth of a second instead of the start of pytest. A mutant that survives is looked up
in ``tools/mutants.md``: one that is not there, with a reason, fails the run, and so does an entry that has
come to be killed.

A run of all modules, the default, writes the whole table of that page. A run of some writes their rows anew
and the total, and takes out the rows of modules that are gone. ``--again`` keeps the results of the last run
and repeats only what survived it, after a test was added.
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
    from collections.abc import Iterable, Iterator, Sequence

    import pytest

ROOT = Path(__file__).parents[1]
COPY, PAGE = ROOT / "build/mutants", ROOT / "tools/mutants.md"
COPIED = (
    "pyproject.toml",
    "src/faregate",
    "tests/conftest.py",
    "tests/support",
    "tests/core",
)
CORE = Path("src/faregate")
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
SECONDS_BETWEEN_FIGURES = 10
MOST_MEMORY = 4 << 30
"""What never ends may also fill the memory."""
NOT_NOTICED = ("survived", "no tests", "suspicious")
SUSPICIOUS = 35
"""What mutmut reads as neither killed nor alive."""


class Survivor(NamedTuple):
    """A mutant that no test notices, named by what changed: numbers would move with every edit."""

    module: str
    function: str
    change: str

    def __str__(self) -> str:
        return f"{self.module}: `{self.function}`: `{self.change}`"


# ---------------------------------------------------------------- running


class CollectedOnce(PytestRunner):
    """Runs chosen tests in a process that has collected all of them; mutmut forks it for every mutant."""

    session: pytest.Session
    items: dict[str, pytest.Item]

    def collect(self) -> None:
        """Collect the tests, once."""
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
        """Learn which test reaches what; in a fork, so that no mutant finds a cache that is filled."""

        def measured() -> tuple[int, dict[str, set[str]], dict[str, float]]:
            code = PytestRunner.run_stats(self, tests=tests)
            return code, dict(state().tests_by_mangled_function_name), state().duration_by_test

        code, reached, durations = isolation.run_in_fork_with_result(measured)
        state().tests_by_mangled_function_name.update(reached)
        state().duration_by_test.update(durations)
        return code

    def run_tests(self, *, mutant_name: str | None, tests: Iterable[str]) -> int:
        """Run *tests* (none: all), as the mutant that is set; without a mutant in a fork of their own."""
        with change_cwd("mutants"):
            self.collect()
            if mutant_name is None:
                return isolation.run_in_fork(self.loop, tests or self.items)
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
            if not self.items.keys() >= set(tests):
                return SUSPICIOUS  # a test that cannot be run has noticed nothing
            return self.loop(tests)  # the quickest first

    def loop(self, tests: Iterable[str]) -> int:
        """Run *tests* in this order; 1: one of them failed."""
        self.session.items = [self.items[test] for test in tests]
        try:
            self.session.config.hook.pytest_runtestloop(session=self.session)
        except Exception:
            return 1
        return int(self.session.testsfailed > 0)


def prepare() -> None:
    """Put the core and its tests as they are now into the copy; mutmut sees by itself what has changed."""
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
    """Have mutmut run anew what was not killed of *modules*, and learn anew which test reaches what."""
    Path("mutants/mutmut-stats.json").unlink(missing_ok=True)
    for path in Path("mutants", CORE).rglob("*.py"):
        path.unlink()  # of a module that the last run left out there is a plain copy, taken for unchanged
    for path in results(modules):
        found = json.loads(path.read_text("utf-8"))
        codes = found["exit_code_by_key"]
        found["exit_code_by_key"] = {
            key: code if status_of(code) == "killed" else None for key, code in codes.items()
        }
        path.write_text(json.dumps(found), "utf-8")


def run(modules: Sequence[str], *, children: int) -> None:
    """Run what has no result yet."""
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
    """The files in which mutmut keeps the results of each module."""
    found = [path for path in sorted(Path("mutants", CORE).rglob("*.meta")) if is_there(module_of(path))]
    return [path for path in found if not modules or module_of(path) in modules]


def module_of(path: Path) -> str:
    """The module whose results are at *path*."""
    name = path.relative_to(Path("mutants", CORE)).as_posix().removesuffix(".py.meta")
    return name.replace("/", ".")


def path_of(module: str) -> Path:
    """The file of a module, below the core."""
    return Path(f"{module.replace('.', '/')}.py")


def status_of(code: int | None) -> str:
    """What an exit code means to mutmut."""
    return status_by_exit_code[code]


def survivors(path: Path) -> Iterator[Survivor]:
    """What survived in the module whose results are at *path*."""
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
    """The tokens that differ, with a few around them.

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
    """How many tokens are the same at the beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


# ---------------------------------------------------------------- comparing


def listed() -> Counter[Survivor]:
    """The survivors that the page gives a reason for."""
    module, found = "", Counter[Survivor]()
    for line in PAGE.read_text("utf-8").splitlines():
        if line.startswith("### "):
            module = line.removeprefix("### ")
        elif entry := re.fullmatch(r"- `([\w.]+)`: `(.+)`", line):
            found[Survivor(module, entry[1], entry[2])] += 1
    return found


class Row(NamedTuple):
    """What became of the mutants of a module; what was stopped for its time or its memory was noticed."""

    mutants: int
    killed: int
    stopped: int
    survived: int
    untested: int

    @classmethod
    def of(cls, statuses: Iterable[str]) -> Row:
        """The row of mutants that ended so."""
        counts = Counter(statuses)
        noticed = counts.total() - sum(counts[status] for status in NOT_NOTICED)
        killed = counts["killed"]
        return cls(counts.total(), killed, noticed - killed, counts["survived"], counts["no tests"])

    def line(self, name: str) -> str:
        """As a line of the page."""
        cells = " | ".join(f"{cell:,}" for cell in self)
        return f"| {name} | {cells} | {100 * (self.killed + self.stopped) / self.mutants:.1f} % |"


def rows_of(page: str) -> dict[str, Row]:
    """The rows of the table, except of modules that are gone."""
    read = re.findall(r"^\| ([\w.]+) \| (\d[\d,| ]*) \| [\d.]+ % \|$", page, re.MULTILINE)
    return {
        module: Row(*[int(cell.replace(",", "")) for cell in cells.split(" | ")])
        for module, cells in read
        if is_there(module)
    }


def is_there(module: str) -> bool:
    """Whether the core still has it."""
    return (ROOT / CORE / path_of(module)).exists()


def figures(page: str, modules: Sequence[str]) -> str:
    """The table: the rows of *modules* (none: all) by their results, the others as the *page* has them."""
    rows = rows_of(page)
    for path in results(modules):
        codes = json.loads(path.read_text("utf-8"))["exit_code_by_key"].values()
        if None in codes:
            continue  # stopped by hand: the row of the last whole run stays
        rows.pop(module_of(path), None)
        if codes:
            rows[module_of(path)] = Row.of(map(status_of, codes))
    heads = ("module", "mutants", "killed", "timeouts", "survived", "no tests", "noticed")
    lines = [f"| {' | '.join(heads)} |", "| --- " + "| ---: " * 6 + "|"]
    total = Row(*map(sum, zip(*rows.values(), strict=True)))
    return "\n".join([*lines, *(rows[name].line(name) for name in sorted(rows)), total.line("**all**")])


def compared(found: Counter[Survivor], known: Counter[Survivor]) -> int:
    """Print what survives without a reason and what has one and no longer survives; how many there are."""
    new, gone = found - known, known - found
    for survivor in sorted(new.elements()):
        print(f"no reason given: {survivor}")
    for survivor in sorted(gone.elements()):
        print(f"does not survive: {survivor}")
    return new.total() + gone.total()


def is_looked_at(module: str, modules: Sequence[str]) -> bool:
    """Whether a run of *modules* (none: all) says what is listed of one."""
    return not modules or module in modules or not is_there(module)


def main() -> int:
    """Run, compare, and write the figures."""
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
    found = Counter(survivor for path in results(given.modules) for survivor in survivors(path))
    known = Counter({entry: n for entry, n in listed().items() if is_looked_at(entry.module, given.modules)})
    page = PAGE.read_text("utf-8")
    before, after = page.partition(BEGIN)[0], page.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{figures(page, given.modules)}\n{END}{after}", "utf-8")
    return int(compared(found, known) > 0)


if __name__ == "__main__":
    sys.exit(main())
