"""The catalogue that an application sells from: a value, or a loader that can read it again."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from faregate.arguments.fields import fields_of
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.editions import Edition
from faregate.errors import InvalidCatalogue

if TYPE_CHECKING:
    from collections.abc import Callable


@runtime_checkable
class CatalogueLoader(Protocol):
    """A source of the catalogue, such as a database. Both methods run in a thread and may block."""

    def load(self) -> Catalogue:
        """Return the current catalogue; on an exception the service keeps the previous one."""

    def revision(self) -> str:
        """Return a text that changes with the catalogue; called every few seconds."""


CatalogueSource: TypeAlias = "Catalogue | CatalogueLoader | Edition"


def edition_of(source: CatalogueSource) -> Edition:
    """Return the catalogue of *source* with a digest that other processes compute, too.

    Raises:
        InvalidCatalogue: *source* is neither a catalogue nor a loader, or the loader returns something else.
        Exception: whatever the loader raises.
    """
    if isinstance(source, Edition):
        return source
    if isinstance(source, Catalogue):
        return Edition(source, sha256(repr(_in_order(source)).encode()).hexdigest())
    if not isinstance(source, CatalogueLoader):
        raise InvalidCatalogue(
            f"catalogue is {source!r}, expected a Catalogue or an object with load and revision"
        )
    digest = newest_digest(source)()  # first: a change during loading shows as a newer revision
    catalogue = source.load()
    if not isinstance(catalogue, Catalogue):
        raise InvalidCatalogue(f"load returned {catalogue!r}, expected a Catalogue")
    return Edition(catalogue, digest)


def newest_digest(loader: CatalogueLoader) -> Callable[[], str]:
    """Return a function that asks *loader* for the digest of the edition that it would load."""
    return lambda: sha256(loader.revision().encode()).hexdigest()


def _in_order(value: Any) -> object:
    """Return a value of the catalogue as nested tuples, with sets in an order that is always the same."""
    if isinstance(value, frozenset):
        return sorted(repr(_in_order(item)) for item in value)
    fields = fields_of(value)
    if fields:
        return type(value).__name__, [_in_order(part) for part in fields.values()]
    return [_in_order(item) for item in value] if isinstance(value, tuple) else value
