"""``faregate validities``: prints a calendar of a product."""

from pathlib import Path
from typing import Any

import click

from faregate_cli.program import catalogue_option, example_epilog, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@click.command(
    short_help="Print prices and availability by day.",
    epilog=example_epilog("faregate validities day-ticket --from 2026-12-01 --to 2026-12-31"),
)
@click.argument("product", help="The id or the slug of a product.")
@click.option("--from", "first_day", metavar="DATE", help="The first day.  [default: today]")
@click.option("--to", "last_day", metavar="DATE", help="The last day.  [default: the end of next month]")
@click.option(
    "--duration",
    "durations",
    multiple=True,
    metavar="PERIOD",
    help="A duration, as in P3D; repeat it for several calendars.",
)
@click.option(
    "--quantity",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="The number of units to book at once.",
)
@click.option(
    "--variant",
    "variants",
    multiple=True,
    metavar="ID",
    help="A variant, or all; repeat it for several.  [default: the standard variant]",
)
@click.option("--available", "only_available", is_flag=True, help="Show only bookable days.")
@click.option(
    "--at",
    metavar="INSTANT",
    help="The instant of booking, as in 2026-12-01T09:15:00+01:00.  [default: now]",
)
@catalogue_option
@json_option("a calendar")
def validities(*, catalogue: Path | None, as_json: bool, **options: Any) -> None:
    """Print a calendar of a product: the price and the available units of each day.

    It assumes that nothing has been sold, because only a running service has the sales. By default the
    calendar shows the standard variant and the first duration of the product.
    """
    from faregate_cli.catalogue.contents import read_catalogue
    from faregate_cli.validities.arguments import ValidityArguments, read_question

    with errors_listed("nothing was shown", as_json=as_json):
        question = read_question(ValidityArguments(**options), read_catalogue(catalogue))
        print_result("validities", question, as_json=as_json)
