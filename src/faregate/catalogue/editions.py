"""Editions of a catalogue: its contents at a point in time, identified by a digest."""

from __future__ import annotations

from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue


class Edition(NamedTuple):
    """A catalogue with a hexadecimal digest, which is different for every edition."""

    catalogue: Catalogue
    digest: str
