"""Notebooks become pages with their stored outputs, and blocks that are files have captions."""

import json
import re
from typing import Any

import pytest
from named_blocks import with_captions
from notebook_pages import notebook_markdown

from support.documentation.pages import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def page(*cells: dict[str, Any]) -> str:
    """Return a notebook of *cells* as a page, without its header."""
    return notebook_markdown(json.dumps({"cells": cells})).partition("orphan: true\n---\n")[2].strip()


def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "source": source.splitlines(keepends=True), "outputs": [*outputs]}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_keeps_its_text_code_and_outputs(path: Any) -> None:
    text = path.read_text(encoding="utf-8")

    shown = notebook_markdown(text)

    cells = json.loads(text)["cells"]
    assert all("".join(cell["source"]) in shown for cell in cells)
    assert shown.count("data:image/png") == text.count('"image/png"')
    assert shown.count("notebook-output") == len([cell for cell in cells if cell.get("outputs")])


def test_an_output_is_shown_in_its_richest_form() -> None:
    rich = {"output_type": "execute_result", "data": {"text/html": ["<b>7900</b>"], "text/plain": ["7900"]}}
    drawn = {"output_type": "display_data", "data": {"image/png": "iVBO\nRw0K", "text/plain": ["<Figure>"]}}

    shown = page(code("price", rich), code("picture", drawn))

    assert "<b>7900</b>" in shown
    assert "base64,iVBORw0K" in shown
    assert not re.search("<pre>|Figure", shown)


def test_a_plain_output_is_escaped_and_has_no_colours() -> None:
    printed = {"output_type": "stream", "name": "stdout", "text": ["\x1b[31mred\x1b[0m <b> & so on\n"]}
    plain = {"output_type": "execute_result", "data": {"text/plain": ["<Trace: 3 steps>"]}}
    failed = {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["line 1\n", "E"]}

    shown = page(code("print()", printed, plain, failed))

    assert "<pre>red &lt;b&gt; &amp; so on\n</pre>" in shown
    assert "<pre>&lt;Trace: 3 steps&gt;</pre>" in shown
    assert "<pre>line 1\nE</pre>" in shown


def test_a_cell_without_outputs_shows_its_code_and_an_empty_one_nothing() -> None:
    assert page(code("x = 1")) == "``````python\nx = 1\n``````"
    assert page(code(""), {"cell_type": "markdown", "source": ["# A", "\nb"]}) == "# A\nb"


@pytest.mark.parametrize("block", ["yaml idea.yaml", "csv offers.csv", "python shop.py"])
def test_a_block_that_is_a_file_has_its_name_as_caption(block: str) -> None:
    language, name = block.split()

    shown = with_captions(f"before\n\n```{block}\na: 1\n```\n")

    assert shown == f"before\n\n```{{code-block}} {language}\n:caption: {name}\n\na: 1\n```\n"


@pytest.mark.parametrize("text", ["```python\nx\n```", "    ```yaml a.yaml"])
def test_any_other_block_stays_unchanged(text: str) -> None:
    assert with_captions(text) == text
