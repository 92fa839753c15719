"""Descriptions and examples of all properties, kept as YAML and merged into the schemas of the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate_http.openapi.interface import read_yaml

if TYPE_CHECKING:
    from faregate_http.openapi.interface import Json

_KEPT: Json = read_yaml("properties.yaml")

UNIONS: Json = _KEPT["unions"]
"""Schemas of answers that have several shapes, by name."""


def described(schemas: Json) -> Json:
    return schemas
