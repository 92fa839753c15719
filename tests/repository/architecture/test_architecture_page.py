"""docs/architecture.md agrees with the import contracts and the modules."""

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
TOOL = runpy.run_path(str(ROOT / "tools" / "architecture.py"))

REMEDY = "update it: python tools/architecture.py"


def test_the_picture_shows_the_layers_of_the_contracts() -> None:
    picture = (ROOT / "docs" / "layers.svg").read_text(encoding="utf-8")

    assert picture == TOOL["picture"](), REMEDY


def test_the_tables_list_every_module() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")

    assert page.count("| `") > 150
    assert page == TOOL["page"](page), REMEDY
