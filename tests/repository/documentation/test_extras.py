"""The extra that a page or notebook names is sufficient for its examples."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from support.documentation.pages import ROOT, Page

pytestmark = pytest.mark.slow

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
NAMED = re.compile(r"(?:faregate|\.)\[([a-z,]+)\]")
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
GUIDES = [ROOT / "docs" / "guides" / name for name in ("analysis.md", "services.md")]
# Users install the engines under frames and Starlette's test client themselves.
BROUGHT = ("duckdb", "httpx2", "polars")
# `make extras` creates an environment for each; otherwise the modules of all other packages are hidden.
INSTALLED = os.environ.get("FAREGATE_EXTRAS") == "installed"


def distributions(names: list[str], extra: str = "") -> set[str]:
    """Return *names* with all their installed requirements, direct and indirect."""
    found: set[str] = set()
    for text in names:
        wanted = Requirement(text)
        if wanted.marker is not None and not wanted.marker.evaluate({"extra": extra}):
            continue
        if wanted.name == "faregate":
            found |= distributions([each for of in wanted.extras for each in EXTRAS[of]])
        else:
            found |= {canonicalize_name(wanted.name)}
            for of in ("", *sorted(wanted.extras)):
                found |= _required(wanted.name, of)
    return found


@cache
def _required(name: str, extra: str) -> frozenset[str]:
    try:
        return frozenset(distributions(requires(name) or [], extra))
    except PackageNotFoundError:
        return frozenset()


def missing_with(extras: list[str]) -> list[str]:
    """Return the installed top-level modules that would be missing with *extras* alone."""
    there = distributions(
        [*PROJECT["dependencies"], *(each for of in extras for each in EXTRAS[of]), *BROUGHT]
    )
    return sorted(
        module
        for module, providers in packages_distributions().items()
        if not {canonicalize_name(provider) for provider in providers} & {*there, "faregate"}
    )


def run_with(
    extras: list[str], name: str, blocks: list[tuple[int, str]], files: dict[str, str], folder: Path
) -> str:
    """Return the errors of *blocks* with only *extras* installed; empty: none."""
    (folder / "examples").symlink_to(ROOT / "examples")
    python, missing = (installed(extras, folder), []) if INSTALLED else (sys.executable, missing_with(extras))
    asked = {"missing": missing, "name": name, "blocks": blocks, "files": files}
    done = subprocess.run(
        [python, "-m", "support.documentation.only"],
        input=json.dumps(asked),
        capture_output=True,
        check=False,
        cwd=folder,
        encoding="utf-8",
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("tests", "src")[: 2 - INSTALLED]),
            "MPLBACKEND": "agg",
        },
    )
    return done.stderr if done.returncode else ""


def installed(extras: list[str], folder: Path) -> str:
    """Return the Python of a new environment with *extras* and the packages that users install."""
    python = str(folder / "environment" / "bin" / "python")
    subprocess.run([sys.executable, "-m", "venv", folder / "environment"], check=True)
    wanted = [f"{ROOT}[{','.join(extras)}]", *BROUGHT] if extras else [str(ROOT)]
    subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True, capture_output=True)
    return python


def named_in(text: str) -> list[str]:
    """Return the extras in the first mention."""
    found = NAMED.search(text)
    assert found, "the page names no extra"
    return found[1].split(",")


def cells_of(path: Path) -> tuple[str, list[tuple[int, str]]]:
    """Return the texts and the code of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    words = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    code = [
        "".join(line for line in cell["source"] if not line.startswith("%"))
        for cell in cells
        if cell["cell_type"] == "code"
    ]
    return words, [*enumerate(code)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_with_the_extras_that_it_names(path: Path, tmp_path: Path) -> None:
    words, cells = cells_of(path)

    assert run_with(named_in(words), path.name, cells, {}, tmp_path) == ""


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_a_guide_runs_with_the_extras_that_it_names(path: Path, tmp_path: Path) -> None:
    page = Page(path)
    blocks = [(block.line, block.text) for block in page.blocks if block.language == "python"]
    files = {block.name: block.text for block in reversed(page.blocks) if block.name}

    assert run_with(named_in(page.text), path.name, blocks, files, tmp_path) == ""


def test_the_core_prices_with_no_extra(tmp_path: Path) -> None:
    page = Page(ROOT / "README.md")
    first = next(block for block in page.blocks if block.language == "python")

    assert PROJECT["dependencies"] == []
    assert run_with([], "README.md", [(first.line, first.text)], {}, tmp_path) == ""


def test_a_catalogue_is_read_with_its_extra_and_says_so_without(tmp_path: Path) -> None:
    block = (1, ">>> from faregate.files import demo_catalogue; _ = demo_catalogue()\n")
    other = tmp_path / "other"
    other.mkdir()

    assert run_with(["catalogue"], "page.md", [block], {}, tmp_path) == ""
    told = "faregate.files needs pydantic: install faregate[catalogue]"
    assert told in run_with(["batch"], "page.md", [block], {}, other)


def test_an_extra_too_few_is_told(tmp_path: Path) -> None:
    block = (1, ">>> import faregate.batch.tax.net_gross\n")
    other = tmp_path / "other"
    other.mkdir()

    assert run_with(["batch"], "page.md", [block], {}, tmp_path) == ""
    assert "No module named 'numpy'" in run_with(["catalogue"], "page.md", [block], {}, other)
