"""The media of a catalogue file: what tickets are issued on, and what choosing one costs."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from faregate.catalogue.products import Medium, MediumIntent, PriceComponent
from faregate.files.fields.types import Amount, FileModel, Id, ListOf, Name
from faregate.files.fields.words import Words
from faregate.translations import Text


class PriceComponentEntry(FileModel):
    """What choosing a medium costs, in the file's currency, sold as a variant of its own."""

    product_variant: Id
    price: Amount
    intent: Annotated[MediumIntent, Field(strict=False)]

    def to_core(self) -> PriceComponent:
        """The core's value."""
        return PriceComponent(variant=self.product_variant, price=self.price, intent=self.intent)


class MediumEntry(FileModel):
    """What a ticket is issued on, for example a keycard."""

    id: Id
    type: Name
    name: Words
    description: Words | None = None
    price_components: ListOf[PriceComponentEntry] = ()

    def to_core(self) -> Medium:
        """The core's value."""
        return Medium(
            id=self.id,
            type=self.type,
            name=self.name.to_core(),
            description=self.description.to_core() if self.description else Text(),
            price_components=tuple(component.to_core() for component in self.price_components),
        )
