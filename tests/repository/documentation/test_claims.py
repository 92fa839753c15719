"""The claims of the specification are shown by existing tests, decided otherwise, or listed as open."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[3] / "docs"
TEST = re.compile(r"\[`(?P<name>test_\w+)`\]\((?P<file>\.\./tests/[\w/]+\.py)\)")
OPEN_POINT = re.compile(r"\[(?P<question>[^]]+)\]\(open_points\.md#(?P<section>[\w-]+)\)")

# Claims neither shown nor decided; remove an id once a test shows its claim.
OPEN: set[str] = set()


class Claim(NamedTuple):
    """One row of the table."""

    id: str
    claim: str
    shown_by: str
    note: str

    @property
    def tests(self) -> list[tuple[str, str]]:
        """The file and the name of each test."""
        return [(found["file"], found["name"]) for found in TEST.finditer(self.shown_by)]

    @property
    def open_points(self) -> list[tuple[str, str]]:
        """The section and the question of each open point."""
        return [(found["section"], found["question"]) for found in OPEN_POINT.finditer(self.note)]


def claims_of(page: str) -> list[Claim]:
    """Return the rows of all tables of *page*, without headers and separators."""
    lines = [line.strip("|\n").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return [Claim(*(cell.strip() for cell in line)) for line in lines if line[0].strip() != "id"]


def questions_of(page: str) -> set[tuple[str, str]]:
    """Return the questions of the open points, each with its section."""
    found: set[tuple[str, str]] = set()
    section = ""
    for line in page.splitlines():
        if line.startswith("## "):
            section = re.sub(r"[^\w\- ]", "", line.removeprefix("## ").lower()).replace(" ", "-")
        elif line.startswith("| "):
            found.add((section, line.split(" | ")[0].removeprefix("| ").strip()))
    return found


@cache
def names_in(file: str) -> set[str]:
    """Return the names of the tests in *file* without importing it."""
    path = DOCS / file
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.exists() else ast.Module([], [])
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


CLAIMS = claims_of((DOCS / "claims.md").read_text(encoding="utf-8"))
QUESTIONS = questions_of((DOCS / "open_points.md").read_text(encoding="utf-8"))


def test_a_claim_is_shown_or_decided_unless_it_is_known_to_be_open() -> None:
    neither = {claim.id for claim in CLAIMS if not claim.tests and not claim.open_points}

    assert neither == OPEN


def test_an_open_claim_says_what_is_missing() -> None:
    marked = {claim.id for claim in CLAIMS if claim.shown_by == "open"}

    assert marked == OPEN
    assert [claim.id for claim in CLAIMS if claim.id in marked and claim.note == "–"] == []


def test_every_named_test_exists() -> None:
    named = [(claim.id, *test) for claim in CLAIMS for test in claim.tests]

    assert [row for row in named if row[2] not in names_in(row[1])] == []


def test_only_tests_show_a_claim() -> None:
    others = {claim.id: re.sub(r"[, ]", "", TEST.sub("", claim.shown_by)) for claim in CLAIMS}

    assert {left for left in others.values() if left} <= {"open", "–"}


def test_every_named_open_point_is_a_row() -> None:
    named = [(claim.id, point) for claim in CLAIMS for point in claim.open_points]

    assert [row for row in named if row[1] not in QUESTIONS] == []
