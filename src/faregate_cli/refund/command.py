"""``faregate refund``: quotes the refund for returned units of an order."""

from pathlib import Path
from typing import Annotated

import typer

from faregate_cli.program import OF_PRICES, command, json_option, print_result
from faregate_cli.terminal.errors import errors_listed


@command(
    OF_PRICES,
    short_help="Quote the refund for returned units.",
    example="faregate refund order.json --items 1 --currency CHF",
)
def refund(
    order: Annotated[
        Path,
        typer.Argument(
            metavar="ORDER", help="A paid order, or the totals that faregate price --document prints."
        ),
    ],
    *,
    items: Annotated[
        list[str],
        typer.Option(
            metavar="LINE[:UNIT,...]",
            help="The line returned, or some of its units, counted from 0; repeat it for several lines.",
        ),
    ],
    policy: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The refund policy.  [default: the price paid, without fees]"),
    ] = None,
    refunded: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="An earlier quote of the order, from --json; repeat it for all."),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="INSTANT",
            help="The instant of the return, as in 2026-12-01T09:15:00+01:00.  [default: now]",
        ),
    ] = None,
    currency: Annotated[
        str | None,
        typer.Option(metavar="CODE", help="The currency of the order.  [default: amounts in minor units]"),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also print the steps to each amount.")] = False,
    as_json: Annotated[bool, json_option("tables: the quote as a document")] = False,
) -> None:
    """Quote the refund for returned units of an order.

    All files are JSON documents of faregate: faregate.paid_order/1 or faregate.totals/1 for the order,
    faregate.refund_policy/1 and faregate.refund_quote/1. Nothing is paid back and no file is changed.
    """
    if as_json and explain:
        raise typer.BadParameter("a quote in JSON has no explanation: leave out --explain or --json")
    from faregate_cli.refund.arguments import RefundArguments, read_refund

    arguments = RefundArguments(order, items, policy, refunded or (), at, currency, is_explained=explain)
    with errors_listed("nothing was quoted", as_json=as_json):
        quoted = read_refund(arguments)
    print_result("refund", quoted, as_json=as_json)
