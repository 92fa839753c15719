"""The program as a whole: its commands in groups, and a faulty call told as JSON where that is asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["EPILOG", "JSON_OPTION", "OF_CATALOGUES", "OF_PRICES", "OF_SERVICE", "Program", "example"]

JSON_OPTION = "--json"

OF_PRICES, OF_CATALOGUES, OF_SERVICE = "Prices and dates", "Catalogue files", "The service"

EPILOG = """\b
Each command has its own help, with an example: faregate price --help.

With --json a command prints one JSON object: names in camelCase, amounts in
major units. What is wrong comes as one JSON object, too, on standard error:
{"error": {"outcome": "nothing is priced", "faults": ["..."]}}. What faregate serve
writes is its log: as JSON with --log-format json.

\b
Exit status:
  0    done, and nothing was found
  1    faults were found, or something cannot be read or written
  2    the call is wrong; for faregate check: nothing could be looked at
  130  interrupted
"""

# The base of all errors of a call, whichever click typer brings along.
_UsageError: Final[Any] = typer.BadParameter.__bases__[0]


def example(call: str) -> str:
    """How a help ends: with a *call* that is not broken in two."""
    return f"\b\nExample:\n  {call}"


class Program(TyperGroup):
    """All commands."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 - as typer has it
        windows_expand_args: bool = True,  # noqa: FBT001, FBT002
        **extra: Any,
    ) -> Any:
        """Run the command that *args* name."""
        words = sys.argv[1:] if args is None else list(args)
        if JSON_OPTION not in words or not standalone_mode:
            return super().main(words, prog_name, complete_var, standalone_mode, windows_expand_args, **extra)
        try:
            status = super().main(words, prog_name, complete_var, False, windows_expand_args, **extra)
        except _UsageError as error:
            from faregate_cli.failures import faults_json

            typer.echo(faults_json("the call is wrong", [error.format_message()]), err=True)
            status = error.exit_code
        sys.exit(status or 0)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands, each in its group."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        room = formatter.width - 6 - max(len(name) for name, _ in commands)
        for group in (OF_PRICES, OF_CATALOGUES, OF_SERVICE):
            with formatter.section(group):
                formatter.write_dl([*_rows(commands, group, room)])


def _rows(commands: Sequence[tuple[str, Any]], group: str, room: int) -> Iterator[tuple[str, str]]:
    for name, command in commands:
        if command.rich_help_panel == group:
            yield name, command.get_short_help_str(room)
