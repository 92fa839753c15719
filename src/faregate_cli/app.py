"""The program ``faregate``, which imports only the command it runs; usage errors can be JSON."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from faregate_cli.program import JSON_OPTION, OF_CATALOGUES, OF_PRICES, OF_SERVICE

EPILOG = """\b
Each command has its own help, with an example: faregate price --help.

With --json a command prints one JSON object: names in camelCase, amounts in
major units; documents, which have a "format", have minor units. An error is
also printed as one JSON object, on standard error:
{"error": {"outcome": "nothing was priced", "faults": ["..."]}}. The output of
faregate serve is its log: as JSON with --log-format json.

\b
Exit status:
  0    success, without findings
  1    faults were found, or something cannot be read or written
  2    usage error; for faregate check: the database cannot be checked
  130  interrupted
"""

# Base class of all usage errors, for any version of click that typer uses.
_UsageError: Final[Any] = typer.BadParameter.__bases__[0]

_MODULES = {
    "price": "faregate_cli.price.command",
    "validities": "faregate_cli.validities.command",
    "renewals": "faregate_cli.subscriptions.command",
    "insights": "faregate_cli.insights.command",
    "reprice": "faregate_cli.reprice.command",
    "refund": "faregate_cli.refund.command",
    "serve": "faregate_cli.serve.command",
    "migrate": "faregate_cli.database.command",
    "check": "faregate_cli.database.command",
    "backup": "faregate_cli.database.command",
    "token": "faregate_cli.token.command",
    "channel-key": "faregate_cli.token.command",
    "catalogue": "faregate_cli.catalogue.command",
}


class _Commands(Mapping[str, Any]):
    """A mapping from names to commands, which imports a command's module when the command is looked up."""

    def __getitem__(self, name: str) -> Any:
        return getattr(import_module(_MODULES[name]), name.replace("-", "_"))

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


class Program(TyperGroup):
    """The group of all commands, each imported only when it is called or listed."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _Commands()  # type: ignore[assignment]  # typer only reads it

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: FBT001, FBT002 - as typer has it
        windows_expand_args: bool = True,  # noqa: FBT001, FBT002
        **extra: Any,
    ) -> Any:
        """Run the command named in *args*; with ``--json``, report usage errors as JSON."""
        words = sys.argv[1:] if args is None else list(args)
        if JSON_OPTION not in words or not standalone_mode:
            return super().main(words, prog_name, complete_var, standalone_mode, windows_expand_args, **extra)
        try:
            status = super().main(words, prog_name, complete_var, False, windows_expand_args, **extra)
        except _UsageError as error:
            from faregate_cli.terminal.errors import error_json

            typer.echo(error_json("usage error", [error.format_message()]), err=True)
            status = error.exit_code
        sys.exit(status or 0)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands for the help text, by group."""
        commands: dict[str, Any] = dict(self.commands)
        width = formatter.width - 6 - max(map(len, commands))
        for group in (OF_PRICES, OF_CATALOGUES, OF_SERVICE):
            with formatter.section(group):
                formatter.write_dl(
                    [
                        (name, command.get_short_help_str(width))
                        for name, command in commands.items()
                        if command.rich_help_panel == group
                    ]
                )


app = typer.Typer(
    cls=Program,
    help="Exact prices for ticketing checkouts, and the reason for every amount.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:  # noqa: FBT001 - typer calls it so
    if wanted:
        from importlib.metadata import version

        typer.echo(f"faregate {version('faregate')}, time zones of tzdata {version('tzdata')}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Declare the options of the whole program."""
