"""List every public name with its signature: for tests/repository/public_api.txt, which a test compares."""

from __future__ import annotations

import ast
import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "tests" / "repository" / "public_api.txt"


def listing() -> str:
    """The lines of the page: a name, its signature, and below a class its fields, members and methods."""
    faregate: Any = importlib.import_module("faregate")
    homes = {name: f"faregate.{module}" for module, names in faregate._NAMES.items() for name in names}
    return "".join(f"{line}\n" for name in sorted(homes) for line in _lines(name, homes[name]))


def _lines(name: str, module: str) -> Iterator[str]:
    path = ROOT / "src" / Path(*module.split(".")).with_suffix(".py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=found) if found == name:
                yield _signature(node)
                return
            case ast.ClassDef(name=found) if found == name:
                yield f"class {name}({', '.join(map(ast.unparse, node.bases))})".removesuffix("()")
                yield from (f"    {line}" for part in node.body for line in _member(part))
                return
    yield f"{name}: see {module}"


def _member(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
            yield ast.unparse(node)
        case ast.Assign(targets=[ast.Name(id=name)]) if not name.startswith("_"):
            yield ast.unparse(node)
        case ast.FunctionDef(name=name) if name == "__init__" or not name.startswith("_"):
            yield _signature(node)


def _signature(node: ast.FunctionDef) -> str:
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returned}"


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))
    PAGE.write_text(listing(), encoding="utf-8")
