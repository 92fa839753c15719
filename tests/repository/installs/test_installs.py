"""The built distributions, in a new environment, and the size of what they need."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.documentation.pages import ROOT
from support.installs import EXTRAS, INSTALLED, distributions, environment, megabytes, wheel_from

pytestmark = pytest.mark.slow

CONSUMER = ROOT / "tests/repository/consumer"
MODULES = ("basket.py", "visits.py", "mistakes.py")
IGNORED = re.compile(r"  # type: ignore\[[\w-]+\]$", re.MULTILINE)
SMOKE = """
import faregate, sys
from pathlib import Path
from faregate.documents import FORMATS, schema
import basket

print(basket.price(3, 1).total_gross)
assert [schema(name)["$schema"] for name in FORMATS]
installed = Path(faregate.__file__).parent
assert installed.is_relative_to(sys.prefix), installed
stubs = sorted(str(file.relative_to(installed)) for file in installed.rglob("*.pyi"))
print(stubs, (installed / "py.typed").exists())
"""


def output_of(*words: str, folder: Path, status: int = 0) -> str:
    """Return the output of a command that ends with *status*."""
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False, encoding="utf-8")
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", ["wheel", "source"] if INSTALLED else ["wheel"])
def test_the_core_alone_prices_and_shows_its_types(
    kind: str, distributed: tuple[Path, Path], tmp_path: Path
) -> None:
    wheel, source = distributed
    python = environment(
        tmp_path / "environment", wheel if kind == "wheel" else wheel_from(source, tmp_path), []
    )
    shop = tmp_path / "shop"
    shop.mkdir()
    for name in MODULES:
        shutil.copy(CONSUMER / name, shop)

    priced, typed = output_of(python, "-c", SMOKE, folder=shop).splitlines()

    stubs = sorted(
        str(file.relative_to(ROOT / "src/faregate")) for file in ROOT.glob("src/faregate/**/*.pyi")
    )
    assert (priced, typed) == ("1485", f"{stubs} True")
    planted = planted_in(shop)
    assert found_by_mypy(python, shop) == planted
    assert found_by_pyright(python, shop) >= planted, "a wrong element makes its list wrong, too"


def planted_in(shop: Path) -> set[int]:
    """Uncover the mistakes and return their lines."""
    text = (shop / "mistakes.py").read_text(encoding="utf-8")
    (shop / "mistakes.py").write_text(IGNORED.sub("", text), encoding="utf-8")
    return {number for number, line in enumerate(text.splitlines(), 1) if IGNORED.search(line)}


def found_by_mypy(python: str, shop: Path) -> set[int]:
    """Return the lines of the errors, all of which are in the module of mistakes."""
    mypy = (sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--python-executable", python)
    found = output_of(*mypy, "--no-pretty", *MODULES, folder=shop, status=1).splitlines()
    places = [line.split(":", 3) for line in found if ": note:" not in line]
    assert {file for file, *_ in places} == {"mistakes.py"}, found
    return {int(line) for _, line, *_ in places}


def found_by_pyright(python: str, shop: Path) -> set[int]:
    """Return the lines of the errors, all of which are in the module of mistakes."""
    (shop / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}', encoding="utf-8")
    pyright = (sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", python)
    found = json.loads(output_of(*pyright, *MODULES, folder=shop, status=1))["generalDiagnostics"]
    assert {Path(each["file"]).name for each in found} == {"mistakes.py"}, found
    return {each["range"]["start"]["line"] + 1 for each in found}


def test_the_server_takes_at_most_120_megabytes() -> None:
    ours = sum(
        file.stat().st_size for file in ROOT.glob("src/**/*") if file.suffix != ".pyc" and file.is_file()
    )

    assert megabytes(distributions(EXTRAS["server"])) + ours / 1e6 <= 120
