"""The checks of every code block on a page: each is run, or at least parsed as its language."""

from __future__ import annotations

import configparser
import csv
import io
import json
from typing import TYPE_CHECKING

import yaml

from support.documentation.consoles import Console
from support.documentation.pages import ROOT, Page
from support.documentation.sessions import Block, PythonSession
from support.documentation.shells import fault_of_words, faults_of_shell

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# The files of the repository that the commands of a page can use.
SEEN = ("examples", "notebooks", "src")


def faults_of_blocks(page: Page, folder: Path) -> list[str]:
    """Return the errors of *page* with their lines; commands run and files are written in *folder*."""
    for name in SEEN:
        (folder / name).symlink_to(ROOT / name)
    for block in reversed(page.blocks):  # the first version of a file that is shown twice wins
        _write(block, folder)
    with Console(folder) as console:
        runners = _runners(page, console)
        found = [(block.line, _fault(block, folder, runners)) for block in page.blocks]
    return [f"{page.path.name}:{line}: {fault}" for line, fault in found if fault]


def faults_of_code_words(page: Page) -> list[str]:
    """Return the errors of commands within sentences."""
    asked = (
        words.split() for words in page.code_words if words.startswith(("make ", "faregate ", "python -m "))
    )
    return [
        f"{page.path.name}: `{' '.join(words)}`: {fault}"
        for words in asked
        if (fault := fault_of_words(words))
    ]


def _runners(page: Page, console: Console) -> dict[str, Callable[[Block], str]]:
    """Return the check for each language; other languages are errors."""
    return {
        "python": PythonSession(page.path.name).faults,
        "console": console.faults,
        "sh": lambda block: faults_of_shell(block.text),
        "yaml": lambda block: _unreadable(block, lambda text: [*yaml.safe_load_all(text)]),
        "json": lambda block: _unreadable(block, json.loads),
        "csv": lambda block: _unreadable(block, _read_csv),
        "ini": lambda block: _unreadable(block, _read_ini),
        "sql": lambda _: "",  # run from the Python blocks of the page
        "text": lambda _: "",
        "typescript": lambda _: "",
    }


def _fault(block: Block, folder: Path, runners: dict[str, Callable[[Block], str]]) -> str:
    if block.language not in runners:
        return f"unsupported language {block.language!r}" if block.language else "a block without a language"
    _write(block, folder)
    is_a_file_only = block.language == "python" and block.name
    return "" if is_a_file_only else runners[block.language](block)


def _write(block: Block, folder: Path) -> None:
    if block.name:
        (folder / block.name).write_text(block.text, encoding="utf-8")


def _unreadable(block: Block, read: Callable[[str], object]) -> str:
    try:
        read(block.text)
    except (ValueError, yaml.YAMLError, configparser.Error) as fault:
        return f"invalid {block.language}: {fault}"
    return ""


def _read_csv(text: str) -> None:
    widths = {len(row) for row in csv.reader(io.StringIO(text))}
    if len(widths) != 1:
        raise ValueError(f"rows of {sorted(widths)} fields")


def _read_ini(text: str) -> None:
    reader = configparser.ConfigParser(interpolation=None)
    reader.optionxform = str  # type: ignore[assignment,method-assign]
    reader.read_string(text)
