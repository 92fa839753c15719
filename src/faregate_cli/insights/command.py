"""``faregate insights``: prints the distribution of the prices in a file."""

from typing import Any

import click

from faregate_cli.program import FILE, example_epilog, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@click.command(
    short_help="Summarise prices, and rank one among them.",
    epilog=example_epilog("faregate insights prices.csv --price price --currency CHF --by weekday"),
)
@click.argument("file", type=FILE, help="A table of prices in CSV or Parquet.")
@click.option("--price", required=True, metavar="COLUMN", help="The column with the prices.")
@click.option(
    "--by",
    multiple=True,
    metavar="COLUMN",
    help="A column to group by; repeat it for combinations of columns.",
)
@click.option("--benchmark", metavar="AMOUNT", help="A price to rank among those in the file, as in 79.50.")
@click.option("--lower", default="25", metavar="PERCENT", help="A price below this percentile is low.")
@click.option("--upper", default="75", metavar="PERCENT", help="A price above this percentile is high.")
@click.option("--currency", metavar="CODE", help="The currency of the prices, as in CHF.  [required]")
@click.option(
    "--unit", metavar="minor|major", help="The unit of integers in a Parquet file, as in 7950 or 79."
)
@json_option("tables")
def insights(*, as_json: bool, **options: Any) -> None:
    """Print the distribution of the prices in a file, and rank a price among them.

    A CSV file must have column names in the first row, and prices in major units as in 79.50. In a Parquet
    file decimals are in major units, and --unit gives the unit of integers. If any row is faulty, only the
    faults are printed.
    """
    from faregate_cli.insights.arguments import InsightArguments, read_query
    from faregate_cli.insights.files import read_insights

    with errors_listed("nothing was shown", as_json=as_json):
        insights = read_insights(read_query(InsightArguments(**options)))
    print_result("insights", insights, as_json=as_json)
