"""The cost of an import, counted in modules, which unlike time is the same on every machine."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

# Modules that an interpreter loads anyway for the core's standard library imports.
FOUNDATIONS = "import collections.abc, dataclasses, datetime, enum, fractions, functools, re, typing"

# Measured with CPython 3.11 to 3.13, with some margin; investigate an excess before raising the limit.
MOST_MODULES_FOR_IMPORT = 8
MOST_MODULES_BEYOND_FOUNDATIONS = 4

PRICE_ONE_LINE = """
from faregate import Line, VatRate, checkout_totals
totals = checkout_totals([Line(key=1, unit_price=6900, quantity=2, rate=VatRate.percent("8.1"))])
assert len(totals.lines) == 1
"""


def modules_loaded_by(code: str, *, after: str = "") -> set[str]:
    """Return the modules that *code* loads, beyond those loaded at startup or by *after*."""
    program = f"""
import json, sys
{after}
before = set(sys.modules)
{code}
print(json.dumps(sorted(set(sys.modules) - before)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded: list[str] = json.loads(done.stdout)
    return set(loaded)


def top_level(modules: set[str]) -> set[str]:
    """Return the packages of *modules*."""
    return {module.partition(".")[0] for module in modules}


def foreign(modules: set[str]) -> set[str]:
    """Return the packages of *modules* outside faregate and the standard library."""
    return top_level(modules) - {"faregate"} - sys.stdlib_module_names


def test_import_stays_within_its_budget_of_modules() -> None:
    loaded = modules_loaded_by("import faregate")

    assert len(loaded) <= MOST_MODULES_FOR_IMPORT, sorted(loaded)


@pytest.mark.parametrize(
    "code", ["from faregate import checkout_totals", PRICE_ONE_LINE], ids=["imported", "priced"]
)
def test_pricing_loads_only_the_standard_library(code: str) -> None:
    assert foreign(modules_loaded_by(code)) == set()


def test_pricing_adds_few_modules_to_its_foundations() -> None:
    loaded = modules_loaded_by(PRICE_ONE_LINE, after=FOUNDATIONS)
    added = {module for module in loaded if not module.startswith("faregate")}

    assert len(added) <= MOST_MODULES_BEYOND_FOUNDATIONS, sorted(added)


@pytest.mark.parametrize(
    ("code", "most"),
    [
        ("import faregate", 2),
        # One of them marks public values. Where pydantic meets one, five more write and read it.
        ("from faregate import checkout_totals", 40),
        # Annotations resolve at run time: with the function come Catalogue and all that it holds.
        ("from faregate import gate_price", 73),
        ("from faregate import validity_options", 75),
        ("import faregate.batch", 3),
        ("from faregate.batch import checkout_totals", 69),
        ("import faregate.frames", 126),
        ("from faregate.files import load_catalogue", 98),
        # The formats of documents name the values of refunds: four modules.
        ("import faregate_http.app", 233),
        ("import faregate_server.app", 306),
        ("import faregate_cli.__main__", 2),
    ],
)
def test_an_entry_point_loads_a_limited_number_of_our_modules(code: str, most: int) -> None:
    own = {module for module in modules_loaded_by(code) if module.startswith("faregate")}

    assert len(own) <= most, sorted(own)
