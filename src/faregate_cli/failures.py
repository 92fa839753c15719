"""Saying what is wrong: the faults one a line, then what became of it, and exit status 1."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from faregate.errors import FaregateError, InvalidInput
from faregate_cli.labels import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["database_named", "faults_listed"]


@contextmanager
def faults_listed(outcome: str, *, status: int = 1) -> Iterator[None]:
    """Turn an error of the library into its faults, one a line, and exit *status*."""
    try:
        yield
    except FaregateError as error:
        faults = error.faults if isinstance(error, InvalidInput) else (str(error),)
        for fault in faults:
            typer.echo(printable(fault), err=True)
        them = "the fault" if len(faults) == 1 else f"the {len(faults)} faults"
        typer.echo(f"{outcome}: correct {them} above and try again", err=True)
        raise typer.Exit(status) from None


@contextmanager
def database_named(url: str, *, status: int = 1) -> Iterator[None]:
    """Say in one line which database cannot be used, and why; its password is not shown."""
    from faregate_http.store import StoreError
    from faregate_http.store.locations import shown

    try:
        yield
    except StoreError as error:
        typer.echo(f"{shown(url)}: {error}", err=True)
        raise typer.Exit(status) from None
