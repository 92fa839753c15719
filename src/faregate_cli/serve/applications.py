"""The function that makes the application: that of the service, or the operator's own."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from faregate_server.app import create_app
from faregate_server.settings import InvalidSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.applications import Starlette

    Make: TypeAlias = Callable[[Settings], Starlette]


def maker_of(name: str | None) -> Make:
    """Return the function *name*, as in ``shop:create``, that makes an application; None: ``create_app``.

    Its module is looked for in the working directory too. What it makes is as ``create_app`` makes it, with a
    gateway, an issuer of tickets or routes of one's own.

    Raises:
        InvalidSettings: there is no such function.
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
    except Exception as error:  # whatever a module may raise while it is imported
        raise InvalidSettings(f"{module} cannot be imported: {error}") from error
