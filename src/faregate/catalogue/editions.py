"""Editions of a catalogue: its contents at one time, told apart by a digest."""

from __future__ import annotations

from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue


class Edition(NamedTuple):
    """A catalogue with a hexadecimal digest, which differs from that of every other edition."""

    catalogue: Catalogue
    digest: str
