"""``faregate reprice``: prices past orders under other rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from faregate_cli.program import OF_PRICES, command, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@command(
    OF_PRICES,
    short_help="Price past orders under other rules.",
    example="faregate reprice orders.parquet --rules rules.yaml --output repriced.parquet",
)
def reprice(  # noqa: PLR0913 - one for each option
    orders: Annotated[Path, typer.Argument(metavar="ORDERS", help="Lines of past orders, in Parquet.")],
    *,
    rules: Annotated[
        Path, typer.Option(metavar="FILE", help="Discounts, promo codes and policy, in YAML or JSON.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write the lines with their new figures, in Parquet."),
    ] = None,
    by: Annotated[str, typer.Option(metavar="COLUMN", help="The column with the checkout id.")] = "checkout",
    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="A column to group by, dates by ISO week; repeat it for combinations of columns.",
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=COLUMN", help="The column of a field with another name, as in key=line."),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The time zone of ordered_at, if there is no ordered_on."),
    ] = None,
    elasticity: Annotated[
        str | None,
        typer.Option(metavar="NUMBER", help="Response of units to their price in each group, as in -0.8."),
    ] = None,
    as_json: Annotated[bool, json_option("a table")] = False,
) -> None:
    """Price past orders under other rules, and print the differences.

    A row is a line; the lines of a checkout must be together, as in a file sorted by checkout. Columns:
    unit_price, quantity, rate, codes and others that the rules need. Integers are in minor units, decimals
    and strings in major units. A column total_gross gives the previous total of each line.
    """
    from faregate_cli.reprice.arguments import RepriceArguments, read_query
    from faregate_cli.reprice.groups import reprice_orders

    arguments = RepriceArguments(
        orders, rules, output, by, groups=group or (), columns=column or (), zone=zone, elasticity=elasticity
    )
    with errors_listed("nothing was repriced", as_json=as_json):
        repriced = reprice_orders(read_query(arguments))
    print_result("reprice", repriced, as_json=as_json)
