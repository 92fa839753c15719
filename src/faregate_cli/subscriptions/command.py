"""``faregate renewals``: print when a subscription begins, is billed and may end."""

from __future__ import annotations

from typing import Annotated

import typer

from faregate_cli.program import OF_PRICES, command, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@command(
    OF_PRICES,
    example="faregate renewals --rule yearly-on:11-01 --first-period prorate --price 365 --currency CHF",
)
def renewals(  # noqa: PLR0913 - each of them is an option of the command
    *,
    rule: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="One like every-days:30, monthly, yearly, monthly-on:15 or yearly-on:11-01.",
        ),
    ],
    ordered: Annotated[
        str | None,
        typer.Option(
            metavar="WHEN",
            help="A date, or a date-time with or without offset, as in 2026-09-15T10:30.  [default: now]",
        ),
    ] = None,
    zone: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Where days begin, as IANA names it.  [default: Europe/Zurich]"),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="How many whole periods.")] = 12,
    first_period: Annotated[
        str | None,
        typer.Option(
            metavar="wait|prorate|full|free",
            help="What becomes of the days before the first given date: it begins only then, or at once and"
            " they cost their part, a whole period or nothing.  [default: wait]",
        ),
    ] = None,
    minimal_run_periods: Annotated[
        int, typer.Option(metavar="N", min=0, help="After how many whole periods it may end.")
    ] = 0,
    price: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="What a whole period costs, as in 365.00.")
    ] = None,
    currency: Annotated[str | None, typer.Option(metavar="CODE", help="The currency of the price.")] = None,
    day_count: Annotated[
        str | None,
        typer.Option(
            metavar="actual|fixed30|30e/360|every-month-30",
            help="How days are counted where they cost their part.  [default: actual]",
        ),
    ] = None,
    month_end: Annotated[
        str | None,
        typer.Option(
            metavar="clamp|forward|omit|reject",
            help="Where a day falls that a month lacks: on its last day, on the first of the next, nowhere,"
            " or it is an error. A subscription is always clamped: the others give dates only, and go with"
            " neither terms nor a price.  [default: clamp]",
        ),
    ] = None,
    as_json: Annotated[bool, json_option("a table")] = False,
) -> None:
    """Print when a subscription begins, is billed and may end.

    Each period has a line. Whole ones are numbered from 1; number 0 are the days before the first given
    date, where it begins with them.
    """
    from faregate_cli.subscriptions.arguments import RenewalArguments, read_renewals

    arguments = RenewalArguments(
        rule=rule,
        ordered=ordered,
        zone=zone,
        periods=count,
        month_end=month_end,
        first_period=first_period,
        minimal_run_periods=minimal_run_periods,
        day_count=day_count,
        price=price,
        currency=currency,
    )
    with errors_listed("nothing is shown", as_json=as_json):
        renewals = read_renewals(arguments)
    print_result("subscriptions", renewals, as_json=as_json)
