"""The program ``faregate``, which imports only the command it runs; usage errors can be JSON."""

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click

from faregate_cli.program import JSON_OPTION

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

SECTIONS = {
    "Prices and dates": {
        "price": "price",
        "validities": "validities",
        "renewals": "subscriptions",
        "insights": "insights",
        "reprice": "reprice",
        "refund": "refund",
    },
    "Catalogue files": {"catalogue": "catalogue"},
    "The service": {
        "serve": "serve",
        "migrate": "database",
        "check": "database",
        "backup": "database",
        "token": "token",
        "channel-key": "token",
    },
}
"""The sections of the help: their commands, and the package that contains each."""

_PACKAGES = {name: package for section in SECTIONS.values() for name, package in section.items()}


class Program(click.Group):
    """The group of all commands, each imported only when it is called or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_PACKAGES]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name not in _PACKAGES:
            raise click.NoSuchCommand(cmd_name, possibilities=_PACKAGES, ctx=ctx)
        module = import_module(f"faregate_cli.{_PACKAGES[cmd_name]}.command")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands for the help text, by section."""
        width = formatter.width - 6 - max(map(len, _PACKAGES))
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl(
                    [(name, self.get_command(ctx, name).get_short_help_str(width)) for name in names]
                )

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; if interrupted, exit with status 130 and without a message."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            ctx.exit(130)

    def main(  # type: ignore[override]  # it exits in any case
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> Any:
        """Run the command named in *args*; with ``--json``, report usage errors as JSON."""
        words = sys.argv[1:] if args is None else list(args)
        try:
            status = super().main(words, prog_name, **extra, standalone_mode=False)
        except click.ClickException as error:
            _show(error, as_json=JSON_OPTION in words)
            status = error.exit_code
        sys.exit(status or 0)


def _show(error: click.ClickException, *, as_json: bool) -> None:
    if not as_json:
        error.show()
        return
    from faregate_cli.terminal.errors import error_json

    click.echo(error_json("usage error", [error.format_message()]), err=True)


def _print_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    if wanted:
        from importlib.metadata import version

        click.echo(f"faregate {version('faregate')}, time zones of tzdata {version('tzdata')}")
        context.exit()


@click.group("faregate", cls=Program, epilog=EPILOG, context_settings={"show_default": True})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and exit.",
)
def app() -> None:
    """Exact prices for ticketing checkouts, and the reason for every amount."""
