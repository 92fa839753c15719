"""Saying what is wrong: the faults one a line, then what became of it; or both as JSON. Exit status 1."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

import typer

from faregate.errors import FaregateError, InvalidInput
from faregate.render.wording import printable
from faregate_cli.json_text import json_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["database_named", "faults_json", "faults_listed", "file_fault", "give_up"]


def give_up(outcome: str, *lines: str, status: int = 1, as_json: bool = False) -> NoReturn:
    """Say what is wrong on standard error, or what became of it as well *as_json*, and exit *status*."""
    said = faults_json(outcome, lines) if as_json else "\n".join(map(printable, lines))
    typer.echo(said, err=True)
    raise typer.Exit(status)


def faults_json(outcome: str, faults: Sequence[str]) -> str:
    """What every command says in JSON when it gives up."""
    return json_text({"error": {"outcome": outcome, "faults": list(faults)}})


@contextmanager
def faults_listed(outcome: str, *, status: int = 1, as_json: bool = False) -> Iterator[None]:
    """Turn an error of the library into its faults, one a line, and exit *status*."""
    try:
        yield
    except FaregateError as error:
        faults = error.faults if isinstance(error, InvalidInput) else (str(error),)
        them = "the fault" if len(faults) == 1 else f"the {len(faults)} faults"
        advice = () if as_json else (f"{outcome}: correct {them} above and try again",)
        give_up(outcome, *faults, *advice, status=status, as_json=as_json)


@contextmanager
def database_named(url: str, *, status: int = 1, as_json: bool = False) -> Iterator[None]:
    """Say in one line which database cannot be used, why, and what to try; its password is not shown."""
    from faregate_http.store import StoreError
    from faregate_http.store.locations import shown

    try:
        yield
    except StoreError as error:
        said = f"{shown(url)}: {error}{_advice(url, error)}"
        give_up("the database cannot be used", said, status=status, as_json=as_json)


_UNUSABLE = ("cannot open", "the database cannot be read", "the database cannot be used")


def _advice(url: str, error: Exception) -> str:
    """What to try with a database that cannot be opened or read; all other errors say it."""
    if not str(error).startswith(_UNUSABLE):
        return ""
    if "locked" in str(error):
        return "; wait for what writes to it, or stop that"
    if url.startswith("sqlite"):
        return "; name another file"
    return "; is the server running, and are host, port, user and name right?"


def file_fault(file: Path) -> str | None:
    """Why there is nothing to read at *file*; None: there may be."""
    if file.is_dir():
        return f"{file}: is a directory, expected a file"
    return None if file.exists() else f"{file}: there is no such file"
