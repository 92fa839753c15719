"""Notebooks as pages: their words, their code and what they showed when they were last run. Nothing is run.

A notebook becomes Markdown when it is read, so that everything else treats it as any other page.
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
"""Longer than what a cell would open."""
_ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
# No list of pages names them: the one that tells of them is that of their folder.
_TOP = "---\norphan: true\n---\n"

_Cell = dict[str, Any]


def notebook_markdown(text: str) -> str:
    """A notebook, as it is stored, in the Markdown of these pages."""
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
    """Each output in the richest form that is stored."""
    for output in outputs:
        data = output.get("data", {})
        if "text/html" in data:
            yield "".join(data["text/html"])
        elif "image/png" in data:
            picture = "".join(data["image/png"]).replace("\n", "")
            yield f'<img alt="What the cell above draws" src="data:image/png;base64,{picture}">'
        else:
            yield _plain(data.get("text/plain") or output.get("text") or output["traceback"])


def _plain(lines: Iterable[str]) -> str:
    return f"<pre>{escape(_ESCAPES.sub('', ''.join(lines)))}</pre>"


def _read(app: Sphinx, docname: str, source: list[str]) -> None:
    if app.env.doc2path(docname).suffix == ".ipynb":
        source[0] = notebook_markdown(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx when to call what is above."""
    app.add_source_suffix(".ipynb", "markdown")
    app.connect("source-read", _read, priority=100)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
