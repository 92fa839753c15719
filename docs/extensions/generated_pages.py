"""Pages generated at build time: a comment in the source names the content to insert."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from command_reference import command_line
from file_reference import FILES, file_keys, file_values
from http_reference import http_operations, http_values

from faregate_http.app import OPERATIONS
from faregate_http.openapi import openapi_document

if TYPE_CHECKING:
    from collections.abc import Callable

    from sphinx.application import Sphinx


def _fill(_app: Sphinx, _docname: str, source: list[str]) -> None:
    """Replace the comment of a page by its content."""
    for mark, write in _WRITTEN.items():
        if mark in source[0]:
            source[0] = source[0].replace(mark, write())


def _document() -> Any:
    return json.loads(openapi_document(OPERATIONS))


_WRITTEN: dict[str, Callable[[], str]] = {
    "<!-- here: every command -->": command_line,
    "<!-- here: every operation -->": lambda: http_operations(_document()),
    "<!-- here: every value -->": lambda: http_values(_document()),
    "<!-- here: every value of a file -->": file_values,
    **{
        f"<!-- here: every key of a {kind} file -->": partial(file_keys, file) for kind, file in FILES.items()
    },
}


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the handler with Sphinx."""
    app.connect("source-read", _fill)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
