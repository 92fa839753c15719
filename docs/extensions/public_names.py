"""A check that the reference lists every public name, and links from names in signatures and sentences."""

from __future__ import annotations

import importlib
import re
from enum import Enum
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

PACKAGES = ("faregate", "faregate.batch", "faregate.frames", "faregate.plot", "faregate.files")

_logger = logging.getLogger(__name__)


def public_names() -> Iterator[str]:
    """Yield each public name with its package."""
    for package in PACKAGES:
        yield from (f"{package}.{name}" for name in importlib.import_module(package).__all__)


def _tell_missing(_: Sphinx, env: BuildEnvironment) -> None:
    """Report missing names; Sphinx itself reports duplicates."""
    described = env.domains["py"].data["objects"]
    for name in public_names():
        if name not in described:
            _logger.warning("%s is missing from the reference", name, type="faregate", subtype="missing")


def _forget_numbers_of_fields(_app: Sphinx, _what: str, _name: str, thing: object, *_: object) -> None:
    """Remove the generated text 'Alias for field number 3' of a named tuple's fields."""
    for field in getattr(thing, "_fields", ()) if isinstance(thing, type) else ():
        vars(thing)[field].__doc__ = None


def _skips(_app: Sphinx, _what: str, name: str, thing: object, *_: object) -> bool | None:
    """Show members of an enumeration even without a docstring."""
    return False if isinstance(thing, Enum) and thing.name == name else None


def _keep_colons(_app: Sphinx, what: str, _n: str, _thing: object, _o: object, lines: list[str]) -> None:
    """Escape colons in the docstrings of fields, where napoleon takes the text before a colon for a type."""
    if what in {"attribute", "data", "property"}:
        lines[:0] = ["..", ""]


class NearestNames(SphinxPostTransform):
    """A transform that resolves a short name in a signature to the nearest public name."""

    default_priority = 9  # before Sphinx, which reports ambiguous names

    def run(self, **_: Any) -> None:
        """Complete each short name with its package."""
        described = self.env.domains["py"].data["objects"]
        for node in self.document.findall(pending_xref):
            if node.get("refdomain") == "py":
                near = node.get("py:module") or "faregate"
                node["reftarget"] = _nearest(node["reftarget"], near, described) or node["reftarget"]


class LinkedNames(SphinxPostTransform):
    """A transform that links public names in sentences, unless they are ordinary words."""

    default_priority = 8

    def run(self, **_: Any) -> None:
        """Link each public name, except on pages about the HTTP API."""
        if self.env.docname.startswith("docs/reference/http"):
            return
        described = self.env.domains["py"].data["objects"]
        for node in [*self.document.findall(nodes.literal)]:
            found = _meant(node.astext(), described)
            if found and not isinstance(node.parent, nodes.reference | nodes.title | pending_xref):
                options = {
                    "refdomain": "py",
                    "reftype": "obj",
                    "refdoc": self.env.docname,
                    "reftarget": found,
                }
                node.replace_self(pending_xref("", node.deepcopy(), refexplicit=True, **options))


def _meant(words: str, described: Container[str]) -> str | None:
    name = words.removesuffix("()")
    if not re.fullmatch(r"[\w.]*(?:[a-z]_[a-z]|[a-z][A-Z]|\.)\w*", name):
        return None
    return next((full for full in (name, f"faregate.{name}") if full in described), None)


def _nearest(target: str, near: str, described: Iterable[str]) -> str | None:
    name = f".{target.rpartition('.')[2]}"
    found = [each for each in described if each.endswith(name) and each[: -len(name)].islower()]
    return min(found, key=lambda each: (-_shared(each, near), each.count(".")), default=None)


def _shared(one: str, other: str) -> int:
    """Return the number of packages that two names have in common."""
    pairs = zip(one.split("."), other.split("."), strict=False)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transforms and handlers with Sphinx."""
    app.connect("autodoc-process-signature", _forget_numbers_of_fields)
    app.connect("autodoc-skip-member", _skips)
    app.connect("autodoc-process-docstring", _keep_colons, priority=400)
    app.add_post_transform(LinkedNames)
    app.add_post_transform(NearestNames)
    app.connect("env-check-consistency", _tell_missing)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
