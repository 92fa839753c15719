"""Names of the batch layer: their modules, and no cost before their first use."""

import ast
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from faregate import batch

PACKAGE: Any = batch
STUB = Path(batch.__path__[0], "__init__.pyi")
IMPORTS = [node for node in ast.parse(STUB.read_text("utf-8")).body if isinstance(node, ast.ImportFrom)]
HOME = {alias.name: str(node.module) for node in IMPORTS for alias in node.names}
SUBMODULES = [module.name for module in pkgutil.iter_modules(batch.__path__)]


def modules_loaded_by(code: str) -> set[str]:
    program = f"import json, sys\n{code}\nprint(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_package_itself_loads_nothing_but_the_standard_library() -> None:
    loaded = modules_loaded_by("import faregate.batch\nfaregate.batch.__all__")

    assert {name for name in loaded if name.startswith("faregate")} == {
        "faregate",
        "faregate._lazy",
        "faregate.batch",
    }
    assert "numpy" not in loaded


@pytest.mark.parametrize("name", ["divide_rounded", "offsets_of"])
def test_name_loads_no_module_that_it_does_not_need(name: str) -> None:
    loaded = modules_loaded_by(f"from faregate.batch import {name}")

    assert loaded.isdisjoint({"faregate.batch.subscriptions.schedule", "faregate.batch.tax.net_gross"})


def test_modules_stay_importable_by_their_names() -> None:
    for name in SUBMODULES:
        module = importlib.import_module(f"faregate.batch.{name}")

        assert getattr(batch, name) is module
    assert set(PACKAGE.__all__).isdisjoint(SUBMODULES)


def test_each_name_comes_from_the_module_that_type_checkers_see() -> None:
    assert HOME.keys() == {*PACKAGE.__all__}
    for name, home in HOME.items():
        assert getattr(batch, name) is getattr(importlib.import_module(home), name)


def test_without_numpy_the_error_names_the_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "faregate.batch.tax.net_gross")
    monkeypatch.delitem(vars(PACKAGE), "net_from_gross", raising=False)

    with pytest.raises(ModuleNotFoundError, match=r"^faregate.batch needs numpy: install faregate\[batch\]$"):
        _ = PACKAGE.net_from_gross
