"""A check that the built pages load nothing from the network, for offline readers and for privacy."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["fetched"]

_LOADED = re.compile(
    r"""<(?:script|link|img|iframe|source|video)\b[^>]*?\b(?:src|href|srcset)="((?:https?:)?//[^"]*)"""
)
_STYLED = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')]*)""")

_logger = logging.getLogger(__name__)


def fetched(text: str) -> list[str]:
    """Return the external resources that a page or style sheet would load, not its links."""
    return _LOADED.findall(text) + _STYLED.findall(text)


def _tell_fetched(app: Sphinx, failure: Exception | None) -> None:
    for path in [] if failure else [*app.outdir.rglob("*.html"), *app.outdir.rglob("*.css")]:
        for address in fetched(path.read_text(encoding="utf-8")):
            _logger.warning("%s loads %s", path, address, type="faregate", subtype="offline")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the check with Sphinx."""
    app.connect("build-finished", _tell_fetched, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
