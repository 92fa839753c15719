"""Draw the layers of the import contracts and list what is in them: for docs/architecture.md.

What is drawn is read from pyproject.toml, as import-linter does, and from the first lines of modules.
"""

from __future__ import annotations

import ast
import tomllib
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
PAGE, PICTURE = ROOT / "docs" / "architecture.md", ROOT / "docs" / "layers.svg"
LAYERED = ("faregate_cli", "faregate_server", "faregate_http", "faregate")
LISTED = (
    "faregate",
    "faregate.batch",
    "faregate.frames",
    "faregate.plot",
    "faregate.files",
    "faregate_server",
    "faregate_http",
    "faregate_cli",
)

Layers = list[list[str]]

WIDTH, BAND, GAP, MARGIN = 500, 22, 3, 14
TOP, MOST_BANDS = 48, 24


def layers_of(package: str) -> Layers:
    """The layers of a package by its contract, from the top; a layer is one module or several."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract.get("containers") == [package]:
            return [[name.strip() for name in layer.split("|")] for layer in contract["layers"]]
    return [[name] for name in sorted(_modules(package))]


def purpose(package: str, name: str) -> str:
    """The first line of a module or package."""
    below = ROOT / "src" / f"{package}.{name}".replace(".", "/")
    file = below / "__init__.py" if below.is_dir() else below.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def _modules(package: str) -> list[str]:
    folder = ROOT / "src" / package.replace(".", "/")
    files = {path.stem for path in folder.glob("*.py")} | {
        path.parent.name for path in folder.glob("*/__init__.py")
    }
    return [name for name in files if not name.startswith("__")]


def page(text: str) -> str:
    """*text* with what stands between its marks made anew."""
    for package in LISTED:
        begin, end = f"<!-- {package}: begin -->", f"<!-- {package}: end -->"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{_table(package)}\n{end}{rest.partition(end)[2]}"
    return text


def _table(package: str) -> str:
    return "\n".join(["| | |", "|---|---|", *(f"| `{name}` | {text} |" for name, text in _unfolded(package))])


def _unfolded(package: str) -> Iterator[tuple[str, str]]:
    """The modules of a package; after a folder those in it, unless they have a table of their own."""
    for name in (name for layer in layers_of(package) for name in layer if not name.startswith("__")):
        yield name, purpose(package, name)
        inner = f"{package}.{name}"
        if inner not in LISTED:
            yield from ((f"{name}/{below}", text) for below, text in _unfolded(inner))


def picture() -> str:
    """Every layer a band: what is above imports only what is below, also in the next column of a package."""
    columns = [
        (f"{name}, further down" if first else name, layers[first : first + MOST_BANDS])
        for name, layers in ((name, layers_of(name)) for name in LAYERED)
        for first in range(0, len(layers), MOST_BANDS)
    ]
    stacks = [
        _stack(title, layers, left=MARGIN + index * (WIDTH + MARGIN))
        for index, (title, layers) in enumerate(columns)
    ]
    height = TOP + MOST_BANDS * (BAND + GAP) + MARGIN
    width = len(columns) * (WIDTH + MARGIN) + MARGIN
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
    return "\n".join([
        f'{svg} font-family="sans-serif" font-size="10">',
        "<title>Each layer imports only what is below it</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *stacks,
        "</svg>\n",
    ])  # fmt: skip


def _stack(title: str, layers: Layers, *, left: int) -> str:
    bands = [_band(layer, left, TOP + index * (BAND + GAP)) for index, layer in enumerate(layers)]
    name = f'<text x="{left}" y="{TOP - 14}" font-size="16" font-weight="bold" fill="#262626">{title}</text>'
    return "\n".join([name, *bands])


def _band(layer: list[str], left: int, top: int) -> str:
    box = f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{BAND}" rx="3" fill="#e8f1f8"/>'
    middle, baseline = left + WIDTH // 2, top + BAND - 7
    names = escape("  ·  ".join(layer))
    return f'{box}<text x="{middle}" y="{baseline}" text-anchor="middle" fill="#1b3a57">{names}</text>'


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
