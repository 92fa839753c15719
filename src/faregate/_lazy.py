"""Lazy packages: a module is imported when one of its names is first used."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # importing typing takes longer than this whole module
if TYPE_CHECKING:
    from collections.abc import Callable


def lazy(package: str, *, extra: str = "") -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a package whose ``__init__.pyi`` lists its names.

    The list is read when a missing name is first looked up. If a module needs a library that is not
    installed, the error names the *extra* that installs it.
    """
    namespace = vars(sys.modules[package])
    homes: dict[str, str] = {}

    def home_of(name: str) -> str | None:
        if not homes:
            homes.update(_homes(namespace))
        return homes.get(name)

    def getattribute(name: str) -> object:
        home = home_of(name)
        if name == "__all__":
            namespace[name] = [*homes]
        elif home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        else:
            namespace[name] = getattr(_imported(home, package, extra), name)
        return namespace[name]

    def directory() -> list[str]:
        home_of("__all__")
        return sorted({*namespace, *homes})

    return getattribute, directory


def _imported(module: str, package: str, extra: str) -> object:
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        if not extra:
            raise
        raise ModuleNotFoundError(
            f"{package} needs {missing.name}: install {extra}", name=missing.name
        ) from missing


def _homes(namespace: dict[str, object]) -> dict[str, str]:
    """Return, for each name in the stub, the module from which the stub imports it."""
    # The loader reads from a folder or from an archive.
    stub: bytes = namespace["__loader__"].get_data(f"{namespace['__path__'][0]}/__init__.pyi")  # type: ignore[attr-defined,index]
    lines = (line.split() for line in stub.decode().splitlines() if line.startswith("from "))
    return {name: module for _, module, _, name, *_ in lines}
