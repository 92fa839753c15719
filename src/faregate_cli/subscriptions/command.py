"""``faregate renewals``: prints the start, billing dates and earliest end of a subscription."""

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
            "--rule",
            metavar="RULE",
            help="Such as every-days:30, monthly, yearly, monthly-on:15 or yearly-on:11-01.",
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
        typer.Option(
            metavar="NAME", help="IANA name of the zone in which days begin.  [default: Europe/Zurich]"
        ),
    ] = None,
    count: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="The number of whole periods.")
    ] = 12,
    first_period: Annotated[
        str | None,
        typer.Option(
            metavar="wait|prorate|full|free",
            help="Treatment of the days before the first date of the rule: wait for it, or begin at once and"
            " charge a prorated price, the full price or nothing.  [default: wait]",
        ),
    ] = None,
    minimal_run_periods: Annotated[
        int, typer.Option(metavar="N", min=0, help="The minimum number of whole periods before it may end.")
    ] = 0,
    price: Annotated[
        str | None, typer.Option(metavar="AMOUNT", help="The price of a whole period, as in 365.00.")
    ] = None,
    currency: Annotated[str | None, typer.Option(metavar="CODE", help="The currency of the price.")] = None,
    day_count: Annotated[
        str | None,
        typer.Option(
            metavar="actual|fixed30|30e/360|every-month-30",
            help="The day-count convention for prorated prices.  [default: actual]",
        ),
    ] = None,
    month_end: Annotated[
        str | None,
        typer.Option(
            metavar="clamp|forward|omit|reject",
            help="The date in a month that is too short: its last day, the first of the next month, none, or"
            " an error. Subscriptions always use clamp: the other modes print dates only, without terms or"
            " prices.  [default: clamp]",
        ),
    ] = None,
    as_json: Annotated[bool, json_option("a table")] = False,
) -> None:
    """Print the dates and payments of a subscription.

    Each period has a line. Whole periods are numbered from 1; number 0 covers the days before the first date
    of the rule, if the subscription begins with them.
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
    with errors_listed("nothing was shown", as_json=as_json):
        renewals = read_renewals(arguments)
    print_result("subscriptions", renewals, as_json=as_json)
