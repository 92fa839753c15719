"""``faregate insights``: prints the distribution of the prices in a file."""

from pathlib import Path
from typing import Annotated

import typer

from faregate_cli.program import OF_PRICES, command, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@command(
    OF_PRICES,
    short_help="Summarise prices, and rank one among them.",
    example="faregate insights prices.csv --price price --currency CHF --by weekday",
)
def insights(  # noqa: PLR0913 - its options
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table of prices in CSV or Parquet.")],
    *,
    price: Annotated[str, typer.Option(metavar="COLUMN", help="The column with the prices.")],
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column to group by; repeat it for combinations of columns."),
    ] = None,
    benchmark: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", help="A price to rank among those in the file, as in 79.50."),
    ] = None,
    lower: Annotated[
        str, typer.Option(metavar="PERCENT", help="A price below this percentile is low.")
    ] = "25",
    upper: Annotated[
        str, typer.Option(metavar="PERCENT", help="A price above this percentile is high.")
    ] = "75",
    currency: Annotated[
        str | None, typer.Option(metavar="CODE", help="The currency of the prices, as in CHF.  [required]")
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option(metavar="minor|major", help="The unit of integers in a Parquet file, as in 7950 or 79."),
    ] = None,
    as_json: Annotated[bool, json_option("tables")] = False,
) -> None:
    """Print the distribution of the prices in a file, and rank a price among them.

    A CSV file must have column names in the first row, and prices in major units as in 79.50. In a Parquet
    file decimals are in major units, and --unit gives the unit of integers. If any row is faulty, only the
    faults are printed.
    """
    from faregate_cli.insights.arguments import InsightArguments, read_query
    from faregate_cli.insights.files import read_insights

    arguments = InsightArguments(file, price, by or (), benchmark, lower, upper, currency, unit)
    with errors_listed("nothing was shown", as_json=as_json):
        insights = read_insights(read_query(arguments))
    print_result("insights", insights, as_json=as_json)
