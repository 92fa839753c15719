"""Editions of a catalogue: its contents at a point in time, identified by a digest."""

from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue


class Edition(NamedTuple):
    """A version of a catalogue, with the hexadecimal digest that identifies it."""

    catalogue: Catalogue
    digest: str
