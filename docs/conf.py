"""The Sphinx configuration of the documentation, which ``make docs`` builds without a network.

The source folder is the root of the repository, so that a relative link leads to the same file on a built
page, in the README and on the site that hosts the repository.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pygments.lexers import TextLexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs" / "extensions"))

project = "faregate"
author = copyright = "The faregate authors"  # noqa: A001  # the name that Sphinx reads

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.linkcode",
    "decision_links",
    "generated_pages",
    "named_blocks",
    "notebook_pages",
    "offline",
    "public_names",
    "signatures",
    "source_pages",
]
root_doc = "docs/index"
include_patterns = [
    "README.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks/**README.md",
    "notebooks/README.md",
    "notebooks/*.ipynb",
    "docs/**.md",
]
exclude_patterns = [".*", "build", "dist", "src", "tests", "benchmarks/comparison/node"]

# Names described elsewhere (in the standard library and other packages) and type variables.
nitpicky = True
nitpick_ignore_regex = [
    (
        "py:.*",
        r"(datetime\.)?(date|datetime|time|timedelta|tzinfo)|collections\.abc\.(Sequence|Mapping|Callable)|ZoneInfo|Decimal|(fractions\.)?Fraction|(pathlib\.)?Path|PathLike|StrPath",
    ),
    ("py:.*", r"(np|npt|numpy|pd|pandas)\..*|Axes|Starlette|Route"),
    (
        "py:.*",
        r"Native|Integers?|Column|Progress|AnyZone|Json|Value|CatalogueLoader|CatalogueSource|Distributions|RecordType|RuleIndex|Draw|Goods",
    ),
]

# ---------------------------------------------------------------- pages

myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]

html_theme = "furo"
html_title = "faregate"
html_static_path = ["_static"]
html_css_files = ["faregate.css"]
html_extra_path = ["_extra"]
html_copy_source = False
html_show_sphinx = False
html_theme_options: dict[str, list[str]] = {"top_of_page_buttons": []}

# ---------------------------------------------------------------- docstrings

from source_pages import linkcode_resolve  # noqa: E402, F401

napoleon_numpy_docstring = False
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
python_maximum_signature_line_length = 88
default_role = "code"


def setup(app: Sphinx) -> None:
    """Register a lexer without highlighting for CSV, which Pygments does not support."""
    app.add_lexer("csv", TextLexer)
