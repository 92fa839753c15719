"""No module imports itself by way of others, imports in functions and for type checkers counted."""

from pathlib import Path

import grimp
import pytest

PACKAGES = sorted(path.parent.name for path in (Path(__file__).parents[3] / "src").glob("*/__init__.py"))


def circles(imports: dict[str, set[str]]) -> dict[str, set[str]]:
    """What is left of *imports* once modules that import no other of them are taken away, again and again."""
    left = imports
    while free := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in free}
    return left


@pytest.mark.parametrize("package", PACKAGES)
def test_no_import_circle(package: str) -> None:
    graph = grimp.build_graph(package, cache_dir=None)

    assert circles({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}) == {}


def test_the_check_itself_sees_a_circle() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}).keys() == {"a", "b", "c"}
