"""``faregate reprice``: prices past orders under other rules."""

from typing import Any

import click

from faregate_cli.program import FILE, example_epilog, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@click.command(
    short_help="Price past orders under other rules.",
    epilog=example_epilog("faregate reprice orders.parquet --rules rules.yaml --output repriced.parquet"),
)
@click.argument("orders", type=FILE, help="Lines of past orders, in Parquet.")
@click.option(
    "--rules",
    type=FILE,
    required=True,
    metavar="FILE",
    help="Discounts, promo codes and policy, in YAML or JSON.",
)
@click.option(
    "--output",
    type=FILE,
    metavar="FILE",
    help="Also write the lines with their new figures, in Parquet.",
)
@click.option("--by", default="checkout", metavar="COLUMN", help="The column with the checkout id.")
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="COLUMN",
    help="A column to group by, dates by ISO week; repeat it for combinations of columns.",
)
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="FIELD=COLUMN",
    help="The column of a field with another name, as in key=line.",
)
@click.option("--zone", metavar="NAME", help="The time zone of ordered_at, if there is no ordered_on.")
@click.option(
    "--elasticity",
    metavar="NUMBER",
    help="Response of units to their price in each group, as in -0.8.",
)
@json_option("a table")
def reprice(*, as_json: bool, **options: Any) -> None:
    """Price past orders under other rules, and print the differences.

    A row is a line; the lines of a checkout must be together, as in a file sorted by checkout. Columns:
    unit_price, quantity, rate, codes and others that the rules need. Integers are in minor units, decimals
    and strings in major units. A column total_gross gives the previous total of each line.
    """
    from faregate_cli.reprice.arguments import RepriceArguments, read_query
    from faregate_cli.reprice.groups import reprice_orders

    with errors_listed("nothing was repriced", as_json=as_json):
        repriced = reprice_orders(read_query(RepriceArguments(**options)))
    print_result("reprice", repriced, as_json=as_json)
