"""The parsed pages of the documentation: code blocks, headings and links."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from support.documentation.sessions import Block

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token

ROOT = Path(__file__).parents[3]

PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "notebooks/README.md")),
    *(ROOT / name for name in ("benchmarks/README.md", "benchmarks/comparison/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]

# Directives such as {toctree} and {autofunction}, which Sphinx expands.
_DIRECTIVE = re.compile(r"\{[\w-]+\}")
_HTML_LINK = re.compile(r"""<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=["']([^"']+)["']""")
_HTML_ANCHOR = re.compile(r"""<[^>]*?\b(?:id|name)=["']([^"']+)["']""")


class Page:
    """One page; its path is the base of its links."""

    def __init__(self, path: Path, text: str | None = None) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8") if text is None else text

    @cached_property
    def tokens(self) -> list[Token]:
        """All tokens of the page, with the children of each inline token after it."""
        tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(self.text)
        return [inner for token in tokens for inner in (token, *(token.children or ()))]

    @cached_property
    def blocks(self) -> list[Block]:
        """The code blocks in order; an indented block has no language."""
        blocks = (_block(token) for token in self.tokens if token.type in {"fence", "code_block"})
        return [block for block in blocks if not _DIRECTIVE.fullmatch(block.language)]

    @cached_property
    def links(self) -> list[str]:
        """Targets of links and images, in Markdown or HTML."""
        return [link for token in self.tokens for link in _links(token)]

    @cached_property
    def anchors(self) -> set[str]:
        """The anchors of the page: headings as GitHub and the built site name them, and ids."""
        written = {found for token in self.tokens for found in _HTML_ANCHOR.findall(_html(token))}
        return written | set(_numbered(map(slug, self._headings())))

    @cached_property
    def code_words(self) -> list[str]:
        """The code within sentences."""
        return [token.content for token in self.tokens if token.type == "code_inline"]

    def _headings(self) -> Iterator[str]:
        for opening, inline in zip(self.tokens, self.tokens[1:], strict=False):
            if opening.type == "heading_open":
                parts = (child for child in inline.children or () if child.type in {"text", "code_inline"})
                yield "".join(part.content for part in parts)


def _block(token: Token) -> Block:
    language, _, name = token.info.strip().partition(" ")
    start = token.map[0] + 1 if token.map else 1
    return Block(start, language, name.strip() or None, token.content)


def _html(token: Token) -> str:
    return token.content if token.type in {"html_block", "html_inline"} else ""


def _links(token: Token) -> list[str]:
    given = [token.attrGet("href"), token.attrGet("src")]
    return [*(str(link) for link in given if link), *_HTML_LINK.findall(_html(token))]


def slug(heading: str) -> str:
    """Return the anchor of a heading: lower case, hyphens for spaces, no punctuation."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def _numbered(slugs: Iterator[str]) -> Iterator[str]:
    """Yield unique anchors: the second heading of a name ends in -1, the third in -2."""
    seen: Counter[str] = Counter()
    for name in slugs:
        yield f"{name}-{seen[name]}" if seen[name] else name
        seen[name] += 1
