"""The table of open points is complete, and its references exist."""

import re
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[3] / "docs"
DECISIONS = (DOCS / "decisions.md").read_text(encoding="utf-8")
SECTION = re.compile(r"\[§(?P<section>[\d.]+)\]\((?P<link>[^)]+)\)")
CODE = re.compile(r"\[(?P<text>[^\]]+)\]\(\.\./src/(?P<file>[\w/]+)\.py\)")


class Row(NamedTuple):
    """One open point in the table."""

    question: str
    answer: str
    why: str
    another_reading: str
    where: str


def rows_of(page: str) -> list[Row]:
    """Return the rows of all tables of *page*, without headers and separators."""
    lines = [line.strip().strip("|").split(" | ") for line in page.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line] for line in lines]
    return [Row(*row) for row in cells if row[0] != "question" and not row[0].startswith("--")]


def sections_of(decisions: str) -> dict[str, str]:
    """Return the sections and their numbered points, each with the anchor of its heading."""
    found: dict[str, str] = {}
    number = anchor = ""
    for line in decisions.splitlines():
        heading = re.match(r"## (\d+)\. ", line)
        point = re.match(r"(\d+)\. ", line)
        if heading:
            number, title = heading[1], line.removeprefix("## ").lower()
            found[number] = anchor = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        elif point and number:
            found[f"{number}.{point[1]}"] = anchor
    return found


def resolves(text: str, file: str) -> bool:
    """Return whether *file* is a module and *text* names it or something in it."""
    module = file.replace("/", ".").removesuffix(".__init__")
    if not text.startswith("`"):
        return f".{module}".endswith(f".{text}") and import_module(module) is not None
    found: object = import_module(module)
    for part in text.strip("`").split("."):
        found = attribute(found, part)
    return found is not MISSING


MISSING = object()


def attribute(owner: object, name: str) -> object:
    """Return the attribute of *owner*, including fields that only instances have."""
    return getattr(owner, name, getattr(owner, "model_fields", {}).get(name, MISSING))


ROWS = rows_of((DOCS / "open_points.md").read_text(encoding="utf-8"))
SECTIONS = sections_of(DECISIONS)


def named_sections(row: Row) -> list[str]:
    return [found["section"] for found in SECTION.finditer(row.where)]


def test_a_row_is_complete_and_refers_to_decision_and_code() -> None:
    assert [row for row in ROWS if not (all(row) and named_sections(row) and CODE.search(row.where))] == []


def test_every_named_section_exists_and_is_linked() -> None:
    links = [found for row in ROWS for found in SECTION.findall(row.where)]

    wrong = [(name, link) for name, link in links if link != f"decisions.md#{SECTIONS.get(name)}"]
    assert wrong == []


def test_every_named_module_and_option_exists() -> None:
    named = {found for row in ROWS for found in CODE.findall(" ".join(row))}

    assert {name for name in named if not resolves(*name)} == set()


def test_every_section_has_a_row() -> None:
    named = {section for row in ROWS for section in named_sections(row)}
    divided = {section.partition(".")[0] for section in SECTIONS if "." in section}

    assert SECTIONS.keys() - divided - named == set()
