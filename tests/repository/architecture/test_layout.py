"""Tests are in folders named like those of the sources, and helpers in a folder of their own."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TESTS = ROOT / "tests"

HOUSES = {
    "batch",
    "cli",
    "core",
    "files",
    "frames",
    "http",
    "plot",
    "repository",
    "server",
    "support",
    "system",
}
SYSTEM = {"browser", "clients", "conformance", "faults", "model"}
REPOSITORY = {"architecture", "consumer", "documentation", "examples", "installs", "notebooks"}

# Programs that use generated clients; they are run beside those only.
WALKS = Path("system/clients/walks")

# Modules as another service would write them, which type checkers read.
CONSUMER = Path("repository/consumer")

FILES = sorted(
    path
    for found in TESTS.rglob("*.py")
    if not {WALKS, CONSUMER} & {*(path := found.relative_to(TESTS)).parents}
)
NOT_TESTS = [path for path in FILES if not path.name.startswith("test_") and path.name != "conftest.py"]


def rooms(folder: Path) -> set[str]:
    """Return the folders in *folder* that contain Python."""
    return {path.name for path in folder.iterdir() if any(path.rglob("*.py"))}


def test_there_are_no_unexpected_folders() -> None:
    assert rooms(TESTS) == HOUSES
    assert rooms(TESTS / "system") == SYSTEM
    assert rooms(TESTS / "system" / "clients") == {WALKS.name}
    assert rooms(TESTS / "repository") == REPOSITORY
    assert [path for path in FILES if len(path.parts) == 1] == [Path("conftest.py")]


def test_support_contains_the_helpers_and_nothing_else() -> None:
    helpers = [path for path in FILES if path.parts[0] == "support"]

    assert helpers == NOT_TESTS


@pytest.mark.parametrize(("house", "package"), [("core", "faregate"), ("batch", "faregate/batch")])
def test_folders_match_those_of_the_sources(house: str, package: str) -> None:
    sources = {path.parent.name for path in (ROOT / "src" / package).glob("*/__init__.py")}

    assert rooms(TESTS / house) - sources == set()


def test_command_folders_match_those_of_the_command_line() -> None:
    commands = {path.name for path in (ROOT / "src" / "faregate_cli").iterdir() if path.is_dir()}

    assert rooms(TESTS / "cli") <= commands


@pytest.mark.slow
def test_examples_run_by_make_bare_import_nothing_else() -> None:
    """All tests of the core except the laws, some of which need more."""
    examples = [path for path in (TESTS / "core").rglob("*.py") if not path.name.endswith("_laws.py")]
    known = {*sys.stdlib_module_names, "core", "faregate", "hypothesis", "pytest", "support"}

    assert {module for path in examples for module in _imported(path)} - known == set()


def _imported(path: Path) -> Iterator[str]:
    """Yield the packages that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            yield str(node.module).partition(".")[0]
        elif isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
