"""``faregate migrate``, ``check`` and ``backup``: commands for the database of a service."""

from pathlib import Path

import click

from faregate_cli.program import FILE, example_epilog, json_option, setting
from faregate_cli.terminal.errors import database_named, errors_listed
from faregate_cli.terminal.json_text import print_either

_VARIABLE = "FAREGATE_DATABASE"
_URLS = "As in sqlite:////var/checkouts.db or postgresql://user@host/name."


@click.command(
    short_help="Migrate a database to the current tables.",
    epilog=example_epilog("faregate migrate sqlite:///checkouts.db"),
)
@click.argument("url", envvar=_VARIABLE, help=f"{_URLS}  [env var: {_VARIABLE}]")
@json_option("a line")
def migrate(url: str, *, as_json: bool) -> None:
    """Migrate the tables of a database to the current revision, as serve does at startup; data is kept."""
    from faregate_server.store.migrate import migrate as migrate_tables

    with database_named(url, as_json=as_json):
        before, after = migrate_tables(url)
    print_either(_migration_label(before, after), {"from": before, "to": after}, as_json=as_json)


def _migration_label(before: str | None, after: str) -> str:
    if before == after:
        return f"the tables are already at revision {after}"
    start = "an empty database" if before is None else f"revision {before}"
    return f"migrated from {start} to revision {after}"


_DEFAULT = "sqlite:///faregate.db"


@click.command(
    short_help="Check a database for inconsistencies.",
    epilog=example_epilog("faregate check sqlite:///checkouts.db --json"),
)
@click.argument(
    "url",
    envvar=_VARIABLE,
    default=_DEFAULT,
    help=f"{_URLS}  [env var: {_VARIABLE}; default: {_DEFAULT}]",
)
@setting(
    "--catalogue",
    "The catalogue in use, to price open checkouts and check their capacity.",
    type=FILE,
    metavar="FILE",
)
@click.option(
    "--charges",
    type=FILE,
    metavar="FILE",
    help="The gateway's charges, to find those that the database lost: CSV or JSON lines with "
    "payment, currency, and amount (69.50) or minorUnits (6950).",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON: the number of rows checked, and every finding.",
)
def check(url: str, *, catalogue: Path | None, charges: Path | None, as_json: bool) -> None:
    """Check a database for inconsistencies without changing it; safe while a server is using it.

    Status 0: consistent. 1: inconsistent. 2: the database cannot be checked.
    """
    from faregate_cli.catalogue.contents import read_catalogue
    from faregate_cli.database.charges import read_charges
    from faregate_cli.database.findings import print_findings
    from faregate_server.audit.sweep import Sweep

    with errors_listed("nothing was checked", status=2, as_json=as_json):
        sold = None if catalogue is None else read_catalogue(catalogue)
        taken = None if charges is None else read_charges(charges)
    with database_named(url, status=2, as_json=as_json):
        sweep = Sweep(url, catalogue=sold, charges=taken)
        is_clean = print_findings(sweep, as_json=as_json)
    if not is_clean:
        raise click.exceptions.Exit(1)


@click.command(
    short_help="Copy a SQLite database, even while a server is using it.",
    epilog=example_epilog("faregate backup sqlite:///checkouts.db copy.db"),
)
@click.argument("url", help="A SQLite database, as in sqlite:////var/checkouts.db.")
@click.argument("file", type=FILE, help="The copy; it must not exist yet.")
@json_option("a line")
def backup(url: str, file: Path, *, as_json: bool) -> None:
    """Copy a SQLite database, even while a server is using it; for PostgreSQL use pg_dump."""
    from faregate_server.store.backup import back_up

    with database_named(url, as_json=as_json):
        size = back_up(url, file)
    print_either(f"{file}: {size} bytes", {"file": str(file), "bytes": size}, as_json=as_json)
