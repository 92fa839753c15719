"""The public names, a contract with all users of faregate."""

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
PUBLIC = {
    name: getattr(PACKAGE, name) for name in PACKAGE.__all__ if hasattr(getattr(PACKAGE, name), "__module__")
}
SUBMODULES = sorted(module.name for module in pkgutil.walk_packages(faregate.__path__, "faregate."))
ROOMS = sorted(f"faregate.{stub.parent.name}" for stub in Path(faregate.__path__[0]).glob("*/__init__.pyi"))


def test_public_names_and_signatures_match_the_list() -> None:
    assert TOOL["listing"]() == LISTED.read_text(encoding="utf-8"), REMEDY


def test_no_public_name_is_overwritten_by_a_submodule_of_that_name() -> None:
    assert {f"faregate.{name}" for name in PACKAGE.__all__}.isdisjoint(SUBMODULES)


def test_star_import_provides_every_public_name() -> None:
    namespace: dict[str, object] = {}
    exec("from faregate import *", namespace)

    assert namespace.keys() >= {*PACKAGE.__all__}


@pytest.mark.parametrize("face", ["faregate", *ROOMS])
def test_type_checkers_see_each_name_in_the_module_it_comes_from(face: str) -> None:
    package: Any = importlib.import_module(face)
    stub = ast.parse(Path(package.__path__[0], "__init__.pyi").read_text("utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    declared = {str(alias.asname): str(node.module) for node in imports for alias in node.names}

    assert declared.keys() == {*package.__all__}
    for name, module in declared.items():
        assert getattr(package, name) is getattr(importlib.import_module(module), name)


@pytest.mark.parametrize("room", ROOMS)
def test_no_name_of_a_subpackage_is_overwritten_by_a_submodule(room: str) -> None:
    assert {f"{room}.{name}" for name in importlib.import_module(room).__all__}.isdisjoint(SUBMODULES)


def test_a_name_of_the_package_is_also_in_its_subpackage() -> None:
    homes = {name: value.__module__.rpartition(".")[0] for name, value in PUBLIC.items()}
    in_rooms = {name: room for name, room in homes.items() if room in ROOMS}

    assert len(in_rooms) > 100
    missing = {name for name, room in in_rooms.items() if name not in importlib.import_module(room).__all__}
    assert missing == {"code_limits", "offered_prices"}  # their modules have these names
