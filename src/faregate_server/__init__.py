"""The deployable service: databases, authentication, metrics and the ASGI application.

>>> from faregate_server import Settings, create_app
>>> app = create_app(Settings(database="sqlite:///tickets.db", is_development=True))
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faregate_server.app import create_app
    from faregate_server.settings import InvalidSettings, Settings

__all__ = ["InvalidSettings", "Settings", "create_app"]

_HOMES = {"InvalidSettings": "settings", "Settings": "settings", "create_app": "app"}


def __getattr__(name: str) -> object:
    """Import the public *name* on first access, so that using `Settings` requires no web framework."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
