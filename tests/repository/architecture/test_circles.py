"""Import circles, including imports in functions and for type checkers, do not exist."""

from pathlib import Path

import grimp
import pytest

PACKAGES = sorted(path.parent.name for path in (Path(__file__).parents[3] / "src").glob("*/__init__.py"))


def circles(imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """Remove modules without remaining imports repeatedly; return the rest of *imports*."""
    left = imports
    while free := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in free}
    return left


@pytest.mark.parametrize("package", PACKAGES)
def test_there_are_no_circular_imports(package: str) -> None:
    graph = grimp.build_graph(package, cache_dir=None)

    assert circles({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}) == {}
