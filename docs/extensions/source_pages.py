"""Pages that show the source files to which a page or the reference links.

Sphinx would offer such files for download, and does not support folders; a folder is shown as a list of
files.
"""

from __future__ import annotations

import importlib
import inspect
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.transforms import SphinxTransform

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

ROOT = Path(__file__).parents[2]
_PAGES = "source"

# ---------------------------------------------------------------- links


class SourceLinks(SphinxTransform):
    """A transform that points links to other files and folders at the pages that show them."""

    default_priority = 5

    def apply(self, **_: Any) -> None:
        """Replace the links of the page."""
        for node in [*self.document.findall(_leads_out)]:
            path = self._path(node)
            if self.env.path2doc(path) in self.env.found_docs or not path.exists():
                continue
            _linked(self.env).setdefault(self.env.docname, set()).add(path)
            address = self.app.builder.get_relative_uri(self.env.docname, _page_of(path))
            node.replace_self(nodes.reference("", "", *node.children, refuri=address, internal=True))

    def _path(self, node: nodes.Element) -> Path:
        """Return the path that a link leads to; Sphinx omits the extension of Markdown files."""
        if node.get("refdomain") == "doc":
            return ROOT / f"{node['reftarget']}.md"
        return Path(self.env.relfn2path(node["reftarget"].partition("#")[0], self.env.docname)[1])


def _leads_out(node: nodes.Node) -> bool:
    is_link = isinstance(node, addnodes.download_reference | addnodes.pending_xref)
    return is_link and node.get("reftype") == "myst"


def linkcode_resolve(domain: str, info: dict[str, str]) -> str | None:
    """Return the page with the source of an object, relative to ``docs/reference``."""
    if domain != "py" or not info["module"]:
        return None
    found: Any = importlib.import_module(info["module"])
    try:
        for name in info["fullname"].split("."):
            found = getattr(found, name)
        path = Path(inspect.getsourcefile(inspect.unwrap(found)) or "")
        line = inspect.getsourcelines(found)[1]
    except (AttributeError, OSError, TypeError):
        return None  # a field or an alias: the link of its class suffices
    return f"../../{_page_of(path)}.html#L-{line}" if path.is_relative_to(ROOT) else None


def _page_of(path: Path) -> str:
    return f"{_PAGES}/{path.relative_to(ROOT).as_posix()}"


# ---------------------------------------------------------------- pages

_FORMAT: HtmlFormatter[str] = HtmlFormatter(cssclass="highlight", lineanchors="L")
# Not a Sphinx page, which would repeat the whole table of contents beside each of several hundred files.
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="{root}_static/pygments.css">
<link rel="stylesheet" href="{root}_static/source.css">
</head>
<body>
<header><a href="{root}docs/index.html">faregate</a> <h1>{title}</h1></header>
{body}
</body>
</html>
"""


def _write_pages(app: Sphinx, failure: Exception | None) -> None:
    """Write the pages of all linked files, of the files in linked folders, and of the packages."""
    if failure:
        return
    linked: set[Path] = {path for paths in _linked(app.env).values() for path in paths}
    inside = {file for folder in linked if folder.is_dir() for file in _files(folder)}
    for path in {*linked, *inside, *(ROOT / "src").rglob("*.py")}:
        page = app.outdir / f"{_page_of(path)}.html"
        if not page.exists() or page.stat().st_mtime < path.stat().st_mtime:
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(_html(path), encoding="utf-8")


def _html(path: Path) -> str:
    title = path.relative_to(ROOT)
    body = _listing(path) if path.is_dir() else _highlighted(path)
    return _PAGE.format(title=escape(title.as_posix()), root="../" * len(title.parts), body=body)


def _files(folder: Path) -> list[Path]:
    return sorted(
        path for path in folder.iterdir() if path.suffix in {".py", ".yaml", ".json", ".md", ".txt"}
    )


def _listing(folder: Path) -> str:
    names = (escape(file.name) for file in _files(folder))
    links = (f'<li><a href="{folder.name}/{name}.html">{name}</a></li>' for name in names)
    return f"<ul>{''.join(links)}</ul>"


def _highlighted(path: Path) -> str:
    try:
        lexer = get_lexer_for_filename(path.name)
    except ClassNotFound:
        lexer = TextLexer()
    return str(highlight(path.read_text(encoding="utf-8"), lexer, _FORMAT))


# ---------------------------------------------------------------- Sphinx interface


def _linked(env: BuildEnvironment) -> dict[str, set[Path]]:
    """Return the files that each page links to."""
    if not hasattr(env, "faregate_linked"):
        env.faregate_linked = {}  # type: ignore[attr-defined]
    return env.faregate_linked  # type: ignore[attr-defined,no-any-return]


def _forget(_: Sphinx, env: BuildEnvironment, docname: str) -> None:
    _linked(env).pop(docname, None)


def _merge(_: Sphinx, env: BuildEnvironment, docnames: Iterable[str], other: BuildEnvironment) -> None:
    _linked(env).update({name: paths for name, paths in _linked(other).items() if name in docnames})


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the transform and handlers with Sphinx."""
    app.add_transform(SourceLinks)
    app.connect("build-finished", _write_pages)
    app.connect("env-purge-doc", _forget)
    app.connect("env-merge-info", _merge)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
