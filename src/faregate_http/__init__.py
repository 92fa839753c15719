"""HTTP adapter of faregate: parse a request, call the core, store, render the response.

>>> from faregate.files import demo_catalogue
>>> from faregate_http import MemoryStore, create_app
>>> app = create_app(demo_catalogue(), MemoryStore)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faregate_http.app import create_app
    from faregate_http.catalogues import CatalogueLoader
    from faregate_http.options import Options
    from faregate_http.providers import Providers
    from faregate_http.store.memory import MemoryStore

__all__ = ["CatalogueLoader", "MemoryStore", "Options", "Providers", "create_app"]

_HOMES = {
    "CatalogueLoader": "catalogues",
    "MemoryStore": "store.memory",
    "Options": "options",
    "Providers": "providers",
    "create_app": "app",
}


def __getattr__(name: str) -> object:
    """Return the public object *name*, imported on first access because some uses need no web framework."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
