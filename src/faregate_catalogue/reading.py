"""Catalogue files in, catalogues out."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from faregate.catalogue_faults import catalogue_faults
from faregate.errors import InvalidCatalogue
from faregate_catalogue.catalogue_file import CatalogueFile
from faregate_catalogue.consistency import file_faults, file_place
from faregate_catalogue.documents import FileFormat, format_of, read_document, read_file
from faregate_catalogue.faults import FaultyFile
from faregate_catalogue.units import currencies_of
from faregate_catalogue.validation import validated

if TYPE_CHECKING:
    from os import PathLike

    from faregate.catalogue import Catalogue

__all__ = ["demo_catalogue", "load_catalogue", "parse_catalogue"]

_DEMO = "demo_resort.yaml"


def load_catalogue(path: str | PathLike[str]) -> Catalogue:
    """The catalogue in a file: JSON where its name ends in ``.json``, else YAML.

    Raises:
        InvalidCatalogue: lists every fault as ``file:line: place: message``; JSON has no lines but in
            its syntax. Ids and references are checked once the shape of all entries is right.
    """
    try:
        return _catalogue(read_file(path), format_of(path), str(path))
    except FaultyFile as faulty:
        raise InvalidCatalogue(*faulty.faults) from None


def parse_catalogue(
    text: str | bytes, *, file_format: FileFormat = FileFormat.YAML, name: str = "catalogue"
) -> Catalogue:
    """The catalogue that *text* holds; messages call it *name*.

    >>> parse_catalogue("currency: CHF").products
    ()

    Raises:
        InvalidCatalogue: as ``load_catalogue``.
    """
    try:
        return _catalogue(text, file_format, name)
    except FaultyFile as faulty:
        raise InvalidCatalogue(*faulty.faults) from None


@cache
def demo_catalogue() -> Catalogue:
    """The catalogue of the bundled demo resort.

    >>> demo_catalogue().product(11).slug
    'day-ticket'
    """
    return parse_catalogue((files("faregate_catalogue") / _DEMO).read_bytes(), name=_DEMO)


def _catalogue(source: str | bytes, file_format: FileFormat, name: str) -> Catalogue:
    document = read_document(source, file_format=file_format, name=name)
    file = validated(CatalogueFile, document, currencies_of(document.data))
    catalogue = file.to_core()
    faults = (*catalogue_faults(catalogue), *file_faults(catalogue, file.currency))
    if faults:
        raise FaultyFile(name, [document.fault(file_place(place), message) for place, message, _ in faults])
    return catalogue
