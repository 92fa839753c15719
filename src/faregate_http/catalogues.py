"""The catalogue that an application sells from: a fixed value, or a loader that can load it again."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Protocol, TypeAlias, runtime_checkable

from faregate.arguments.fields import fields_of
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.editions import Edition
from faregate.errors import InvalidCatalogue


@runtime_checkable
class CatalogueLoader(Protocol):
    """A source of the catalogue, such as a database. Both methods run in a thread and may block."""

    def load(self) -> Catalogue:
        """Return the current catalogue; if this method raises, the service keeps the previous catalogue."""

    def revision(self) -> str:
        """Return a string that changes whenever the catalogue does; called every few seconds."""


CatalogueSource: TypeAlias = "Catalogue | CatalogueLoader | Edition"


def edition_of(source: CatalogueSource) -> Edition:
    """Return the catalogue from *source* with its digest, which is the same in every process.

    Raises:
        InvalidCatalogue: *source* is neither a catalogue nor a loader, or the loader returns something else.
        Exception: any error that the loader raises.
    """
    if isinstance(source, Edition):
        return source
    if isinstance(source, Catalogue):
        return Edition(source, sha256(repr(_in_order(source)).encode()).hexdigest())
    if not isinstance(source, CatalogueLoader):
        raise InvalidCatalogue(
            f"expected a Catalogue or an object with the methods load and revision, got {source!r}"
        )
    digest = newest_digest(source)()  # read first, so that a change during loading shows as a newer revision
    catalogue = source.load()
    if not isinstance(catalogue, Catalogue):
        raise InvalidCatalogue(f"expected a Catalogue from the method load, got {catalogue!r}")
    return Edition(catalogue, digest)


def newest_digest(loader: CatalogueLoader) -> Callable[[], str]:
    """Return a function that, when called, returns the digest of the catalogue that *loader* would load."""
    return lambda: sha256(loader.revision().encode()).hexdigest()


def _in_order(value: Any) -> object:
    """Return a catalogue value as nested lists and tuples, with the members of sets in a fixed order."""
    if isinstance(value, frozenset):
        return sorted(repr(_in_order(item)) for item in value)
    fields = fields_of(value)
    if fields:
        return type(value).__name__, [_in_order(part) for part in fields.values()]
    return [_in_order(item) for item in value] if isinstance(value, tuple) else value
