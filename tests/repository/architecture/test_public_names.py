"""The public names, a contract with all users of faregate."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import runpy
from pathlib import Path
from typing import Any

import pytest

import faregate

ROOT = Path(__file__).parents[3]
TOOL = runpy.run_path(str(ROOT / "tools" / "public_api.py"))
LISTED = Path(__file__).parents[1] / "public_api.txt"
REMEDY = "the public API has changed: add it to the CHANGELOG, then run python tools/public_api.py"

PACKAGE: Any = faregate
FACES = {f"faregate.{name}" for name in ("batch", "documents", "files", "frames", "plot", "render")}
FOUND = [*pkgutil.walk_packages(faregate.__path__, "faregate.")]
SUBMODULES = sorted(module.name for module in FOUND)
ROOMS = sorted({module.name for module in FOUND if module.ispkg} - FACES)
STUB = Path(faregate.__path__[0], "__init__.pyi")


def test_public_names_and_their_signatures_are_those_that_are_listed() -> None:
    assert TOOL["listing"]() == LISTED.read_text(encoding="utf-8"), REMEDY


def test_no_public_name_is_overwritten_by_a_submodule_of_that_name() -> None:
    assert {f"faregate.{name}" for name in PACKAGE.__all__}.isdisjoint(SUBMODULES)


def test_star_import_brings_every_public_name() -> None:
    namespace: dict[str, object] = {}
    exec("from faregate import *", namespace)

    assert namespace.keys() >= {*PACKAGE.__all__}


def test_type_checkers_see_each_public_name_in_the_module_it_comes_from() -> None:
    imports = [
        node for node in ast.walk(ast.parse(STUB.read_text("utf-8"))) if isinstance(node, ast.ImportFrom)
    ]
    declared = {alias.asname: node.module for node in imports for alias in node.names}

    assert declared.keys() == {*PACKAGE.__all__}
    for name, module in declared.items():
        assert getattr(PACKAGE, str(name)) is getattr(importlib.import_module(str(module)), str(name))


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_has_no_names_of_its_own(name: str) -> None:
    face = Path(importlib.import_module(name).__path__[0], "__init__.py")

    assert [type(node) for node in ast.parse(face.read_text("utf-8")).body] == [ast.Expr]
