"""The part of the OpenAPI document that no type tells: prose, headers, links and problems, kept as YAML."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, TypeAlias

import msgspec

Json: TypeAlias = dict[str, Any]


def read_yaml(name: str) -> Json:
    """Return the file of that *name* beside this module."""
    found: Json = msgspec.yaml.decode(files("faregate_http.openapi").joinpath(name).read_bytes())
    return found


INTERFACE: Json = read_yaml("interface.yaml")
"""What ``interface.yaml`` holds."""
