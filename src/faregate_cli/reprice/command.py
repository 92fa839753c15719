"""The command that reprices past orders: read, stream, print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from faregate_cli.failures import faults_listed
from faregate_cli.program import OF_PRICES, example

if TYPE_CHECKING:
    from faregate_cli.reprice.groups import Repriced

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None)


@app.command(
    rich_help_panel=OF_PRICES,
    short_help="Price past orders again under other rules.",
    epilog=example("faregate reprice orders.parquet --rules rules.yaml --output repriced.parquet"),
)
def reprice(
    orders: Annotated[Path, typer.Argument(metavar="ORDERS", help="Lines of past orders, in Parquet.")],
    *,
    rules: Annotated[
        Path, typer.Option(metavar="FILE", help="Discounts, promo codes and policy, in YAML or JSON.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the lines with their new figures, in Parquet."),
    ] = None,
    by: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column that names the checkout.")
    ] = "checkout",
    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Add up by this column, dates by their ISO week; give several for groups of all of them.",
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=COLUMN", help="Where a column is called otherwise, as in key=line."),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The zone of the dates of ordered_at, if there is no ordered_on."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Price past orders again under other rules, and print what changes.

    A row is a line; the lines of a checkout lie together, as in a file sorted by it. Columns: unit_price,
    quantity, rate, codes and others that rules may look at. Integers are minor units, decimals and texts
    major ones. A column total_gross is what a line did cost.
    """
    from faregate_cli.reprice.asking import AskedReprice, read_reprice
    from faregate_cli.reprice.groups import repriced

    asked = AskedReprice(orders, rules, output, by, groups=group or (), columns=column or (), zone=zone)
    with faults_listed("nothing is repriced", as_json=as_json):
        found = repriced(read_reprice(asked))
    if as_json:
        _print_json(found)
    else:
        _print(found)


def _print_json(found: Repriced) -> None:
    from faregate_cli.json_text import json_text
    from faregate_cli.reprice.as_json import reprice_json

    typer.echo(json_text(reprice_json(found)))


def _print(found: Repriced) -> None:
    from faregate_cli.look import output
    from faregate_cli.reprice.view import print_repriced

    print_repriced(output(), found)
