"""The table of rounding lists every module that divides with rounding."""

import ast
import re
from pathlib import Path

from support.documentation.pages import ROOT

DIVISIONS = {"divide", "rdiv", "round_to_increment"}
PAGE = (ROOT / "docs" / "concepts" / "money.md").read_text(encoding="utf-8")
NAMED = {
    name
    for line in PAGE.splitlines()
    if line.startswith("|")
    for name in re.findall(r"`(faregate.+?)`", line)
}


def modules() -> dict[str, Path]:
    """Return the modules of the core and the service; those of ``batch`` round like their scalar twins."""
    packages = ("faregate", "faregate_http", "faregate_server")
    files = [file for package in packages for file in (ROOT / "src" / package).rglob("*.py")]
    named = {".".join(file.relative_to(ROOT / "src").with_suffix("").parts): file for file in files}
    columns = ("faregate.batch.", "faregate.frames.", "faregate.plot.")
    return {name: file for name, file in named.items() if not name.startswith(columns)}


def divides(file: Path) -> bool:
    source = file.read_bytes()
    if b"faregate.money.rounding" not in source:
        return False
    imports = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom))
    return any(
        node.module == "faregate.money.rounding" and DIVISIONS & {a.name for a in node.names}
        for node in imports
    )


def test_every_module_that_rounds_is_in_the_table() -> None:
    rounding = {name for name, file in modules().items() if divides(file)}

    assert rounding - NAMED == set()


def test_every_module_in_the_table_exists() -> None:
    packages = {"faregate.frames"}

    assert NAMED - packages - modules().keys() == set()
