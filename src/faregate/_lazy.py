"""Lazy packages: a module is imported when one of its names is first used."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # importing typing takes longer than this whole module
if TYPE_CHECKING:
    from collections.abc import Callable


def lazy(
    package: str, names: Mapping[str, Sequence[str]], *, extra: str = ""
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for *package*; *names* lists its public names by submodule.

    The list is read when a name is first missing. If a module needs a library that is not installed, the
    error names the *extra* that installs it.
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
