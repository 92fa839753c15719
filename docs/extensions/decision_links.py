"""Links from the sections cited in docstrings, such as ``Decisions §3.2``, to the decisions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

_logger = logging.getLogger(__name__)

_PAGE = "docs/decisions"
_CITED = re.compile(r"([Dd]ecisions §(\d+)(?:\.\d+)?)")


class DecisionLinks(SphinxPostTransform):
    """A transform that makes a link of each cited section."""

    default_priority = 400

    def run(self, **_: Any) -> None:
        """Replace the texts that cite a section."""
        for text in [*self.document.findall(nodes.Text)]:
            is_prose = not isinstance(text.parent, nodes.FixedTextElement | nodes.literal | nodes.reference)
            if is_prose and _CITED.search(text):
                text.parent.replace(text, [*self._parts(text)])

    def _parts(self, text: str) -> Iterator[nodes.Node]:
        between, *found = _CITED.split(text)
        yield nodes.Text(between)
        for cited, number, after in zip(found[::3], found[1::3], found[2::3], strict=True):
            yield nodes.reference("", cited, internal=True, refuri=self._address(number))
            yield nodes.Text(after)

    def _address(self, number: str) -> str:
        page = self.app.builder.get_relative_uri(self.env.docname, _PAGE)
        headings = self.env.metadata[_PAGE]["myst_slugs"]
        found = [heading[1] for slug, heading in headings.items() if slug.startswith(f"{number}-")]
        if not found:
            _logger.warning("unknown decision §%s", number, location=self.env.docname)
        return "#".join([page, *found])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform with Sphinx."""
    app.add_post_transform(DecisionLinks)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
