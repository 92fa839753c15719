"""Catalogue files: read, checked and turned into the values the core prices with.

``load_catalogue`` reads a YAML or JSON file, ``demo_catalogue`` the bundled demo resort, ``load_basket`` a
basket to be priced, ``read_rules`` the rules that orders are repriced by. Every issue is listed with its
place. The models describe the formats: the room ``catalogue`` part by part, ``basket`` and ``rules``.

Needs the extra ``catalogue``: pydantic and PyYAML.
"""

try:
    import pydantic  # noqa: F401  # what all models here are built on
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"faregate.files needs {missing.name}: install faregate[catalogue]", name=missing.name
    ) from missing

from faregate.files.basket import Basket, load_basket, parse_basket
from faregate.files.reading import demo_catalogue, load_catalogue, parse_catalogue
from faregate.files.rules import parse_rules, read_rules
from faregate.files.text.documents import FileFormat

__all__ = [
    "Basket",
    "FileFormat",
    "demo_catalogue",
    "load_basket",
    "load_catalogue",
    "parse_basket",
    "parse_catalogue",
    "parse_rules",
    "read_rules",
]
