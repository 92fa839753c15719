"""``faregate price``: prices a basket and prints its receipt."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

import click

from faregate_cli.program import FILE, catalogue_option, example_epilog, json_option
from faregate_cli.terminal.errors import errors_listed, give_up

if TYPE_CHECKING:
    from pathlib import Path

    from faregate.render.receipts import Receipt
    from faregate_cli.price.priced_basket import PricedBasket

_EXPLAIN = "--explain"
_TOTAL, _ALL = "total", "all"
_MAX_DIGITS = 18


class _PriceCommand(click.Command):
    """A command with the option ``--explain[=ITEM]``, whose value must follow ``=``, not a space."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = list(takewhile(lambda word: word != "--", args))
        named = [f"{_EXPLAIN}={_TOTAL}" if word == _EXPLAIN else word for word in options]
        return super().parse_args(ctx, named + args[len(named) :])


def _explained(text: str) -> str | int:
    """Return the value of ``--explain``: the id of an item as a number, or ``total`` or ``all``."""
    if text in {_TOTAL, _ALL}:
        return text
    if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS:
        return int(text)
    raise click.BadParameter(f"expected the id of an item or 'all', got {text!r}")


@click.command(cls=_PriceCommand, epilog=example_epilog("faregate price examples/basket.json --explain"))
@click.argument("basket", help="A file, or - for standard input.")
@catalogue_option
@click.option(
    _EXPLAIN,
    type=_explained,
    metavar="[=ITEM|=all]",
    help="Explain the total: one line per discount and VAT rate. "
    "=ITEM lists every step of one item, =all of all items.",
)
@json_option("a receipt")
@click.option(
    "--document", is_flag=True, help="Print the totals as a document, as in faregate.documents.dump."
)
@click.option("--html", type=FILE, metavar="FILE", help="Also write the receipt to FILE as a web page.")
def price(
    basket: str,
    *,
    catalogue: Path | None,
    explain: str | int | None,
    as_json: bool,
    document: bool,
    html: Path | None,
) -> None:
    """Price a basket and print its receipt."""
    if as_json and isinstance(explain, int):
        raise click.BadParameter("with --json, --explain explains every item: leave out the id")
    if document and (as_json or explain is not None):
        raise click.BadParameter("--document prints the totals alone: leave out --json and --explain")
    from faregate_cli.catalogue.contents import read_catalogue
    from faregate_cli.price.priced_basket import price_basket
    from faregate_cli.terminal.arguments import check_not_overwritten

    with errors_listed("nothing was priced", as_json=as_json):
        check_not_overwritten("--html", html, [basket, catalogue])
        priced = price_basket(basket, read_catalogue(catalogue))
        if isinstance(explain, int):
            priced.check_item(explain)
    if html is not None:
        _write_page(html, priced.receipt, as_json=as_json)
    if document:
        from faregate.documents import dump
        from faregate_cli.terminal.json_text import print_json

        print_json(dump(priced.priced.totals))
    elif as_json:
        from faregate_cli.price.to_json import priced_json
        from faregate_cli.terminal.json_text import print_json

        print_json(priced_json(priced, is_explained=explain is not None))
    else:
        _print_receipt(priced, explain)


def _print_receipt(priced: PricedBasket, explained: str | int | None) -> None:
    from faregate_cli.price.receipt_view import print_receipt
    from faregate_cli.price.trace_view import print_item, print_summary, print_trace
    from faregate_cli.terminal.console import output

    console = output(amount_width=priced.amount_width)
    print_receipt(console, priced)
    match explained:
        case int(item_id):
            print_item(console, priced, item_id)
        case "total":
            print_summary(console, priced)
        case "all":
            print_trace(console, priced)


def _write_page(file: Path, receipt: Receipt, *, as_json: bool) -> None:
    head = '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Receipt</title>'
    try:
        file.write_text(f"{head}\n{receipt.html()}\n</html>\n", encoding="utf-8")
    except OSError as error:
        message = f"{file}: cannot be written: {error.strerror}; name another file after --html"
        give_up("nothing was priced", message, as_json=as_json)
