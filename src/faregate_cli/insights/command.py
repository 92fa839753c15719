"""``faregate insights``: print how the prices of a file are spread."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from faregate_cli.program import OF_PRICES, command, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@command(
    OF_PRICES,
    short_help="Print how prices lie, and how one compares.",
    example="faregate insights prices.csv --price price --currency CHF --by weekday",
)
def insights(  # noqa: PLR0913 - its options
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table of prices, in CSV or Parquet.")],
    *,
    price: Annotated[str, typer.Option(metavar="COLUMN", help="The column of the prices.")],
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="A column to group by; give several for groups of all of them."),
    ] = None,
    benchmark: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="A price to judge by those of the file, as in 79.50.")
    ] = None,
    lower: Annotated[
        str, typer.Option(metavar="PERCENT", help="Below the price of so many percent a price is low.")
    ] = "25",
    upper: Annotated[
        str, typer.Option(metavar="PERCENT", help="Above the price of so many percent a price is high.")
    ] = "75",
    currency: Annotated[
        str | None, typer.Option(metavar="CODE", help="The currency of the prices, as in CHF.  [required]")
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option(metavar="minor|major", help="What integers in a Parquet file are: 7950, or 79."),
    ] = None,
    as_json: Annotated[bool, json_option("tables")] = False,
) -> None:
    """Print how the prices of a file lie, and how a price compares with them.

    A CSV file names its columns in the first row, and its prices are major units as in 79.50. In a Parquet
    file decimals are major units, and --unit says what integers are. Every row counts: one at fault is
    listed, and then nothing is shown.
    """
    from faregate_cli.insights.arguments import InsightArguments, read_query
    from faregate_cli.insights.files import read_insights

    arguments = InsightArguments(file, price, by or (), benchmark, lower, upper, currency, unit)
    with errors_listed("nothing is shown", as_json=as_json):
        insights = read_insights(read_query(arguments))
    print_result("insights", insights, as_json=as_json)
