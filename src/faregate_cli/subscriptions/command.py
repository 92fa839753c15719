"""``faregate renewals``: prints the start, billing dates and earliest end of a subscription."""

from typing import Any

import click

from faregate_cli.program import example_epilog, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@click.command(
    epilog=example_epilog(
        "faregate renewals --rule yearly-on:11-01 --first-period prorate --price 365 --currency CHF"
    )
)
@click.option(
    "--rule",
    required=True,
    metavar="RULE",
    help="Such as every-days:30, monthly, yearly, monthly-on:15 or yearly-on:11-01.",
)
@click.option(
    "--ordered",
    metavar="WHEN",
    help="A date, or a date-time with or without offset, as in 2026-09-15T10:30.  [default: now]",
)
@click.option(
    "--zone",
    metavar="NAME",
    help="IANA name of the zone in which days begin.  [default: Europe/Zurich]",
)
@click.option(
    "--count",
    "periods",
    type=click.IntRange(min=1, max=1000),
    default=12,
    metavar="N",
    help="The number of whole periods.",
)
@click.option(
    "--first-period",
    metavar="wait|prorate|full|free",
    help="Treatment of the days before the first date of the rule: wait for it, or begin at once and"
    " charge a prorated price, the full price or nothing.  [default: wait]",
)
@click.option(
    "--minimal-run-periods",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="The minimum number of whole periods before it may end.",
)
@click.option("--price", metavar="AMOUNT", help="The price of a whole period, as in 365.00.")
@click.option("--currency", metavar="CODE", help="The currency of the price.")
@click.option(
    "--day-count",
    metavar="actual|fixed30|30e/360|every-month-30",
    help="The day-count convention for prorated prices.  [default: actual]",
)
@click.option(
    "--month-end",
    metavar="clamp|forward|omit|reject",
    help="The date in a month that is too short: its last day, the first of the next month, none, or"
    " an error. Subscriptions always use clamp: the other modes print dates only, without terms or"
    " prices.  [default: clamp]",
)
@json_option("a table")
def renewals(*, as_json: bool, **options: Any) -> None:
    """Print the dates and payments of a subscription.

    Each period has a line. Whole periods are numbered from 1; number 0 covers the days before the first date
    of the rule, if the subscription begins with them.
    """
    from faregate_cli.subscriptions.arguments import RenewalArguments, read_renewals

    with errors_listed("nothing was shown", as_json=as_json):
        renewals = read_renewals(RenewalArguments(**options))
    print_result("subscriptions", renewals, as_json=as_json)
