"""``faregate validities``: print a calendar of a product."""

from __future__ import annotations

from typing import Annotated

import typer

from faregate_cli.program import OF_PRICES, CatalogueFile, command, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@command(
    OF_PRICES,
    short_help="Print a calendar of a product: prices and places.",
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
        typer.Option("--to", metavar="DATE", help="The last day.  [default: the end of the month after]"),
    ] = None,
    duration: Annotated[
        list[str] | None,
        typer.Option(metavar="PERIOD", help="How long, as in P3D; give several for several calendars."),
    ] = None,
    quantity: Annotated[int, typer.Option(metavar="N", min=1, help="How many are to be booked at once.")] = 1,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help="A variant, or all; give several for all of them.  [default: the standard one]"
        ),
    ] = None,
    available: Annotated[bool, typer.Option("--available", help="Show only what can be booked.")] = False,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="INSTANT", help="When it is asked, as in 2026-12-01T09:15:00+01:00.  [default: now]"
        ),
    ] = None,
    catalogue: CatalogueFile = None,
    as_json: Annotated[bool, json_option("a calendar")] = False,
) -> None:
    """Print a calendar of a product: what a day costs, and for how many there are places.

    Nothing counts as sold: what is, only a running service knows. Without a variant the calendar is about
    the standard one, without a period about the first that the product has.
    """
    from faregate_cli.catalogue.contents import read_catalogue
    from faregate_cli.validities.arguments import ValidityArguments, read_question

    arguments = ValidityArguments(
        product, first_day, last_day, duration or (), variant or (), quantity, only_available=available, at=at
    )
    with errors_listed("nothing is shown", as_json=as_json):
        question = read_question(arguments, read_catalogue(catalogue))
        print_result("validities", question, as_json=as_json)
