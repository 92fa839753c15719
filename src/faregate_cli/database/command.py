"""``faregate migrate``, ``check`` and ``backup``: commands for the database of a service."""

from pathlib import Path
from typing import Annotated

import typer

from faregate_cli.program import OF_SERVICE, command, json_option
from faregate_cli.terminal.errors import database_named, errors_listed
from faregate_cli.terminal.json_text import print_either

_Database = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        envvar="FAREGATE_DATABASE",
        help="As in sqlite:////var/checkouts.db or postgresql://user@host/name.",
    ),
]

_Json = Annotated[bool, json_option("a line")]


@command(
    OF_SERVICE,
    short_help="Migrate a database to the current tables.",
    example="faregate migrate sqlite:///checkouts.db",
)
def migrate(database: _Database, *, as_json: _Json = False) -> None:
    """Migrate the tables of a database to the current revision, as serve does at startup; data is kept."""
    from faregate_server.store.migrate import migrate as migrate_tables

    with database_named(database, as_json=as_json):
        before, after = migrate_tables(database)
    print_either(_migration_label(before, after), {"from": before, "to": after}, as_json=as_json)


def _migration_label(before: str | None, after: str) -> str:
    if before == after:
        return f"the tables are already at revision {after}"
    start = "an empty database" if before is None else f"revision {before}"
    return f"migrated from {start} to revision {after}"


@command(
    OF_SERVICE,
    short_help="Check a database for inconsistencies.",
    example="faregate check sqlite:///checkouts.db --json",
)
def check(
    database: _Database = "sqlite:///faregate.db",
    *,
    catalogue: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="FAREGATE_CATALOGUE",
            help="The catalogue in use, to price open checkouts and check their capacity.",
        ),
    ] = None,
    charges: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The gateway's charges, to find those that the database lost: CSV or JSON lines with "
            "payment, currency, and amount (69.50) or minorUnits (6950).",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON: the number of rows checked, and every finding.")
    ] = False,
) -> None:
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
    with database_named(database, status=2, as_json=as_json):
        sweep = Sweep(database, catalogue=sold, charges=taken)
        is_clean = print_findings(sweep, as_json=as_json)
    if not is_clean:
        raise typer.Exit(1)


@command(
    OF_SERVICE,
    short_help="Copy a SQLite database, even while a server is using it.",
    example="faregate backup sqlite:///checkouts.db copy.db",
)
def backup(
    database: Annotated[
        str, typer.Argument(metavar="URL", help="A SQLite database, as in sqlite:////var/checkouts.db.")
    ],
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The copy; it must not exist yet.")],
    *,
    as_json: _Json = False,
) -> None:
    """Copy a SQLite database, even while a server is using it; for PostgreSQL use pg_dump."""
    from faregate_server.store.backup import back_up

    with database_named(database, as_json=as_json):
        size = back_up(database, file)
    print_either(f"{file}: {size} bytes", {"file": str(file), "bytes": size}, as_json=as_json)
