"""Captions for code blocks that are files, such as ``yaml idea.yaml``: myst-parser omits the file name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["with_captions"]

_NAMED = re.compile(r"^```(\w+) ([\w.-]+\.\w+)$", re.MULTILINE)


def with_captions(text: str) -> str:
    """Return Markdown with the names of named blocks as captions.

    >>> print(with_captions("```yaml idea.yaml"))
    ```{code-block} yaml
    :caption: idea.yaml
    <BLANKLINE>
    """
    return _NAMED.sub("```{code-block} \\1\n:caption: \\2\n", text)


def _caption(_app: Sphinx, _docname: str, source: list[str]) -> None:
    source[0] = with_captions(source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler with Sphinx."""
    app.connect("source-read", _caption)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
