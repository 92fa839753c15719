"""``faregate validities``: prints a calendar of a product."""

from typing import Annotated

import typer

from faregate_cli.program import OF_PRICES, CatalogueFile, command, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@command(
    OF_PRICES,
    short_help="Print prices and availability by day.",
    example="faregate validities day-ticket --from 2026-12-01 --to 2026-12-31",
)
def validities(  # noqa: PLR0913 - each of them is an option of the command
    product: Annotated[str, typer.Argument(metavar="PRODUCT", help="The id or the slug of a product.")],
    *,
    first_day: Annotated[
        str | None, typer.Option("--from", metavar="DATE", help="The first day.  [default: today]")
    ] = None,
    last_day: Annotated[
        str | None,
        typer.Option("--to", metavar="DATE", help="The last day.  [default: the end of next month]"),
    ] = None,
    duration: Annotated[
        list[str] | None,
        typer.Option(metavar="PERIOD", help="A duration, as in P3D; repeat it for several calendars."),
    ] = None,
    quantity: Annotated[
        int, typer.Option(metavar="N", min=1, help="The number of units to book at once.")
    ] = 1,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help="A variant, or all; repeat it for several.  [default: the standard variant]"
        ),
    ] = None,
    available: Annotated[bool, typer.Option("--available", help="Show only bookable days.")] = False,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="INSTANT", help="The instant of booking, as in 2026-12-01T09:15:00+01:00.  [default: now]"
        ),
    ] = None,
    catalogue: CatalogueFile = None,
    as_json: Annotated[bool, json_option("a calendar")] = False,
) -> None:
    """Print a calendar of a product: the price and the available units of each day.

    It assumes that nothing has been sold, because only a running service has the sales. By default the
    calendar shows the standard variant and the first duration of the product.
    """
    from faregate_cli.catalogue.contents import read_catalogue
    from faregate_cli.validities.arguments import ValidityArguments, read_question

    arguments = ValidityArguments(
        product, first_day, last_day, duration or (), variant or (), quantity, only_available=available, at=at
    )
    with errors_listed("nothing was shown", as_json=as_json):
        question = read_question(arguments, read_catalogue(catalogue))
        print_result("validities", question, as_json=as_json)
