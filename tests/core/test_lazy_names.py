"""Public names are imported from their modules on first access, and kept."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

import pytest

import faregate
from faregate._lazy import lazy
from faregate.money import rounding

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


def test_a_name_comes_from_its_module_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faregate, "divide_rounded", None)  # restored at the end

    assert faregate.__getattr__("divide_rounded") is rounding.divide_rounded
    assert vars(faregate)["divide_rounded"] is rounding.divide_rounded


def test_an_unknown_name_raises_the_usual_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"^module 'faregate' has no attribute 'dividend'$"):
        faregate.__getattr__("dividend")


def test_all_names_are_listed_before_they_are_imported() -> None:
    listed = set(faregate.__getattr__("__all__"))

    assert faregate.__dir__() == sorted({*vars(faregate), *listed})


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A package with one name, in a module that does not exist."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "__init__.py").touch()
    stub = "# Names.\nfrom broken.no_such_module import price as price\n"
    (tmp_path / "broken" / "__init__.pyi").write_text(stub, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    return importlib.import_module("broken")


def test_a_module_that_is_missing_is_named(broken: ModuleType) -> None:
    find, _ = lazy(broken.__name__)

    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'broken.no_such_module'$"):
        find("price")


def test_an_extra_that_installs_what_is_missing_is_named(broken: ModuleType) -> None:
    find, _ = lazy(broken.__name__, extra="faregate[batch]")

    with pytest.raises(ModuleNotFoundError, match=r"^broken needs .*: install faregate\[batch\]$"):
        find("price")
