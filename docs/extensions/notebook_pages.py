"""Notebooks as pages, with the outputs stored when they were last run. Nothing is run.

A notebook is converted to Markdown when it is read, so that it is processed like any other page.
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx

__all__ = ["notebook_markdown"]

_FENCE = "`" * 6
"""A fence longer than any in a cell."""
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
# Notebooks are listed on the page of their folder, not in a table of contents.
_TOP = "---\norphan: true\n---\n"

_Cell = dict[str, Any]


def notebook_markdown(text: str) -> str:
    """Return a stored notebook as Markdown."""
    return "\n\n".join([_TOP, *(_cell(cell) for cell in json.loads(text)["cells"])])


def _cell(cell: _Cell) -> str:
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        return source
    code = _fenced("python", source) if source else ""
    shown = "".join(_shown(cell["outputs"]))
    return f"{code}\n\n{_fenced('{raw} html', _output(shown))}" if shown else code


def _fenced(what: str, content: str) -> str:
    return f"{_FENCE}{what}\n{content}\n{_FENCE}"


def _output(html: str) -> str:
    return f'<div class="notebook-output">{html}</div>'


def _shown(outputs: list[_Cell]) -> Iterable[str]:
    """Yield each output in its richest stored form."""
    for output in outputs:
        data = output.get("data", {})
        if "text/html" in data:
            yield "".join(data["text/html"])
        elif "image/png" in data:
            picture = "".join(data["image/png"]).replace("\n", "")
            yield f'<img alt="Output of the cell above" src="data:image/png;base64,{picture}">'
        else:
            yield _plain(data.get("text/plain") or output.get("text") or output["traceback"])


def _plain(lines: Iterable[str]) -> str:
    return f"<pre>{escape(_ESCAPES.sub('', ''.join(lines)))}</pre>"


def _read(app: Sphinx, docname: str, source: list[str]) -> None:
    if app.env.doc2path(docname).suffix == ".ipynb":
        source[0] = notebook_markdown(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler with Sphinx."""
    app.add_source_suffix(".ipynb", "markdown")
    app.connect("source-read", _read, priority=100)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
