"""Functions that read and check catalogue, basket and rules files, and return values of the core.

``load_catalogue`` reads a catalogue from a YAML or JSON file, ``demo_catalogue`` the bundled demo resort,
``load_basket`` a basket to be priced, and ``read_rules`` the rules for repricing orders. Errors list all
issues with their positions. The models in ``catalogue``, ``basket`` and ``rules`` define the file formats.

Requires the extra ``catalogue``: pydantic and PyYAML.
"""

try:
    import pydantic  # noqa: F401  # the base of all models here
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
