"""``faregate refund``: quotes the refund for returned units of an order."""

from typing import Any

import click

from faregate_cli.program import FILE, example_epilog, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@click.command(
    short_help="Quote the refund for returned units.",
    epilog=example_epilog("faregate refund order.json --items 1 --currency CHF"),
)
@click.argument("order", type=FILE, help="A paid order, or the totals that faregate price --document prints.")
@click.option(
    "--items",
    multiple=True,
    required=True,
    metavar="LINE[:UNIT,...]",
    help="The line returned, or some of its units, counted from 0; repeat it for several lines.",
)
@click.option(
    "--policy",
    type=FILE,
    metavar="FILE",
    help="The refund policy.  [default: the price paid, without fees]",
)
@click.option(
    "--refunded",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="An earlier quote of the order, from --json; repeat it for all.",
)
@click.option(
    "--at",
    metavar="INSTANT",
    help="The instant of the return, as in 2026-12-01T09:15:00+01:00.  [default: now]",
)
@click.option(
    "--currency", metavar="CODE", help="The currency of the order.  [default: amounts in minor units]"
)
@click.option("--explain", "is_explained", is_flag=True, help="Also print the steps to each amount.")
@json_option("tables: the quote as a document")
def refund(*, as_json: bool, **options: Any) -> None:
    """Quote the refund for returned units of an order.

    All files are JSON documents of faregate: faregate.paid_order/1 or faregate.totals/1 for the order,
    faregate.refund_policy/1 and faregate.refund_quote/1. Nothing is paid back and no file is changed.
    """
    from faregate_cli.refund.arguments import RefundArguments, read_refund

    arguments = RefundArguments(**options)
    if as_json and arguments.is_explained:
        raise click.BadParameter("a quote in JSON has no explanation: leave out --explain or --json")
    with errors_listed("nothing was quoted", as_json=as_json):
        quoted = read_refund(arguments)
    print_result("refund", quoted, as_json=as_json)
