"""Options that commands share, and functions that show examples and print results."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

_Declared = TypeVar("_Declared", bound=Callable[..., Any])

JSON_OPTION = "--json"

FILE = click.Path(path_type=Path)

catalogue_option = click.option(
    "--catalogue", type=FILE, metavar="FILE", help="The catalogue, in YAML or JSON.  [default: demo]"
)


def json_option(instead_of: str) -> Callable[[_Declared], _Declared]:
    """Return the option ``--json`` of a command that prints *instead_of*, such as "a table", by default."""
    return click.option(JSON_OPTION, "as_json", is_flag=True, help=f"Print JSON instead of {instead_of}.")


def setting(option: str, help_text: str, **details: Any) -> Callable[[_Declared], _Declared]:
    """Return *option*, such as ``--port``, which the environment variable ``FAREGATE_PORT`` also sets."""
    variable = option.partition("/")[0].strip("-").replace("-", "_").upper()
    return click.option(option, envvar=f"FAREGATE_{variable}", show_envvar=True, help=help_text, **details)


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
