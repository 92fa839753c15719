"""``faregate price``: price a basket and print its receipt."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from faregate_cli.program import OF_PRICES, CatalogueFile, command, json_option
from faregate_cli.terminal.errors import errors_listed, give_up

if TYPE_CHECKING:
    from faregate.render.receipts import Receipt
    from faregate_cli.price.priced_basket import PricedBasket


@command(OF_PRICES, example="faregate price examples/basket.json --explain")
def price(
    basket: Annotated[str, typer.Argument(metavar="BASKET", help="A file, or - for standard input.")],
    *,
    catalogue: CatalogueFile = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say which rule gave or took each part of every amount.")
    ] = False,
    as_json: Annotated[bool, json_option("a receipt")] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the receipt to FILE as a web page.")
    ] = None,
) -> None:
    """Price a basket and print its receipt."""
    from faregate_cli.catalogue.contents import read_catalogue
    from faregate_cli.price.priced_basket import price_basket
    from faregate_cli.terminal.arguments import check_not_overwritten

    with errors_listed("nothing is priced", as_json=as_json):
        check_not_overwritten("--html", html, [basket, catalogue])
        priced = price_basket(basket, read_catalogue(catalogue))
    if html is not None:
        _write_page(html, priced.receipt, as_json=as_json)
    if as_json:
        from faregate_cli.price.to_json import priced_json
        from faregate_cli.terminal.json_text import print_json

        print_json(priced_json(priced, is_explained=explain))
    else:
        _print_receipt(priced, is_explained=explain)


def _print_receipt(priced: PricedBasket, *, is_explained: bool) -> None:
    from faregate_cli.price.receipt_view import print_receipt
    from faregate_cli.price.trace_view import print_explanation
    from faregate_cli.terminal.console import output

    console = output(amount_width=priced.amount_width)
    print_receipt(console, priced)
    if is_explained:
        print_explanation(console, priced)


def _write_page(file: Path, receipt: Receipt, *, as_json: bool) -> None:
    head = '<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Receipt</title>'
    try:
        file.write_text(f"{head}\n{receipt.html()}\n</html>\n", encoding="utf-8")
    except OSError as error:
        message = f"{file}: cannot be written: {error.strerror}; name another file after --html"
        give_up("nothing is priced", message, as_json=as_json)
