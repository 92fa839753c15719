"""List every public name with its signature: for tests/repository/public_api.txt, which a test compares."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
PAGE = ROOT / "tests" / "repository" / "public_api.txt"


def listing() -> str:
    """Return the lines of the page: of each package its names with their signatures, fields and methods."""
    faces = sorted(path.parent for path in (SOURCES / "faregate").glob("**/__init__.pyi"))
    return "\n".join(_section(face) for face in faces)


def _section(face: Path) -> str:
    stub = ast.parse((face / "__init__.pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    homes = {alias.name: str(node.module) for node in imports for alias in node.names}
    lines = [f"    {line}\n" for name in sorted(homes) for line in _lines(name, homes[name])]
    return "".join([f"{'.'.join(face.relative_to(SOURCES).parts)}\n", *lines])


def _lines(name: str, module: str) -> Iterator[str]:
    path = SOURCES / Path(*module.split(".")).with_suffix(".py")
    for node in ast.parse(path.read_text(encoding="utf-8")).body if path.exists() else ():
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
    PAGE.write_text(listing(), encoding="utf-8")
