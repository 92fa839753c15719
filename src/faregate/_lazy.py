"""Lazy packages: a module is imported when one of its names is first used."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # importing typing takes longer than this whole module
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def lazy(
    package: str, names: Mapping[str, Sequence[str]], *, extra: str = ""
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for *package*; *names* lists its public names by submodule.

    If a module needs a library that is missing, the error names the *extra* that installs it.
    """
    home = {name: module for module, of_module in names.items() for name in of_module}
    namespace = vars(sys.modules[package])

    def getattribute(name: str) -> object:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        try:
            module = import_module(f"{package}.{home[name]}")
        except ModuleNotFoundError as missing:
            if not extra:
                raise
            raise ModuleNotFoundError(
                f"{package} needs {missing.name}: install {extra}", name=missing.name
            ) from missing
        namespace[name] = getattr(module, name)
        return namespace[name]

    def directory() -> list[str]:
        return sorted({*namespace, *home})

    return getattribute, directory


def names_in_stub(package: str) -> dict[str, list[str]]:
    """Return the names that the ``__init__.pyi`` of *package* imports, grouped by module."""
    face = vars(sys.modules[package])
    # Read through the loader, since the package may be in an archive.
    stub: bytes = face["__loader__"].get_data(f"{face['__path__'][0]}/__init__.pyi")
    names: dict[str, list[str]] = {}
    for line in stub.decode().splitlines():
        if line.startswith("from "):
            _, module, _, name, *_ = line.split()
            names.setdefault(module.removeprefix(f"{package}."), []).append(name)
    return names
