"""Functions that declare commands and their shared options, and print results."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand
from typer.main import get_command

JSON_OPTION = "--json"

OF_PRICES, OF_CATALOGUES, OF_SERVICE = "Prices and dates", "Catalogue files", "The service"

CatalogueFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The catalogue, in YAML or JSON.  [default: demo]")
]


def json_option(instead_of: str) -> Any:
    """Return the option ``--json`` of a command that prints *instead_of*, such as "a table", by default."""
    return typer.Option(JSON_OPTION, help=f"Print JSON instead of {instead_of}.")


def example_epilog(example: str) -> str:
    """Return the end of a help text, which shows the call *example* without wrapping it."""
    return f"\b\nExample:\n  {example}"


def print_result(room: str, value: object, *, as_json: bool) -> None:
    """Print *value* with the module ``to_json`` or ``view`` of the package ``faregate_cli.{room}``."""
    if as_json:
        from faregate_cli.terminal.json_text import print_json

        print_json(import_module(f"faregate_cli.{room}.to_json").to_json(value))
    else:
        from faregate_cli.terminal.console import output

        import_module(f"faregate_cli.{room}.view").show(output(), value)


def command(
    group: str,
    *,
    example: str,
    name: str | None = None,
    short_help: str | None = None,
    cls: type[TyperCommand] = TyperCommand,
) -> Callable[[Callable[..., None]], Any]:
    """Return a decorator that makes a function a command in *group*; its help text ends with *example*."""

    def made(function: Callable[..., None]) -> Any:
        app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
        epilog = example_epilog(example)
        app.command(name, cls=cls, rich_help_panel=group, short_help=short_help, epilog=epilog)(function)
        return get_command(app)

    return made
