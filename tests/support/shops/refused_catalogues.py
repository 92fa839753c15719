"""Catalogues that are refused, and for what."""

from dataclasses import fields

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Entries
from faregate.errors import InvalidCatalogue, Issue
from support.shops.small_shop import SHOP


def unchecked(catalogue: Catalogue) -> Entries:
    """Return the entries of *catalogue*, to be spoilt."""
    return Entries(**{field.name: getattr(catalogue, field.name) for field in fields(Entries)})


ENTRIES = unchecked(SHOP)


def faults_of(entries: Entries) -> tuple[Issue, ...]:
    """Return the faults for which ``Catalogue`` refuses *entries*, nothing where it takes them."""
    try:
        Catalogue(**vars(entries))
    except InvalidCatalogue as refused:
        return refused.issues
    return ()
