"""Error messages on standard error: one fault per line, then the outcome, or both as JSON."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import click

from faregate.errors import FaregateError, InvalidInput
from faregate.render.wording import printable
from faregate_cli.terminal.json_text import json_text


def give_up(outcome: str, *lines: str, status: int = 1, as_json: bool = False) -> NoReturn:
    """Print *lines*, or JSON with *outcome* and *lines*, to standard error, and exit with *status*."""
    text = error_json(outcome, lines) if as_json else "\n".join(map(printable, lines))
    click.echo(text, err=True)
    raise click.exceptions.Exit(status)


def error_json(outcome: str, faults: Sequence[str]) -> str:
    """Return *outcome* and *faults* as the JSON that a command prints when it fails."""
    return json_text({"error": {"outcome": outcome, "faults": list(faults)}})


@contextmanager
def errors_listed(outcome: str, *, status: int = 1, as_json: bool = False) -> Iterator[None]:
    """Print the faults of a `FaregateError` raised in the block, one per line, and exit with *status*."""
    try:
        yield
    except FaregateError as error:
        faults = error.messages if isinstance(error, InvalidInput) else (str(error),)
        them = "the fault" if len(faults) == 1 else f"the {len(faults)} faults"
        advice = () if as_json else (f"{outcome}: correct {them} above and try again",)
        give_up(outcome, *faults, *advice, status=status, as_json=as_json)


@contextmanager
def database_named(url: str, *, status: int = 1, as_json: bool = False) -> Iterator[None]:
    """Print a `StoreError` raised in the block, with *url* and advice, and exit with *status*."""
    from faregate_http.store.contract import StoreError
    from faregate_server.store.locations import shown

    try:
        yield
    except StoreError as error:
        message = f"{shown(url)}: {error}{_advice(url, str(error))}"
        give_up("the database cannot be used", message, status=status, as_json=as_json)


_UNUSABLE = ("cannot open", "the database cannot be read", "the database cannot be used")


def _advice(url: str, message: str) -> str:
    """Return advice if *message* says that a database cannot be used, or else an empty text."""
    if not message.startswith(_UNUSABLE):
        return ""
    if "locked" in message:
        return "; wait until other programs finish writing, or stop them"
    if url.startswith("sqlite"):
        return "; name another file"
    return "; check that the server is running, and that host, port, user and name are right"
