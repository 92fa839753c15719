"""Catalogue files: read, checked and turned into the values the core prices with.

``load_catalogue`` reads a YAML or JSON file, ``demo_catalogue`` the bundled demo resort, ``load_basket`` a
basket to be priced, ``read_rules`` the rules that orders are repriced by. Every fault is listed with its
place. The models are the description of the formats: ``catalogue_file``, ``calendars``, ``pools``,
``products``, ``prices``, ``booking``, ``content``, ``media``, ``discounts``, ``channels``, ``basket`` and
``rules_file``.

Needs the extra ``catalogue``: pydantic and PyYAML.
"""

try:
    import pydantic  # noqa: F401  # what all models here are built on
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"faregate_catalogue needs {missing.name}: install faregate[catalogue]", name=missing.name
    ) from missing

from faregate_catalogue.basket import Basket, load_basket, parse_basket
from faregate_catalogue.documents import FileFormat
from faregate_catalogue.reading import demo_catalogue, load_catalogue, parse_catalogue
from faregate_catalogue.rules_file import parse_rules, read_rules

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
