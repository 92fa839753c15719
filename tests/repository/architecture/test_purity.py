"""The core is a calculator: it reads no clock, uses no random numbers and no binary fractions."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

pytestmark = pytest.mark.slow

CORE = Path(__file__).parents[3] / "src" / "faregate"
FILES = CORE / "files"
"""The package that reads files."""

MODULES = sorted(path for path in CORE.rglob("*.py") if FILES not in path.parents)

OUTSIDE = {
    *("time", "random", "secrets", "uuid"),
    *("asyncio", "locale", "logging", "os", "pathlib", "socket", "subprocess", "sys", "threading"),
}
CLOCK_CALLS = {"now", "today", "utcnow", "localtime", "monotonic", "perf_counter"}
IN_AND_OUT_CALLS = {"input", "open", "print"}

# Permitted floats and their reasons.
FLOATS_ALLOWED: dict[tuple[str, str], str] = {
    ("arguments/suggestions", "did_you_mean"): "the likeness of two words",
    **{("plot/palettes", scope): "contrast of colours" for scope in ("", "ink_on")},
    ("plot/sizes", ""): "sizes, widths and shades in graphics",
}

# Permitted access to the environment and its reasons.
REACHED_ALLOWED: dict[tuple[str, str], str] = {
    ("__init__", "import of sys"): "whether a notebook that displays values is running",
    ("_lazy", "import of sys"): "the module whose names it provides",
    ("frames/orders/parquet", "import from pathlib"): "converts files named by the caller",
}


class Finding(NamedTuple):
    """The scope, description and line of a finding in a module."""

    scope: str
    what: str
    line: int


def scoped_nodes(tree: ast.AST, scope: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield every node below *tree* with the dotted name of the enclosing functions and classes."""
    for node in ast.iter_child_nodes(tree):
        inner = scope
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inner = f"{scope}.{node.name}".lstrip(".")
        yield inner, node
        yield from scoped_nodes(node, inner)


@cache
def nodes_of(source: str) -> list[tuple[str, ast.AST]]:
    return [*scoped_nodes(ast.parse(source))]


def impurities(source: str) -> Iterator[Finding]:
    """Yield all access to the environment: clock, randomness, system, input and output."""
    for scope, node in nodes_of(source):
        match node:
            case ast.Import(names=names):
                for package in {name.name.partition(".")[0] for name in names} & OUTSIDE:
                    yield Finding(scope, f"import of {package}", node.lineno)
            case ast.ImportFrom(module=str(module)) if module.partition(".")[0] in OUTSIDE:
                yield Finding(scope, f"import from {module}", node.lineno)
            case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCK_CALLS:
                yield Finding(scope, f"call of {name}()", node.lineno)
            case ast.Call(func=ast.Name(id=name)) if name in IN_AND_OUT_CALLS:
                yield Finding(scope, f"call of {name}()", node.lineno)


def floats(source: str) -> Iterator[Finding]:
    """Yield all sources of binary fractions: literals and ``float(...)``."""
    for scope, node in nodes_of(source):
        match node:
            case ast.Constant(value=float() | complex() as value):
                yield Finding(scope, f"literal {value!r}", node.lineno)
            case ast.Call(func=ast.Name(id="float")):
                yield Finding(scope, "call of float()", node.lineno)


def name_of(path: Path) -> str:
    return path.relative_to(CORE).with_suffix("").as_posix()


def test_core_reads_no_clock_and_no_environment() -> None:
    used = {(name_of(path), found.what) for path in MODULES for found in impurities(path.read_text("utf-8"))}

    assert used == set(REACHED_ALLOWED)


def test_core_creates_floats_only_where_allowed() -> None:
    used = {(name_of(path), found.scope) for path in MODULES for found in floats(path.read_text("utf-8"))}

    assert used == set(FLOATS_ALLOWED)
