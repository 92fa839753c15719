"""Lookup of the function that creates the application: ``create_app`` or one of the operator's own."""

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

from starlette.applications import Starlette

from faregate_server.app import create_app
from faregate_server.settings import InvalidSettings, Settings

Make: TypeAlias = Callable[[Settings], Starlette]


def maker_of(name: str | None) -> Make:
    """Return the function that *name* refers to, as in ``shop:create``, or ``create_app`` by default.

    The function creates the application. It must return what ``create_app`` returns, for example with the
    operator's gateway, ticket issuer or routes. Its module may be in the working directory.

    Raises:
        InvalidSettings: the function cannot be found.
    """
    if name is None:
        return create_app
    module, _, function = name.partition(":")
    if not module or not function.isidentifier():
        raise InvalidSettings(f"{name}: expected a module and its function, as in shop:create")
    make = getattr(_imported(module), function, None)
    if not callable(make):
        raise InvalidSettings(f"{module} has no function {function}")
    return make  # type: ignore[no-any-return]


def _imported(module: str) -> object:
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(module)
    except Exception as error:  # a module may raise anything when imported
        raise InvalidSettings(f"{module} cannot be imported: {error}") from error
