"""The catalogue that a command uses, and the number of its entries by kind."""

from pathlib import Path

from faregate.arguments.fields import camel_case
from faregate.catalogue.catalogue import Catalogue
from faregate.files import demo_catalogue, load_catalogue
from faregate_cli.terminal.json_text import print_either


def read_catalogue(file: Path | None) -> Catalogue:
    """Return the catalogue in *file*, or that of the demo resort if *file* is None.

    Raises:
        InvalidCatalogue: lists every fault of the catalogue.
    """
    return demo_catalogue() if file is None else load_catalogue(file)


def print_contents(catalogue: Catalogue, *, as_json: bool) -> None:
    """Print the number of entries of each kind in *catalogue*, as a line of text or as a JSON object."""
    counts = {
        "product": len(catalogue.products),
        "variant": sum(len(product.variants) for product in catalogue.products),
        "channel": len(catalogue.channels),
        "automatic discount": len(catalogue.automatic_discounts),
        "promo code": len(catalogue.promo_codes),
        "voucher": len(catalogue.vouchers),
    }
    line = ", ".join(f"{number} {noun}{'' if number == 1 else 's'}" for noun, number in counts.items())
    fields = {f"{camel_case(noun.replace(' ', '_'))}s": number for noun, number in counts.items()}
    print_either(f"valid: {line}", fields, as_json=as_json)
