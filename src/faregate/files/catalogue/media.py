"""The media of a catalogue file: what tickets are issued on, and what choosing one costs."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from faregate.catalogue.products import Medium, MediumIntent, PriceComponent
from faregate.files.fields.models import Entry
from faregate.files.fields.types import Amount, Id, ListOf, Name, OneOf
from faregate.files.fields.words import Words


class PriceComponentEntry(Entry[PriceComponent]):
    """What choosing a medium costs, in the file's currency, sold as a variant of its own."""

    variant: Annotated[Id, Field(alias="productVariant")]
    price: Amount
    intent: OneOf[MediumIntent]


class MediumEntry(Entry[Medium]):
    """What a ticket is issued on, for example a keycard."""

    id: Id
    type: Name
    name: Words
    description: Words | None = None
    price_components: ListOf[PriceComponentEntry] = ()
