"""The names of the batch layer: where they come from, and that none costs anything before it is used."""

from __future__ import annotations

import ast
import importlib
import json
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import faregate
from faregate import batch

PACKAGE: Any = batch
STUB = Path(batch.__path__[0], "__init__.pyi")
SUBMODULES = [module.name for module in pkgutil.iter_modules(batch.__path__)]

# Of modules whose functions are for users, what is there for others inside the batch layer.
INTERNAL = {
    "allocation": {"apportion", "floors"},
    "automatic": {"Automatic", "Places", "best_automatic", "checked_ids"},
    "baskets": {
        *(
            "STEP_LINES",
            "Step",
            "are_one_step",
            "bucket_steps",
            "checked_offsets",
            "integers",
            "lines_of",
            "steps_of",
        ),
        "sums_of",
    },
    "codes": {"every_code"},
    "eligibility": {
        "counts_first_days",
        "Reasons",
        "below_minimum",
        "code_of",
        "not_now",
        "require_local_days",
        "selected",
    },
    "rounding": {"EXACT_FLOATS", "EXACT_INTS", "LEAST", "divide_product", "fitting", "floor_quotients"},
}


def modules_loaded_by(code: str) -> set[str]:
    program = f"import json, sys\n{code}\nprint(json.dumps([*sys.modules]))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_package_itself_loads_nothing_but_the_standard_library() -> None:
    loaded = modules_loaded_by("import faregate.batch\nfaregate.batch.__all__")

    assert {name for name in loaded if name.startswith("faregate")} == {"faregate", "faregate.batch"}
    assert "numpy" not in loaded


@pytest.mark.parametrize("name", ["divide", "offsets_of"])
def test_name_loads_no_module_that_it_does_not_need(name: str) -> None:
    loaded = modules_loaded_by(f"from faregate.batch import {name}")

    assert loaded.isdisjoint({"faregate.gate.price", "faregate.batch.renewals", "faregate.batch.tax"})


def test_modules_stay_importable_by_their_names() -> None:
    for name in SUBMODULES:
        module = importlib.import_module(f"faregate.batch.{name}")

        assert getattr(batch, name) is module
    assert set(PACKAGE.__all__).isdisjoint(SUBMODULES)


@pytest.mark.parametrize("name", PACKAGE.__all__)
def test_name_is_that_of_its_module(name: str) -> None:
    home: Any = importlib.import_module(f"faregate.batch.{PACKAGE._HOME[name]}")

    assert name in home.__all__
    assert getattr(batch, name) is getattr(home, name)


@pytest.mark.parametrize("name", sorted(PACKAGE._NAMES))
def test_module_for_users_keeps_back_only_what_is_internal(name: str) -> None:
    home: Any = importlib.import_module(f"faregate.batch.{name}")

    assert set(home.__all__) - set(PACKAGE.__all__) == INTERNAL.get(name, set())


def test_functions_have_the_names_of_their_scalars() -> None:
    shared = {name for name in PACKAGE.__all__ if hasattr(faregate, name)}

    assert shared >= {"access_price", "allocate", "divide", "donation_amount", "prorate", "redeem", "split"}


def test_type_checkers_see_each_name_in_the_module_it_comes_from() -> None:
    tree = ast.parse(STUB.read_text("utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    declared = {alias.asname: node.module for node in imports for alias in node.names}

    assert declared == {name: f"faregate.batch.{home}" for name, home in PACKAGE._HOME.items()}


def test_dir_shows_every_name() -> None:
    assert set(dir(batch)) >= set(PACKAGE.__all__)


def test_without_numpy_a_name_says_which_extra_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "faregate.batch.tax")
    monkeypatch.delitem(vars(PACKAGE), "net_from_gross", raising=False)

    with pytest.raises(ModuleNotFoundError, match=r"^faregate.batch needs numpy: install faregate\[batch\]$"):
        _ = PACKAGE.net_from_gross


def test_unknown_attribute_is_refused_by_name() -> None:
    with pytest.raises(AttributeError, match=r"^module 'faregate.batch' has no attribute 'no_such_name'$"):
        _ = PACKAGE.no_such_name
