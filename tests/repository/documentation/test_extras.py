"""The extra that a page or notebook names is sufficient for its examples."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import TypeAlias

import pytest
from packaging.utils import canonicalize_name

from support.documentation.pages import ROOT, Page
from support.installs import EXTRAS, INSTALLED, PROJECT, distributions, environment

pytestmark = pytest.mark.slow

NAMED = re.compile(r"(?:faregate|\.)\[([a-z,]+)\]")
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
GUIDES = [ROOT / "docs" / "guides" / name for name in ("analysis.md", "services.md")]
# Users install the engines under frames and Starlette's test client themselves.
BROUGHT = ("duckdb", "httpx2", "polars")
RunWith: TypeAlias = Callable[..., str]
PRICED = """
>>> import json, subprocess, sys
>>> from pathlib import Path
>>> program = Path(sys.executable).with_name("faregate")
>>> priced = subprocess.check_output([program, "price", "examples/basket.json", "--json"])
>>> json.loads(priced)["totalGross"]
377.6
"""
SERVED = """
>>> import json
>>> from pathlib import Path
>>> from urllib.request import urlopen
>>> from support.processes.development import development_server
>>> with development_server(Path()) as address:
...     ready, page = (urlopen(address + path).read() for path in ("/health/ready", "/docs"))
>>> json.loads(ready)["status"]
'ready'
"""
# One call of each extra. Programs see all packages unless the extras are installed.
CALLS = {
    "batch": """
>>> from faregate import Line, VatRate
>>> from faregate.batch import checkout_totals
>>> int(checkout_totals([Line(1, 7900, 2, VatRate.percent("8.1"))]).total_net)
14616
""",
    "catalogue": """
>>> from faregate.files import demo_catalogue
>>> demo_catalogue().product(11).slug
'day-ticket'
""",
    "cli": PRICED,
    "docs,server": SERVED + ">>> b'swagger-ui.css' in page\nTrue\n",
    "frames": """
>>> import pandas as pd
>>> from faregate.frames import insights
>>> insights(pd.DataFrame({"price": [6900, 4900, 7400]}), price="price")["lower"].tolist()
[5900]
""",
    "http": """
>>> from faregate.files.reading import load_edition
>>> from faregate_http import MemoryStore, Options, Providers, create_app
>>> from starlette.testclient import TestClient
>>> options, providers = Options(scarce_percent=None), Providers()
>>> app = create_app(load_edition(None), MemoryStore, options=options, providers=providers)
>>> query = {
...     "valid_from": "2030-07-01T09:00:00+02:00", "order_date": "2030-06-20T18:22:05Z", "quantity": 2,
...     "currency_code": "CHF", "dta_product_id": 1, "dta_consumer_category": 1,
... }
>>> with TestClient(app) as client:
...     client.post("/api/pricing/external/prices/access", json=query).json()["calculated_price_cents"]
15800
""",
    "plot": """
>>> from faregate import PriceDistribution
>>> from faregate.plot import price_distribution
>>> ax = price_distribution(PriceDistribution.from_prices([5500, 6200, 6200, 8900]), currency="CHF")
>>> [int(bar.get_height()) for bar in ax.patches[:3]]
[1, 2, 1]
""",
    "postgres,server": """
>>> import asyncpg, greenlet
>>> from faregate_server import Settings, create_app
>>> _ = create_app(Settings(database="postgresql://shop@127.0.0.1:1/shop"))
""",
    "server": SERVED,
}


def missing_with(extras: list[str], brought: tuple[str, ...]) -> list[str]:
    """Return the installed top-level modules that would be missing with *extras* alone."""
    there = distributions(
        [*PROJECT["dependencies"], *(each for of in extras for each in EXTRAS[of]), *brought]
    )
    return sorted(
        module
        for module, providers in packages_distributions().items()
        if not {canonicalize_name(provider) for provider in providers} & {*there, "faregate"}
    )


@pytest.fixture
def run_with(request: pytest.FixtureRequest, tmp_path: Path) -> RunWith:
    """Return a function that runs blocks with only some extras installed, and returns their errors."""

    def run(
        extras: list[str],
        name: str,
        blocks: list[tuple[int, str]],
        files: dict[str, str] | None = None,
        brought: tuple[str, ...] = (),
    ) -> str:
        folder = tmp_path / "-".join(["with", *extras])
        folder.mkdir()
        (folder / "examples").symlink_to(ROOT / "examples")
        python, missing = sys.executable, [] if INSTALLED else missing_with(extras, brought)
        if INSTALLED:
            wheel, _ = request.getfixturevalue("distributed")
            python = environment(folder / "environment", wheel, extras, brought)
        asked = {"missing": missing, "name": name, "blocks": blocks, "files": files or {}}
        done = subprocess.run(
            [python, "-m", "support.documentation.only"],
            input=json.dumps(asked),
            capture_output=True,
            check=False,
            cwd=folder,
            encoding="utf-8",
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(str(ROOT / name) for name in ("tests", "src")[: 2 - INSTALLED]),
                "MPLBACKEND": "agg",
            },
        )
        return done.stderr if done.returncode else ""

    return run


def named_in(text: str) -> list[str]:
    """Return the extras in the first mention."""
    found = NAMED.search(text)
    assert found, "the page names no extra"
    return found[1].split(",")


def cells_of(path: Path) -> tuple[str, list[tuple[int, str]]]:
    """Return the texts and the code of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    words = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    code = [
        "".join(line for line in cell["source"] if not line.startswith("%"))
        for cell in cells
        if cell["cell_type"] == "code"
    ]
    return words, [*enumerate(code)]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_with_the_extras_it_names(path: Path, run_with: RunWith) -> None:
    words, cells = cells_of(path)

    assert run_with(named_in(words), path.name, cells) == ""


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_a_guide_runs_with_the_extras_it_names(path: Path, run_with: RunWith) -> None:
    page = Page(path)
    blocks = [(block.line, block.text) for block in page.blocks if block.language == "python"]
    files = {block.name: block.text for block in reversed(page.blocks) if block.name}

    assert run_with(named_in(page.text), path.name, blocks, files, BROUGHT) == ""


def test_the_core_prices_without_extras(run_with: RunWith) -> None:
    page = Page(ROOT / "README.md")
    first = next(block for block in page.blocks if block.language == "python")

    assert PROJECT["dependencies"] == []
    assert run_with([], "README.md", [(first.line, first.text)]) == ""


@pytest.mark.parametrize("extras", CALLS)
def test_an_extra_is_sufficient_for_one_call(extras: str, run_with: RunWith) -> None:
    assert run_with(extras.split(","), "call.md", [(1, CALLS[extras])], brought=("httpx2",)) == ""


def test_every_extra_has_a_call() -> None:
    assert {extra for extras in CALLS for extra in extras.split(",")} == EXTRAS.keys() - {"all"}


def test_reading_a_catalogue_requires_its_extra(run_with: RunWith) -> None:
    block = (1, ">>> from faregate.files import demo_catalogue; _ = demo_catalogue()\n")

    assert run_with(["catalogue"], "page.md", [block]) == ""
    told = "reading YAML needs PyYAML: install faregate[catalogue]"
    assert told in run_with(["batch"], "page.md", [block])


@pytest.mark.parametrize("package", ["faregate_http", "faregate_server"])
def test_the_service_requires_its_extra(package: str, run_with: RunWith) -> None:
    block = (1, f">>> from {package} import create_app\n")

    assert f"{package} needs starlette: install faregate[http]" in run_with(["cli"], "page.md", [block])
