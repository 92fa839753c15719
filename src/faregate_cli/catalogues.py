"""The catalogue that a command goes by, and what is in it, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer
from pydantic.alias_generators import to_camel

from faregate_catalogue import demo_catalogue, load_catalogue
from faregate_cli.json_text import json_text

if TYPE_CHECKING:
    from pathlib import Path

    from faregate.catalogue.catalogue import Catalogue

__all__ = ["print_contents", "print_contents_json", "read_catalogue"]


def read_catalogue(file: Path | None) -> Catalogue:
    """The catalogue in *file*, or the demo resort's.

    Raises:
        InvalidCatalogue: lists every fault of the catalogue.
    """
    return demo_catalogue() if file is None else load_catalogue(file)


def print_contents(sold: Catalogue) -> None:
    """Print in a line how much there is of what."""
    counts = [f"{number} {noun}{'' if number == 1 else 's'}" for noun, number in _counts(sold).items()]
    typer.echo(f"sound: {', '.join(counts)}")


def print_contents_json(sold: Catalogue) -> None:
    """Print it as a JSON object."""
    typer.echo(
        json_text({f"{to_camel(noun.replace(' ', '_'))}s": number for noun, number in _counts(sold).items()})
    )


def _counts(sold: Catalogue) -> dict[str, int]:
    return {
        "product": len(sold.products),
        "variant": sum(len(product.variants) for product in sold.products),
        "channel": len(sold.channels),
        "automatic discount": len(sold.automatic_discounts),
        "promo code": len(sold.promo_codes),
        "voucher": len(sold.vouchers),
    }
