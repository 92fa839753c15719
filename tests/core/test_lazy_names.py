"""Public names are imported from their modules on first access, and kept."""

from __future__ import annotations

import pytest

import faregate
from faregate._lazy import lazy
from faregate.money import rounding


def test_a_name_comes_from_its_module_and_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faregate, "divide_rounded", None)  # restored at the end

    assert faregate.__getattr__("divide_rounded") is rounding.divide_rounded
    assert vars(faregate)["divide_rounded"] is rounding.divide_rounded


def test_an_unknown_name_is_an_error_like_any_module_s() -> None:
    with pytest.raises(AttributeError, match=r"^module 'faregate' has no attribute 'dividend'$"):
        faregate.__getattr__("dividend")


def test_all_names_are_listed_before_they_are_imported() -> None:
    names = vars(faregate)

    assert faregate.__dir__() == sorted({*names, *names["__all__"]})


def test_a_module_that_is_missing_is_named() -> None:
    find, _ = lazy("faregate", {"no_such_room": ("price",)})

    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'faregate.no_such_room'$"):
        find("price")
