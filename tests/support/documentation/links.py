"""The check of the links of a page."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from support.documentation.pages import ROOT, Page

if TYPE_CHECKING:
    from pathlib import Path

_ELSEWHERE = re.compile(r"(?:https?|mailto|data):", re.IGNORECASE)


def faults_of_links(page: Page) -> list[str]:
    """Return the broken links within the repository; external links are not followed."""
    inside = (link for link in page.links if not _ELSEWHERE.match(link))
    return [f"{page.path.name}: {fault}" for link in inside if (fault := _fault(page, link))]


def _fault(page: Page, link: str) -> str:
    path, _, anchor = unquote(link).partition("#")
    target = (page.path.parent / path).resolve() if path else page.path
    if path and not (target.is_relative_to(ROOT) and target.exists()):
        return f"{link} does not exist"
    if anchor and anchor not in (_anchors(target) if path else page.anchors):
        return f"{link}: unknown heading"
    return ""


@cache
def _anchors(target: Path) -> set[str]:
    return Page(target).anchors if target.suffix == ".md" else set()
